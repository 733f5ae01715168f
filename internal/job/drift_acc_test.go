package job_test

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"cloud.google.com/go/run/apiv2/runpb"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/genproto/googleapis/api"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/acctest"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/emulator"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/job"
)

// fullJob is a job with every attribute set, NAME in place of its name.
//
//go:embed testdata/full/main.tf
var fullJob string

const required = `
terraform {
  required_providers {
    cloudrungpu = { source = "cloudrungpu/cloudrungpu" }
  }
}
`

var plenty = []emulator.Option{
	emulator.WithQuota("nvidia-l4@*", emulator.Unlimited), emulator.WithQuota("nvidia-rtx-pro-6000@*", emulator.Unlimited),
	emulator.WithQuota("cpu@*", emulator.Unlimited), emulator.WithQuota("memory@*", emulator.Unlimited),
}

func task(j *runpb.Job) *runpb.TaskTemplate { return j.GetTemplate().GetTemplate() }

func trainer(j *runpb.Job) *runpb.Container { return task(j).GetContainers()[0] }

func volume(j *runpb.Job, name string) *runpb.Volume {
	at := slices.IndexFunc(task(j).GetVolumes(), func(v *runpb.Volume) bool { return v.GetName() == name })
	return task(j).GetVolumes()[at]
}

// change is one change behind Terraform's back, and the attribute at the top of the resource that shows it.
type change struct {
	attribute string
	make      func(*runpb.Job)
}

