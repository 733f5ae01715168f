package emulator_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	run "cloud.google.com/go/run/apiv2"
	"cloud.google.com/go/run/apiv2/runpb"
	"google.golang.org/api/iterator"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/emulator"
)

// timed is what tests of executions run on: a clock of their own, and tasks of a minute.
func timed() (*emulator.ManualClock, []emulator.Option) {
	clock := emulator.NewManualClock(startOfTime)
	return clock, []emulator.Option{emulator.WithClock(clock), emulator.WithTaskDuration(time.Minute)}
}

func runJob(t *testing.T, client clients, request *runpb.RunJobRequest) (operation *run.RunJobOperation, name string) {
	t.Helper()
	request.Name = jobName
	operation = must(client.jobs.RunJob(t.Context(), request))(t)
	return operation, must(operation.Metadata())(t).GetName()
}

func counts(t *testing.T, client clients, name string) string {
	t.Helper()
	e := must(client.executions.GetExecution(t.Context(), &runpb.GetExecutionRequest{Name: name}))(t)
	return fmt.Sprintf("%d running, %d succeeded, %d failed, %d cancelled",
		e.GetRunningCount(), e.GetSucceededCount(), e.GetFailedCount(), e.GetCancelledCount())
}

func conditionOf(conditions []*runpb.Condition, kind string) *runpb.Condition {
	for _, condition := range conditions {
		if condition.GetType() == kind {
			return condition
		}
	}
	return nil
}

func TestExecutionRuns(t *testing.T) {
	clock, options := timed()
	bothDoors(t, options, func(t *testing.T, _ *emulator.Server, client clients) {
		job := gpuJob()
		job.Template.TaskCount, job.Template.Parallelism = 5, 2
		before := create(t, client, "train", job)
		operation, name := runJob(t, client, &runpb.RunJobRequest{})
		for _, want := range []string{
			"2 running, 0 succeeded, 0 failed, 0 cancelled", "2 running, 2 succeeded, 0 failed, 0 cancelled", "1 running, 4 succeeded, 0 failed, 0 cancelled",
		} {
			if got := counts(t, client, name); got != want {
				t.Errorf("%s, want %s", got, want)
			}
			if must(operation.Poll(t.Context()))(t) != nil {
				t.Error("the operation is done before the execution")
			}
			clock.Advance(time.Minute)
		}
		done := must(operation.Poll(t.Context()))(t)
		if done.GetSucceededCount() != 5 || done.GetReconciling() || done.GetParallelism() != 2 ||
			done.GetCompletionTime().AsTime().Sub(done.GetStartTime().AsTime()) != 3*time.Minute {
			t.Errorf("the execution ended as %v", done)
		}
		if completed := conditionOf(done.GetConditions(), "Completed"); completed.GetState() != runpb.Condition_CONDITION_SUCCEEDED {
			t.Errorf("conditions are %v", done.GetConditions())
		}
		after := must(client.jobs.GetJob(t.Context(), &runpb.GetJobRequest{Name: jobName}))(t)
		latest := after.GetLatestCreatedExecution()
		if after.GetExecutionCount() != 1 || !strings.HasSuffix(name, "/"+latest.GetName()) ||
			latest.GetCompletionStatus() != runpb.ExecutionReference_EXECUTION_SUCCEEDED || latest.GetCompletionTime() == nil {
			t.Errorf("the job shows %v", after)
		}
		if after.GetEtag() == before.GetEtag() || after.GetGeneration() != before.GetGeneration() {
			t.Errorf("a run must move the etag and not the generation: %v", after)
		}
	})
}

