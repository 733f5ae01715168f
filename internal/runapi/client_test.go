package runapi

import (
	"context"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"cloud.google.com/go/run/apiv2/runpb"
	"google.golang.org/api/option"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/call"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/emulator"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/fault"
)

var finetune = JobName{Project: "acme-ml", Location: "us-central1", Job: "finetune"}

// gpuJob is a job that the API accepts.
func gpuJob() *runpb.Job {
	return &runpb.Job{
		Labels: map[string]string{"team": "ml"}, Client: "cloudrungpu", ClientVersion: "1.0.0",
		Template: &runpb.ExecutionTemplate{
			TaskCount: 2, Parallelism: 1,
			Template: &runpb.TaskTemplate{
				Containers: []*runpb.Container{{
					Image:     "us-docker.pkg.dev/cloudrun/container/job:latest",
					Env:       []*runpb.EnvVar{{Name: "MODEL", Values: &runpb.EnvVar_Value{Value: "gemma"}}},
					Resources: &runpb.ResourceRequirements{Limits: map[string]string{"cpu": "4", "memory": "16Gi", "nvidia.com/gpu": "1"}},
				}},
				Retries: &runpb.TaskTemplate_MaxRetries{MaxRetries: 0}, Timeout: durationpb.New(time.Hour),
				NodeSelector: &runpb.NodeSelector{Accelerator: "nvidia-l4"}, GpuZonalRedundancyDisabled: proto.Bool(true),
			},
		},
	}
}

// world is a client of an emulator, through one transport.
type world struct {
	*Client
	server  *emulator.Server
	dials   int
	mu      sync.Mutex
	retries []map[string]any
}

// quick is the default policy for those who do not want to wait.
func quick(transport string, log call.Logger) call.Policy {
	p := call.Default(transport, 0, log)
	p.Initial, p.Longest, p.Patience = time.Millisecond, 5*time.Millisecond, 2*time.Second
	return p
}

func plainText(transport, address, url string) []option.ClientOption {
	options := []option.ClientOption{option.WithoutAuthentication(), option.WithTelemetryDisabled(), option.WithUserAgent("terraform-test/1.0")}
	if transport == call.REST {
		return append(options, option.WithEndpoint(url))
	}
	return append(options, option.WithEndpoint(address), option.WithGRPCDialOption(grpc.WithTransportCredentials(insecure.NewCredentials())))
}

func newWorld(t *testing.T, transport string, options ...emulator.Option) *world {
	t.Helper()
	server, err := emulator.New(options...)
	if err != nil {
		t.Fatal(err)
	}
	w := &world{server: server}
	policy := quick(transport, w.log)
	w.Client = New(Options{
		Transport: transport, policy: &policy, poll: &pacing{first: time.Millisecond, longest: 5 * time.Millisecond, grace: 30 * time.Millisecond},
		Dial: func(context.Context) ([]option.ClientOption, error) {
			w.dials++
			return plainText(transport, server.Addr(), server.URL()), nil
		},
	})
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	return w
}

func (w *world) log(_ context.Context, _ string, fields map[string]any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, again := fields["wait"]; again {
		w.retries = append(w.retries, fields)
	}
}

// calls counts the requests of one method that the server has seen.
func (w *world) calls(method string) int {
	count := 0
	for _, request := range w.server.Requests() {
		if request.Method == method {
			count++
		}
	}
	return count
}

func (w *world) inject(t *testing.T, f emulator.Fault) {
	t.Helper()
	if err := w.server.InjectFault(f); err != nil {
		t.Fatal(err)
	}
}

