package emulator_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/run/apiv2/runpb"
	"google.golang.org/api/iterator"
	"google.golang.org/genproto/googleapis/api"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/emulator"
)

func TestDefaults(t *testing.T) {
	clock := emulator.NewManualClock(startOfTime)
	bothDoors(t, []emulator.Option{emulator.WithClock(clock), emulator.WithProjectNumber("42")}, func(t *testing.T, _ *emulator.Server, client clients) {
		job := create(t, client, "train", plainJob())
		want := &runpb.ExecutionTemplate{TaskCount: 1, Template: &runpb.TaskTemplate{
			Containers:           []*runpb.Container{{Image: image, Resources: &runpb.ResourceRequirements{Limits: map[string]string{"cpu": "1000m", "memory": "512Mi"}}}},
			Retries:              &runpb.TaskTemplate_MaxRetries{MaxRetries: 3},
			Timeout:              durationpb.New(600 * time.Second),
			ServiceAccount:       "42-compute@developer.gserviceaccount.com",
			ExecutionEnvironment: runpb.ExecutionEnvironment_EXECUTION_ENVIRONMENT_GEN2,
		}}
		if !proto.Equal(job.GetTemplate(), want) {
			t.Errorf("template is\n%v\nwant\n%v", job.GetTemplate(), want)
		}
		if job.GetLaunchStage() != api.LaunchStage_GA || job.GetGeneration() != 1 || job.GetUid() == "" || job.GetEtag() == "" ||
			!job.GetCreateTime().AsTime().Equal(startOfTime) || !job.GetUpdateTime().AsTime().Equal(startOfTime) ||
			job.GetTerminalCondition().GetType() != "Ready" || job.GetTerminalCondition().GetState() != runpb.Condition_CONDITION_SUCCEEDED ||
			job.GetLatestCreatedExecution() == nil {
			t.Errorf("job is %v", job)
		}
	})
}

func TestGPUDefaults(t *testing.T) {
	client := grpcClients(t, start(t))
	for accelerator, want := range map[string]map[string]string{
		"nvidia-l4":           {"cpu": "4000m", "memory": "16Gi", "nvidia.com/gpu": "1"},
		"nvidia-rtx-pro-6000": {"cpu": "20000m", "memory": "80Gi", "nvidia.com/gpu": "1"},
	} {
		job := gpuJob()
		task(job).NodeSelector.Accelerator = accelerator
		got := container(create(t, client, accelerator, job)).GetResources().GetLimits()
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: limits are %v, want %v", accelerator, got, want)
		}
	}
}

func TestLaunchStageIsThatOfWhatIsUsed(t *testing.T) {
	client := grpcClients(t, start(t))
	long := gpuJob()
	task(long).Timeout = durationpb.New(2 * time.Hour)
	for id, test := range map[string]struct {
		job      *runpb.Job
		declared api.LaunchStage
		want     api.LaunchStage
	}{
		"unset": {plainJob(), api.LaunchStage_LAUNCH_STAGE_UNSPECIFIED, api.LaunchStage_GA},
		"beta":  {plainJob(), api.LaunchStage_BETA, api.LaunchStage_GA},
		"alpha": {gpuJob(), api.LaunchStage_ALPHA, api.LaunchStage_GA},
		"long":  {long, api.LaunchStage_BETA, api.LaunchStage_BETA},
	} {
		test.job.LaunchStage = test.declared
		if got := create(t, client, id, test.job).GetLaunchStage(); got != test.want {
			t.Errorf("%s: launch stage is %v, want %v", id, got, test.want)
		}
	}
}