func TestTasks(t *testing.T) {
	clock, options := timed()
	bothDoors(t, options, func(t *testing.T, _ *emulator.Server, client clients) {
		job := gpuJob()
		job.Template.TaskCount, job.Template.Parallelism = 12, 11
		create(t, client, "train", job)
		_, name := runJob(t, client, &runpb.RunJobRequest{})
		tasks := client.tasks.ListTasks(t.Context(), &runpb.ListTasksRequest{Parent: name, PageSize: 5})
		var all []*runpb.Task
		for {
			task, err := tasks.Next()
			if err == iterator.Done { //nolint:errorlint // the iterator returns it as it is
				break
			}
			all = append(all, must(task, err)(t))
		}
		if len(all) != 12 {
			t.Fatalf("%d tasks", len(all))
		}
		for i, task := range all {
			if task.GetIndex() != int32(i) || (task.GetStartTime() != nil) != (i < 11) || !task.GetReconciling() ||
				task.GetNodeSelector().GetAccelerator() != "nvidia-l4" || task.GetMaxRetries() != 3 {
				t.Errorf("task %d is %v", i, task)
			}
		}
		clock.Advance(time.Minute)
		task := must(client.tasks.GetTask(t.Context(), &runpb.GetTaskRequest{Name: all[3].GetName()}))(t)
		if task.GetCompletionTime() == nil || task.GetLastAttemptResult() == nil || conditionOf(task.GetConditions(), "Completed").GetState() != runpb.Condition_CONDITION_SUCCEEDED {
			t.Errorf("the task ended as %v", task)
		}
		_, err := client.tasks.GetTask(t.Context(), &runpb.GetTaskRequest{Name: name + "/tasks/none"})
		expectRefusal(t, err, 404, "of kind 'TASK'")
	})
}

func TestExecutionsShareTheGPUs(t *testing.T) {
	clock, options := timed()
	server := start(t, append(options, emulator.WithQuota("nvidia-l4@us-central1", 3))...)
	client := grpcClients(t, server)
	job := gpuJob()
	job.Template.TaskCount, job.Template.Parallelism = 4, 2
	create(t, client, "train", job)
	_, first := runJob(t, client, &runpb.RunJobRequest{})
	_, second := runJob(t, client, &runpb.RunJobRequest{})
	_, third := runJob(t, client, &runpb.RunJobRequest{})
	expectRunning := func(want string) {
		t.Helper()
		var running []string
		for _, name := range []string{first, second, third} {
			running = append(running, strings.Fields(counts(t, client, name))[0])
		}
		if got := strings.Join(running, " "); got != want {
			t.Errorf("%s tasks run, want %s", got, want)
		}
	}
	expectRunning("2 1 0")
	waiting := must(client.executions.GetExecution(t.Context(), &runpb.GetExecutionRequest{Name: third}))(t)
	if condition := conditionOf(waiting.GetConditions(), "ResourcesAvailable"); condition.GetState() != runpb.Condition_CONDITION_RECONCILING ||
		condition.GetMessage() != "Quota exceeded for total allowable count of GPUs per project per region." {
		t.Errorf("the waiting execution says %v", condition)
	}
	if err := server.SetQuota("nvidia-l4@us-central1", 4); err != nil {
		t.Fatal(err)
	}
	expectRunning("2 2 0")
	clock.Advance(time.Minute)
	expectRunning("2 2 0")
	clock.Advance(time.Minute)
	expectRunning("0 0 2")
}

func TestCancel(t *testing.T) {
	clock, options := timed()
	bothDoors(t, options, func(t *testing.T, _ *emulator.Server, client clients) {
		job := plainJob()
		job.Template.TaskCount, job.Template.Parallelism = 5, 2
		create(t, client, "train", job)
		operation, name := runJob(t, client, &runpb.RunJobRequest{})
		clock.Advance(time.Minute)
		cancelled := must(must(client.executions.CancelExecution(t.Context(), &runpb.CancelExecutionRequest{Name: name}))(t).Wait(t.Context()))(t)
		if got := counts(t, client, name); got != "0 running, 2 succeeded, 0 failed, 3 cancelled" {
			t.Error(got)
		}
		if completed := conditionOf(cancelled.GetConditions(), "Completed"); completed.GetExecutionReason() != runpb.Condition_CANCELLED {
			t.Errorf("conditions are %v", cancelled.GetConditions())
		}
		if _, err := operation.Poll(t.Context()); err == nil {
			t.Error("the operation of the run succeeded")
		}
		clock.Advance(time.Minute)
		if got := counts(t, client, name); got != "0 running, 2 succeeded, 0 failed, 3 cancelled" {
			t.Errorf("after the cancel: %s", got)
		}
		_, err := client.executions.CancelExecution(t.Context(), &runpb.CancelExecutionRequest{Name: name})
		expectRefusal(t, err, 400, "has already completed")
	})
}

