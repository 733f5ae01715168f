package emulator_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/run/apiv2/runpb"
	"github.com/googleapis/gax-go/v2/apierror"
	"google.golang.org/genproto/googleapis/api"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/emulator"
)

// refusal is one mistake in a job: what is changed in the smallest job, or in the smallest with an L4, and what the service says.
type refusal struct {
	name  string
	gpu   bool
	spoil func(job *runpb.Job)
	field string
	says  string
}

func task(job *runpb.Job) *runpb.TaskTemplate   { return job.GetTemplate().GetTemplate() }
func container(job *runpb.Job) *runpb.Container { return task(job).GetContainers()[0] }
func add(job *runpb.Job, extra *runpb.Container) {
	task(job).Containers = append(task(job).Containers, extra)
}

func mount(job *runpb.Job, volume *runpb.Volume, path, subPath string) {
	task(job).Volumes = append(task(job).Volumes, volume)
	container(job).VolumeMounts = append(container(job).VolumeMounts,
		&runpb.VolumeMount{Name: volume.GetName(), MountPath: path, SubPath: subPath})
}

func emptyDir(name string) *runpb.Volume {
	return &runpb.Volume{Name: name, VolumeType: &runpb.Volume_EmptyDir{EmptyDir: &runpb.EmptyDirVolumeSource{}}}
}

func secretEnv(secret, version string) *runpb.EnvVar {
	return &runpb.EnvVar{Name: "TOKEN", Values: &runpb.EnvVar_ValueSource{ValueSource: &runpb.EnvVarSource{
		SecretKeyRef: &runpb.SecretKeySelector{Secret: secret, Version: version},
	}}}
}

