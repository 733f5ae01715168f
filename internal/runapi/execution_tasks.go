package runapi

import (
	"context"

	"cloud.google.com/go/run/apiv2/runpb"
)

// FailedTasks returns the tasks of an execution whose last try failed for good, by their index; with an error those found before it.
func (c *Client) FailedTasks(ctx context.Context, execution ExecutionName) ([]*runpb.Task, error) {
	var failed []*runpb.Task
	for task, err := range c.ListTasks(ctx, execution) {
		if err != nil {
			return failed, err
		}
		if TaskStateOf(task) == runpb.ExecutionReference_EXECUTION_FAILED {
			failed = append(failed, task)
		}
	}
	return failed, nil
}

// TaskStateOf is how a task fares, in the words that the API has for executions.
func TaskStateOf(t *runpb.Task) runpb.ExecutionReference_CompletionStatus {
	var completed *runpb.Condition
	for _, c := range t.GetConditions() {
		if c.GetType() == conditionCompleted {
			completed = c
		}
	}
	attempt := t.GetLastAttemptResult()
	switch {
	case completed.GetExecutionReason() == runpb.Condition_CANCELLED:
		return runpb.ExecutionReference_EXECUTION_CANCELLED
	case completed.GetState() == runpb.Condition_CONDITION_SUCCEEDED:
		return runpb.ExecutionReference_EXECUTION_SUCCEEDED
	case completed.GetState() == runpb.Condition_CONDITION_FAILED:
		return runpb.ExecutionReference_EXECUTION_FAILED
	case t.GetCompletionTime() != nil && (attempt.GetExitCode() != 0 || attempt.GetStatus().GetCode() != 0):
		return runpb.ExecutionReference_EXECUTION_FAILED
	case t.GetCompletionTime() != nil:
		return runpb.ExecutionReference_EXECUTION_SUCCEEDED
	case t.GetStartTime() != nil:
		return runpb.ExecutionReference_EXECUTION_RUNNING
	default:
		return runpb.ExecutionReference_EXECUTION_PENDING
	}
}