func TestDeleteWhileRunning(t *testing.T) {
	_, options := timed()
	server := start(t, append(options, emulator.WithQuota("nvidia-l4@*", 1))...)
	client := grpcClients(t, server)
	create(t, client, "train", gpuJob())
	operation, name := runJob(t, client, &runpb.RunJobRequest{})
	must(client.jobs.DeleteJob(t.Context(), &runpb.DeleteJobRequest{Name: jobName}))(t)
	if _, err := operation.Poll(t.Context()); status.Code(err) != codes.Canceled {
		t.Errorf("the run ended with %v, want CANCELLED", err)
	}
	if _, err := client.executions.GetExecution(t.Context(), &runpb.GetExecutionRequest{Name: name}); status.Code(err) != codes.NotFound {
		t.Errorf("the execution of a deleted job: %v, want NOT_FOUND", err)
	}
	create(t, client, "train", gpuJob())
	_, name = runJob(t, client, &runpb.RunJobRequest{})
	if got := counts(t, client, name); !strings.HasPrefix(got, "1 running") {
		t.Errorf("the GPU of the deleted job is not free: %s", got)
	}
}

func TestDeleteExecution(t *testing.T) {
	_, options := timed()
	bothDoors(t, options, func(t *testing.T, _ *emulator.Server, client clients) {
		create(t, client, "train", plainJob())
		_, first := runJob(t, client, &runpb.RunJobRequest{})
		_, second := runJob(t, client, &runpb.RunJobRequest{})
		if got := listExecutions(t, client, location+"/jobs/-"); len(got) != 2 || got[0] != second || got[1] != first {
			t.Errorf("executions are %v, want the newest first", got)
		}
		deleted := must(must(client.executions.DeleteExecution(t.Context(), &runpb.DeleteExecutionRequest{Name: first}))(t).Wait(t.Context()))(t)
		if deleted.GetDeleteTime() == nil || deleted.GetCancelledCount() != 1 {
			t.Errorf("deleted execution is %v", deleted)
		}
		if got := listExecutions(t, client, jobName); len(got) != 1 || got[0] != second {
			t.Errorf("executions are %v", got)
		}
	})
}

func listExecutions(t *testing.T, client clients, parent string) []string {
	t.Helper()
	var names []string
	executions := client.executions.ListExecutions(t.Context(), &runpb.ListExecutionsRequest{Parent: parent, PageSize: 300})
	for {
		execution, err := executions.Next()
		if err == iterator.Done { //nolint:errorlint // the iterator returns it as it is
			return names
		}
		names = append(names, must(execution, err)(t).GetName())
	}
}

func TestOnlyAThousandCompletedExecutionsAreKept(t *testing.T) {
	client := grpcClients(t, start(t))
	create(t, client, "train", plainJob())
	_, first := runJob(t, client, &runpb.RunJobRequest{})
	for range 1000 {
		runJob(t, client, &runpb.RunJobRequest{})
	}
	if got := len(listExecutions(t, client, jobName)); got != 1000 {
		t.Errorf("%d executions are kept", got)
	}
	if _, err := client.executions.GetExecution(t.Context(), &runpb.GetExecutionRequest{Name: first}); status.Code(err) != codes.NotFound {
		t.Errorf("the first execution: %v, want NOT_FOUND", err)
	}
}

