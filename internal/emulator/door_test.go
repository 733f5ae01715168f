package emulator_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/iam/apiv1/iampb"
	"cloud.google.com/go/run/apiv2/runpb"
	"github.com/googleapis/gax-go/v2/apierror"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/emptypb"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/emulator"
)

const jobsPath = "/v2/" + location + "/jobs"

// The same mistake is the same message and the same details, whichever door it comes through.
func TestBothDoorsSayTheSame(t *testing.T) {
	server := start(t)
	byGRPC, byREST := grpcClients(t, server), restClients(t, server)
	for _, r := range refusals {
		request := &runpb.CreateJobRequest{Parent: location, JobId: "train", Job: r.job()}
		_, one := byGRPC.jobs.CreateJob(t.Context(), request)
		_, two := byREST.jobs.CreateJob(t.Context(), request)
		var first, second *apierror.APIError
		if !errors.As(one, &first) || !errors.As(two, &second) {
			t.Fatalf("%s: got %v and %v", r.name, one, two)
		}
		if !proto.Equal(first.Details().BadRequest, second.Details().BadRequest) || !strings.Contains(second.Error(), status.Convert(one).Message()) {
			t.Errorf("%s: got\n%v\nand\n%v", r.name, one, two)
		}
	}
}

func TestBothDoorsShowTheSame(t *testing.T) {
	server := start(t)
	byGRPC, byREST := grpcClients(t, server), restClients(t, server)
	create(t, byGRPC, "train", gpuJob())
	request := &runpb.GetJobRequest{Name: jobName}
	one, two := must(byGRPC.jobs.GetJob(t.Context(), request))(t), must(byREST.jobs.GetJob(t.Context(), request))(t)
	if !proto.Equal(one, two) {
		t.Errorf("got\n%v\nand\n%v", one, two)
	}
}

// What a client may write in JSON: either spelling of a field, a name or a number for an enum, a number or a text for a number.
func TestSpellingsOfJSON(t *testing.T) {
	server := start(t)
	for i, body := range []string{
		`{"template": {"taskCount": 2, "template": {"maxRetries": 0, "executionEnvironment": "EXECUTION_ENVIRONMENT_GEN2", "containers": [{"image": "a"}]}}}`,
		`{"template": {"task_count": 2, "template": {"max_retries": 0, "execution_environment": 2, "containers": [{"image": "a"}]}}}`,
		`{"template": {"taskCount": "2", "template": {"max_retries": "0", "containers": [{"image": "a"}]}}, "launchStage": 4, "labels": null}`,
	} {
		id := fmt.Sprint("job", i)
		if code, answer := call(t, server, "POST", jobsPath+"?job_id="+id, body); code != 200 {
			t.Fatalf("%s: %d %v", body, code, answer)
		}
		_, names := call(t, server, "GET", jobsPath+"/"+id, "")
		if at(names, "template", "taskCount") != 2.0 || at(names, "template", "template", "maxRetries") != 0.0 || at(names, "launchStage") != "GA" ||
			at(names, "template", "template", "executionEnvironment") != "EXECUTION_ENVIRONMENT_GEN2" || at(names, "generation") != "1" {
			t.Errorf("%s became %v", body, names)
		}
		_, numbers := call(t, server, "GET", jobsPath+"/"+id+"?$alt=json;enum-encoding=int", "")
		if at(numbers, "launchStage") != 4.0 || at(numbers, "template", "template", "executionEnvironment") != 2.0 {
			t.Errorf("with numbers it is %v", numbers)
		}
	}
}

