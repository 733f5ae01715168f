package emulator_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/run/apiv2/runpb"
	"google.golang.org/genproto/googleapis/api"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/emulator"
)

// What looks wrong, but not to the service.
var accepted = []refusal{
	{name: "more parallelism than tasks", spoil: func(j *runpb.Job) { j.Template.TaskCount, j.Template.Parallelism = 1, 5 }},
	{name: "no retries", spoil: func(j *runpb.Job) { task(j).Retries = &runpb.TaskTemplate_MaxRetries{} }},
	{name: "env twice", spoil: func(j *runpb.Job) { container(j).Env = []*runpb.EnvVar{{Name: "A"}, {Name: "A"}, {Name: "X_GOOGLE_A"}} }},
	{name: "latest secret", spoil: func(j *runpb.Job) { container(j).Env = []*runpb.EnvVar{secretEnv("s", "latest")} }},
	{name: "mount path twice", spoil: func(j *runpb.Job) { mount(j, emptyDir("a"), "/a", ""); mount(j, emptyDir("b"), "/a", "") }},
	{name: "relative working directory", spoil: func(j *runpb.Job) { container(j).WorkingDir = "app" }},
	{name: "volume without source", spoil: func(j *runpb.Job) { mount(j, &runpb.Volume{Name: "a"}, "/a", "") }},
	{name: "relative NFS path", spoil: func(j *runpb.Job) {
		mount(j, &runpb.Volume{Name: "a", VolumeType: &runpb.Volume_Nfs{Nfs: &runpb.NFSVolumeSource{Server: "10.0.0.1", Path: "x"}}}, "/a", "")
	}},
	{name: "sub path of a bucket", spoil: func(j *runpb.Job) {
		mount(j, &runpb.Volume{Name: "a", VolumeType: &runpb.Volume_Gcs{Gcs: &runpb.GCSVolumeSource{Bucket: "b"}}}, "/a", "/LM01")
	}},
	{name: "ports", spoil: func(j *runpb.Job) { container(j).Ports = []*runpb.ContainerPort{{Name: "h2c", ContainerPort: 8080}} }},
	{name: "probe that outlasts its period", spoil: func(j *runpb.Job) {
		container(j).StartupProbe = &runpb.Probe{
			PeriodSeconds: 1, TimeoutSeconds: 5, FailureThreshold: 2, ProbeType: &runpb.Probe_TcpSocket{TcpSocket: &runpb.TCPSocketAction{Port: 8080}},
		}
	}},
	{name: "network that is not there", spoil: func(j *runpb.Job) {
		task(j).VpcAccess = &runpb.VpcAccess{NetworkInterfaces: []*runpb.VpcAccess_NetworkInterface{{Network: "no-such-network", Tags: []string{"a"}}}}
	}},
	{name: "sidecar with a fraction of a CPU", spoil: func(j *runpb.Job) {
		add(j, &runpb.Container{Name: "b", Image: "a/b@sha256:" + strings.Repeat("0", 64)})
		limits(j, 1, "cpu", "80m", "memory", "128Mi")
	}},
	{name: "a week", spoil: func(j *runpb.Job) { task(j).Timeout = durationpb.New(168 * time.Hour) }},
	{name: "an hour with GPU", gpu: true, spoil: func(j *runpb.Job) { task(j).Timeout = durationpb.New(time.Hour) }},
	{name: "twelve hours with GPU at BETA", gpu: true, spoil: func(j *runpb.Job) {
		j.LaunchStage = api.LaunchStage_BETA
		task(j).Timeout = durationpb.New(12 * time.Hour)
	}},
	{name: "GPU with a sidecar", gpu: true, spoil: func(j *runpb.Job) { add(j, &runpb.Container{Name: "b", Image: image}) }},
	{name: "quantities by value", gpu: true, spoil: func(j *runpb.Job) { limits(j, 0, "cpu", "8000m", "memory", "32768Mi") }},
	{name: "unknown type where only validated", gpu: true, spoil: func(j *runpb.Job) { task(j).NodeSelector.Accelerator = "nvidia-t4" }},
}

func TestAccepted(t *testing.T) {
	bothDoors(t, nil, func(t *testing.T, _ *emulator.Server, client clients) {
		for _, a := range accepted {
			t.Run(a.name, func(t *testing.T) {
				must(client.jobs.CreateJob(t.Context(), &runpb.CreateJobRequest{Parent: location, JobId: "train", Job: a.job(), ValidateOnly: true}))(t)
			})
		}
	})
}

