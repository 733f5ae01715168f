package job

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/diagnose"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/fault"
)

// Read brings the state up to date. A job that is gone leaves the state, so that the next plan makes it anew.
func (r *Resource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var state Model
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	before, diags := readNote(ctx, req.Private)
	resp.Diagnostics.Append(diags...)
	timeout, diags := state.Timeouts.Read(ctx, readTimeout)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()

	name := state.jobName()
	resp.Diagnostics.Append(setIdentity(ctx, resp.Identity, name)...) // the framework asks for it of a job that is gone, too
	job, err := r.data.Run.GetJob(ctx, name)
	if fault.IsNotFound(err) {
		resp.State.RemoveResource(ctx)
		return
	}
	if err != nil {
		resp.Diagnostics.Append(diagnose.Call(diagnose.ReadFailed, name, err)...)
		return
	}

	now := flattenJob(job, name, state, ownership{defaults: textMap(r.data.DefaultLabels), all: before.Imported})
	if now.DeletionProtection.IsNull() {
		now.DeletionProtection = types.BoolValue(false) // an import; the API knows nothing of it
	}
	// A note that changes makes a refresh-only plan report a change, so a read that finds none leaves it as it is: a run of
	// the job, or a label of somebody else, must not raise an alarm.
	changed := !sameRequest(state, now)
	if changed {
		resp.Diagnostics.Append(drift(now, before, job)...)
	}
	if changed || before.Imported {
		resp.Diagnostics.Append(writeNote(ctx, resp.Private, noteOf(job, before))...)
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, now)...)
}
