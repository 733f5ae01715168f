package emulator_test

import (
	"testing"
	"time"

	"cloud.google.com/go/longrunning/autogen/longrunningpb"
	"cloud.google.com/go/run/apiv2/runpb"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/emulator"
)

func operationsClient(t *testing.T, server *emulator.Server) longrunningpb.OperationsClient {
	t.Helper()
	connection := must(grpc.NewClient(server.Addr(), grpc.WithTransportCredentials(insecure.NewCredentials())))(t)
	t.Cleanup(func() {
		if err := connection.Close(); err != nil {
			t.Errorf("closing the connection: %v", err)
		}
	})
	return longrunningpb.NewOperationsClient(connection)
}

func TestOperationTakesItsTime(t *testing.T) {
	clock := emulator.NewManualClock(startOfTime)
	options := []emulator.Option{emulator.WithClock(clock), emulator.WithOperationLatency(10 * time.Second)}
	bothDoors(t, options, func(t *testing.T, _ *emulator.Server, client clients) {
		operation := must(client.jobs.CreateJob(t.Context(), &runpb.CreateJobRequest{Parent: location, JobId: "train", Job: plainJob()}))(t)
		if operation.Done() {
			t.Fatal("the operation is done at once")
		}
		metadata := must(operation.Metadata())(t)
		if metadata.GetName() != jobName || metadata.GetUid() != "" || metadata.GetTemplate().GetTaskCount() != 1 ||
			metadata.GetTerminalCondition().GetState() != runpb.Condition_CONDITION_SUCCEEDED {
			t.Errorf("metadata is %v", metadata)
		}
		pending := must(client.jobs.GetJob(t.Context(), &runpb.GetJobRequest{Name: jobName}))(t)
		if !pending.GetReconciling() || pending.GetTerminalCondition().GetState() != runpb.Condition_CONDITION_RECONCILING {
			t.Errorf("pending job is %v", pending)
		}
		clock.Advance(9 * time.Second)
		if response := must(operation.Poll(t.Context()))(t); response != nil || operation.Done() {
			t.Errorf("the operation is done too early, with %v", response)
		}
		clock.Advance(time.Second)
		job := must(operation.Poll(t.Context()))(t)
		if !operation.Done() || job.GetUid() == "" || job.GetReconciling() || job.GetTerminalCondition().GetState() != runpb.Condition_CONDITION_SUCCEEDED {
			t.Errorf("the operation ended with %v", job)
		}
	})
}

func TestPendingDelete(t *testing.T) {
	clock := emulator.NewManualClock(startOfTime)
	client := grpcClients(t, start(t, emulator.WithClock(clock), emulator.WithOperationLatency(time.Second)))
	must(client.jobs.CreateJob(t.Context(), &runpb.CreateJobRequest{Parent: location, JobId: "train", Job: plainJob()}))(t)
	clock.Advance(time.Second)
	first := must(client.jobs.DeleteJob(t.Context(), &runpb.DeleteJobRequest{Name: jobName}))(t)
	second := must(client.jobs.DeleteJob(t.Context(), &runpb.DeleteJobRequest{Name: jobName}))(t)
	must(client.jobs.GetJob(t.Context(), &runpb.GetJobRequest{Name: jobName}))(t)
	clock.Advance(time.Second)
	if _, err := client.jobs.GetJob(t.Context(), &runpb.GetJobRequest{Name: jobName}); status.Code(err) != codes.NotFound {
		t.Errorf("got %v, want NOT_FOUND", err)
	}
	one, two := must(first.Poll(t.Context()))(t), must(second.Poll(t.Context()))(t)
	if !proto.Equal(one, two) || one.GetDeleteTime() == nil {
		t.Errorf("two deletes ended with\n%v\nand\n%v", one, two)
	}
}

