package action

import (
	"context"
	"crypto/rand"
	"fmt"
	"path"
	"time"

	"cloud.google.com/go/run/apiv2/runpb"
	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/diagnose"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/fault"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/job"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/runapi"
)

// usualTimeout is the default of timeout.
const usualTimeout = time.Hour

var _ action.ActionWithConfigure = (*jobRun)(nil)

// jobRun is the action cloudrungpu_job_run.
type jobRun struct{ configured }

// NewJobRun returns the action cloudrungpu_job_run, not yet configured.
func NewJobRun() action.Action { return &jobRun{} }

// Metadata names the action.
func (a *jobRun) Metadata(_ context.Context, req action.MetadataRequest, resp *action.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_job_run"
}

// Invoke runs the job once, tells how the run gets on, and fails where it does.
func (a *jobRun) Invoke(ctx context.Context, req action.InvokeRequest, resp *action.InvokeResponse) {
	var m jobRunModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	if resp.Diagnostics.HasError() {
		return
	}
	name, diags := a.name(m.where)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	length, ok := m.Timeout.Length()
	if !ok {
		length = usualTimeout
	}
	ctx, cancel := context.WithTimeout(ctx, length)
	defer cancel()

	execution, err := a.start(ctx, name, m)
	if err != nil {
		resp.Diagnostics.Append(diagnose.RunNotStarted(diagnose.ByAction, name, err)...)
		return
	}
	at := runapi.ExecutionName{JobName: name, Execution: path.Base(execution.GetName())}
	say := func(words string) { resp.SendProgress(action.InvokeProgressEvent{Message: words}) }
	say(fmt.Sprintf("The job %s runs as execution %s. Logs: %s", name.Job, at.Execution, execution.GetLogUri()))
	if m.Wait.IsNull() || m.Wait.ValueBool() {
		resp.Diagnostics.Append(a.wait(ctx, at, execution, say)...)
	}
}

// start asks the job which container a run is for, and runs it.
func (a *jobRun) start(ctx context.Context, name runapi.JobName, m jobRunModel) (*runpb.Execution, error) {
	found, err := a.data.Run.GetJob(ctx, name)
	if err != nil {
		return nil, err
	}
	container := m.Container.ValueString()
	if m.Container.IsNull() {
		container = job.MainContainer(found)
	}
	timeout, _ := m.TaskTimeout.Length()
	return a.data.Run.RunJob(ctx, name, runapi.Run{
		Mark: rand.Text(), Container: container, Args: texts(m.Args), ClearArgs: !m.Args.IsNull() && len(m.Args.Elements()) == 0, Env: textMap(m.Env),
		TaskCount: int32(m.TaskCount.ValueInt64()), Timeout: timeout, //nolint:gosec // at most 10000
	})
}

// wait waits for the end of the run, and says what came of it.
func (a *jobRun) wait(ctx context.Context, at runapi.ExecutionName, last *runpb.Execution, say func(string)) diag.Diagnostics {
	_, err := a.data.Run.WaitExecution(ctx, at, func(e *runpb.Execution) {
		last = e
		say(progress(e))
	})
	switch {
	case fault.IsNotFound(err):
		return diagnose.RunGone(diagnose.ByAction, at, err)
	case err != nil:
		return diagnose.RunNotFinished(diagnose.ByAction, at, last, err)
	case runapi.StateOf(last) == runpb.ExecutionReference_EXECUTION_SUCCEEDED:
		return nil
	}
	failed, err := a.data.Run.FailedTasks(context.WithoutCancel(ctx), at)
	if err != nil {
		tflog.Warn(ctx, "the tasks of the run could not be read", map[string]any{"execution": at.Execution, "error": err.Error()})
	}
	return diagnose.RunFailed(diagnose.ByAction, at, last, failed)
}

func progress(e *runpb.Execution) string {
	words := path.Base(e.GetName()) + ": " + diagnose.Progress(e)
	if why := runapi.WaitingFor(e); why != "" {
		words += "; waiting: " + why
	}
	return words
}

func texts(l types.List) []string {
	var out []string
	for _, e := range l.Elements() {
		if s, ok := e.(types.String); ok {
			out = append(out, s.ValueString())
		}
	}
	return out
}

func textMap(m types.Map) map[string]string {
	out := map[string]string{}
	for key, e := range m.Elements() {
		if s, ok := e.(types.String); ok {
			out[key] = s.ValueString()
		}
	}
	return out
}
