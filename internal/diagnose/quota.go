package diagnose

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/quota"
)

const (
	// otherUsers is what no quota check before the deployment can know.
	otherUsers = "The check cannot see what services, worker pools and other jobs of the project already hold in this region."
	// askForMore is Google's own short link to the form for GPU quota.
	askForMore = "https://g.co/cloudrun/gpu-quota"
)

// Quota says what a quota verdict means for a job; nothing where the demand fits. Lenient turns the error into a warning.
func Quota(v quota.Verdict, lenient bool) diag.Diagnostics {
	switch v.Outcome {
	case quota.Exceeds:
		return diag.Diagnostics{quotaExceeded(v, lenient)}
	case quota.MayExceed:
		return diag.Diagnostics{quotaMayBeExceeded(v)}
	case quota.GrantAssumed:
		return diag.Diagnostics{quotaOnFirstUse(v)}
	case quota.Unknown:
		if v.Err != nil {
			return diag.Diagnostics{quotaUnreadable(v)}
		}
	case quota.Fits:
	}
	return nil
}

func quotaExceeded(v quota.Verdict, lenient bool) diag.Diagnostic {
	m := Message{
		What: fmt.Sprintf("%s; the quota of project %q in %s is %s.", demanded(v), v.Demand.Project, v.Demand.Region, limitOf(v)),
		Why:  rule(v),
		Do:   largestThatFits(v) + " " + increase(v),
		Know: otherUsers,
	}
	at := path.Root("parallelism")
	if v.Need.Kind != quota.GPU {
		return WarningAt(at, AllocationQuotaTooLow, m)
	}
	if v.Demand.Parallelism == 0 {
		at = path.Root("gpu")
	}
	if lenient {
		return WarningAt(at, GPUQuotaExceeded, m)
	}
	return ErrorAt(at, GPUQuotaExceeded, m)
}

func quotaMayBeExceeded(v quota.Verdict) diag.Diagnostic {
	summary := GPUQuotaMayBeExceeded
	if v.Need.Kind != quota.GPU {
		summary = AllocationQuotaTooLow
	}
	return WarningAt(path.Root("parallelism"), summary, Message{
		What: fmt.Sprintf("parallelism is not set, so all %d tasks may run at once. %s; the quota of project %q in %s is %s.",
			v.Demand.TaskCount, demanded(v), v.Demand.Project, v.Demand.Region, limitOf(v)),
		Why:  rule(v),
		Do:   largestThatFits(v) + " " + increase(v),
		Know: otherUsers,
	})
}

func quotaOnFirstUse(v quota.Verdict) diag.Diagnostic {
	return WarningAt(path.Root("gpu"), GPUQuotaOnFirstUse, Message{
		What: fmt.Sprintf("Project %q has no %s quota in %s yet. %s.", v.Demand.Project, v.Need.Label, v.Demand.Region, demanded(v)),
		Why: fmt.Sprintf("Google grants a project %s on its first deployment in a region (quota %s), as long as there is capacity. New accounts "+
			"do not always get it.", v.Whole(v.Need.Grant), v.Need.QuotaID),
		Do: "Apply, and if the API answers that there is no quota: " + increase(v),
	})
}

func quotaUnreadable(v quota.Verdict) diag.Diagnostic {
	m := Message{
		What: fmt.Sprintf("Whether the quotas of project %q are large enough could not be checked.", v.Demand.Project),
		Why:  because(v.Err),
		Do:   readQuotas(v.Demand.Project, v.Err) + " Or turn the check off: quota_check = \"off\" in the provider block.",
		Know: "This is said once for each project; the plan goes on without the check.",
	}
	var setup *SetupFault
	if errors.As(v.Err, &setup) {
		m.Why, m.Do = strings.TrimSpace(setup.Message.What+" "+setup.Message.Why), setup.Message.Do
	}
	return WarningAt(path.Empty(), QuotaNotChecked, m)
}

// TypeNotChecked says that Cloud Quotas could not be asked whether a GPU type exists.
func TypeNotChecked(at path.Path, gpuType, project string, err error) diag.Diagnostic {
	m := Message{
		What: fmt.Sprintf("Whether there is a GPU type %q could not be checked.", gpuType),
		Why:  because(err),
		Do:   readQuotas(project, err) + " Or add the type to gpu_catalogue.",
	}
	var setup *SetupFault
	if errors.As(err, &setup) {
		m.Why, m.Do = strings.TrimSpace(setup.Message.What+" "+setup.Message.Why), setup.Message.Do
	}
	return WarningAt(at, QuotaNotChecked, m)
}

// demanded says what would be held at once, and how that comes about.
func demanded(v quota.Verdict) string {
	tasks := v.Demand.Parallelism
	if tasks == 0 {
		tasks = max(v.Demand.TaskCount, 1)
	}
	noun := "tasks"
	if tasks == 1 {
		noun = "task"
	}
	return fmt.Sprintf("%d %s at once with %s %s each: %s needed", tasks, noun, v.Whole(v.Need.PerTask), v.Need.Label, v.Whole(v.Requested))
}

func limitOf(v quota.Verdict) string {
	if v.Limit.State == quota.Absent {
		return "not set"
	}
	return v.Whole(v.Limit.Value)
}

func rule(v quota.Verdict) string {
	said := fmt.Sprintf("Quota %s, region %s: needed %s, limit %s.", v.Need.QuotaID, v.Demand.Region, v.Whole(v.Requested), limitOf(v))
	if v.Demand.Parallelism > max(v.Demand.TaskCount, 1) {
		said += " Cloud Run counts parallelism as written, though an execution has fewer tasks."
	}
	return said
}

func largestThatFits(v quota.Verdict) string {
	if v.Largest < 1 {
		return "Not even one task fits."
	}
	return fmt.Sprintf("Set parallelism = %d, the largest that fits.", v.Largest)
}

func increase(v quota.Verdict) string {
	ask := fmt.Sprintf("To run more at once, ask for a larger quota: %s (quota id %s).", askForMore, v.Need.QuotaID)
	if v.Need.Kind != quota.GPU {
		ask = fmt.Sprintf("To run more at once, ask for a larger quota: https://console.cloud.google.com/iam-admin/quotas?project=%s (quota id %s).",
			v.Demand.Project, v.Need.QuotaID)
	}
	if e := v.Limit.Eligibility; e.Known && !e.Eligible {
		ask += " Google says that the project is not eligible for an increase"
		if e.Reason != "" {
			ask += " (" + e.Reason + ")"
		}
		ask += "."
	}
	return ask
}