// made creates the job and waits for it.
func (w *world) made(t *testing.T) *runpb.Job {
	t.Helper()
	operation, err := w.CreateJob(t.Context(), finetune, gpuJob())
	if err != nil {
		t.Fatal(err)
	}
	job, err := operation.Wait(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return job
}

// through runs a test once for each transport.
func through(t *testing.T, test func(t *testing.T, transport string)) {
	for _, transport := range []string{call.GRPC, call.REST} {
		t.Run(transport, func(t *testing.T) { test(t, transport) })
	}
}

func TestALifeOfAJob(t *testing.T) {
	through(t, func(t *testing.T, transport string) {
		w := newWorld(t, transport, emulator.WithOperationLatency(15*time.Millisecond))
		if w.dials != 0 {
			t.Fatal("New dialled")
		}
		operation, err := w.CreateJob(t.Context(), finetune, gpuJob())
		if err != nil {
			t.Fatal(err)
		}
		if operation.Done() || !strings.HasPrefix(operation.Name(), finetune.Parent()+"/operations/") || operation.Job().GetName() != finetune.String() {
			t.Errorf("after the answer: done %v, name %q, job %v", operation.Done(), operation.Name(), operation.Job())
		}
		job, err := operation.Wait(t.Context())
		if err != nil || job.GetUid() == "" || job.GetReconciling() || operation.Adopted() {
			t.Fatalf("created %v, error %v", job, err)
		}
		read, err := w.GetJob(t.Context(), finetune)
		if err != nil || !proto.Equal(read, job) {
			t.Errorf("read %v, error %v\nwant what the operation gave: %v", read, err, job)
		}

		read.Template.Parallelism = 2
		operation, err = w.UpdateJob(t.Context(), read)
		if err != nil {
			t.Fatal(err)
		}
		updated, err := operation.Wait(t.Context())
		if err != nil || updated.GetTemplate().GetParallelism() != 2 || updated.GetGeneration() != 2 || updated.GetUid() != job.GetUid() {
			t.Errorf("updated %v, error %v", updated, err)
		}
		if _, err := w.UpdateJob(t.Context(), read); !fault.IsConflict(err) {
			t.Errorf("an update with an old etag: %v", err)
		}
		if _, err := w.DeleteJob(t.Context(), finetune, read.GetEtag()); !fault.IsConflict(err) {
			t.Errorf("a delete with an old etag: %v", err)
		}

		operation, err = w.DeleteJob(t.Context(), finetune, updated.GetEtag())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := operation.Wait(t.Context()); err != nil {
			t.Error(err)
		}
		if _, err := w.GetJob(t.Context(), finetune); !fault.IsNotFound(err) {
			t.Errorf("after the delete: %v", err)
		}
		if _, err := w.DeleteJob(t.Context(), finetune, ""); !fault.IsNotFound(err) {
			t.Errorf("a second delete: %v", err)
		}
		if w.dials != 1 || len(w.retries) != 0 {
			t.Errorf("%d dials, retries %v", w.dials, w.retries)
		}
	})
}

func TestARefusalKeepsItsDetails(t *testing.T) {
	through(t, func(t *testing.T, transport string) {
		w := newWorld(t, transport, emulator.WithQuota("nvidia-l4@us-central1", 3))
		job := gpuJob()
		job.Template.Parallelism = 20
		_, err := w.CreateJob(t.Context(), finetune, job)
		f, found := fault.As(err)
		if !found || f.Code != codes.InvalidArgument || f.Method != "Jobs.CreateJob" || len(f.Violations) == 0 || f.AfterRetry {
			t.Fatalf("fault %+v", f)
		}
		if !strings.HasSuffix(f.Violations[0].Field, "template.parallelism") || !strings.Contains(f.Violations[0].Description, "\nTo request quota") {
			t.Errorf("violation %+v", f.Violations[0])
		}
		if n := w.calls("Jobs.CreateJob"); n != 1 {
			t.Errorf("%d calls", n)
		}
	})
}

func TestValidateOnlyChangesNothing(t *testing.T) {
	through(t, func(t *testing.T, transport string) {
		w := newWorld(t, transport)
		operation, err := w.CreateJob(t.Context(), finetune, gpuJob(), ValidateOnly())
		if err != nil || !operation.Done() {
			t.Fatalf("operation %+v, error %v", operation, err)
		}
		if _, err := operation.Wait(t.Context()); err != nil {
			t.Error(err)
		}
		if _, err := w.GetJob(t.Context(), finetune); !fault.IsNotFound(err) {
			t.Errorf("a validated job was made: %v", err)
		}
		made := w.made(t)
		changed := proto.CloneOf(made)
		changed.Template.TaskCount = 7
		if operation, err := w.UpdateJob(t.Context(), changed, ValidateOnly()); err != nil || !operation.Done() {
			t.Errorf("operation %+v, error %v", operation, err)
		}
		if read, err := w.GetJob(t.Context(), finetune); err != nil || !proto.Equal(read, made) {
			t.Errorf("a validated update changed the job: %v, %v", read, err)
		}
		w.inject(t, emulator.Fault{Method: "Jobs.CreateJob", Code: codes.Unavailable, After: true})
		if _, err := w.CreateJob(t.Context(), finetune, gpuJob(), ValidateOnly()); !fault.IsAlreadyExists(err) {
			t.Errorf("validating a name that is taken, with a lost answer: %v", err)
		}
		if n := w.calls("Operations.GetOperation"); n != 0 {
			t.Errorf("%d polls", n)
		}
	})
}

func TestListJobs(t *testing.T) {
	through(t, func(t *testing.T, transport string) {
		w := newWorld(t, transport)
		for job, err := range w.ListJobs(t.Context(), "acme-ml", "us-central1") {
			t.Errorf("an empty list has %v, %v", job, err)
		}
		for i := range 3 {
			name := finetune
			name.Job = fmt.Sprintf("job-%d", i)
			if _, err := w.CreateJob(t.Context(), name, gpuJob()); err != nil {
				t.Fatal(err)
			}
		}
		var names []string
		for job, err := range w.ListJobs(t.Context(), "acme-ml", "us-central1") {
			if err != nil {
				t.Fatal(err)
			}
			names = append(names, job.GetName()[strings.LastIndex(job.GetName(), "/")+1:])
		}
		if got := strings.Join(names, " "); got != "job-0 job-1 job-2" {
			t.Errorf("jobs %q", got)
		}
		w.inject(t, emulator.Fault{Method: "Jobs.ListJobs", Code: codes.Unavailable})
		for _, err := range w.ListJobs(t.Context(), "acme-ml", "us-central1") {
			if err != nil {
				t.Errorf("a list after a retry: %v", err)
			}
			break
		}
		w.inject(t, emulator.Fault{Method: "Jobs.ListJobs", Code: codes.PermissionDenied})
		count := 0
		for job, err := range w.ListJobs(t.Context(), "acme-ml", "us-central1") {
			if count++; job != nil || fault.Code(err) != codes.PermissionDenied {
				t.Errorf("job %v, error %v", job, err)
			}
		}
		if count != 1 {
			t.Errorf("%d elements of a list that is refused", count)
		}
	})
}

// No name resolves and no port is asked before the first call, and none of it hangs.
func TestNobodyListens(t *testing.T) {
	through(t, func(t *testing.T, transport string) {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		address := listener.Addr().String()
		if err := listener.Close(); err != nil {
			t.Fatal(err)
		}
		policy := quick(transport, nil)
		c := New(Options{Transport: transport, policy: &policy, Dial: func(context.Context) ([]option.ClientOption, error) {
			return plainText(transport, address, "http://"+address), nil
		}})
		defer func() {
			if err := c.Close(); err != nil {
				t.Error(err)
			}
		}()
		_, err = c.CreateJob(t.Context(), finetune, gpuJob())
		f, found := fault.As(err)
		if !found || f.Code != codes.Unavailable || !f.Unreachable || f.AfterRetry || f.Credentials {
			t.Errorf("fault %+v", f)
		}
	})
}

func TestACallAfterClose(t *testing.T) {
	through(t, func(t *testing.T, transport string) {
		w := newWorld(t, transport)
		w.made(t)
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := w.GetJob(t.Context(), finetune); fault.Code(err) != codes.FailedPrecondition {
			t.Errorf("error %v", err)
		}
	})
}

func TestCallersShareAClient(t *testing.T) {
	through(t, func(t *testing.T, transport string) {
		w := newWorld(t, transport, emulator.WithOperationLatency(2*time.Millisecond))
		var callers sync.WaitGroup
		for i := range 20 {
			callers.Go(func() {
				name := finetune
				name.Job = fmt.Sprintf("job-%d", i)
				operation, err := w.CreateJob(t.Context(), name, gpuJob())
				if err == nil {
					_, err = operation.Wait(t.Context())
				}
				if err != nil {
					t.Error(err)
				}
			})
		}
		callers.Wait()
		if w.dials != 1 {
			t.Errorf("%d dials", w.dials)
		}
	})
}
