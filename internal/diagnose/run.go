package diagnose

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"cloud.google.com/go/run/apiv2/runpb"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"google.golang.org/grpc/codes"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/fault"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/runapi"
)

// The summaries about runs of a job.
const (
	RunStartFailed  Summary = "Job could not be run"
	RunUnfinished   Summary = "Run has not ended yet"
	RunUnsuccessful Summary = "Run did not succeed"
	RunDue          Summary = "Job runs again"

	ExecutionReadFailed   Summary = "Execution could not be read"
	ExecutionCancelFailed Summary = "Execution could not be cancelled"
)

// Runner is who runs a job: what to do about its runs depends on it.
type Runner struct {
	at                     path.Path
	timeout                string // the attribute that bounds the wait
	again, resume, unknown string
}

// The runners.
var (
	// ByApply is the attribute run of the resource.
	ByApply = Runner{
		at: path.Root("run"), timeout: "run.timeout",
		again:   "The job itself is as configured. The next apply runs it again; to give that up, remove run or set run.wait = false.",
		resume:  "Apply again to wait for it; no second run is started.",
		unknown: "Whether a run was started is not known. Apply again: that looks for it first, and starts one only where there is none.",
	}
	// ByAction is the action cloudrungpu_job_run.
	ByAction = Runner{
		at: path.Empty(), timeout: "timeout",
		again:   "Mend what failed and invoke the action again.",
		resume:  "Look at it with the data source cloudrungpu_execution, or end it with the action cloudrungpu_execution_cancel.",
		unknown: "Whether a run was started is not known. Look at the executions of the job before you invoke the action again.",
	}
)

var runPath = path.Root("run")

// RunNotStarted says why a run was not started, or that it is not known whether it was.
func RunNotStarted(by Runner, name runapi.JobName, err error) diag.Diagnostics {
	if d, isSetup := Setup(err); isSetup {
		return diag.Diagnostics{d}
	}
	m := Message{What: fmt.Sprintf("%s: %s.", RunStartFailed, name), Why: because(err), Do: startAgain(name, err)}
	if fault.MaybeDone(err) {
		m.Do = by.unknown
	}
	return diag.Diagnostics{ErrorAt(by.at, RunStartFailed, m)}
}

func startAgain(name runapi.JobName, err error) string {
	f, ok := fault.As(err)
	if !ok {
		f = &fault.Fault{Code: codes.Unknown}
	}
	switch f.Code {
	case codes.PermissionDenied:
		if f.Reason == "SERVICE_DISABLED" {
			break
		}
		return fmt.Sprintf("Whoever runs Terraform needs run.jobs.run and run.jobs.runWithOverrides on the job, as in roles/run.developer or "+
			"roles/run.jobsExecutorWithOverrides on project %s. Then apply again.", name.Project)
	case codes.InvalidArgument, codes.FailedPrecondition:
		return "Change run as the answer says, and apply again."
	}
	return remedy(RunStartFailed, name, f)
}

// RunGone says that a run was deleted while it was waited for.
func RunGone(by Runner, name runapi.ExecutionName, err error) diag.Diagnostics {
	return diag.Diagnostics{ErrorAt(by.at, RunUnsuccessful, Message{
		What: fmt.Sprintf("The execution %s was deleted before it was seen to end.", name), Why: because(err), Do: by.again,
	})}
}

// RunNotFinished says that a run was not waited for to its end, and what keeps it from starting.
func RunNotFinished(by Runner, name runapi.ExecutionName, last *runpb.Execution, err error) diag.Diagnostics {
	m := Message{
		What: fmt.Sprintf("The execution %s is still at work: %s.", name, Progress(last)),
		Why:  because(err),
		Do:   fmt.Sprintf("It goes on by itself. %s If runs take longer, raise %s.", by.resume, by.timeout),
	}
	if errors.Is(err, context.DeadlineExceeded) {
		m.Why = by.timeout + " is over."
	}
	if waiting := runapi.WaitingFor(last); waiting != "" {
		m.What = fmt.Sprintf("The execution %s has not started: none of its %d tasks has found a place to run.", name, last.GetTaskCount())
		m.Why = "Cloud Run: " + waiting
		m.Do = noPlace(last) + " It starts as soon as there is room. " + by.resume
	}
	return diag.Diagnostics{ErrorAt(by.at, RunUnfinished, m)}
}

// noPlace is what to do where tasks do not start. The API has no code for the cause, so the GPU quota is named where there is a GPU.
func noPlace(e *runpb.Execution) string {
	gpu := e.GetTemplate().GetNodeSelector().GetAccelerator()
	if gpu == "" {
		return "Wait until other work in the region has ended."
	}
	return fmt.Sprintf("Other executions, services or worker pools hold the GPU quota of the region (%s): wait for their end, or ask for more: %s.",
		gpu, askForMore)
}

