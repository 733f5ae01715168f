package diagnose

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"cloud.google.com/go/run/apiv2/runpb"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/fault"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/runapi"
)

// Refused says why a request about a job was refused, each violation at the attribute that can cure it. Sent is the request's
// job; it gives names to what the API only numbers.
func Refused(s Summary, name runapi.JobName, sent *runpb.Job, err error) diag.Diagnostics {
	f, ok := fault.As(err)
	if !ok || len(f.Violations) == 0 {
		return Call(s, name, err)
	}
	var out diag.Diagnostics
	for _, v := range f.Violations {
		at := attributeOf(v.Field, sent)
		m := Message{
			What: fmt.Sprintf("%s: %s.", s, name),
			Why:  fmt.Sprintf("The API answered %s: %s: %s", f.Status(), v.Field, v.Description),
			Do:   "Change the configuration as the answer says, and apply again.",
		}
		if !at.Equal(path.Empty()) {
			m.Do = fmt.Sprintf("Change %s as the answer says, and apply again.", at)
		}
		if limits := violatedQuotas(v.Description); len(limits) > 0 {
			m.Do = strings.Join(limits, " ")
		}
		out.Append(ErrorAt(at, s, m))
	}
	return out
}

// violatedQuota is the one part of a refusal that the API says in a fixed form, a line for each quota.
var violatedQuota = regexp.MustCompile(`(\w+PerProjectRegion) requested: (\d+) allowed: (\d+)`)

// violatedQuotas says of each quota in a refusal what is needed, what there is, and what to do.
func violatedQuotas(description string) []string {
	var out []string
	for _, m := range violatedQuota.FindAllStringSubmatch(description, -1) {
		id := m[1]
		requested, requestedErr := strconv.ParseInt(m[2], 10, 64)
		allowed, allowedErr := strconv.ParseInt(m[3], 10, 64)
		if requestedErr != nil || allowedErr != nil {
			continue
		}
		out = append(out, fmt.Sprintf("The quota %s is %s, and %s is needed. %s", id, inUnits(id, allowed), inUnits(id, requested), cure(id, allowed)))
	}
	return slices.Compact(out)
}

// inUnits is an amount of a quota as people count it. Refusals count whole GPUs, also where the quota itself counts
// thousandths, but thousandths of a vCPU and bytes.
func inUnits(id string, amount int64) string {
	switch {
	case strings.HasPrefix(id, "Cpu"):
		return fmt.Sprintf("%g vCPU", float64(amount)/1000)
	case strings.HasPrefix(id, "Mem"):
		return fmt.Sprintf("%g GiB", float64(amount)/(1<<30))
	}
	return strconv.FormatInt(amount, 10)
}

func cure(id string, allowed int64) string {
	switch {
	case !strings.Contains(id, "Gpu"):
		return "Lower parallelism or resources, or ask for more: https://console.cloud.google.com/iam-admin/quotas."
	case allowed == 0:
		return "Ask for quota: " + askForMore + "."
	}
	return fmt.Sprintf("Set parallelism to at most %d, or ask for more: %s.", allowed, askForMore)
}