func TestOtherDefaults(t *testing.T) {
	job := plainJob()
	task(job).VpcAccess = &runpb.VpcAccess{NetworkInterfaces: []*runpb.VpcAccess_NetworkInterface{{Network: "n"}}}
	container(job).StartupProbe = &runpb.Probe{ProbeType: &runpb.Probe_HttpGet{HttpGet: &runpb.HTTPGetAction{}}}
	sql := &runpb.CloudSqlInstance{Instances: []string{"p:r:i"}}
	mount(job, &runpb.Volume{Name: "cloudsql", VolumeType: &runpb.Volume_CloudSqlInstance{CloudSqlInstance: sql}}, "/cloudsql", "")
	mount(job, emptyDir("b"), "/b", "")
	mount(job, emptyDir("a"), "/a", "")
	got := task(create(t, grpcClients(t, start(t)), "train", job))
	if egress := got.GetVpcAccess().GetEgress(); egress != runpb.VpcAccess_PRIVATE_RANGES_ONLY {
		t.Errorf("egress is %v", egress)
	}
	probe := got.GetContainers()[0].GetStartupProbe()
	if probe.GetPeriodSeconds() != 10 || probe.GetTimeoutSeconds() != 1 || probe.GetFailureThreshold() != 3 || probe.GetHttpGet().GetPath() != "/" {
		t.Errorf("probe is %v", probe)
	}
	var names []string
	for _, volume := range got.GetVolumes() {
		names = append(names, volume.GetName())
	}
	if !slices.Equal(names, []string{"b", "a", "cloudsql"}) {
		t.Errorf("volumes are %v, want Cloud SQL last and the others as sent", names)
	}
}

func TestUpdateReplaces(t *testing.T) {
	clock := emulator.NewManualClock(startOfTime)
	bothDoors(t, []emulator.Option{emulator.WithClock(clock)}, func(t *testing.T, _ *emulator.Server, client clients) {
		job := plainJob()
		job.Labels = map[string]string{"a": "b"}
		job.Template.Parallelism = 2
		before := create(t, client, "train", job)
		clock.Advance(time.Minute)
		job = plainJob()
		job.Name = jobName
		task(job).Retries = &runpb.TaskTemplate_MaxRetries{}
		after := update(t, client, job)
		if after.GetLabels() != nil || after.GetTemplate().GetParallelism() != 0 || task(after).GetMaxRetries() != 0 {
			t.Errorf("what was left out is still there: %v", after)
		}
		if task(after).GetTimeout().AsDuration() != 600*time.Second {
			t.Errorf("defaults are not filled in again: %v", after)
		}
		if after.GetGeneration() != 2 || after.GetUid() != before.GetUid() || after.GetEtag() == before.GetEtag() ||
			!proto.Equal(after.GetCreateTime(), before.GetCreateTime()) || !after.GetUpdateTime().AsTime().Equal(before.GetUpdateTime().AsTime().Add(time.Minute)) {
			t.Errorf("job went from\n%v\nto\n%v", before, after)
		}
		if again := update(t, client, job); again.GetGeneration() != 2 {
			t.Errorf("generation moved to %d although nothing changed", again.GetGeneration())
		}
	})
}

func update(t *testing.T, client clients, job *runpb.Job) *runpb.Job {
	t.Helper()
	operation := must(client.jobs.UpdateJob(t.Context(), &runpb.UpdateJobRequest{Job: job}))(t)
	return must(operation.Wait(t.Context()))(t)
}

func TestOptimisticLock(t *testing.T) {
	bothDoors(t, nil, func(t *testing.T, _ *emulator.Server, client clients) {
		first := create(t, client, "train", plainJob())
		second := update(t, client, first)
		_, err := client.jobs.UpdateJob(t.Context(), &runpb.UpdateJobRequest{Job: first})
		expectRefusal(t, err, 409, "Conflict for resource 'train': version '", "' was specified but current version is '")
		_, err = client.jobs.DeleteJob(t.Context(), &runpb.DeleteJobRequest{Name: jobName, Etag: first.GetEtag()})
		expectRefusal(t, err, 409, "Conflict for resource 'train'")
		_, err = client.jobs.RunJob(t.Context(), &runpb.RunJobRequest{Name: jobName, Etag: "nonsense"})
		expectRefusal(t, err, 409, "version 'nonsense' was specified")
		must(client.jobs.DeleteJob(t.Context(), &runpb.DeleteJobRequest{Name: jobName, Etag: second.GetEtag()}))(t)
	})
}

func TestConflictIsAborted(t *testing.T) {
	client := grpcClients(t, start(t))
	job := create(t, client, "train", plainJob())
	job.Etag = `"CAE="`
	if _, err := client.jobs.UpdateJob(t.Context(), &runpb.UpdateJobRequest{Job: job}); status.Code(err) != codes.Aborted {
		t.Errorf("got %v, want ABORTED", err)
	}
}