// RunFailed says which tasks of a run failed, and how.
func RunFailed(by Runner, name runapi.ExecutionName, e *runpb.Execution, failed []*runpb.Task) diag.Diagnostics {
	m := Message{What: fmt.Sprintf("The execution %s failed: %s.", name, Progress(e)), Do: by.again}
	if runapi.StateOf(e) == runpb.ExecutionReference_EXECUTION_CANCELLED {
		m.What = fmt.Sprintf("The execution %s was cancelled: %s.", name, Progress(e))
	}
	var why []string
	if said := runapi.Completed(e).GetMessage(); said != "" {
		why = append(why, "Cloud Run: "+said)
	}
	m.Why = strings.Join(append(why, failures(failed)...), "\n")
	if e.GetLogUri() != "" {
		m.Know = "Logs: " + e.GetLogUri()
	}
	return diag.Diagnostics{ErrorAt(by.at, RunUnsuccessful, m)}
}

// mostFailures is how many failed tasks are told of: they mostly fail alike.
const mostFailures = 5

func failures(failed []*runpb.Task) []string {
	var lines []string
	for i, t := range failed {
		if i == mostFailures {
			return append(lines, fmt.Sprintf("and %d more tasks.", len(failed)-mostFailures))
		}
		lines = append(lines, "- "+failureOf(t))
	}
	return lines
}

// failureOf is one failed task in a line: task, attempt, how it ended, where its logs are.
func failureOf(t *runpb.Task) string {
	result := t.GetLastAttemptResult()
	line := fmt.Sprintf("task %d, attempt %d: ", t.GetIndex(), t.GetRetried()+1)
	switch {
	case result.GetExitCode() != 0:
		line += fmt.Sprintf("exit code %d", result.GetExitCode())
	case result.GetTermSignal() != 0:
		line += fmt.Sprintf("ended by signal %d", result.GetTermSignal())
	default:
		line += "failed"
	}
	if said := result.GetStatus().GetMessage(); said != "" {
		line += " (" + said + ")"
	}
	if t.GetLogUri() != "" {
		line += ", logs: " + t.GetLogUri()
	}
	return line
}

// Progress is how far an execution is, in a few words.
func Progress(e *runpb.Execution) string {
	parts := []string{fmt.Sprintf("%d of %d tasks succeeded", e.GetSucceededCount(), e.GetTaskCount())}
	for _, count := range []struct {
		n    int32
		what string
	}{
		{e.GetRunningCount(), "running"}, {e.GetFailedCount(), "failed"}, {e.GetCancelledCount(), "cancelled"}, {e.GetRetriedCount(), "retries"},
	} {
		if count.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", count.n, count.what))
		}
	}
	return strings.Join(parts, ", ")
}

// RunPending warns at plan of a run that an earlier apply has left open: current is the execution that goes on, last the one that did
// not succeed; both may be "".
func RunPending(name runapi.JobName, current, last string) diag.Diagnostic {
	m := Message{
		What: fmt.Sprintf("The last change of the job %s was applied, but not run.", name),
		Do:   "Apply to run it. To give that up, remove run.",
	}
	switch {
	case current != "":
		m.What = fmt.Sprintf("The execution %s of the job %s was not waited for to its end.", current, name)
		m.Do = "Apply to wait for it; no second run is started. To give that up, set run.wait = false."
	case last != "":
		m.What = fmt.Sprintf("The execution %s of the job %s did not succeed.", last, name)
		m.Do = "Apply to run the job again. To give that up, remove run."
	}
	return WarningAt(runPath, RunDue, m)
}

// AsWarnings are diagnostics that must not fail what they are about.
func AsWarnings(in diag.Diagnostics) diag.Diagnostics {
	var out diag.Diagnostics
	for _, d := range in {
		at := path.Empty()
		if placed, ok := d.(diag.DiagnosticWithPath); ok {
			at = placed.Path()
		}
		out.Append(WarningAt(at, Summary(d.Summary()), Message{What: d.Detail()}))
	}
	return out
}

// ExecutionUnread says why an execution, or its tasks, could not be read.
func ExecutionUnread(name runapi.ExecutionName, err error) diag.Diagnostics {
	if !fault.IsNotFound(err) {
		return Call(ReadFailed, name.JobName, err)
	}
	return diag.Diagnostics{Error(ExecutionReadFailed, Message{
		What: fmt.Sprintf("There is no execution %s.", name), Why: because(err),
		Do: "Check the name, the region and the project. The API keeps an execution for a week, and at most a thousand of each job.",
	})}
}

// ExecutionNotCancelled says why an execution goes on.
func ExecutionNotCancelled(name runapi.ExecutionName, err error) diag.Diagnostics {
	if d, isSetup := Setup(err); isSetup {
		return diag.Diagnostics{d}
	}
	if fault.IsNotFound(err) {
		return ExecutionUnread(name, err)
	}
	do := "Invoke the action again."
	if fault.Code(err) == codes.PermissionDenied {
		do = fmt.Sprintf("Whoever runs Terraform needs run.executions.cancel on the job, as in roles/run.developer on project %s.", name.Project)
	}
	return diag.Diagnostics{Error(ExecutionCancelFailed, Message{
		What: fmt.Sprintf("%s: %s.", ExecutionCancelFailed, name), Why: because(err), Do: do,
	})}
}