var changes = map[string]change{
	"label":            {"labels", func(j *runpb.Job) { j.Labels["team"] = "web" }},
	"label-gone":       {"labels", func(j *runpb.Job) { delete(j.Labels, "team") }},
	"annotation":       {"annotations", func(j *runpb.Job) { j.Annotations["owner"] = "web" }},
	"run-label":        {"execution_labels", func(j *runpb.Job) { j.Template.Labels["cost"] = "43" }},
	"run-annotation":   {"execution_annotations", func(j *runpb.Job) { delete(j.Template.Annotations, "ticket") }},
	"gpu-type":         {"gpu", func(j *runpb.Job) { rtx(j) }},
	"gpu-gone":         {"gpu", func(j *runpb.Job) { noGPU(j) }},
	"gpu-moved":        {"gpu", func(j *runpb.Job) { moveGPU(j) }},
	"tasks":            {"task_count", func(j *runpb.Job) { j.Template.TaskCount = 11 }},
	"parallelism":      {"parallelism", func(j *runpb.Job) { j.Template.Parallelism = 2 }},
	"parallelism-gone": {"parallelism", func(j *runpb.Job) { j.Template.Parallelism = 0 }},
	"retries":          {"max_retries", func(j *runpb.Job) { task(j).Retries = &runpb.TaskTemplate_MaxRetries{MaxRetries: 2} }},
	"timeout":          {"task_timeout", func(j *runpb.Job) { task(j).Timeout = durationpb.New(60e9) }},
	"account":          {"service_account", func(j *runpb.Job) { task(j).ServiceAccount = "other@acme-ml.iam.gserviceaccount.com" }},
	"account-gone":     {"service_account", func(j *runpb.Job) { task(j).ServiceAccount = "" }},
	"key":              {"encryption_key", func(j *runpb.Job) { task(j).EncryptionKey = "" }},
	"stage":            {"launch_stage", func(j *runpb.Job) { beta(j) }},
	"policy":           {"binary_authorization", func(j *runpb.Job) { j.BinaryAuthorization = nil }},
	"network":          {"vpc_access", func(j *runpb.Job) { task(j).VpcAccess.NetworkInterfaces[0].Network = "other" }},
	"subnetwork":       {"vpc_access", func(j *runpb.Job) { task(j).VpcAccess.NetworkInterfaces[0].Subnetwork = "" }},
	"network-tags":     {"vpc_access", func(j *runpb.Job) { task(j).VpcAccess.NetworkInterfaces[0].Tags = []string{"a"} }},
	"egress":           {"vpc_access", func(j *runpb.Job) { task(j).VpcAccess.Egress = runpb.VpcAccess_PRIVATE_RANGES_ONLY }},
	"network-gone":     {"vpc_access", func(j *runpb.Job) { task(j).VpcAccess = nil }},
	"container-name":   {"containers", func(j *runpb.Job) { task(j).Containers[1].Name, trainer(j).DependsOn = "sidecar", []string{"sidecar"} }},
	"container-gone":   {"containers", func(j *runpb.Job) { task(j).Containers, trainer(j).DependsOn = task(j).GetContainers()[:1], nil }},
	"image":            {"containers", func(j *runpb.Job) { trainer(j).Image = "us-docker.pkg.dev/cloudrun/container/job:v2" }},
	"command":          {"containers", func(j *runpb.Job) { trainer(j).Command = nil }},
	"args":             {"containers", func(j *runpb.Job) { trainer(j).Args = []string{"-m"} }},
	"directory":        {"containers", func(j *runpb.Job) { trainer(j).WorkingDir = "" }},
	"env":              {"containers", func(j *runpb.Job) { env(j, "MODEL").Values = &runpb.EnvVar_Value{Value: "llama"} }},
	"env-secret":       {"containers", func(j *runpb.Job) { env(j, "HF_TOKEN").GetValueSource().GetSecretKeyRef().Version = "4" }},
	"cpu": {"containers", func(j *runpb.Job) {
		trainer(j).GetResources().GetLimits()["cpu"] = "6"
		trainer(j).GetResources().GetLimits()["memory"] = "24Gi"
	}},
	"depends": {"containers", func(j *runpb.Job) { trainer(j).DependsOn = nil }},
	"probe":   {"containers", func(j *runpb.Job) { trainer(j).GetStartupProbe().FailureThreshold = 8 }},
	"probe-kind": {"containers", func(j *runpb.Job) {
		trainer(j).GetStartupProbe().ProbeType = &runpb.Probe_Grpc{Grpc: &runpb.GRPCAction{Port: 1}}
	}},
	"probe-gone":     {"containers", func(j *runpb.Job) { trainer(j).StartupProbe = nil }},
	"mount":          {"containers", func(j *runpb.Job) { trainer(j).VolumeMounts = trainer(j).GetVolumeMounts()[:1] }},
	"bucket":         {"volumes", func(j *runpb.Job) { volume(j, "models").GetGcs().Bucket = "other" }},
	"bucket-options": {"volumes", func(j *runpb.Job) { volume(j, "models").GetGcs().MountOptions = nil }},
	"bucket-write":   {"volumes", func(j *runpb.Job) { volume(j, "models").GetGcs().ReadOnly = false }},
	"secret":         {"volumes", func(j *runpb.Job) { volume(j, "keys").GetSecret().Secret = "other" }},
	"secret-mode":    {"volumes", func(j *runpb.Job) { volume(j, "keys").GetSecret().DefaultMode = 0o444 }},
	"secret-item":    {"volumes", func(j *runpb.Job) { volume(j, "keys").GetSecret().GetItems()[0].Mode = 0o400 }},
	"sql": {"volumes", func(j *runpb.Job) {
		volume(j, "cloudsql").GetCloudSqlInstance().Instances = []string{"acme-ml:us-central1:db2"}
	}},
	"scratch":    {"volumes", func(j *runpb.Job) { volume(j, "scratch").GetEmptyDir().SizeLimit = "2Gi" }},
	"share":      {"volumes", func(j *runpb.Job) { volume(j, "share").GetNfs().Server = "10.0.0.3" }},
	"share-path": {"volumes", func(j *runpb.Job) { volume(j, "share").GetNfs().Path = "/other" }},
}

func env(j *runpb.Job, name string) *runpb.EnvVar {
	at := slices.IndexFunc(trainer(j).GetEnv(), func(v *runpb.EnvVar) bool { return v.GetName() == name })
	return trainer(j).GetEnv()[at]
}

func rtx(j *runpb.Job) {
	task(j).NodeSelector.Accelerator = "nvidia-rtx-pro-6000"
	trainer(j).GetResources().GetLimits()["cpu"], trainer(j).GetResources().GetLimits()["memory"] = "20", "80Gi"
}

func noGPU(j *runpb.Job) {
	task(j).NodeSelector, task(j).GpuZonalRedundancyDisabled = nil, nil
	delete(trainer(j).GetResources().GetLimits(), "nvidia.com/gpu")
}