func TestRefusedCreates(t *testing.T) {
	unknownType := gpuJob()
	task(unknownType).NodeSelector.Accelerator = "nvidia-t4"
	named := plainJob()
	named.Name = jobName
	disk := plainJob()
	mount(disk, &runpb.Volume{Name: "d", VolumeType: &runpb.Volume_EmptyDir{EmptyDir: &runpb.EmptyDirVolumeSource{Medium: runpb.EmptyDirVolumeSource_DISK}}}, "/d", "")
	for _, test := range []struct {
		name, parent, id string
		job              *runpb.Job
		code             codes.Code
		says             string
	}{
		{"id in capitals", location, "Train", plainJob(), codes.InvalidArgument, "job_id: only lowercase, digits, and hyphens"},
		{"id ends in a hyphen", location, "train-", plainJob(), codes.InvalidArgument, "may not end with hyphen"},
		{"id of 64 characters", location, strings.Repeat("a", 64), plainJob(), codes.InvalidArgument, "must be less than 64 characters"},
		{"no id", location, "", plainJob(), codes.InvalidArgument, "job_id"},
		{"no location", project, "train", plainJob(), codes.InvalidArgument, "projects/*/locations/*"},
		{"name in the body", location, "train", named, codes.InvalidArgument, "must be empty on CreateJobRequest"},
		{"no job", location, "train", nil, codes.InvalidArgument, "required field not present"},
		{"unknown type", location, "train", unknownType, codes.InvalidArgument, "only 'nvidia-l4', 'nvidia-a100-80gb', 'nvidia-h100-80gb' and 'nvidia-rtx-pro-6000-96gb' are supported"},
		{"region without the type", project + "/locations/europe-north1", "train", gpuJob(), codes.InvalidArgument, "'nvidia-l4' is not available in region 'europe-north1'"},
		{"preview feature at GA", location, "train", disk, codes.FailedPrecondition, "is not supported in the declared launch stage"},
	} {
		t.Run(test.name, func(t *testing.T) {
			client := grpcClients(t, start(t))
			_, err := client.jobs.CreateJob(t.Context(), &runpb.CreateJobRequest{Parent: test.parent, JobId: test.id, Job: test.job})
			if status.Code(err) != test.code || !strings.Contains(status.Convert(err).Message(), test.says) {
				t.Errorf("got %v, want %v with %q", err, test.code, test.says)
			}
		})
	}
}

// The numbers of the exported table are those that the emulator goes by: each size is tried at both ends and one step beyond.
func TestRuleTableIsEnforced(t *testing.T) {
	client := grpcClients(t, start(t))
	table := emulator.Rules()
	tryOut := func(region, accelerator string, cpu, memory int64) error {
		job := plainJob()
		if accelerator != "" {
			job = gpuJob()
			task(job).NodeSelector.Accelerator = accelerator
		}
		limits(job, 0, "cpu", fmt.Sprint(cpu), "memory", fmt.Sprint(memory))
		_, err := client.jobs.CreateJob(t.Context(), &runpb.CreateJobRequest{
			Parent: project + "/locations/" + region, JobId: "train", Job: job, ValidateOnly: true,
		})
		return err
	}
	sizes := func(region, accelerator string, sizes []emulator.Size) {
		for _, size := range sizes {
			for memory, fits := range map[int64]bool{
				size.MinMemory: true, size.MaxMemory: true, size.MinMemory - 1: false, size.MaxMemory + 1: false,
			} {
				if err := tryOut(region, accelerator, size.CPU, memory); (err == nil) != fits {
					t.Errorf("%s: %d CPU with %d bytes: got %v, want fits = %t", accelerator, size.CPU, memory, err, fits)
				}
			}
		}
	}
	sizes("us-central1", "", table.Sizes)
	if len(table.GPUs) < 2 {
		t.Fatalf("the table has %d GPU types", len(table.GPUs))
	}
	for _, gpu := range table.GPUs {
		for _, region := range gpu.Regions {
			sizes(region, gpu.Type, gpu.Sizes)
		}
		for cpu := range int64(40) {
			offered := slices.ContainsFunc(gpu.Sizes, func(size emulator.Size) bool { return size.CPU == cpu })
			if err := tryOut(gpu.Regions[0], gpu.Type, cpu, gpu.Sizes[0].MinMemory); (err == nil) != offered {
				t.Errorf("%s with %d CPU: got %v, want offered = %t", gpu.Type, cpu, err, offered)
			}
		}
		if err := tryOut("us-west4", gpu.Type, gpu.Sizes[0].CPU, gpu.Sizes[0].MinMemory); err == nil {
			t.Errorf("%s is accepted in a region that is not in the table", gpu.Type)
		}
	}
}

