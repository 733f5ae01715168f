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
		allowed, err := strconv.ParseInt(m[3], 10, 64)
		if err != nil {
			continue
		}
		do := fmt.Sprintf("The quota %s is %s, and %s is needed.", m[1], m[3], m[2])
		switch {
		case allowed == 0:
			do += " Ask for quota: " + askForMore + "."
		case strings.Contains(m[1], "Gpu"):
			// Refusals count whole GPUs, also where the quota itself counts thousandths.
			do += fmt.Sprintf(" Set parallelism to at most %d, or ask for more: %s.", allowed, askForMore)
		default:
			do += " Lower parallelism or resources, or ask for more: https://console.cloud.google.com/iam-admin/quotas."
		}
		out = append(out, do)
	}
	return slices.Compact(out)
}
