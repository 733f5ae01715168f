package runapi

import (
	"cloud.google.com/go/run/apiv2/runpb"
)

// ExecutionName is the full name of one run of a job.
type ExecutionName struct {
	JobName
	Execution string // "finetune-x7k2p"
}

// String returns projects/P/locations/L/jobs/N/executions/E.
func (n ExecutionName) String() string { return n.JobName.String() + "/executions/" + n.Execution }

// The types of the conditions of an execution.
const (
	conditionCompleted = "Completed"
	conditionResources = "ResourcesAvailable"
)

func conditionOf(e *runpb.Execution, kind string) *runpb.Condition {
	for _, c := range e.GetConditions() {
		if c.GetType() == kind {
			return c
		}
	}
	return nil
}

// Completed is the condition that says how an execution has ended, and why; nil where the API does not say.
func Completed(e *runpb.Execution) *runpb.Condition { return conditionOf(e, conditionCompleted) }

// Ended reports whether an execution has come to its end, whatever that is.
func Ended(e *runpb.Execution) bool {
	state := Completed(e).GetState()
	return e.GetCompletionTime() != nil || state == runpb.Condition_CONDITION_SUCCEEDED || state == runpb.Condition_CONDITION_FAILED
}

// StateOf is how an execution fares, as the API itself says it of the latest execution of a job.
func StateOf(e *runpb.Execution) runpb.ExecutionReference_CompletionStatus {
	completed := Completed(e)
	switch {
	case !Ended(e) && started(e):
		return runpb.ExecutionReference_EXECUTION_RUNNING
	case !Ended(e):
		return runpb.ExecutionReference_EXECUTION_PENDING
	case completed.GetExecutionReason() == runpb.Condition_CANCELLED || e.GetCancelledCount() > 0:
		return runpb.ExecutionReference_EXECUTION_CANCELLED
	case completed.GetState() == runpb.Condition_CONDITION_FAILED || e.GetFailedCount() > 0:
		return runpb.ExecutionReference_EXECUTION_FAILED
	default:
		return runpb.ExecutionReference_EXECUTION_SUCCEEDED
	}
}

// started is true where a task has found its place, if only for a moment.
func started(e *runpb.Execution) bool {
	return e.GetRunningCount()+e.GetSucceededCount()+e.GetFailedCount()+e.GetRetriedCount() > 0
}

// WaitingFor is what keeps an execution from starting, in the API's words: no GPU that the quota has left, no capacity. It is
// "" where a task has started, and where the API does not say; no reason code tells one cause from another.
func WaitingFor(e *runpb.Execution) string {
	c := conditionOf(e, conditionResources)
	if Ended(e) || started(e) || c.GetState() == runpb.Condition_CONDITION_SUCCEEDED {
		return ""
	}
	return c.GetMessage()
}
