package job

import (
	"context"
	"path"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"google.golang.org/grpc/codes"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/diagnose"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/fault"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/runapi"
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
	err := r.removeJob(ctx, name)
	// Only the real service can tell whether it deletes a job while it runs.
	if fault.Code(err) == codes.FailedPrecondition && r.endRuns(ctx, name) {
		err = r.removeJob(ctx, name)
	}
	if err != nil && !fault.IsNotFound(err) {
		resp.Diagnostics.Append(diagnose.Call(diagnose.DeleteFailed, name, err)...)
	}
}

func (r *Resource) removeJob(ctx context.Context, name runapi.JobName) error {
	operation, err := r.data.Run.DeleteJob(ctx, name, "")
	if err != nil {
		return err
	}
	_, err = operation.Wait(ctx)
	return err
}

// endRuns cancels what runs of a job that is to go, and waits for its end. It is false where there was nothing to cancel, or
// something could not be: then the refusal of the delete says more.
func (r *Resource) endRuns(ctx context.Context, name runapi.JobName) bool {
	ended := 0
	for e, err := range r.data.Run.ListExecutions(ctx, name) {
		if err != nil {
			return false
		}
		if runapi.Ended(e) {
			continue
		}
		at := runapi.ExecutionName{JobName: name, Execution: path.Base(e.GetName())}
		if r.data.Run.CancelExecution(ctx, at) != nil {
			return false
		}
		if _, err := r.data.Run.WaitExecution(ctx, at, nil); err != nil {
			return false
		}
		ended++
	}
	return ended > 0
}
