package job

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/diagnose"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/quota"
)

// checkQuota asks for the project's quotas where the plan creates a job or raises what it needs, and says what it finds.
func (r *Resource) checkQuota(ctx context.Context, planned Model, prior *Model, replaces bool) diag.Diagnostics {
	var diags diag.Diagnostics
	if r.data.QuotaCheck == "off" {
		return diags
	}
	demand, ok := planned.demand(r.catalogue())
	if !ok {
		return diags
	}
	if prior != nil && !replaces {
		if before, ok := prior.demand(r.catalogue()); ok && !demand.Raises(before) {
			return diags
		}
	}
	verdicts := quota.Check(ctx, demand, r.data.Quotas)
	for i, verdict := range verdicts {
		if curedBy(verdicts[:i], verdict) {
			continue
		}
		if verdict.Err != nil && !r.data.Once("quota unreadable "+demand.Project) {
			continue
		}
		diags.Append(diagnose.Quota(verdict, r.data.QuotaCheck == "warning")...)
	}
	return diags
}

// curedBy is true of a verdict that an earlier one makes needless to say: whoever lowers the parallelism as the first asks
// meets the second as well.
func curedBy(earlier []quota.Verdict, v quota.Verdict) bool {
	for _, e := range earlier {
		stops := e.Outcome == quota.Exceeds || e.Outcome == quota.MayExceed
		if stops && e.Largest > 0 && (v.Largest == quota.Unlimited || e.Largest <= v.Largest) {
			return true
		}
	}
	return false
}
