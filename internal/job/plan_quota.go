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
		if cured(verdicts, i) {
			continue
		}
		if verdict.Err != nil && !r.data.Once("quota unreadable "+demand.Project) {
			continue
		}
		diags.Append(diagnose.Quota(verdict, r.data.QuotaCheck == "warning")...)
	}
	return diags
}

// cured is true of the verdict on CPU or memory that another one makes needless to say: whoever lowers the parallelism as that
// one asks meets this one as well.
func cured(verdicts []quota.Verdict, at int) bool {
	v := verdicts[at]
	if v.Need.Kind == quota.GPU {
		return false
	}
	for i, other := range verdicts {
		stops := other.Outcome == quota.Exceeds || other.Outcome == quota.MayExceed
		tighter := v.Largest == quota.Unlimited || other.Largest < v.Largest || (other.Largest == v.Largest && i < at)
		if i != at && stops && other.Largest > 0 && tighter {
			return true
		}
	}
	return false
}
