package emulator_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/run/apiv2/runpb"
	"github.com/googleapis/gax-go/v2/apierror"
	"google.golang.org/api/iterator"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/emulator"
)

func TestFaultBefore(t *testing.T) {
	bothDoors(t, nil, func(t *testing.T, server *emulator.Server, client clients) {
		must(0, server.InjectFault(emulator.Fault{Method: "Jobs.CreateJob", Code: codes.Unavailable, Skip: 1, Times: 2}))(t)
		for i, wanted := range []int{0, 503, 503, 0} {
			id := string(rune('a' + i))
			_, err := client.jobs.CreateJob(t.Context(), &runpb.CreateJobRequest{Parent: location, JobId: id, Job: plainJob()})
			if wanted == 0 {
				must(0, err)(t)
				continue
			}
			expectRefusal(t, err, wanted, "The service is currently unavailable.")
			_, err = client.jobs.GetJob(t.Context(), &runpb.GetJobRequest{Name: location + "/jobs/" + id})
			expectRefusal(t, err, 404)
		}
		if left := server.Faults(); len(left) != 0 {
			t.Errorf("faults that are left: %v", left)
		}
	})
}

// What a client decides by is in the details: which permission, which API, how long to wait.
func TestFaultWithDetails(t *testing.T) {
	bothDoors(t, nil, func(t *testing.T, server *emulator.Server, client clients) {
		must(0, server.InjectFault(emulator.Fault{
			Method: "Jobs.GetJob", Code: codes.PermissionDenied, Reason: "SERVICE_DISABLED", Metadata: map[string]string{"service": "run.googleapis.com"},
			RetryAfter: 2 * time.Second,
		}))(t)
		_, err := client.jobs.GetJob(t.Context(), &runpb.GetJobRequest{Name: jobName})
		var refusal *apierror.APIError
		if !errors.As(err, &refusal) || refusal.Reason() != "SERVICE_DISABLED" || refusal.Domain() != "googleapis.com" || refusal.Metadata()["service"] != "run.googleapis.com" {
			t.Fatalf("got %v", err)
		}
		if wait := refusal.Details().RetryInfo.GetRetryDelay().AsDuration(); wait != 2*time.Second {
			t.Errorf("retry after %s", wait)
		}
	})
}

func TestFaultAfterLosesTheAnswer(t *testing.T) {
	bothDoors(t, nil, func(t *testing.T, server *emulator.Server, client clients) {
		must(0, server.InjectFault(emulator.Fault{Method: "Jobs.CreateJob", Code: codes.Unavailable, Message: "lost", After: true}))(t)
		_, err := client.jobs.CreateJob(t.Context(), &runpb.CreateJobRequest{Parent: location, JobId: "train", Job: plainJob()})
		expectRefusal(t, err, 503, "lost")
		must(client.jobs.GetJob(t.Context(), &runpb.GetJobRequest{Name: jobName}))(t)
		requests := server.Requests()
		if len(requests) != 2 || requests[0].Status != "UNAVAILABLE" || requests[1].Status != "OK" {
			t.Errorf("the log has %v", requests)
		}
	})
}

