package emulator_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"

	"cloud.google.com/go/run/apiv2/runpb"
	"google.golang.org/grpc/codes"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/emulator"
)

func TestKnobs(t *testing.T) {
	server := start(t, emulator.WithQuota("nvidia-l4@us-central1", 7))
	client := grpcClients(t, server)
	knob := func(method, path, body string, want int) string {
		t.Helper()
		code, text := send(t, server, method, "/_emulator/"+path, body)
		if code != want {
			t.Errorf("%s %s: got %d %s, want %d", method, path, code, text, want)
		}
		return text
	}
	knob("GET", "health", "", 200)
	knob("GET", "nothing", "", 404)
	knob("PATCH", "health", "", 404)

	create(t, client, "train", plainJob())
	var log []emulator.Request
	must(0, json.Unmarshal([]byte(knob("GET", "requests", "", 200)), &log))(t)
	if len(log) != 1 || log[0].Method != "Jobs.CreateJob" || log[0].Resource != jobName || log[0].Door != "grpc" || log[0].Status != "OK" {
		t.Errorf("requests are %+v", log)
	}
	knob("DELETE", "requests", "", 200)
	if text := knob("GET", "requests", "", 200); strings.TrimSpace(text) != "[]" {
		t.Errorf("requests after the delete are %s", text)
	}

	knob("PUT", "quotas", `{"nvidia-l4@us-central1": 2, "cpu@us-central1": null}`, 200)
	knob("PUT", "quotas", `{"nvidia-l4@us-central1": 5, "nonsense": 1}`, 400)
	if limits := quotaLimits(t, server, quotaL4); limits["us-central1"] != "2" || limits["europe-west4"] != "100" {
		t.Errorf("limits are %v", limits)
	}
	if limits := quotaLimits(t, server, "CpuAllocPerProjectRegion"); limits["us-central1"] != "none" {
		t.Errorf("limits are %v", limits)
	}

	knob("POST", "faults", `{"method": "Jobs.GetJob", "code": "UNAVAILABLE", "message": "m", "times": 2, "skip": 1, "delay": "1ms", "when": "after", "operation": false}`, 200)
	for _, wrong := range []string{
		`{"method": "Jobs.GetJobs", "code": "UNAVAILABLE"}`, `{"method": "Jobs.GetJob", "code": "BROKEN"}`, `{"method": "Jobs.GetJob", "when": "later"}`,
		`{"method": "Jobs.GetJob", "delay": "1"}`, `{"method": "Jobs.GetJob", "code": "ABORTED", "retry_after": "1"}`,
		`{"method": "Jobs.GetJob", "code": "ABORTED", "retry_after": "-1s"}`, `{"method": "Jobs.GetJob", "code": "ABORTED", "metadata": {"a": "b"}}`,
		`{"method": "Jobs.GetJob", "reason": "NONE"}`,
		`{"method": "Jobs.GetJob", "often": 1}`, `{`,
	} {
		if text := knob("POST", "faults", wrong, 400); !strings.Contains(text, `"error"`) {
			t.Errorf("%s: %s", wrong, text)
		}
	}
	if left := server.Faults(); len(left) != 1 || !reflect.DeepEqual(left[0], emulator.Fault{Method: "Jobs.GetJob", Code: codes.Unavailable, Message: "m", Times: 2, Skip: 1, Delay: 1e6, After: true}) {
		t.Errorf("faults are %+v", left)
	}
	if text := knob("GET", "faults", "", 200); !strings.Contains(text, `"when": "after"`) || !strings.Contains(text, `"code": "UNAVAILABLE"`) || !strings.Contains(text, `"delay": "1ms"`) {
		t.Errorf("faults are %s", text)
	}
	knob("DELETE", "faults", "", 200)
	if left := server.Faults(); len(left) != 0 {
		t.Errorf("faults are %+v", left)
	}

	knob("POST", "faults", `{"method": "Jobs.GetJob", "code": "INTERNAL"}`, 200)
	knob("POST", "reset", "", 200)
	if limits := quotaLimits(t, server, quotaL4); limits["us-central1"] != "7" || len(server.Faults()) != 0 || len(listJobs(t, client, &runpb.ListJobsRequest{Parent: location})) != 0 {
		t.Errorf("after the reset: limits %v, faults %v", limits, server.Faults())
	}
}

func TestRequestsAreBounded(t *testing.T) {
	server := start(t)
	client := grpcClients(t, server)
	const kept, more = 10000, 5
	for i := range kept + more {
		// The name tells the calls apart; the job need not be there.
		if _, err := client.jobs.GetJob(t.Context(), &runpb.GetJobRequest{Name: fmt.Sprintf("%s/jobs/j%d", location, i)}); err == nil {
			t.Fatal("a job that was never made is there")
		}
	}
	log := server.Requests()
	if len(log) != kept || !strings.HasSuffix(log[0].Resource, fmt.Sprint("/j", more)) || !strings.HasSuffix(log[kept-1].Resource, fmt.Sprint("/j", kept+more-1)) {
		t.Errorf("%d requests, from %s", len(log), log[0].Resource)
	}
}