func moveGPU(j *runpb.Job) {
	delete(trainer(j).GetResources().GetLimits(), "nvidia.com/gpu")
	task(j).GetContainers()[1].Resources.Limits = map[string]string{"cpu": "4", "memory": "16Gi", "nvidia.com/gpu": "1"}
}

// beta makes use of a feature in preview, so that the API does not lower the stage again.
func beta(j *runpb.Job) {
	j.LaunchStage = api.LaunchStage_BETA
	volume(j, "scratch").GetEmptyDir().Medium = runpb.EmptyDirVolumeSource_DISK
}

// never shows drift: the attributes that no change of the job can reach.
var never = []string{
	"id", "name", "location", "project", "uid", "create_time", // another job
	"effective_labels", "peak_gpus", "peak_cpu", "peak_memory_gib", // follow from the others
	"deletion_protection", "timeouts", // Terraform's own
}

func TestEveryAttributeHasAChange(t *testing.T) {
	t.Parallel()
	changed := map[string]bool{}
	for _, c := range changes {
		changed[c.attribute] = true
	}
	model := reflect.TypeFor[job.Model]()
	for i := range model.NumField() {
		attribute := model.Field(i).Tag.Get("tfsdk")
		if !changed[attribute] && !slices.Contains(never, attribute) {
			t.Errorf("no change behind Terraform's back is tried for %s", attribute)
		}
	}
}

// One job for each change, all changed at once: each is found in its attribute, and one apply mends them all.
func TestAccEveryChangeIsFoundAndMended(t *testing.T) {
	t.Parallel()
	stage := acctest.Start(t, plenty...)
	stage.EmulatorOnly()
	names := slices.Sorted(maps.Keys(changes))
	config := required
	for _, name := range names {
		config += strings.ReplaceAll(fullJob, "NAME", name)
	}
	cli := stage.CLI(map[string]string{"main.tf": config})
	cli.Must("apply", "-auto-approve")
	before := map[string]*runpb.Job{}
	for _, name := range names {
		before[name] = stage.Job(name)
		stage.Edit(name, changes[name].make)
	}

	said := strings.Join(strings.Fields(cli.Must("plan", "-refresh-only", "-no-color", "-out=drift")), " ")
	for _, words := range []string{"Job was changed outside Terraform", "developer@example.com changed the job", "with cloud-console", "(generation 2, last seen: 1)"} {
		if !strings.Contains(said, words) {
			t.Errorf("who changed it, when and how is not said: no %q", words)
		}
	}
	drifted := driftedAttributes(t, cli.Must("show", "-json", "drift"))
	for _, name := range names {
		if got := drifted["cloudrungpu_job."+name]; !slices.Contains(got, changes[name].attribute) {
			t.Errorf("%s: drift in %q, want it in %s", name, got, changes[name].attribute)
		}
	}

	mended := cli.Must("apply", "-auto-approve")
	if want := fmt.Sprintf("0 added, %d changed, 0 destroyed", len(names)); !strings.Contains(mended, want) {
		t.Errorf("the apply did not say %q", want)
	}
	for _, name := range names {
		if diff := cmp.Diff(configured(before[name]), configured(stage.Job(name)), protocmp.Transform()); diff != "" {
			t.Errorf("%s is not what it was (-before +now):\n%s", name, diff)
		}
	}
	cli.Must("plan", "-detailed-exitcode")
}

// configured is a job without what the server decides.
func configured(j *runpb.Job) *runpb.Job {
	return &runpb.Job{
		Labels: j.GetLabels(), Annotations: j.GetAnnotations(), LaunchStage: j.GetLaunchStage(),
		BinaryAuthorization: j.GetBinaryAuthorization(), Template: proto.CloneOf(j.GetTemplate()),
	}
}

// driftedAttributes lists, by address, the attributes in which a plan found changes.
func driftedAttributes(t *testing.T, plan string) map[string][]string {
	t.Helper()
	var shown struct {
		Drift []struct {
			Address string
			Change  struct{ Before, After map[string]any }
		} `json:"resource_drift"`
	}
	if err := json.Unmarshal([]byte(plan), &shown); err != nil {
		t.Fatal(err)
	}
	out := map[string][]string{}
	for _, d := range shown.Drift {
		for attribute, before := range d.Change.Before {
			if !reflect.DeepEqual(before, d.Change.After[attribute]) {
				out[d.Address] = append(out[d.Address], attribute)
			}
		}
	}
	return out
}