func TestFaultOfTheOperation(t *testing.T) {
	bothDoors(t, nil, func(t *testing.T, server *emulator.Server, client clients) {
		fault := emulator.Fault{Code: codes.FailedPrecondition, Message: "image not found", Operation: true}
		inject := func(method string) {
			t.Helper()
			fault.Method = method
			must(0, server.InjectFault(fault))(t)
		}
		inject("Jobs.CreateJob")
		operation := must(client.jobs.CreateJob(t.Context(), &runpb.CreateJobRequest{Parent: location, JobId: "train", Job: plainJob()}))(t)
		_, err := operation.Wait(t.Context())
		expectRefusal(t, err, 400, "image not found")
		job := must(client.jobs.GetJob(t.Context(), &runpb.GetJobRequest{Name: jobName}))(t)
		if condition := job.GetTerminalCondition(); condition.GetState() != runpb.Condition_CONDITION_FAILED || condition.GetMessage() != "image not found" {
			t.Errorf("the job says %v", condition)
		}
		inject("Jobs.DeleteJob")
		_, err = must(client.jobs.DeleteJob(t.Context(), &runpb.DeleteJobRequest{Name: jobName}))(t).Wait(t.Context())
		expectRefusal(t, err, 400, "image not found")
		job.Labels = map[string]string{"a": "b"}
		if repaired := update(t, client, job); repaired.GetTerminalCondition().GetState() != runpb.Condition_CONDITION_SUCCEEDED {
			t.Errorf("the repaired job is %v", repaired)
		}
		inject("Jobs.RunJob")
		run, name := runJob(t, client, &runpb.RunJobRequest{})
		_, err = run.Wait(t.Context())
		expectRefusal(t, err, 400, "image not found")
		if got := counts(t, client, name); got != "0 running, 0 succeeded, 1 failed, 0 cancelled" {
			t.Error(got)
		}
		failed := must(client.tasks.GetTask(t.Context(), &runpb.GetTaskRequest{Name: name + "/tasks/" + name[strings.LastIndex(name, "/")+1:] + "-task0"}))(t)
		if failed.GetLastAttemptResult().GetExitCode() == 0 || failed.GetRetried() != 3 {
			t.Errorf("the failed task is %v", failed)
		}
	})
}

func TestFaultPatterns(t *testing.T) {
	server := start(t)
	client := grpcClients(t, server)
	must(0, server.InjectFault(emulator.Fault{Method: "Jobs.*", Code: codes.Internal, Times: emulator.Always}))(t)
	for range 3 {
		if _, err := client.jobs.GetJob(t.Context(), &runpb.GetJobRequest{Name: jobName}); status.Code(err) != codes.Internal {
			t.Errorf("got %v, want INTERNAL", err)
		}
	}
	if _, err := client.executions.GetExecution(t.Context(), &runpb.GetExecutionRequest{Name: jobName + "/executions/e"}); status.Code(err) != codes.NotFound {
		t.Errorf("got %v, want NOT_FOUND", err)
	}
	server.ClearFaults()
	if _, err := client.jobs.GetJob(t.Context(), &runpb.GetJobRequest{Name: jobName}); status.Code(err) != codes.NotFound {
		t.Errorf("got %v, want NOT_FOUND", err)
	}
	for _, wrong := range []emulator.Fault{
		{Method: "Jobs.MakeJob", Code: codes.Internal},
		{Method: "Jobs.CreateJob", Code: codes.Internal, Skip: -1},
		{Method: "Jobs.CreateJob", Code: codes.Internal, Delay: -1},
		{Method: "Jobs.CreateJob", Code: codes.Internal, After: true, Operation: true},
		{Method: "Jobs.CreateJob", Operation: true},
	} {
		if err := server.InjectFault(wrong); err == nil {
			t.Errorf("%+v is taken", wrong)
		}
	}
}

func TestDelay(t *testing.T) {
	clock := emulator.NewManualClock(startOfTime)
	server := start(t, emulator.WithClock(clock), emulator.WithLatency(time.Second))
	client := grpcClients(t, server)
	must(0, server.InjectFault(emulator.Fault{Method: "Jobs.ListJobs", Delay: time.Minute}))(t)
	answered := make(chan error, 1)
	go func() {
		_, err := client.jobs.ListJobs(t.Context(), &runpb.ListJobsRequest{Parent: location}).Next()
		answered <- err
	}()
	clock.AwaitTimers(1)
	clock.Advance(time.Minute)
	select {
	case err := <-answered:
		t.Errorf("the answer came before both delays were over: %v", err)
	default:
	}
	clock.AwaitTimers(1)
	clock.Advance(time.Second)
	if err := <-answered; err != iterator.Done { //nolint:errorlint // the iterator returns it as it is
		t.Errorf("got %v, want an empty list", err)
	}
}