func TestRecord(t *testing.T) {
	var out bytes.Buffer
	server := start(t, emulator.WithRecord(&out))
	create(t, grpcClients(t, server), "train", plainJob())
	call(t, server, "GET", jobsPath+"/none", "")
	call(t, server, "POST", jobsPath+"?jobId=a", `{"gpu": 1}`)
	var lines []map[string]any
	for scanner := bufio.NewScanner(&out); scanner.Scan(); {
		var line map[string]any
		must(0, json.Unmarshal(scanner.Bytes(), &line))(t)
		lines = append(lines, line)
	}
	if len(lines) != 3 || at(lines[0], "method") != "Jobs.CreateJob" || at(lines[0], "request", "jobId") != "train" || at(lines[0], "response", "done") != true ||
		at(lines[1], "status") != "NOT_FOUND" || at(lines[1], "door") != "rest" || at(lines[1], "error", "code") != 5.0 ||
		at(lines[2], "request", "gpu") != 1.0 || at(lines[2], "status") != "INVALID_ARGUMENT" {
		t.Errorf("the record is %v", lines)
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestBrokenRecordIsReported(t *testing.T) {
	server := must(emulator.New(emulator.WithRecord(brokenWriter{})))(t)
	if code, _ := call(t, server, "GET", jobsPath, ""); code != 200 {
		t.Errorf("the call fails with %d", code)
	}
	if err := server.Close(); err == nil || !strings.Contains(err.Error(), "disk full") {
		t.Errorf("closing says %v", err)
	}
}

func TestAddressInUse(t *testing.T) {
	server := start(t)
	if second, err := emulator.New(emulator.WithAddr(server.Addr())); err == nil {
		t.Errorf("two servers on one address: %v", second.Close())
	}
}

func TestWrongOptions(t *testing.T) {
	for name, option := range map[string]emulator.Option{
		"latency": emulator.WithLatency(-1), "operation latency": emulator.WithOperationLatency(-1), "task duration": emulator.WithTaskDuration(-1),
		"project number": emulator.WithProjectNumber("acme"), "clock": emulator.WithClock(nil), "listening": emulator.WithAddr("nowhere"),
	} {
		if _, err := emulator.New(option); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// A hundred clients at once, each with a job of its own and one that all of them fight for.
func TestParallelClients(t *testing.T) {
	server := start(t, emulator.WithQuota("nvidia-l4@*", 1000), emulator.WithQuota("cpu@*", emulator.Unlimited), emulator.WithQuota("memory@*", emulator.Unlimited))
	byGRPC, byREST := grpcClients(t, server), restClients(t, server)
	create(t, byGRPC, "shared", plainJob())
	var all sync.WaitGroup
	won := make(chan string, 100)
	for i := range 100 {
		client := byGRPC
		if i%2 == 1 {
			client = byREST
		}
		all.Go(func() {
			id := fmt.Sprint("job", i)
			if err := oneClient(t, client, id); err != nil {
				t.Errorf("%s: %v", id, err)
			}
			shared, err := client.jobs.GetJob(t.Context(), &runpb.GetJobRequest{Name: location + "/jobs/shared"})
			if err != nil {
				t.Errorf("%s: %v", id, err)
				return
			}
			shared.Labels = map[string]string{"winner": id}
			if _, err := client.jobs.UpdateJob(t.Context(), &runpb.UpdateJobRequest{Job: shared}); err == nil {
				won <- id
			} else if httpCodeOf(err) != 409 {
				t.Errorf("%s: %v", id, err)
			}
		})
	}
	all.Wait()
	close(won)
	shared := must(byGRPC.jobs.GetJob(t.Context(), &runpb.GetJobRequest{Name: location + "/jobs/shared"}))(t)
	if winners := len(won); winners == 0 || shared.GetGeneration() != int64(winners)+1 {
		t.Errorf("%d updates went through, the generation is %d", winners, shared.GetGeneration())
	}
	if names := listJobs(t, byGRPC, &runpb.ListJobsRequest{Parent: location}); len(names) != 1 {
		t.Errorf("jobs that are left: %v", names)
	}
}

func oneClient(t *testing.T, client clients, id string) error {
	name := location + "/jobs/" + id
	created, err := client.jobs.CreateJob(t.Context(), &runpb.CreateJobRequest{Parent: location, JobId: id, Job: gpuJob()})
	if err != nil {
		return err
	}
	job, err := created.Wait(t.Context())
	if err != nil {
		return err
	}
	ran, err := client.jobs.RunJob(t.Context(), &runpb.RunJobRequest{Name: name})
	if err != nil {
		return err
	}
	if _, err := ran.Wait(t.Context()); err != nil {
		return err
	}
	job.Etag = ""
	if _, err := client.jobs.UpdateJob(t.Context(), &runpb.UpdateJobRequest{Job: job}); err != nil {
		return err
	}
	if _, err := client.jobs.ListJobs(t.Context(), &runpb.ListJobsRequest{Parent: location, PageSize: 10}).Next(); err != nil {
		return err
	}
	_, err = client.jobs.DeleteJob(t.Context(), &runpb.DeleteJobRequest{Name: name})
	return err
}