// The substrings are those of a public table that was checked against the live service, or of its published answers.
var refusals = []refusal{
	{"no task template", false, func(j *runpb.Job) { j.Template.Template = nil }, "template.template", "has no task template"},
	{"no template", false, func(j *runpb.Job) { j.Template = nil }, "Violation in CreateJobRequest.job.template", "required field not present"},
	{"no containers", false, func(j *runpb.Job) { task(j).Containers = nil }, ".containers", "must contain at least one container"},
	{"eleven containers", false, func(j *runpb.Job) {
		for i := range 10 {
			add(j, &runpb.Container{Name: fmt.Sprint("c", i), Image: image})
		}
	}, ".containers", "at most 10 containers"},
	{"system annotation", false, func(j *runpb.Job) { j.Annotations = map[string]string{"run.googleapis.com/x": "y"} }, "job.annotations", "system annotations are not supported"},
	{"system annotation of executions", false, func(j *runpb.Job) {
		j.Template.Annotations = map[string]string{"autoscaling.knative.dev/maxScale": "y"}
	}, "job.template.annotations", "system annotations are not supported"},
	{"system label", false, func(j *runpb.Job) { j.Labels = map[string]string{"cloud.googleapis.com/location": "y"} }, "job.labels", "labels are not supported"},
	{"too many tasks", false, func(j *runpb.Job) { j.Template.TaskCount = 10001 }, "template.task_count", "must be a number between 0 and 10000"},
	{"negative parallelism", false, func(j *runpb.Job) { j.Template.Parallelism = -1 }, "template.parallelism", "must not be negative"},
	{"too many retries", false, func(j *runpb.Job) { task(j).Retries = &runpb.TaskTemplate_MaxRetries{MaxRetries: 11} }, "template.template.max_retries", "must be a number between 0 and 10"},
	{"launch stage", false, func(j *runpb.Job) { j.LaunchStage = api.LaunchStage_PRELAUNCH }, "launch_stage", "only ALPHA, BETA, GA, or unspecified are supported"},
	{"long token", false, func(j *runpb.Job) {
		j.CreateExecution = &runpb.Job_StartExecutionToken{StartExecutionToken: strings.Repeat("x", 60)}
	}, "execution_token", "must be fewer than 63 characters"},

	{"container name", false, func(j *runpb.Job) { container(j).Name = "Upper" }, "containers[0].name", "must conform to RFC 1123"},
	{"container names twice", false, func(j *runpb.Job) {
		container(j).Name = "a"
		add(j, &runpb.Container{Name: "a", Image: image})
	}, ".containers", "duplicate container names"},
	{"no image", false, func(j *runpb.Job) { container(j).Image = "" }, "containers[0].image", "must provide an image name to deploy"},
	{"bad image", false, func(j *runpb.Job) { container(j).Image = "Not An Image" }, "Violation in CreateJobRequest.job.template.template.containers[0].image", "must be a container image path in the form [hostname/]repo-path[:tag and/or @digest]"},
	{"liveness probe", false, func(j *runpb.Job) { container(j).LivenessProbe = &runpb.Probe{} }, "liveness_probe", "does not support liveness probe"},
	{"idle CPU", false, func(j *runpb.Job) { container(j).Resources = &runpb.ResourceRequirements{CpuIdle: true} }, "cpu_idle", "CPU idle must be set to false"},
	{"unknown dependency", false, func(j *runpb.Job) { container(j).DependsOn = []string{"b"} }, "depends_on", "does not exist"},
	{"circular dependency", false, func(j *runpb.Job) {
		container(j).Name, container(j).DependsOn = "a", []string{"b"}
		add(j, &runpb.Container{Name: "b", Image: image, DependsOn: []string{"a"}})
	}, "depends_on", "dependency cycle detected"},
	{"too many arguments", false, func(j *runpb.Job) { container(j).Args = make([]string, 1001) }, ".containers", "limit on Args across all containers"},

	{"reserved env", false, func(j *runpb.Job) { container(j).Env = []*runpb.EnvVar{{Name: "CLOUD_RUN_JOB"}} }, "containers[0].env", "The following reserved env names were provided: CLOUD_RUN_JOB. These values are automatically set by the system."},
	{"reserved port", false, func(j *runpb.Job) { container(j).Env = []*runpb.EnvVar{{Name: "PORT"}} }, "containers[0].env", "reserved env names were provided: PORT"},
	{"too many env", false, func(j *runpb.Job) {
		for i := range 1001 {
			container(j).Env = append(container(j).Env, &runpb.EnvVar{Name: fmt.Sprint("N", i)})
		}
	}, ".containers", "limit on EnvVars across all containers"},
	{"long env", false, func(j *runpb.Job) {
		container(j).Env = []*runpb.EnvVar{{Name: "A", Values: &runpb.EnvVar_Value{Value: strings.Repeat("x", 32769)}}}
	}, "env[0].value", "length cannot exceed 32768"},
	{"secret version", false, func(j *runpb.Job) { container(j).Env = []*runpb.EnvVar{secretEnv("s", "1.2")} }, "secret_key_ref.version", "should have only alphanumeric characters"},
	{"no secret", false, func(j *runpb.Job) { container(j).Env = []*runpb.EnvVar{secretEnv("", "1")} }, "secret_key_ref.secret", "required field"},

	{"probe without action", false, func(j *runpb.Job) { container(j).StartupProbe = &runpb.Probe{} }, "startup_probe", "Exactly one probe action must be set"},
	{"probe delay", false, func(j *runpb.Job) {
		container(j).StartupProbe = &runpb.Probe{InitialDelaySeconds: 241, ProbeType: &runpb.Probe_TcpSocket{TcpSocket: &runpb.TCPSocketAction{}}}
	}, "startup_probe.initial_delay_seconds", "between 0 and 240"},
	{"slow start", false, func(j *runpb.Job) {
		container(j).StartupProbe = &runpb.Probe{PeriodSeconds: 61, FailureThreshold: 10, ProbeType: &runpb.Probe_Grpc{Grpc: &runpb.GRPCAction{}}}
	}, "startup_probe", "must not exceed 600"},
	{"slow start with GPU", true, func(j *runpb.Job) {
		container(j).StartupProbe = &runpb.Probe{PeriodSeconds: 181, FailureThreshold: 10, ProbeType: &runpb.Probe_Grpc{Grpc: &runpb.GRPCAction{}}}
	}, "startup_probe", "must not exceed 1800"},

	{"volumes twice", false, func(j *runpb.Job) { mount(j, emptyDir("a"), "/a", ""); mount(j, emptyDir("a"), "/b", "") }, ".volumes", "Duplicate volume name"},
	{"unknown volume", false, func(j *runpb.Job) { container(j).VolumeMounts = []*runpb.VolumeMount{{Name: "a", MountPath: "/a"}} }, "volume_mounts", "which were not found in volumes list"},
	{"relative mount", false, func(j *runpb.Job) { mount(j, emptyDir("a"), "a", "") }, "mount_path", "must be a valid unix absolute path"},
	{"mount with colon", false, func(j *runpb.Job) { mount(j, emptyDir("a"), "/a:b", "") }, "mount_path", "must be a valid unix absolute path"},
	{"mount on proc", false, func(j *runpb.Job) { mount(j, emptyDir("a"), "/proc/a", "") }, "mount_path", "are in one of disallowed mount points"},
	{"no bucket", false, func(j *runpb.Job) {
		mount(j, &runpb.Volume{Name: "a", VolumeType: &runpb.Volume_Gcs{Gcs: &runpb.GCSVolumeSource{}}}, "/a", "")
	}, "gcs.bucket", "Bucket name must be specified"},
	{"SQL volume name", false, func(j *runpb.Job) {
		mount(j, &runpb.Volume{Name: "db", VolumeType: &runpb.Volume_CloudSqlInstance{CloudSqlInstance: &runpb.CloudSqlInstance{}}}, "/db", "")
	}, "volumes[0].name", "Cloud SQL volume must be named 'cloudsql'"},
	{"SQL instance", false, func(j *runpb.Job) {
		mount(j, &runpb.Volume{Name: "cloudsql", VolumeType: &runpb.Volume_CloudSqlInstance{CloudSqlInstance: &runpb.CloudSqlInstance{Instances: []string{"x"}}}}, "/db", "")
	}, "cloud_sql_instance.instances", "must be in the format project:location:instance"},
	{"secret with sub path", false, func(j *runpb.Job) {
		mount(j, &runpb.Volume{Name: "s", VolumeType: &runpb.Volume_Secret{Secret: &runpb.SecretVolumeSource{Secret: "s"}}}, "/s", "x")
	}, "sub_path", "cannot have sub_path set"},
	{"secret mode", false, func(j *runpb.Job) {
		mount(j, &runpb.Volume{Name: "s", VolumeType: &runpb.Volume_Secret{Secret: &runpb.SecretVolumeSource{Secret: "s", DefaultMode: 0o1000}}}, "/s", "")
	}, "default_mode", "must be a supported unix chmod bitmask"},
	{"size limit", false, func(j *runpb.Job) {
		mount(j, &runpb.Volume{Name: "a", VolumeType: &runpb.Volume_EmptyDir{EmptyDir: &runpb.EmptyDirVolumeSource{SizeLimit: "much"}}}, "/a", "")
	}, "size_limit", "Could not parse Quantity"},

	{"connector and network", false, func(j *runpb.Job) {
		task(j).VpcAccess = &runpb.VpcAccess{Connector: "projects/p/locations/l/connectors/c", NetworkInterfaces: []*runpb.VpcAccess_NetworkInterface{{Network: "n"}}}
	}, "Violation in CreateJobRequest.job.template.template.vpc_access.connector", "one and only one of connector and network_interfaces must be set"},
	{"two networks", false, func(j *runpb.Job) {
		task(j).VpcAccess = &runpb.VpcAccess{NetworkInterfaces: []*runpb.VpcAccess_NetworkInterface{{Network: "n"}, {Network: "m"}}}
	}, "network_interfaces", "only 1 network interface is allowed"},
	{"empty network", false, func(j *runpb.Job) {
		task(j).VpcAccess = &runpb.VpcAccess{NetworkInterfaces: []*runpb.VpcAccess_NetworkInterface{{}}}
	}, "network_interfaces[0]", "at least one of network or subnetwork should not be empty"},
	{"short connector", false, func(j *runpb.Job) { task(j).VpcAccess = &runpb.VpcAccess{Connector: "c"} }, "connector", "must be in form projects/"},

	{"service account", false, func(j *runpb.Job) { task(j).ServiceAccount = "me" }, "service_account", "Unsupported service account"},
	{"key", false, func(j *runpb.Job) { task(j).EncryptionKey = "key" }, "encryption_key", "must conform to"},
	{"first generation", false, func(j *runpb.Job) {
		task(j).ExecutionEnvironment = runpb.ExecutionEnvironment_EXECUTION_ENVIRONMENT_GEN1
	}, "template.annotations", "Annotation 'run.googleapis.com/execution-environment' with value 'gen1' is not supported on resources of kind Execution."},

	{"unknown limit", false, func(j *runpb.Job) { limits(j, 0, "disk", "1Gi") }, ".limits", "limits are supported"},
	{"CPU text", false, func(j *runpb.Job) { limits(j, 0, "cpu", "two") }, "limits.cpu", "Could not parse Quantity"},
	{"CPU of an endless fraction", false, func(j *runpb.Job) { limits(j, 0, "cpu", "1e-2147483647") }, "limits.cpu", "Could not parse Quantity"},
	{"memory text", false, func(j *runpb.Job) { limits(j, 0, "memory", "-1Gi") }, "limits.memory", "Could not parse Quantity"},
	{"3 CPU", false, func(j *runpb.Job) { limits(j, 0, "cpu", "3") }, "template.template.containers[0].limits.cpu", "Invalid value specified for container cpu. Must be equal to one of [.08-1], 1.0, 2.0, 4.0, 6.0, 8.0"},
	{"half a CPU", false, func(j *runpb.Job) { limits(j, 0, "cpu", "500m") }, "limits.cpu", "Total cpu"},
	{"8 CPU, 64Gi", false, func(j *runpb.Job) { limits(j, 0, "cpu", "8", "memory", "64Gi") }, "limits.memory", "Invalid value specified for container memory. For 8.0 CPU, memory must be between 4Gi and 32Gi inclusive."},
	{"256Mi", false, func(j *runpb.Job) { limits(j, 0, "memory", "256Mi") }, "template.template.containers[0].limits.memory", "Invalid value specified for memory. Total memory < 512 Mi is not supported with gen2 execution environment with cpu always allocated (unthrottled)."},
	{"no time", false, func(j *runpb.Job) { task(j).Timeout = durationpb.New(0) }, "timeout", "must be greater than 0"},
	{"more than a week", false, func(j *runpb.Job) { task(j).Timeout = durationpb.New(168*time.Hour + time.Second) }, "timeout", "168 hours"},

	{"redundancy without GPU", false, func(j *runpb.Job) { task(j).GpuZonalRedundancyDisabled = proto.Bool(true) }, "gpu_zonal_redundancy_disabled", "must be set when GPU redundancy is set"},
	{"redundancy left on", true, func(j *runpb.Job) { task(j).GpuZonalRedundancyDisabled = nil }, "annotations", "Currently Cloud Run jobs are unable to offer GPU enabled instances with zonal redundancy due to capacity limitations."},
	{"redundancy switched on", true, func(j *runpb.Job) { task(j).GpuZonalRedundancyDisabled = proto.Bool(false) }, "annotations", "unable to offer GPU enabled instances with zonal redundancy"},
	{"two GPUs", true, func(j *runpb.Job) { limits(j, 0, "nvidia.com/gpu", "2") }, ".limits", "GPU can only be set to 1"},
	{"GPU in two containers", true, func(j *runpb.Job) {
		add(j, &runpb.Container{Name: "b", Image: image})
		limits(j, 0, "nvidia.com/gpu", "1")
		limits(j, 1, "nvidia.com/gpu", "1")
	}, ".containers", "on one container"},
	{"GPU in the first generation", true, func(j *runpb.Job) {
		task(j).ExecutionEnvironment = runpb.ExecutionEnvironment_EXECUTION_ENVIRONMENT_GEN1
	}, "execution_environment", "Execution environment must be set to gen2 in order to set GPU"},
	{"idle CPU with GPU", true, func(j *runpb.Job) {
		limits(j, 0, "nvidia.com/gpu", "1")
		container(j).Resources.CpuIdle = true
	}, "cpu_idle", "(CPU throttling) must be disabled in order to set GPU requirements"},
	{"small container", true, func(j *runpb.Job) { limits(j, 0, "cpu", "1", "memory", "4Gi") }, ".limits", "CPU must be at least 4; memory must be at least 16Gi"},
	{"little memory", true, func(j *runpb.Job) { limits(j, 0, "cpu", "4", "memory", "8Gi") }, ".limits", "In order to set GPU, memory must be at least 16Gi"},
	{"4 CPU, 20Gi", true, func(j *runpb.Job) { limits(j, 0, "cpu", "4", "memory", "20Gi") }, "limits.memory", "Invalid value specified for container memory"},
	{"5 CPU", true, func(j *runpb.Job) { limits(j, 0, "cpu", "5", "memory", "16Gi") }, "limits.cpu", "Must be equal to one of"},
	{"GPU without a type", true, func(j *runpb.Job) {
		limits(j, 0, "nvidia.com/gpu", "1", "cpu", "4", "memory", "16Gi")
		task(j).NodeSelector = nil
	}, "accelerator", "GPU type must be set"},
	{"two hours with GPU", true, func(j *runpb.Job) { task(j).Timeout = durationpb.New(2 * time.Hour) }, "timeout", "when using GPU"},
	{"13 hours with GPU", true, func(j *runpb.Job) {
		j.LaunchStage = api.LaunchStage_BETA
		task(j).Timeout = durationpb.New(13 * time.Hour)
	}, "timeout", "when using GPU"},
	{"RTX with 8 CPU", true, func(j *runpb.Job) { rtx(j, "8", "80Gi") }, "limits.cpu", "Must be equal to one of 20.0, 22.0"},
	{"RTX with 21 CPU", true, func(j *runpb.Job) { rtx(j, "21", "80Gi") }, "limits.cpu", "Must be equal to one of 20.0, 22.0"},
	{"RTX with 64Gi", true, func(j *runpb.Job) { rtx(j, "20", "64Gi") }, "limits.memory", "memory must be between 80Gi"},
	{"RTX with 88Gi", true, func(j *runpb.Job) { rtx(j, "20", "88Gi") }, "limits.memory", "memory must be between 80Gi and 80Gi"},
}