func TestOverrides(t *testing.T) {
	_, options := timed()
	bothDoors(t, options, func(t *testing.T, _ *emulator.Server, client clients) {
		job := plainJob()
		container(job).Args = []string{"a"}
		container(job).Env = []*runpb.EnvVar{{Name: "A", Values: &runpb.EnvVar_Value{Value: "1"}}, {Name: "B", Values: &runpb.EnvVar_Value{Value: "2"}}}
		create(t, client, "train", job)
		overrides := &runpb.RunJobRequest_Overrides{
			TaskCount: 7, Timeout: durationpb.New(time.Minute),
			ContainerOverrides: []*runpb.RunJobRequest_Overrides_ContainerOverride{{
				Args: []string{"x", "y"},
				Env:  []*runpb.EnvVar{{Name: "B", Values: &runpb.EnvVar_Value{Value: "3"}}, {Name: "C", Values: &runpb.EnvVar_Value{Value: "4"}}},
			}},
		}
		_, name := runJob(t, client, &runpb.RunJobRequest{Overrides: overrides})
		got := must(client.executions.GetExecution(t.Context(), &runpb.GetExecutionRequest{Name: name}))(t)
		var env []string
		for _, e := range got.GetTemplate().GetContainers()[0].GetEnv() {
			env = append(env, e.GetName()+e.GetValue())
		}
		if args := got.GetTemplate().GetContainers()[0].GetArgs(); got.GetTaskCount() != 7 || got.GetParallelism() != 7 ||
			got.GetTemplate().GetTimeout().AsDuration() != time.Minute || fmt.Sprint(args) != "[x y]" || fmt.Sprint(env) != "[A1 B3 C4]" {
			t.Errorf("the execution is %v", got)
		}
		kept := must(client.jobs.GetJob(t.Context(), &runpb.GetJobRequest{Name: jobName}))(t)
		if kept.GetTemplate().GetTaskCount() != 1 || len(container(kept).GetEnv()) != 2 || container(kept).GetEnv()[1].GetValue() != "2" {
			t.Errorf("the job has become %v", kept)
		}
		for says, wrong := range map[string]*runpb.RunJobRequest_Overrides{
			"must be a number between 0 and 10000": {TaskCount: 10001},
			"168 hours":                            {Timeout: durationpb.New(169 * time.Hour)},
			"does not exist":                       {ContainerOverrides: []*runpb.RunJobRequest_Overrides_ContainerOverride{{Name: "none"}}},
		} {
			_, err := client.jobs.RunJob(t.Context(), &runpb.RunJobRequest{Name: jobName, Overrides: wrong})
			expectRefusal(t, err, 400, says)
		}
	})
}

func TestTokens(t *testing.T) {
	clock, options := timed()
	bothDoors(t, options, func(t *testing.T, _ *emulator.Server, client clients) {
		job := plainJob()
		job.CreateExecution = &runpb.Job_StartExecutionToken{StartExecutionToken: "one"}
		started := create(t, client, "train", job)
		if started.GetLatestCreatedExecution().GetName() != "train-one" || started.GetStartExecutionToken() != "one" {
			t.Errorf("the token started %v", started)
		}
		job.Name = jobName
		if same := update(t, client, job); same.GetExecutionCount() != 1 {
			t.Errorf("the same token started another execution: %v", same)
		}
		job.CreateExecution = &runpb.Job_RunExecutionToken{RunExecutionToken: "two"}
		operation := must(client.jobs.UpdateJob(t.Context(), &runpb.UpdateJobRequest{Job: job}))(t)
		if operation.Done() {
			t.Error("the update does not wait for its execution")
		}
		clock.Advance(time.Minute)
		if ran := must(operation.Poll(t.Context()))(t); ran.GetLatestCreatedExecution().GetCompletionStatus() != runpb.ExecutionReference_EXECUTION_SUCCEEDED {
			t.Errorf("the update ended with %v", ran)
		}
		runJob(t, client, &runpb.RunJobRequest{})
		if ran := must(client.jobs.GetJob(t.Context(), &runpb.GetJobRequest{Name: jobName}))(t); ran.GetRunExecutionToken() != "" {
			t.Errorf("a run without a token leaves the token: %v", ran)
		}
		_, err := client.jobs.UpdateJob(t.Context(), &runpb.UpdateJobRequest{Job: job})
		expectRefusal(t, err, 409, "Resource 'train-two' already exists.")
	})
}
