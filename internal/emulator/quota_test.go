package emulator_test

import (
	"fmt"
	"strings"
	"testing"

	cloudquotas "cloud.google.com/go/cloudquotas/apiv1"
	"cloud.google.com/go/cloudquotas/apiv1/cloudquotaspb"
	"cloud.google.com/go/run/apiv2/runpb"
	"google.golang.org/api/iterator"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/emulator"
)

const (
	quotaL4  = "NvidiaL4GpuAllocNoZonalRedundancyPerProjectRegion"
	quotaRTX = "NvidiaRtxPro6000GpuAllocNoZonalRedundancyPerProjectRegion"
)

func TestQuotaRefusals(t *testing.T) {
	for _, test := range []struct {
		name   string
		quotas map[string]int64
		change func(job *runpb.Job)
		wants  string // the whole description; empty where the job is accepted
	}{
		{"equal", map[string]int64{"nvidia-l4@us-central1": 10}, func(j *runpb.Job) { j.Template.Parallelism = 10 }, ""},
		{
			"one above", map[string]int64{"nvidia-l4@us-central1": 10}, func(j *runpb.Job) { j.Template.Parallelism = 11 },
			"Parallelism must be set to 10 or fewer in order to set GPU requirements.\nTo request quota: g.co/cloudrun/gpu-quota\nQuota violated:\n" +
				quotaL4 + " requested: 11 allowed: 10",
		},
		{
			"none at all", map[string]int64{"nvidia-l4@us-central1": 0}, func(*runpb.Job) {},
			"You do not have quota for using GPUs without zonal redundancy.\n\nTo request quota: g.co/cloudrun/gpu-quota",
		},
		{"it is the parallelism that counts", map[string]int64{"nvidia-l4@*": 3}, func(j *runpb.Job) { j.Template.TaskCount, j.Template.Parallelism = 1, 4 }, "requested: 4 allowed: 3"},
		{"no parallelism counts as one", map[string]int64{"nvidia-l4@*": 1}, func(j *runpb.Job) { j.Template.TaskCount = 50 }, ""},
		{"unlimited", map[string]int64{"nvidia-l4@*": emulator.Unlimited}, func(j *runpb.Job) { j.Template.Parallelism = 500 }, ""},
		{"another region", map[string]int64{"nvidia-l4@us-central1": 3, "nvidia-l4@europe-west4": 50}, func(j *runpb.Job) { j.Template.Parallelism = 4 }, "allowed: 3"},
		{"region beats every region", map[string]int64{"nvidia-l4@*": 0, "nvidia-l4@us-central1": 5}, func(j *runpb.Job) { j.Template.Parallelism = 5 }, ""},
		{
			"whole GPUs in the words about RTX", map[string]int64{"nvidia-rtx-pro-6000@us-central1": 1},
			func(j *runpb.Job) { rtx(j, "20", "80Gi"); j.Template.Parallelism = 3 }, quotaRTX + " requested: 3 allowed: 1",
		},
		{
			"CPU and memory", map[string]int64{"cpu@us-central1": 20, "memory@us-central1": 40},
			func(j *runpb.Job) { rtx(j, "20", "80Gi"); j.Template.Parallelism = 3 },
			"Parallelism must be set to 0 or fewer to set the requested total CPU.\nQuota violated:\n" +
				"CpuAllocPerProjectRegion requested: 60000 allowed: 20000\nMemAllocPerProjectRegion requested: 257698037760 allowed: 42949672960",
		},
		{
			"three L4 are more memory than a new project has", map[string]int64{"nvidia-l4@*": 3, "cpu@*": 20, "memory@*": 40},
			func(j *runpb.Job) { j.Template.Parallelism = 3 },
			"Parallelism must be set to 2 or fewer to set the requested total memory.\nQuota violated:\nMemAllocPerProjectRegion requested: 51539607552 allowed: 42949672960",
		},
		{"quota comes before the size", map[string]int64{"nvidia-l4@*": 0}, func(j *runpb.Job) { limits(j, 0, "nvidia.com/gpu", "2", "cpu", "1") }, "You do not have quota"},
	} {
		t.Run(test.name, func(t *testing.T) {
			bothDoors(t, nil, func(t *testing.T, server *emulator.Server, client clients) {
				setQuotas(t, server, test.quotas)
				job := gpuJob()
				test.change(job)
				_, err := client.jobs.CreateJob(t.Context(), &runpb.CreateJobRequest{Parent: location, JobId: "train", Job: job, ValidateOnly: true})
				if test.wants == "" {
					must(0, err)(t)
					return
				}
				expectViolation(t, err, "template.parallelism", test.wants)
			})
		})
	}
}