func TestMissingAndThere(t *testing.T) {
	bothDoors(t, nil, func(t *testing.T, _ *emulator.Server, client clients) {
		const missing = "Resource 'train' of kind 'JOB' in region 'us-central1' in project 'acme' does not exist."
		_, err := client.jobs.GetJob(t.Context(), &runpb.GetJobRequest{Name: jobName})
		expectRefusal(t, err, 404, missing)
		_, err = client.jobs.DeleteJob(t.Context(), &runpb.DeleteJobRequest{Name: jobName})
		expectRefusal(t, err, 404, missing)
		_, err = client.jobs.RunJob(t.Context(), &runpb.RunJobRequest{Name: jobName})
		expectRefusal(t, err, 404, missing)
		named := plainJob()
		named.Name = jobName
		_, err = client.jobs.UpdateJob(t.Context(), &runpb.UpdateJobRequest{Job: named})
		expectRefusal(t, err, 404, missing)

		operation := must(client.jobs.UpdateJob(t.Context(), &runpb.UpdateJobRequest{Job: named, AllowMissing: true}))(t)
		if created := must(operation.Wait(t.Context()))(t); created.GetName() != jobName || created.GetGeneration() != 1 {
			t.Errorf("allow_missing made %v", created)
		}
		_, err = client.jobs.CreateJob(t.Context(), &runpb.CreateJobRequest{Parent: location, JobId: "train", Job: plainJob()})
		expectRefusal(t, err, 409, "Resource 'train' already exists.")
	})
}

// expectRefusal wants an error with that HTTP code, or the code that goes with it, and those words.
func expectRefusal(t *testing.T, err error, httpCode int, says ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("got no error, want %d", httpCode)
	}
	if got := httpCodeOf(err); got != httpCode {
		t.Errorf("code is %d, want %d: %v", got, httpCode, err)
	}
	for _, words := range says {
		if !strings.Contains(err.Error(), words) {
			t.Errorf("got %q, want it to say %q", err, words)
		}
	}
}

func TestValidateOnlyChangesNothing(t *testing.T) {
	bothDoors(t, nil, func(t *testing.T, server *emulator.Server, client clients) {
		request := &runpb.CreateJobRequest{Parent: location, JobId: "train", Job: plainJob(), ValidateOnly: true}
		operation := must(client.jobs.CreateJob(t.Context(), request))(t)
		if job := must(operation.Wait(t.Context()))(t); job.GetName() != jobName || job.GetTemplate().GetTaskCount() != 1 {
			t.Errorf("validation shows %v", job)
		}
		_, err := client.jobs.GetJob(t.Context(), &runpb.GetJobRequest{Name: jobName})
		expectRefusal(t, err, 404)

		before := create(t, client, "train", plainJob())
		changed := proto.CloneOf(before)
		changed.Labels = map[string]string{"a": "b"}
		must(client.jobs.UpdateJob(t.Context(), &runpb.UpdateJobRequest{Job: changed, ValidateOnly: true}))(t)
		must(client.jobs.DeleteJob(t.Context(), &runpb.DeleteJobRequest{Name: jobName, ValidateOnly: true}))(t)
		must(client.jobs.RunJob(t.Context(), &runpb.RunJobRequest{Name: jobName, ValidateOnly: true}))(t)
		if after := must(client.jobs.GetJob(t.Context(), &runpb.GetJobRequest{Name: jobName}))(t); !proto.Equal(before, after) {
			t.Errorf("job went from\n%v\nto\n%v", before, after)
		}
		_, err = client.jobs.CreateJob(t.Context(), request)
		expectRefusal(t, err, 409)
		if len(server.Requests()) == 0 {
			t.Error("no requests were noted")
		}
	})
}

