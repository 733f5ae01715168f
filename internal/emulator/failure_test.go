package emulator_test

import (
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/run/apiv2/runpb"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/emulator"
)

func taskOf(t *testing.T, client clients, execution, index string) *runpb.Task {
	t.Helper()
	name := execution + "/tasks/" + execution[strings.LastIndex(execution, "/")+1:] + "-task" + index
	return must(client.tasks.GetTask(t.Context(), &runpb.GetTaskRequest{Name: name}))(t)
}

// A try that fails is followed by another, which takes its own time; the others go on.
func TestATaskIsTriedAgain(t *testing.T) {
	clock, options := timed()
	bothDoors(t, options, func(t *testing.T, server *emulator.Server, client clients) {
		must(0, server.FailTasks(emulator.TaskFailure{Job: "tr*", Task: 1, Attempts: 2, ExitCode: 42}))(t)
		job := gpuJob()
		job.Template.TaskCount = 3
		create(t, client, "train", job)
		operation, name := runJob(t, client, &runpb.RunJobRequest{})
		clock.Advance(time.Minute)
		if got := counts(t, client, name); got != "1 running, 2 succeeded, 0 failed, 0 cancelled" {
			t.Error(got)
		}
		if again := taskOf(t, client, name, "1"); again.GetRetried() != 1 || again.GetLastAttemptResult().GetExitCode() != 42 || again.GetCompletionTime() != nil {
			t.Errorf("the task that failed once is %v", again)
		}
		clock.Advance(2 * time.Minute)
		done := must(operation.Poll(t.Context()))(t)
		if done.GetRetriedCount() != 2 || done.GetSucceededCount() != 3 {
			t.Errorf("the execution ended as %v", done)
		}
		if last := taskOf(t, client, name, "1"); last.GetRetried() != 2 || last.GetLastAttemptResult().GetExitCode() != 0 {
			t.Errorf("the task ended as %v", last)
		}
	})
}

func TestATaskFailsForGood(t *testing.T) {
	clock, options := timed()
	bothDoors(t, options, func(t *testing.T, server *emulator.Server, client clients) {
		must(0, server.FailTasks(emulator.TaskFailure{Job: "train", Task: emulator.EveryTask, Signal: 9}))(t)
		job := plainJob()
		job.Template.TaskCount = 2
		job.Template.Template.Retries = &runpb.TaskTemplate_MaxRetries{MaxRetries: 1}
		create(t, client, "train", job)
		operation, name := runJob(t, client, &runpb.RunJobRequest{})
		clock.Advance(2 * time.Minute)
		if _, err := operation.Poll(t.Context()); status.Code(err) != codes.Unknown || !strings.Contains(err.Error(), "-task0 failed with message: ") {
			t.Errorf("the run ended with %v", err)
		}
		e := must(client.executions.GetExecution(t.Context(), &runpb.GetExecutionRequest{Name: name}))(t)
		completed := conditionOf(e.GetConditions(), "Completed")
		if e.GetFailedCount() != 2 || e.GetRetriedCount() != 2 || completed.GetExecutionReason() != runpb.Condition_NON_ZERO_EXIT_CODE {
			t.Errorf("the execution ended as %v", e)
		}
		if last := taskOf(t, client, name, "1"); last.GetRetried() != 1 || last.GetLastAttemptResult().GetTermSignal() != 9 {
			t.Errorf("the task ended as %v", last)
		}
		server.ClearTaskFailures()
		_, name = runJob(t, client, &runpb.RunJobRequest{})
		clock.Advance(time.Minute)
		if got := counts(t, client, name); got != "0 running, 2 succeeded, 0 failed, 0 cancelled" {
			t.Errorf("without failures: %s", got)
		}
	})
}

// A try ends at its timeout, and the tries after it as well.
func TestATaskRunsOutOfTime(t *testing.T) {
	clock, options := timed()
	bothDoors(t, options, func(t *testing.T, _ *emulator.Server, client clients) {
		job := plainJob()
		job.Template.Template.Timeout = durationpb.New(20 * time.Second)
		job.Template.Template.Retries = &runpb.TaskTemplate_MaxRetries{MaxRetries: 1}
		create(t, client, "train", job)
		_, name := runJob(t, client, &runpb.RunJobRequest{})
		clock.Advance(39 * time.Second)
		if got := counts(t, client, name); got != "1 running, 0 succeeded, 0 failed, 0 cancelled" {
			t.Error(got)
		}
		clock.Advance(time.Second)
		if last := taskOf(t, client, name, "0").GetLastAttemptResult(); last.GetStatus().GetCode() != int32(codes.DeadlineExceeded) || last.GetTermSignal() != 15 {
			t.Errorf("the task ended as %v", last)
		}
		_, name = runJob(t, client, &runpb.RunJobRequest{Overrides: &runpb.RunJobRequest_Overrides{Timeout: durationpb.New(time.Minute)}})
		clock.Advance(time.Minute)
		if got := counts(t, client, name); got != "0 running, 1 succeeded, 0 failed, 0 cancelled" {
			t.Errorf("with more time: %s", got)
		}
	})
}

func TestTaskFailureKnob(t *testing.T) {
	server := start(t)
	knob := func(method, body string, want int) string {
		t.Helper()
		code, text := send(t, server, method, "/_emulator/task-failures", body)
		if code != want {
			t.Errorf("%s %s: got %d %s, want %d", method, body, code, text, want)
		}
		return text
	}
	knob("POST", `{"job": "train", "task": 0, "attempts": 1, "exit_code": 42}`, 200)
	knob("POST", `{"job": "*"}`, 200)
	for _, wrong := range []string{`{}`, `{"job": "["}`, `{"job": "a", "task": -2}`, `{"job": "a", "exit_code": 256}`, `{"job": "a", "index": 1}`} {
		if text := knob("POST", wrong, 400); !strings.Contains(text, `"error"`) {
			t.Errorf("%s: %s", wrong, text)
		}
	}
	got := server.TaskFailures()
	if len(got) != 2 || got[0] != (emulator.TaskFailure{Job: "train", Attempts: 1, ExitCode: 42}) || got[1].Task != emulator.EveryTask {
		t.Errorf("failures are %+v", got)
	}
	if text := knob("GET", "", 200); !strings.Contains(text, `"task": 0`) || !strings.Contains(text, `"task": null`) {
		t.Errorf("failures are %s", text)
	}
	knob("DELETE", "", 200)
	if left := server.TaskFailures(); len(left) != 0 {
		t.Errorf("failures are %+v", left)
	}
}