func TestUnreadableRequests(t *testing.T) {
	server := start(t)
	const container = `{"template": {"template": {"containers": [{"image": "a"%s}]}}%s}`
	for _, test := range []struct{ path, body, says, field string }{
		{"?jobId=a", fmt.Sprintf(container, `, "gpu": 1`, ""), `Invalid JSON payload received. Unknown name "gpu" at 'job.template.template.containers[0]': Cannot find field.`, "job.template.template.containers[0]"},
		{"?jobId=a", fmt.Sprintf(container, "", `, "gpu": 1`), `Unknown name "gpu" at 'job': Cannot find field.`, "job"},
		{"/a:run", `{"overrides": {"parallelism": 2}}`, `Unknown name "parallelism" at 'overrides': Cannot find field.`, "overrides"},
		{"/a:run", `{"parallelism": 2}`, `Unknown name "parallelism": Cannot find field.`, ""},
		{"?jobId=a", `{"template": {"taskCount": "many"}}`, `Invalid value at 'job.template.task_count' (TYPE_INT32), "many"`, "job.template.task_count"},
		{"?jobId=a", `{"template": {"taskCount": 1.5}}`, `Invalid value at 'job.template.task_count' (TYPE_INT32), 1.5`, "job.template.task_count"},
		{"?jobId=a", `{"template": []}`, `Invalid value at 'job.template' (type.googleapis.com/google.cloud.run.v2.ExecutionTemplate), []`, "job.template"},
		{"?jobId=a", `{"launchStage": "SOON"}`, `Invalid value at 'job.launch_stage' (type.googleapis.com/google.api.LaunchStage), "SOON"`, "job.launch_stage"},
		{"?jobId=a", `{"client": 3, "reconciling": "x"}`, `Invalid value at 'job.client' (TYPE_STRING), 3`, "job.client"},
		{"?jobId=a", `{"startExecutionToken": "a", "runExecutionToken": "b"}`, `oneof field 'create_execution' is already set. Cannot set 'startExecutionToken'`, "job"},
		{"?jobId=a", `{"template": {"template": {"timeout": "soon"}}}`, "Invalid JSON payload received.", "job"},
		{"?jobId=a", `{"template": `, "Invalid JSON payload received.", "job"},
		{"?jobId=a&dryRun=true", fmt.Sprintf(container, "", ""), `Unknown name "dryRun": Cannot bind query parameter.`, ""},
		{"?jobId=a&validateOnly=perhaps", fmt.Sprintf(container, "", ""), `Invalid value at 'validate_only' (TYPE_BOOL), "perhaps"`, "validate_only"},
		{"?jobId=a&alt=proto", "{}", "alt=proto", ""},
	} {
		code, answer := call(t, server, "POST", jobsPath+test.path, test.body)
		message := fmt.Sprint(at(answer, "error", "message"))
		if code != 400 || at(answer, "error", "status") != "INVALID_ARGUMENT" || !strings.Contains(message, test.says) || strings.Contains(message, "proto:") {
			t.Errorf("%s %s: got %d %v, want %q", test.path, test.body, code, answer, test.says)
		}
		violation := at(answer, "error", "details", 0, "fieldViolations", 0)
		if field := at(violation, "field"); (field == nil && test.field != "") || (field != nil && field != test.field) {
			t.Errorf("%s %s: field is %v, want %q", test.path, test.body, field, test.field)
		}
	}
	if got := server.Requests()[0]; got.Method != "Jobs.CreateJob" || got.Status != "INVALID_ARGUMENT" || got.Door != "rest" || got.Resource != location+"/jobs" {
		t.Errorf("the log has %+v", got)
	}
}

func TestErrorEnvelope(t *testing.T) {
	server := start(t)
	code, text := send(t, server, "GET", jobsPath+"/train?prettyPrint=false", "")
	want := `{"error":{"code":404,"message":"Resource 'train' of kind 'JOB' in region 'us-central1' in project 'acme' does not exist.","status":"NOT_FOUND"}}`
	if code != 404 || text != want {
		t.Errorf("got %d %s, want %s", code, text, want)
	}
	code, answer := call(t, server, "POST", jobsPath+"?jobId=train", `{"template": {}}`)
	if code != 400 || at(answer, "error", "details", 0, "@type") != "type.googleapis.com/google.rpc.BadRequest" {
		t.Errorf("got %d %v", code, answer)
	}
}

func TestSystemParametersAreTaken(t *testing.T) {
	server := start(t)
	query := "?alt=json&$alt=json&prettyPrint=true&key=k&quotaUser=u&fields=jobs(name)&$.xgafv=2&access_token=t&pageSize=3&page_token="
	if code, answer := call(t, server, "GET", jobsPath+query, ""); code != 200 {
		t.Errorf("got %d %v", code, answer)
	}
}