func TestDelete(t *testing.T) {
	clock := emulator.NewManualClock(startOfTime)
	bothDoors(t, []emulator.Option{emulator.WithClock(clock)}, func(t *testing.T, _ *emulator.Server, client clients) {
		first := create(t, client, "train", plainJob())
		operation := must(client.jobs.DeleteJob(t.Context(), &runpb.DeleteJobRequest{Name: jobName}))(t)
		deleted := must(operation.Wait(t.Context()))(t)
		if deleted.GetUid() != first.GetUid() || deleted.GetDeleteTime() == nil || !deleted.GetExpireTime().AsTime().After(deleted.GetDeleteTime().AsTime()) {
			t.Errorf("deleted job is %v", deleted)
		}
		if second := create(t, client, "train", plainJob()); second.GetUid() == first.GetUid() {
			t.Error("the new job has the uid of the old one")
		}
		if names := listJobs(t, client, &runpb.ListJobsRequest{Parent: location}); len(names) != 1 {
			t.Errorf("list shows %v", names)
		}
		if names := listJobs(t, client, &runpb.ListJobsRequest{Parent: location, ShowDeleted: true}); len(names) != 2 {
			t.Errorf("list with deleted jobs shows %v", names)
		}
		clock.Advance(31 * 24 * time.Hour)
		if names := listJobs(t, client, &runpb.ListJobsRequest{Parent: location, ShowDeleted: true}); len(names) != 1 {
			t.Errorf("list after a month shows %v", names)
		}
	})
}

func listJobs(t testing.TB, client clients, request *runpb.ListJobsRequest) []string {
	t.Helper()
	var names []string
	jobs := client.jobs.ListJobs(t.Context(), request)
	for {
		job, err := jobs.Next()
		if err == iterator.Done { //nolint:errorlint // the iterator returns it as it is
			return names
		}
		names = append(names, must(job, err)(t).GetName())
	}
}

func TestAThousandJobsInPages(t *testing.T) {
	server := start(t)
	client := grpcClients(t, server)
	const count = 1000
	for i := range count {
		id := fmt.Sprintf("job-%04d", (i*7)%count)
		must(client.jobs.CreateJob(t.Context(), &runpb.CreateJobRequest{Parent: location, JobId: id, Job: plainJob()}))(t)
	}
	_, err := client.jobs.CreateJob(t.Context(), &runpb.CreateJobRequest{Parent: location, JobId: "one-too-many", Job: plainJob()})
	if status.Code(err) != codes.ResourceExhausted {
		t.Errorf("job 1001 of a region: got %v, want RESOURCE_EXHAUSTED", err)
	}
	elsewhere := project + "/locations/europe-west4"
	must(client.jobs.CreateJob(t.Context(), &runpb.CreateJobRequest{Parent: elsewhere, JobId: "x", Job: plainJob()}))(t)

	server.ClearRequests()
	names := listJobs(t, client, &runpb.ListJobsRequest{Parent: location, PageSize: 300})
	if len(names) != count || !slices.IsSorted(names) || len(slices.Compact(names)) != count {
		t.Errorf("got %d names, sorted %t", len(names), slices.IsSorted(names))
	}
	if calls := len(server.Requests()); calls != 4 {
		t.Errorf("%d calls for four pages", calls)
	}
	if names := listJobs(t, restClients(t, server), &runpb.ListJobsRequest{Parent: location, PageSize: 300}); len(names) != count {
		t.Errorf("REST shows %d jobs", len(names))
	}
	if names := listJobs(t, client, &runpb.ListJobsRequest{Parent: project + "/locations/-"}); len(names) != count+1 {
		t.Errorf("all locations show %d jobs", len(names))
	}
}

func TestPagesDoNotShiftUnderChanges(t *testing.T) {
	server := start(t)
	client := grpcClients(t, server)
	for _, id := range []string{"b", "d", "f"} {
		create(t, client, id, plainJob())
	}
	path := "/v2/" + location + "/jobs?pageSize=2"
	_, page := call(t, server, "GET", path, "")
	token := at(page, "nextPageToken")
	create(t, client, "a", plainJob())
	create(t, client, "e", plainJob())
	must(client.jobs.DeleteJob(t.Context(), &runpb.DeleteJobRequest{Name: location + "/jobs/b"}))(t)
	_, next := call(t, server, "GET", fmt.Sprintf("%s&pageToken=%s", path, token), "")
	if at(next, "jobs", 0, "name") != location+"/jobs/e" || at(next, "jobs", 1, "name") != location+"/jobs/f" || at(next, "nextPageToken") != nil {
		t.Errorf("second page is %v", next)
	}
	for _, bad := range []string{"pageToken=x", "pageSize=-1", fmt.Sprintf("showDeleted=true&pageToken=%s", token)} {
		if code, answer := call(t, server, "GET", "/v2/"+location+"/jobs?"+bad, ""); code != 400 || at(answer, "error", "status") != "INVALID_ARGUMENT" {
			t.Errorf("%s: got %d %v", bad, code, answer)
		}
	}
}
