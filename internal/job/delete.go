package job

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/diagnose"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/fault"
)

// Delete removes the job and waits until it is gone. A job that is gone already is deleted.
func (r *Resource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var state Model
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	resp.Diagnostics.Append(protect(&state, "delete")...)
	timeout, diags := state.Timeouts.Delete(ctx, changeTimeout)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()

	name := state.jobName()
	operation, err := r.data.Run.DeleteJob(ctx, name, "")
	if err == nil {
		_, err = operation.Wait(ctx)
	}
	if err != nil && !fault.IsNotFound(err) {
		resp.Diagnostics.Append(diagnose.Call(diagnose.DeleteFailed, name, err)...)
	}
}
