package job

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/diagnose"
)

// planRun shows in the plan whether the job is going to run: last_run is then known after apply. It is so, too, where that depends on
// values that are not known yet.
func planRun(ctx context.Context, req resource.ModifyPlanRequest, planned Model, prior *Model, replaces bool) (types.Object, diag.Diagnostics) {
	if planned.Run.IsNull() {
		return types.ObjectNull(lastRunAttributes), nil
	}
	if prior == nil || replaces {
		return types.ObjectUnknown(lastRunAttributes), nil
	}
	before, diags := readNote(ctx, req.Private)
	if !req.Config.Raw.IsFullyKnown() || !fullyKnown(planned.EffectiveLabels) || runDue(planned, *prior, before.Run) {
		if before.Run.Due && !runChanges(planned, *prior) {
			diags.Append(diagnose.RunPending(planned.jobName(), before.Run.Current, before.Run.Last))
		}
		return types.ObjectUnknown(lastRunAttributes), diags
	}
	return keptObject(prior.LastRun, lastRunAttributes), diags
}

// runDue is true where the job is to run: what it runs has changed, or the run of an earlier change has not succeeded yet.
func runDue(planned, prior Model, before runNote) bool {
	return !planned.Run.IsNull() && (before.Due || runChanges(planned, prior))
}

// runChanges is true where a run would not do what the last one did.
func runChanges(planned, prior Model) bool {
	is, _ := planned.run()
	was, ran := prior.run()
	return !ran || !is.same(was) || !sameRequest(planned, prior)
}