// Every region is set first, so that what is said of one region stands.
func setQuotas(t *testing.T, server *emulator.Server, quotas map[string]int64) {
	t.Helper()
	for _, everywhere := range []bool{true, false} {
		for key, value := range quotas {
			if strings.HasSuffix(key, "@*") == everywhere {
				must(0, server.SetQuota(key, value))(t)
			}
		}
	}
}

func TestNewProject(t *testing.T) {
	client := grpcClients(t, startPlain(t))
	job := gpuJob()
	job.Template.Parallelism = 2
	create(t, client, "two", job)
	job.Template.Parallelism = 3
	_, err := client.jobs.CreateJob(t.Context(), &runpb.CreateJobRequest{Parent: location, JobId: "three", Job: job})
	expectViolation(t, err, "template.parallelism", "MemAllocPerProjectRegion requested")
}

func TestUpdateAsksForQuotaOnlyWhereItNeedsMore(t *testing.T) {
	server := start(t)
	client := grpcClients(t, server)
	job := gpuJob()
	job.Template.Parallelism = 5
	create(t, client, "train", job)
	setQuotas(t, server, map[string]int64{"nvidia-l4@*": 3})
	job.Name = jobName
	container(job).Image = "a/other:1"
	update(t, client, job)
	job.Template.Parallelism = 6
	_, err := client.jobs.UpdateJob(t.Context(), &runpb.UpdateJobRequest{Job: job})
	expectViolation(t, err, "template.parallelism", "requested: 6 allowed: 3")
	task(job).NodeSelector, task(job).GpuZonalRedundancyDisabled = nil, nil
	detached := update(t, client, job)
	if limits := container(detached).GetResources().GetLimits(); len(limits) != 2 {
		t.Errorf("the GPU is still there: %v", detached)
	}
}

func TestFirstUseBringsItsGPUs(t *testing.T) {
	server := start(t)
	setQuotas(t, server, map[string]int64{"nvidia-l4@us-central1": emulator.NoEntry})
	client := grpcClients(t, server)
	job := gpuJob()
	job.Template.Parallelism = 4
	_, err := client.jobs.CreateJob(t.Context(), &runpb.CreateJobRequest{Parent: location, JobId: "train", Job: job})
	expectViolation(t, err, "template.parallelism", "requested: 4 allowed: 3")
	job.Template.Parallelism = 3
	must(client.jobs.CreateJob(t.Context(), &runpb.CreateJobRequest{Parent: location, JobId: "train", Job: job, ValidateOnly: true}))(t)
	if limits := quotaLimits(t, server, quotaL4); limits["us-central1"] != "none" {
		t.Errorf("a request that only validates brought %v", limits)
	}
	create(t, client, "train", job)
	if limits := quotaLimits(t, server, quotaL4); limits["us-central1"] != "3" {
		t.Errorf("the first use brought %v", limits)
	}
}

// quotaLimits is what Cloud Quotas says of a quota, by region.
func quotaLimits(t *testing.T, server *emulator.Server, id string) map[string]string {
	t.Helper()
	_, info := call(t, server, "GET", "/v1/"+project+"/locations/global/services/run.googleapis.com/quotaInfos/"+id, "")
	limits := map[string]string{"us-central1": "none"}
	infos, _ := at(info, "dimensionsInfos").([]any)
	for _, entry := range infos {
		value := at(entry, "details", "value")
		if value == nil { // proto3 leaves a zero out
			value = "0"
		}
		limits[fmt.Sprint(at(entry, "dimensions", "region"))] = fmt.Sprint(value)
	}
	return limits
}