func TestWaitOperation(t *testing.T) {
	clock := emulator.NewManualClock(startOfTime)
	server := start(t, emulator.WithClock(clock), emulator.WithOperationLatency(10*time.Second))
	operations := operationsClient(t, server)
	name := must(grpcClients(t, server).jobs.CreateJob(t.Context(), &runpb.CreateJobRequest{Parent: location, JobId: "train", Job: plainJob()}))(t).Name()
	wait := func(timeout *durationpb.Duration) <-chan *longrunningpb.Operation {
		answer := make(chan *longrunningpb.Operation, 1)
		go func() {
			operation, err := operations.WaitOperation(t.Context(), &longrunningpb.WaitOperationRequest{Name: name, Timeout: timeout})
			if err != nil {
				t.Errorf("waiting: %v", err)
			}
			answer <- operation
		}()
		return answer
	}
	if (<-wait(durationpb.New(0))).GetDone() {
		t.Error("the operation is done at once")
	}
	long := wait(nil)
	clock.AwaitTimers(1)
	clock.Advance(4 * time.Second)
	clock.AwaitTimers(1)
	clock.Advance(6 * time.Second)
	if !(<-long).GetDone() {
		t.Error("the wait ended before the operation")
	}
	if !(<-wait(nil)).GetDone() {
		t.Error("the operation is not done any more")
	}
	_, err := operations.WaitOperation(t.Context(), &longrunningpb.WaitOperationRequest{Name: location + "/operations/none"})
	if status.Code(err) != codes.NotFound {
		t.Errorf("waiting for no operation: got %v, want NOT_FOUND", err)
	}
}

func TestOperationsByREST(t *testing.T) {
	clock := emulator.NewManualClock(startOfTime)
	server := start(t, emulator.WithClock(clock), emulator.WithOperationLatency(time.Second))
	body := `{"launchStage": 4, "template": {"template": {"containers": [{"image": "a"}]}}}`
	_, created := call(t, server, "POST", "/v2/"+location+"/jobs?jobId=train&$alt=json;enum-encoding=int", body)
	name, ok := at(created, "name").(string)
	if !ok {
		t.Fatalf("created: %v", created)
	}
	if at(created, "done") != nil || at(created, "metadata", "@type") != "type.googleapis.com/google.cloud.run.v2.Job" || at(created, "metadata", "launchStage") != "GA" {
		t.Errorf("created: %v", created)
	}
	clock.Advance(time.Second)
	for method, path := range map[string]string{"GET": "/v2/" + name, "POST": "/v2/" + name + ":wait"} {
		code, got := call(t, server, method, path, "")
		if code != 200 || at(got, "done") != true || at(got, "response", "@type") != "type.googleapis.com/google.cloud.run.v2.Job" ||
			at(got, "response", "launchStage") != "GA" {
			t.Errorf("%s: %d %v", path, code, got)
		}
	}
	if _, list := call(t, server, "GET", "/v2/"+location+"/operations?filter=done:true", ""); at(list, "operations", 0, "name") != name {
		t.Errorf("list: %v", list)
	}
	if _, list := call(t, server, "GET", "/v2/"+location+"/operations?filter=done%3Dfalse", ""); at(list, "operations") != nil {
		t.Errorf("list of what is pending: %v", list)
	}
	if code, _ := call(t, server, "DELETE", "/v2/"+name, ""); code != 200 {
		t.Errorf("delete: %d", code)
	}
	if code, got := call(t, server, "GET", "/v2/"+name, ""); code != 404 || at(got, "error", "status") != "NOT_FOUND" {
		t.Errorf("after the delete: %d %v", code, got)
	}
}

func TestResetEndsWhatIsPending(t *testing.T) {
	clock := emulator.NewManualClock(startOfTime)
	server := start(t, emulator.WithClock(clock), emulator.WithOperationLatency(time.Hour))
	operations := operationsClient(t, server)
	name := must(grpcClients(t, server).jobs.CreateJob(t.Context(), &runpb.CreateJobRequest{Parent: location, JobId: "train", Job: plainJob()}))(t).Name()
	waited := make(chan *longrunningpb.Operation, 1)
	go func() {
		// Whether the call arrives before the reset or after it, it ends.
		operation, err := operations.WaitOperation(t.Context(), &longrunningpb.WaitOperationRequest{Name: name})
		if err != nil && status.Code(err) != codes.NotFound {
			t.Errorf("waiting: %v", err)
		}
		waited <- operation
	}()
	server.Reset()
	if operation := <-waited; operation != nil && operation.GetError().GetCode() != int32(codes.Aborted) {
		t.Errorf("the operation ended as %v", operation)
	}
	if code, answer := call(t, server, "GET", "/v2/"+location+"/jobs", ""); code != 200 || len(answer) != 0 {
		t.Errorf("jobs after the reset: %d %v", code, answer)
	}
}