func TestRulesReturnsACopy(t *testing.T) {
	emulator.Rules().GPUs[0].Regions[0] = "nowhere"
	emulator.Rules().GPUs[0].Sizes[0].CPU = 1
	emulator.Rules().Sizes[0].CPU = 99
	if table := emulator.Rules(); table.GPUs[0].Regions[0] == "nowhere" || table.GPUs[0].Sizes[0].CPU == 1 || table.Sizes[0].CPU == 99 {
		t.Error("a caller can change the rules")
	}
}

// All that an owner may set comes back, and what the service sets is not taken from a client.
func TestJobRoundTrip(t *testing.T) {
	job := gpuJob()
	job.Labels, job.Annotations = map[string]string{"team": "ml"}, map[string]string{"note": "n"}
	job.Client, job.ClientVersion, job.LaunchStage = "cli", "1", api.LaunchStage_GA
	job.BinaryAuthorization = &runpb.BinaryAuthorization{
		BinauthzMethod: &runpb.BinaryAuthorization_UseDefault{UseDefault: true}, BreakglassJustification: "because",
	}
	job.Template.Labels, job.Template.Annotations = map[string]string{"l": "1"}, map[string]string{"a": "2"}
	job.Template.Parallelism, job.Template.TaskCount = 2, 3
	task(job).Retries = &runpb.TaskTemplate_MaxRetries{}
	task(job).Timeout = durationpb.New(90 * time.Second)
	task(job).ServiceAccount = "sa@acme.iam.gserviceaccount.com"
	task(job).ExecutionEnvironment = runpb.ExecutionEnvironment_EXECUTION_ENVIRONMENT_GEN2
	task(job).EncryptionKey = "projects/p/locations/l/keyRings/r/cryptoKeys/k"
	task(job).VpcAccess = &runpb.VpcAccess{Egress: runpb.VpcAccess_ALL_TRAFFIC, NetworkInterfaces: []*runpb.VpcAccess_NetworkInterface{{Network: "n", Subnetwork: "s", Tags: []string{"t"}}}}
	container(job).Name, container(job).Command, container(job).Args, container(job).WorkingDir = "main", []string{"a"}, []string{"b"}, "/w"
	container(job).Env = []*runpb.EnvVar{{Name: "A", Values: &runpb.EnvVar_Value{Value: "1"}}, secretEnv("s", "3")}
	limits(job, 0, "cpu", "8", "memory", "32Gi", "nvidia.com/gpu", "1")
	add(job, &runpb.Container{Name: "side", Image: image, DependsOn: []string{"main"}, Resources: &runpb.ResourceRequirements{Limits: map[string]string{"cpu": "1", "memory": "512Mi"}}})
	mount(job, &runpb.Volume{Name: "models", VolumeType: &runpb.Volume_Gcs{Gcs: &runpb.GCSVolumeSource{Bucket: "b", ReadOnly: true, MountOptions: []string{"o"}}}}, "/m", "sub")
	bothDoors(t, nil, func(t *testing.T, _ *emulator.Server, client clients) {
		sent := proto.CloneOf(job)
		sent.Uid, sent.Generation, sent.Creator, sent.ExecutionCount, sent.Reconciling = "mine", 77, "me", 5, true
		create(t, client, "train", sent)
		got := must(client.jobs.GetJob(t.Context(), &runpb.GetJobRequest{Name: jobName}))(t)
		if got.GetUid() == "mine" || got.GetGeneration() != 1 || got.GetCreator() == "me" || got.GetExecutionCount() != 0 || got.GetReconciling() {
			t.Errorf("the service's own fields are taken from the client: %v", got)
		}
		if !proto.Equal(got.GetTemplate(), job.GetTemplate()) {
			t.Errorf("the template came back as\n%v\nwant\n%v", got.GetTemplate(), job.GetTemplate())
		}
		if !proto.Equal(got.GetBinaryAuthorization(), job.GetBinaryAuthorization()) || got.GetLabels()["team"] != "ml" ||
			got.GetAnnotations()["note"] != "n" || got.GetClient() != "cli" || got.GetClientVersion() != "1" {
			t.Errorf("the job came back as %v", got)
		}
	})
}