func rtx(job *runpb.Job, cpu, memory string) {
	task(job).NodeSelector.Accelerator = "nvidia-rtx-pro-6000"
	limits(job, 0, "cpu", cpu, "memory", memory)
}

func (r refusal) job() *runpb.Job {
	job := plainJob()
	if r.gpu {
		job = gpuJob()
	}
	r.spoil(job)
	return job
}

func TestRefusals(t *testing.T) {
	bothDoors(t, nil, func(t *testing.T, _ *emulator.Server, client clients) {
		for _, r := range refusals {
			t.Run(r.name, func(t *testing.T) {
				_, err := client.jobs.CreateJob(t.Context(), &runpb.CreateJobRequest{
					Parent: location, JobId: "train", Job: r.job(), ValidateOnly: true,
				})
				expectViolation(t, err, r.field, r.says)
			})
		}
	})
}

// expectViolation wants one violation, in the details and in the message alike.
func expectViolation(t *testing.T, err error, field, says string) {
	t.Helper()
	var refused *apierror.APIError
	if !errors.As(err, &refused) {
		t.Fatalf("got %v, want an error of the API", err)
	}
	if code := httpCodeOf(err); code != 400 {
		t.Errorf("code is %d, want 400", code)
	}
	violations := refused.Details().BadRequest.GetFieldViolations()
	if len(violations) != 1 {
		t.Fatalf("got %d violations, want 1: %v", len(violations), err)
	}
	if !strings.Contains(violations[0].GetField(), field) {
		t.Errorf("field is %q, want one with %q", violations[0].GetField(), field)
	}
	if !strings.Contains(violations[0].GetDescription(), says) {
		t.Errorf("description is %q, want one with %q", violations[0].GetDescription(), says)
	}
	if whole := violations[0].GetField() + ": " + violations[0].GetDescription(); !strings.Contains(err.Error(), whole) {
		t.Errorf("message is %q, want one with %q", err, whole)
	}
}
