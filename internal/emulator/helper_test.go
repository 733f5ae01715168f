package emulator_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	run "cloud.google.com/go/run/apiv2"
	"cloud.google.com/go/run/apiv2/runpb"
	"github.com/googleapis/gax-go/v2/apierror"
	"google.golang.org/api/option"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/proto"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/emulator"
)

const (
	project  = "projects/acme"
	location = project + "/locations/us-central1"
	jobName  = location + "/jobs/train"
	image    = "us-docker.pkg.dev/cloudrun/container/job:latest"
)

var startOfTime = time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)

// start runs an emulator for the length of a test, with plenty of every quota unless an option says otherwise.
func start(t testing.TB, options ...emulator.Option) *emulator.Server {
	t.Helper()
	plenty := []emulator.Option{
		emulator.WithQuota("nvidia-l4@*", 100), emulator.WithQuota("nvidia-rtx-pro-6000@*", 100),
		emulator.WithQuota("cpu@*", 10000), emulator.WithQuota("memory@*", 10000),
	}
	return startPlain(t, append(plenty, options...)...)
}

// startPlain runs an emulator with the quotas of a new project.
func startPlain(t testing.TB, options ...emulator.Option) *emulator.Server {
	t.Helper()
	server, err := emulator.New(options...)
	if err != nil {
		t.Fatalf("starting the emulator: %v", err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Errorf("closing the emulator: %v", err)
		}
	})
	return server
}

// clients are Google's own, of one door.
type clients struct {
	jobs       *run.JobsClient
	executions *run.ExecutionsClient
	tasks      *run.TasksClient
}

func grpcOptions(server *emulator.Server) []option.ClientOption {
	return []option.ClientOption{
		option.WithEndpoint(server.Addr()), option.WithoutAuthentication(),
		option.WithGRPCDialOption(grpc.WithTransportCredentials(insecure.NewCredentials())),
	}
}

func restOptions(server *emulator.Server) []option.ClientOption {
	return []option.ClientOption{option.WithEndpoint(server.URL()), option.WithoutAuthentication()}
}

func grpcClients(t testing.TB, server *emulator.Server) clients {
	t.Helper()
	options := grpcOptions(server)
	return clients{
		jobs:       must(run.NewJobsClient(t.Context(), options...))(t),
		executions: must(run.NewExecutionsClient(t.Context(), options...))(t),
		tasks:      must(run.NewTasksClient(t.Context(), options...))(t),
	}.closing(t)
}

func restClients(t testing.TB, server *emulator.Server) clients {
	t.Helper()
	options := restOptions(server)
	return clients{
		jobs:       must(run.NewJobsRESTClient(t.Context(), options...))(t),
		executions: must(run.NewExecutionsRESTClient(t.Context(), options...))(t),
		tasks:      must(run.NewTasksRESTClient(t.Context(), options...))(t),
	}.closing(t)
}

func (c clients) closing(t testing.TB) clients {
	t.Helper()
	for _, client := range []io.Closer{c.jobs, c.executions, c.tasks} {
		t.Cleanup(func() {
			if err := client.Close(); err != nil {
				t.Errorf("closing a client: %v", err)
			}
		})
	}
	return c
}

// bothDoors runs a test through each door, with a server of its own.
func bothDoors(t *testing.T, options []emulator.Option, test func(t *testing.T, server *emulator.Server, client clients)) {
	t.Helper()
	for door, connect := range map[string]func(testing.TB, *emulator.Server) clients{"grpc": grpcClients, "rest": restClients} {
		t.Run(door, func(t *testing.T) {
			server := start(t, options...)
			test(t, server, connect(t, server))
		})
	}
}

// must ends the test on an error: must(call())(t).
func must[T any](value T, err error) func(t testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatalf("%v", err)
		}
		return value
	}
}

// plainJob is the smallest job.
func plainJob() *runpb.Job {
	return &runpb.Job{Template: &runpb.ExecutionTemplate{Template: &runpb.TaskTemplate{Containers: []*runpb.Container{{Image: image}}}}}
}

// gpuJob is the smallest job with an L4.
func gpuJob() *runpb.Job {
	job := plainJob()
	job.Template.Template.NodeSelector = &runpb.NodeSelector{Accelerator: "nvidia-l4"}
	job.Template.Template.GpuZonalRedundancyDisabled = proto.Bool(true)
	return job
}

func limits(job *runpb.Job, container int, pairs ...string) {
	target := job.GetTemplate().GetTemplate().GetContainers()[container]
	if target.Resources == nil {
		target.Resources = &runpb.ResourceRequirements{Limits: map[string]string{}}
	}
	for i := 0; i < len(pairs); i += 2 {
		target.Resources.Limits[pairs[i]] = pairs[i+1]
	}
}

// create makes a job and waits until it is ready.
func create(t testing.TB, client clients, id string, job *runpb.Job) *runpb.Job {
	t.Helper()
	operation := must(client.jobs.CreateJob(t.Context(), &runpb.CreateJobRequest{Parent: location, JobId: id, Job: job}))(t)
	return must(operation.Wait(t.Context()))(t)
}

// call sends plain HTTP and reads the answer as JSON.
func call(t testing.TB, server *emulator.Server, method, path, body string) (code int, answer map[string]any) {
	t.Helper()
	code, text := send(t, server, method, path, body)
	if err := json.Unmarshal([]byte(text), &answer); err != nil {
		t.Fatalf("%s %s answered %d with what is not a JSON object: %s", method, path, code, text)
	}
	return code, answer
}

func send(t testing.TB, server *emulator.Server, method, path, body string) (code int, text string) {
	t.Helper()
	request := must(http.NewRequestWithContext(context.Background(), method, server.URL()+path, strings.NewReader(body)))(t)
	response := must(http.DefaultClient.Do(request))(t)
	defer func() {
		if err := response.Body.Close(); err != nil {
			t.Errorf("closing the answer: %v", err)
		}
	}()
	return response.StatusCode, string(must(io.ReadAll(response.Body))(t))
}

// at digs a value out of JSON: at(answer, "error", "status").
func at(value any, path ...any) any {
	for _, step := range path {
		switch key := step.(type) {
		case string:
			object, ok := value.(map[string]any)
			if !ok {
				return nil
			}
			value = object[key]
		case int:
			list, ok := value.([]any)
			if !ok || key >= len(list) {
				return nil
			}
			value = list[key]
		}
	}
	return value
}

// httpCodeOf is the HTTP code of an error of either door.
func httpCodeOf(err error) int {
	var refused *apierror.APIError
	if !errors.As(err, &refused) {
		return 0
	}
	if code := refused.HTTPCode(); code > 0 {
		return code
	}
	return map[codes.Code]int{
		codes.InvalidArgument: 400, codes.FailedPrecondition: 400, codes.NotFound: 404, codes.AlreadyExists: 409, codes.Aborted: 409,
		codes.ResourceExhausted: 429, codes.Unimplemented: 501, codes.Unavailable: 503,
	}[refused.GRPCStatus().Code()]
}
