package runapi

import (
	"context"
	"errors"
	"testing"
	"time"

	"cloud.google.com/go/run/apiv2/runpb"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/emulator"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/fault"
)

func condition(kind string, state runpb.Condition_State, reason runpb.Condition_ExecutionReason) *runpb.Condition {
	return &runpb.Condition{Type: kind, State: state, Message: "words", Reasons: &runpb.Condition_ExecutionReason_{ExecutionReason: reason}}
}

func TestStateOf(t *testing.T) {
	t.Parallel()
	const failed, reconciling = runpb.Condition_CONDITION_FAILED, runpb.Condition_CONDITION_RECONCILING
	over := timestamppb.New(time.Unix(1, 0))
	for name, test := range map[string]struct {
		execution *runpb.Execution
		want      runpb.ExecutionReference_CompletionStatus
		waiting   string
	}{
		"new": {&runpb.Execution{}, runpb.ExecutionReference_EXECUTION_PENDING, ""},
		"without a GPU to be had": {
			&runpb.Execution{Conditions: []*runpb.Condition{condition("ResourcesAvailable", reconciling, 0)}}, runpb.ExecutionReference_EXECUTION_PENDING, "words",
		},
		"at work": {
			&runpb.Execution{RunningCount: 1, Conditions: []*runpb.Condition{condition("ResourcesAvailable", reconciling, 0)}},
			runpb.ExecutionReference_EXECUTION_RUNNING, "",
		},
		"between two tries": {&runpb.Execution{RetriedCount: 1}, runpb.ExecutionReference_EXECUTION_RUNNING, ""},
		"over":              {&runpb.Execution{CompletionTime: over, SucceededCount: 1}, runpb.ExecutionReference_EXECUTION_SUCCEEDED, ""},
		"over, by count":    {&runpb.Execution{CompletionTime: over, FailedCount: 1}, runpb.ExecutionReference_EXECUTION_FAILED, ""},
		"failed": {
			&runpb.Execution{Conditions: []*runpb.Condition{condition("Completed", failed, runpb.Condition_NON_ZERO_EXIT_CODE)}},
			runpb.ExecutionReference_EXECUTION_FAILED, "",
		},
		"cancelled": {
			&runpb.Execution{Conditions: []*runpb.Condition{condition("Completed", failed, runpb.Condition_CANCELLED)}},
			runpb.ExecutionReference_EXECUTION_CANCELLED, "",
		},
	} {
		if got := StateOf(test.execution); got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
		if got := WaitingFor(test.execution); got != test.waiting {
			t.Errorf("%s waits for %q, want %q", name, got, test.waiting)
		}
	}
}

// An execution can be waited for in parts, and by somebody who did not start it.
func TestWaitForAnExecutionInParts(t *testing.T) {
	through(t, func(t *testing.T, transport string) {
		clock := emulator.NewManualClock(time.Unix(1, 0))
		w := newWorld(t, transport, emulator.WithTaskDuration(time.Minute), emulator.WithClock(clock))
		w.made(t)
		started, err := w.RunJob(t.Context(), finetune, Run{Mark: "m"})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		last, err := w.WaitExecution(ctx, nameOf(started), func(*runpb.Execution) { cancel() })
		if !errors.Is(err, context.Canceled) || last.GetRunningCount() != 1 {
			t.Errorf("an interrupted wait: %v, %v", last, err)
		}
		clock.Advance(time.Hour)
		if ended, err := w.WaitExecution(t.Context(), nameOf(started), nil); err != nil || StateOf(ended) != runpb.ExecutionReference_EXECUTION_SUCCEEDED {
			t.Errorf("it ended as %v, %v", ended, err)
		}
	})
}

func TestWaitForAnExecutionThatIsNotFoundYet(t *testing.T) {
	through(t, func(t *testing.T, transport string) {
		w := newWorld(t, transport)
		w.made(t)
		started, err := w.RunJob(t.Context(), finetune, Run{Mark: "m"})
		if err != nil {
			t.Fatal(err)
		}
		w.inject(t, emulator.Fault{Method: "Executions.GetExecution", Code: codes.NotFound, Times: 2})
		w.poll.grace = time.Minute
		if _, err := w.WaitExecution(t.Context(), nameOf(started), nil); err != nil {
			t.Error(err)
		}
		w.poll.grace = time.Millisecond
		if _, err := w.WaitExecution(t.Context(), ExecutionName{finetune, "none"}, nil); !fault.IsNotFound(err) {
			t.Errorf("an execution that never was: %v", err)
		}
	})
}

func TestCancelExecution(t *testing.T) {
	through(t, func(t *testing.T, transport string) {
		w := newWorld(t, transport, emulator.WithTaskDuration(time.Hour))
		w.made(t)
		started, err := w.RunJob(t.Context(), finetune, Run{Mark: "m"})
		if err != nil {
			t.Fatal(err)
		}
		w.inject(t, emulator.Fault{Method: "Executions.CancelExecution", Code: codes.Unavailable, After: true})
		for range 2 { // the first time although its answer is lost, the second although there is nothing left to do
			if err := w.CancelExecution(t.Context(), nameOf(started)); err != nil {
				t.Error(err)
			}
		}
		ended, err := w.WaitExecution(t.Context(), nameOf(started), nil)
		if err != nil || StateOf(ended) != runpb.ExecutionReference_EXECUTION_CANCELLED {
			t.Errorf("it ended as %v, %v", ended, err)
		}
		if err := w.CancelExecution(t.Context(), ExecutionName{finetune, "none"}); !fault.IsNotFound(err) {
			t.Errorf("an execution that never was: %v", err)
		}
	})
}
