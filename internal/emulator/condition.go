package emulator

import (
	"fmt"
	"time"

	"cloud.google.com/go/run/apiv2/runpb"
	"google.golang.org/protobuf/types/known/timestamppb"
)

const (
	conditionCompleted = "Completed"
	conditionResources = "ResourcesAvailable"
	conditionStarted   = "Started"

	waitingForGPU = "Quota exceeded for total allowable count of GPUs per project per region."
)

// describeExecution brings the conditions up to date. The types are those of the real service; the messages are guesses, but
// for the one about GPUs.
func (s *state) describeExecution(now time.Time, e *execution) {
	wanted := []*runpb.Condition{e.completedCondition(), e.resourcesCondition(), e.startedCondition()}
	for i, condition := range wanted {
		condition.LastTransitionTime = transition(e.message.GetConditions(), i, condition.GetState(), now)
	}
	e.message.Conditions = wanted
}

// transition keeps the time of the last change of state.
func transition(before []*runpb.Condition, i int, state runpb.Condition_State, now time.Time) *timestamppb.Timestamp {
	if i < len(before) && before[i].GetState() == state {
		return before[i].GetLastTransitionTime()
	}
	return stamp(now)
}

func (e *execution) completedCondition() *runpb.Condition {
	condition := &runpb.Condition{Type: conditionCompleted}
	switch e.completionStatus() {
	case runpb.ExecutionReference_EXECUTION_SUCCEEDED:
		condition.State = runpb.Condition_CONDITION_SUCCEEDED
		condition.Message = "Execution completed successfully."
	case runpb.ExecutionReference_EXECUTION_CANCELLED:
		condition.State = runpb.Condition_CONDITION_FAILED
		condition.Message = fmt.Sprintf("Execution cancelled: %d of %d tasks did not complete.", e.message.GetCancelledCount(), len(e.tasks))
		condition.Reasons = &runpb.Condition_ExecutionReason_{ExecutionReason: runpb.Condition_CANCELLED}
	case runpb.ExecutionReference_EXECUTION_FAILED:
		condition.State = runpb.Condition_CONDITION_FAILED
		condition.Message = e.failure().GetMessage()
		condition.Reasons = &runpb.Condition_ExecutionReason_{ExecutionReason: runpb.Condition_NON_ZERO_EXIT_CODE}
	default:
		condition.State = runpb.Condition_CONDITION_RECONCILING
	}
	return condition
}

func (e *execution) resourcesCondition() *runpb.Condition {
	if e.started == 0 && !e.ended && e.perTask > 0 {
		return &runpb.Condition{Type: conditionResources, State: runpb.Condition_CONDITION_RECONCILING, Message: waitingForGPU}
	}
	return &runpb.Condition{Type: conditionResources, State: runpb.Condition_CONDITION_SUCCEEDED}
}

func (e *execution) startedCondition() *runpb.Condition {
	if e.started == 0 {
		return &runpb.Condition{Type: conditionStarted, State: runpb.Condition_CONDITION_RECONCILING}
	}
	return &runpb.Condition{Type: conditionStarted, State: runpb.Condition_CONDITION_SUCCEEDED}
}