func TestQuotaInfo(t *testing.T) {
	server := startPlain(t, emulator.WithProjectNumber("42"), emulator.WithQuota("nvidia-rtx-pro-6000@us-central1", 2),
		emulator.WithQuota("nvidia-l4@us-central1", 0), emulator.WithQuota("cpu@*", emulator.Unlimited), emulator.WithQuota("memory@us-central1", 100),
		emulator.WithQuota("nvidia-l4@europe-west1", emulator.NoEntry))
	for id, want := range map[string]string{
		quotaL4: "0", quotaRTX: "2000", "CpuAllocPerProjectRegion": "-1", "MemAllocPerProjectRegion": "107374182400", "NvidiaL4GpuAllocPerProjectRegion": "0",
	} {
		if got := quotaLimits(t, server, id)["us-central1"]; got != want {
			t.Errorf("%s is %s, want %s", id, got, want)
		}
	}
	if got, has := quotaLimits(t, server, quotaL4)["europe-west1"]; has {
		t.Errorf("the entry that is not there says %s", got)
	}
	if got, has := quotaLimits(t, server, quotaL4)["us-west4"]; has {
		t.Errorf("a region without the GPU says %s", got)
	}
	for door, client := range map[string]*cloudquotas.Client{
		"grpc": must(cloudquotas.NewClient(t.Context(), grpcOptions(server)...))(t),
		"rest": must(cloudquotas.NewRESTClient(t.Context(), restOptions(server)...))(t),
	} {
		const parent = "projects/acme/locations/global/services/run.googleapis.com"
		info := must(client.GetQuotaInfo(t.Context(), &cloudquotaspb.GetQuotaInfoRequest{Name: parent + "/quotaInfos/" + quotaL4}))(t)
		if info.GetName() != "projects/42/locations/global/services/run.googleapis.com/quotaInfos/"+quotaL4 || info.GetService() != "run.googleapis.com" ||
			info.GetMetric() != "run.googleapis.com/nvidia_l4_gpu_allocation_no_zonal_redundancy" || info.GetContainerType() != cloudquotaspb.QuotaInfo_PROJECT ||
			!info.GetQuotaIncreaseEligibility().GetIsEligible() || info.GetDimensionsInfos()[0].GetApplicableLocations()[0] != "asia-south1" {
			t.Errorf("%s: %v", door, info)
		}
		infos, count := client.ListQuotaInfos(t.Context(), &cloudquotaspb.ListQuotaInfosRequest{Parent: parent, PageSize: 4}), 0
		for _, err := infos.Next(); err != iterator.Done; _, err = infos.Next() { //nolint:errorlint // the iterator returns it as it is
			must(0, err)(t)
			count++
		}
		if count != len(emulator.Rules().Quotas) {
			t.Errorf("%s: %d quotas", door, count)
		}
		_, err := client.GetQuotaInfo(t.Context(), &cloudquotaspb.GetQuotaInfoRequest{Name: parent + "/quotaInfos/None"})
		expectRefusal(t, err, 404)
		must(0, client.Close())(t)
	}
}

func TestQuotaKeys(t *testing.T) {
	server := start(t)
	for key, value := range map[string]int64{"nvidia-l4": 3, "nvidia-t4@us-central1": 3, "@us-central1": 3, "cpu@": 3, "cpu@*": -2, "memory@*": 1 << 62} {
		if err := server.SetQuota(key, value); err == nil || !strings.Contains(err.Error(), "quota ") {
			t.Errorf("%s = %d: got %v, want an error", key, value, err)
		}
		if _, err := emulator.New(emulator.WithQuota(key, value)); err == nil {
			t.Errorf("%s = %d is taken as an option", key, value)
		}
	}
}
