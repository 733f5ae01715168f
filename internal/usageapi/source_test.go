package usageapi

import (
	"context"
	"errors"
	"testing"
	"time"

	run "cloud.google.com/go/run/apiv2"
	"cloud.google.com/go/run/apiv2/runpb"
	"google.golang.org/api/monitoring/v3"
	"google.golang.org/api/option"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/emulator"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/fault"
)

const cpuMetric = "run.googleapis.com/cpu_allocation"

// start returns an emulator in which a job of four tasks with two vCPU each runs, three at once.
func start(t *testing.T) *emulator.Server {
	t.Helper()
	server, err := emulator.New(emulator.WithTaskDuration(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() })
	jobs, err := run.NewJobsClient(t.Context(), plainText(server, "grpc")...)
	if err != nil {
		t.Fatal(err)
	}
	defer jobs.Close()
	created, err := jobs.CreateJob(t.Context(), &runpb.CreateJobRequest{
		Parent: "projects/acme/locations/us-central1", JobId: "train",
		Job: &runpb.Job{Template: &runpb.ExecutionTemplate{
			TaskCount: 4, Parallelism: 3,
			Template: &runpb.TaskTemplate{Containers: []*runpb.Container{{
				Image:     "us-docker.pkg.dev/cloudrun/container/job:latest",
				Resources: &runpb.ResourceRequirements{Limits: map[string]string{"cpu": "2", "memory": "1Gi"}},
			}}},
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := created.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := jobs.RunJob(t.Context(), &runpb.RunJobRequest{Name: "projects/acme/locations/us-central1/jobs/train"}); err != nil {
		t.Fatal(err)
	}
	return server
}

func plainText(server *emulator.Server, transport string) []option.ClientOption {
	if transport == "rest" {
		return []option.ClientOption{option.WithEndpoint(server.URL()), option.WithoutAuthentication()}
	}
	return []option.ClientOption{
		option.WithEndpoint(server.Addr()), option.WithoutAuthentication(),
		option.WithGRPCDialOption(grpc.WithTransportCredentials(insecure.NewCredentials())),
	}
}

func sourceOf(server *emulator.Server, transport string) *Source {
	return New(Options{
		Transport: transport, RequestTimeout: 10 * time.Second,
		Dial: func(context.Context) ([]option.ClientOption, error) { return plainText(server, transport), nil },
	})
}

func TestUsed(t *testing.T) {
	t.Parallel()
	server := start(t)
	for _, transport := range []string{"grpc", "rest"} {
		t.Run(transport, func(t *testing.T) {
			source := sourceOf(server, transport)
			used, known, err := source.Used(t.Context(), "acme", cpuMetric, "us-central1")
			if err != nil || !known || used != 6000 {
				t.Errorf("%d thousandths of a vCPU are in use (known: %t, %v), want 6000", used, known, err)
			}
			used, known, err = source.Used(t.Context(), "acme", cpuMetric, "europe-west4")
			if err != nil || known || used != 0 {
				t.Errorf("where there is no series, it is %d (known: %t, %v)", used, known, err)
			}
		})
	}
}

func TestRefusalIsAFault(t *testing.T) {
	t.Parallel()
	server := start(t)
	if err := server.InjectFault(emulator.Fault{Method: "MetricService.ListTimeSeries", Code: codes.PermissionDenied, Times: emulator.Always}); err != nil {
		t.Fatal(err)
	}
	for _, transport := range []string{"grpc", "rest"} {
		_, known, err := sourceOf(server, transport).Used(t.Context(), "acme", cpuMetric, "us-central1")
		if known || fault.Code(err) != codes.PermissionDenied {
			t.Errorf("over %s: known %t, %v", transport, known, err)
		}
	}
}

func TestNothingIsAskedBeforeTheFirstQuestion(t *testing.T) {
	t.Parallel()
	dials := 0
	broken := errors.New("no credentials")
	source := New(Options{Transport: "grpc", Dial: func(context.Context) ([]option.ClientOption, error) { dials++; return nil, broken }})
	if dials != 0 {
		t.Error("it dials before it is asked")
	}
	for range 2 {
		if _, _, err := source.Used(t.Context(), "p", cpuMetric, "r"); !errors.Is(err, broken) {
			t.Errorf("the error is %v", err)
		}
	}
	if dials != 1 {
		t.Errorf("it dialled %d times, want once", dials)
	}
}

// Of a sparse series the newest point counts, in whichever order the points come.
func TestNewestPointCounts(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
	used, known := newest([]point{{at, 1}, {at.Add(time.Hour), 5}, {at.Add(-time.Hour), 9}})
	if used != 5 || !known {
		t.Errorf("%d (known: %t), want 5", used, known)
	}
	if _, known := newest(nil); known {
		t.Error("no point is known")
	}
}

func TestPointsOfRESTThatMakeNoSense(t *testing.T) {
	t.Parallel()
	number, noon := int64(1), "2026-12-01T12:00:00Z"
	for name, p := range map[string]*monitoring.Point{
		"no time":      {Value: &monitoring.TypedValue{Int64Value: &number}},
		"no number":    {Interval: &monitoring.TimeInterval{EndTime: noon}, Value: &monitoring.TypedValue{}},
		"another time": {Interval: &monitoring.TimeInterval{EndTime: "noon"}, Value: &monitoring.TypedValue{Int64Value: &number}},
	} {
		if _, err := restPoint(p); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}
