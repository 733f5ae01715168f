package job

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"path"

	"cloud.google.com/go/run/apiv2/runpb"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-log/tflog"
	"google.golang.org/protobuf/proto"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/diagnose"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/fault"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/runapi"
)

// runJob runs the job of a change that has been applied, and waits as long as run says; ctx is not bounded by the timeouts of
// the change itself. It returns the state and the note as they are then: whatever goes wrong with a run, the job itself is fine.
func (r *Resource) runJob(ctx context.Context, m Model, n note) (Model, note, diag.Diagnostics) {
	spec, _ := m.run()
	ctx, cancel := context.WithTimeout(ctx, spec.patience())
	defer cancel()
	name := m.jobName()

	n.Run.Due = true
	execution, err := r.currentRun(ctx, m, n.Run)
	if err != nil {
		return m, n, diagnose.RunNotStarted(diagnose.ByApply, name, err)
	}
	at := runapi.ExecutionName{JobName: name, Execution: path.Base(execution.GetName())}
	n.Run.Current = at.Execution
	tflog.Info(ctx, "the job runs", map[string]any{"job": name.Job, "execution": at.Execution})
	if !spec.Wait.ValueBool() {
		m.LastRun, n.Run = lastRun(execution), runNote{Last: at.Execution}
		return m, n, nil
	}
	last, err := r.data.Run.WaitExecution(ctx, at, logProgress(ctx))
	if last != nil {
		execution = last
	}
	m.LastRun = lastRun(execution)
	switch {
	case fault.IsNotFound(err): // somebody has deleted it
		n.Run = runNote{Due: true, Last: at.Execution}
		return m, n, diagnose.RunGone(diagnose.ByApply, at, err)
	case err != nil:
		return m, n, diagnose.RunNotFinished(diagnose.ByApply, at, execution, err)
	case runapi.StateOf(execution) != runpb.ExecutionReference_EXECUTION_SUCCEEDED:
		n.Run = runNote{Due: true, Last: at.Execution}
		return m, n, r.describeFailure(context.WithoutCancel(ctx), at, execution)
	}
	n.Run = runNote{Last: at.Execution}
	return m, n, nil
}

// currentRun is the execution of the change: the one that an earlier apply has started and not seen to end, or the one whose
// start nobody heard of, or else a new one.
func (r *Resource) currentRun(ctx context.Context, m Model, before runNote) (*runpb.Execution, error) {
	name := m.jobName()
	if before.Current != "" {
		execution, err := r.data.Run.GetExecution(ctx, runapi.ExecutionName{JobName: name, Execution: before.Current})
		if !fault.IsNotFound(err) {
			return execution, err
		}
		before.Last = before.Current
	}
	mark := markOf(m, before.Last)
	execution, found, err := r.data.Run.FindExecution(ctx, name, mark)
	if found || err != nil {
		return execution, err
	}
	return r.data.Run.RunJob(ctx, name, m.runRequest(mark))
}

// markOf makes the same mark of the same run of the same change, also for a Terraform that has lost its memory in the middle of it.
// What Terraform has run before makes a change back to an earlier configuration another run.
func markOf(m Model, last string) string {
	r, _ := m.run()
	request, err := proto.MarshalOptions{Deterministic: true}.Marshal(expandJob(m, owned{}, nil, ""))
	if err != nil {
		request = nil // a string that is not UTF-8: the API has refused it already
	}
	parts, err := json.Marshal([]any{m.UID.ValueString(), last, request, r.parts()})
	if err != nil {
		parts = []byte(last)
	}
	sum := sha256.Sum256(parts)
	return hex.EncodeToString(sum[:16])
}

// planned is the note of a change on its way. Another change than the one that was run last is another run; without a run there is
// nothing to wait for.
func (n runNote) planned(due, another bool) runNote {
	if n.Current != "" && (another || !due) {
		n.Last, n.Current = n.Current, ""
	}
	n.Due = due
	return n
}

func lastRun(e *runpb.Execution) types.Object {
	return LastRun{
		Execution: types.StringValue(path.Base(e.GetName())),
		State:     types.StringValue(runapi.StateOf(e).String()),
		LogURI:    optionalString(e.GetLogUri(), types.StringNull()),
	}.object()
}

// logProgress tells those who look at Terraform's log how a run gets on.
func logProgress(ctx context.Context) func(*runpb.Execution) {
	return func(e *runpb.Execution) {
		fields := map[string]any{
			"execution": path.Base(e.GetName()), "tasks": e.GetTaskCount(), "running": e.GetRunningCount(), "succeeded": e.GetSucceededCount(),
			"failed": e.GetFailedCount(), "cancelled": e.GetCancelledCount(), "retried": e.GetRetriedCount(),
		}
		if why := runapi.WaitingFor(e); why != "" {
			fields["waiting_for"] = why
		}
		tflog.Info(ctx, "progress of the run", fields)
	}
}

// describeFailure says what failed; that the tasks cannot be read is no failure of its own.
func (r *Resource) describeFailure(ctx context.Context, at runapi.ExecutionName, e *runpb.Execution) diag.Diagnostics {
	failed, err := r.data.Run.FailedTasks(ctx, at)
	if err != nil {
		tflog.Warn(ctx, "the tasks of the run could not be read", map[string]any{"execution": at.Execution, "error": err.Error()})
	}
	return diagnose.RunFailed(diagnose.ByApply, at, e, failed)
}