func TestWhatIsNotAnsweredIsNamed(t *testing.T) {
	server := start(t)
	for path, says := range map[string]string{
		"/v2/" + location + "/services":                     "google.cloud.run.v2.Services.ListServices",
		"/v1/" + project + "/locations/l/quotaPreferences":  "google.api.cloudquotas.v1.CloudQuotas.ListQuotaPreferences",
		"/v3/" + project + "/metricDescriptors":             "google.monitoring.v3.MetricService.ListMetricDescriptors",
		"/v2/" + location + "/jobs/train/nothing":           "GET /v2/" + location + "/jobs/train/nothing",
		"/apis/run.googleapis.com/v1/namespaces/acme/jobs/": "GET /apis/run.googleapis.com/v1/namespaces/acme/jobs/",
	} {
		code, answer := call(t, server, "GET", path, "")
		if code != 501 || at(answer, "error", "status") != "UNIMPLEMENTED" || !strings.Contains(fmt.Sprint(at(answer, "error", "message")), says) {
			t.Errorf("%s: got %d %v", path, code, answer)
		}
	}
	connection := must(grpc.NewClient(server.Addr(), grpc.WithTransportCredentials(insecure.NewCredentials())))(t)
	for method, says := range map[string]string{
		"/google.cloud.run.v2.Services/ListServices":     "google.cloud.run.v2.Services.ListServices",
		"/google.cloud.run.v2.Jobs/PauseJob":             "google.cloud.run.v2.Jobs.PauseJob",
		"/google.pubsub.v1.Publisher/Publish":            "google.pubsub.v1.Publisher.Publish",
		"/google.longrunning.Operations/CancelOperation": "google.longrunning.Operations.CancelOperation",
	} {
		err := connection.Invoke(t.Context(), method, &emptypb.Empty{}, &emptypb.Empty{})
		if status.Code(err) != codes.Unimplemented || !strings.Contains(status.Convert(err).Message(), says) {
			t.Errorf("%s: got %v", method, err)
		}
	}
	must(0, connection.Close())(t)
}

func TestIAM(t *testing.T) {
	bothDoors(t, nil, func(t *testing.T, _ *emulator.Server, client clients) {
		create(t, client, "train", plainJob())
		empty := must(client.jobs.GetIamPolicy(t.Context(), &iampb.GetIamPolicyRequest{Resource: jobName}))(t)
		if len(empty.GetBindings()) != 0 {
			t.Errorf("the first policy is %v", empty)
		}
		policy := &iampb.Policy{Bindings: []*iampb.Binding{{Role: "roles/run.invoker", Members: []string{"user:a@example.com"}}}}
		set := must(client.jobs.SetIamPolicy(t.Context(), &iampb.SetIamPolicyRequest{Resource: jobName, Policy: policy}))(t)
		got := must(client.jobs.GetIamPolicy(t.Context(), &iampb.GetIamPolicyRequest{Resource: jobName, Options: &iampb.GetPolicyOptions{RequestedPolicyVersion: 3}}))(t)
		if !proto.Equal(got, set) || got.GetBindings()[0].GetMembers()[0] != "user:a@example.com" || len(got.GetEtag()) == 0 {
			t.Errorf("the policy is %v, set as %v", got, set)
		}
		must(client.jobs.SetIamPolicy(t.Context(), &iampb.SetIamPolicyRequest{Resource: jobName, Policy: got}))(t)
		_, err := client.jobs.SetIamPolicy(t.Context(), &iampb.SetIamPolicyRequest{Resource: jobName, Policy: got})
		expectRefusal(t, err, 409)
		granted := must(client.jobs.TestIamPermissions(t.Context(), &iampb.TestIamPermissionsRequest{Resource: jobName, Permissions: []string{"run.jobs.run"}}))(t)
		if len(granted.GetPermissions()) != 1 {
			t.Errorf("granted: %v", granted)
		}
		_, err = client.jobs.GetIamPolicy(t.Context(), &iampb.GetIamPolicyRequest{Resource: location + "/jobs/none"})
		expectRefusal(t, err, 404)
	})
}

// Google's own answers have line breaks, which is what people who call with curl read.
func TestAnswersAreReadable(t *testing.T) {
	server := start(t)
	create(t, grpcClients(t, server), "train", plainJob())
	_, text := send(t, server, "GET", jobsPath+"/train", "")
	if !strings.HasPrefix(text, "{\n  \"name\": \""+jobName+"\",\n") || !json.Valid([]byte(text)) {
		t.Errorf("got %s", text)
	}
}

// A client that hangs up while its call is held up is noted once, and as what it is.
func TestCallerHangsUp(t *testing.T) {
	clock := emulator.NewManualClock(startOfTime)
	bothDoors(t, []emulator.Option{emulator.WithClock(clock), emulator.WithLatency(time.Hour)}, func(t *testing.T, server *emulator.Server, client clients) {
		ctx, hangUp := context.WithCancel(t.Context())
		failed := make(chan error, 1)
		go func() {
			_, err := client.jobs.GetJob(ctx, &runpb.GetJobRequest{Name: jobName})
			failed <- err
		}()
		clock.AwaitTimers(1)
		hangUp()
		if err := <-failed; err == nil {
			t.Error("the call succeeded")
		}
		for len(server.Requests()) == 0 {
			runtime.Gosched()
		}
		if log := server.Requests(); len(log) != 1 || log[0].Status != "CANCELLED" || log[0].Method != "Jobs.GetJob" {
			t.Errorf("the log has %+v", log)
		}
		clock.Advance(time.Hour)
	})
}
