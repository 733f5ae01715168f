package job_test

import (
	"slices"

	"cloud.google.com/go/run/apiv2/runpb"
	"google.golang.org/genproto/googleapis/api"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"
)

// change is one change behind Terraform's back.
type change struct {
	attribute string // that shows it, as in containers[].env
	on        string // which of jobs it is made to
	make      func(*runpb.Job)
}

// changes has at least one for every attribute that a change of the job can reach.
var changes = map[string]change{
	"label":                {"labels", "top", func(j *runpb.Job) { j.Labels["team"] = "web" }},
	"label-gone":           {"labels", "top", func(j *runpb.Job) { delete(j.Labels, "team") }},
	"annotation":           {"annotations", "top", func(j *runpb.Job) { j.Annotations["owner"] = "web" }},
	"run-label":            {"execution_labels", "top", func(j *runpb.Job) { j.Template.Labels["cost"] = "43" }},
	"run-annotation":       {"execution_annotations", "top", func(j *runpb.Job) { delete(j.Template.Annotations, "ticket") }},
	"gpu-type":             {"gpu.type", "top", rtx},
	"gpu-gone":             {"gpu", "top", noGPU},
	"gpu-comes":            {"gpu", "plain", l4},
	"gpu-moved":            {"gpu.container", "containers", moveGPU},
	"tasks":                {"task_count", "top", func(j *runpb.Job) { j.Template.TaskCount = 11 }},
	"tasks-come":           {"task_count", "plain", func(j *runpb.Job) { j.Template.TaskCount = 2 }},
	"parallelism":          {"parallelism", "top", func(j *runpb.Job) { j.Template.Parallelism = 2 }},
	"parallelism-gone":     {"parallelism", "top", func(j *runpb.Job) { j.Template.Parallelism = 0 }},
	"parallelism-comes":    {"parallelism", "other", func(j *runpb.Job) { j.Template.Parallelism = 1 }},
	"retries":              {"max_retries", "top", func(j *runpb.Job) { task(j).Retries = &runpb.TaskTemplate_MaxRetries{MaxRetries: 2} }},
	"no-retries":           {"max_retries", "plain", func(j *runpb.Job) { task(j).Retries = &runpb.TaskTemplate_MaxRetries{} }},
	"timeout":              {"task_timeout", "top", func(j *runpb.Job) { task(j).Timeout = durationpb.New(60e9) }},
	"timeout-comes":        {"task_timeout", "plain", func(j *runpb.Job) { task(j).Timeout = durationpb.New(601e9) }},
	"account":              {"service_account", "top", func(j *runpb.Job) { task(j).ServiceAccount = "other@acme-ml.iam.gserviceaccount.com" }},
	"account-gone":         {"service_account", "top", func(j *runpb.Job) { task(j).ServiceAccount = "" }},
	"account-comes":        {"service_account", "plain", func(j *runpb.Job) { task(j).ServiceAccount = "other@acme-ml.iam.gserviceaccount.com" }},
	"key":                  {"encryption_key", "top", func(j *runpb.Job) { task(j).EncryptionKey += "2" }},
	"key-gone":             {"encryption_key", "top", func(j *runpb.Job) { task(j).EncryptionKey = "" }},
	"key-comes":            {"encryption_key", "plain", func(j *runpb.Job) { task(j).EncryptionKey = "projects/p/locations/l/keyRings/r/cryptoKeys/k" }},
	"stage":                {"launch_stage", "volumes", func(j *runpb.Job) { onDisk(j) }},
	"policy":               {"binary_authorization.policy", "top", func(j *runpb.Job) { policy(j, "projects/acme-ml/platforms/cloudRun/lax") }},
	"policy-gone":          {"binary_authorization", "top", func(j *runpb.Job) { j.BinaryAuthorization = nil }},
	"policy-comes":         {"binary_authorization", "plain", func(j *runpb.Job) { policy(j, "projects/acme-ml/platforms/cloudRun/lax") }},
	"policy-by-default":    {"binary_authorization.use_default", "other", func(j *runpb.Job) { policy(j, "projects/acme-ml/platforms/cloudRun/lax") }},
	"breakglass":           {"binary_authorization.breakglass_justification", "top", func(j *runpb.Job) { j.BinaryAuthorization.BreakglassJustification = "" }},
	"vpc-gone":             {"vpc_access", "top", func(j *runpb.Job) { task(j).VpcAccess = nil }},
	"vpc-comes":            {"vpc_access", "plain", func(j *runpb.Job) { task(j).VpcAccess = network("default") }},
	"vpc-connector":        {"vpc_access.connector", "other", func(j *runpb.Job) { task(j).VpcAccess.Connector += "2" }},
	"vpc-another-way":      {"vpc_access.network", "other", func(j *runpb.Job) { task(j).VpcAccess = network("default") }},
	"vpc-network":          {"vpc_access.network", "top", func(j *runpb.Job) { nic(j).Network = "other" }},
	"vpc-subnetwork":       {"vpc_access.subnetwork", "top", func(j *runpb.Job) { nic(j).Subnetwork = "other" }},
	"vpc-subnetwork-gone":  {"vpc_access.subnetwork", "top", func(j *runpb.Job) { nic(j).Subnetwork = "" }},
	"vpc-tags":             {"vpc_access.network_tags", "top", func(j *runpb.Job) { nic(j).Tags = []string{"a"} }},
	"vpc-tags-gone":        {"vpc_access.network_tags", "top", func(j *runpb.Job) { nic(j).Tags = nil }},
	"vpc-egress":           {"vpc_access.egress", "top", func(j *runpb.Job) { task(j).VpcAccess.Egress = runpb.VpcAccess_PRIVATE_RANGES_ONLY }},
	"container-gone":       {"containers", "containers", func(j *runpb.Job) { task(j).Containers, trainer(j).DependsOn = task(j).GetContainers()[:1], nil }},
	"container-comes":      {"containers", "containers", func(j *runpb.Job) { task(j).Containers = append(task(j).GetContainers(), sidecar()) }},
	"container-name":       {"containers[].name", "containers", func(j *runpb.Job) { logger(j).Name, trainer(j).DependsOn = "other", []string{"other"} }},
	"container-name-comes": {"containers[].name", "plain", func(j *runpb.Job) { trainer(j).Name = "named" }},
	"image":                {"containers[].image", "containers", func(j *runpb.Job) { trainer(j).Image = "us-docker.pkg.dev/cloudrun/container/job:v2" }},
	"command":              {"containers[].command", "containers", func(j *runpb.Job) { trainer(j).Command = []string{"python3"} }},
	"command-gone":         {"containers[].command", "containers", func(j *runpb.Job) { trainer(j).Command = nil }},
	"args":                 {"containers[].args", "containers", func(j *runpb.Job) { slices.Reverse(trainer(j).GetArgs()) }},
	"args-come":            {"containers[].args", "plain", func(j *runpb.Job) { trainer(j).Args = []string{"-v"} }},
	"directory":            {"containers[].working_dir", "containers", func(j *runpb.Job) { trainer(j).WorkingDir = "/" }},
	"directory-gone":       {"containers[].working_dir", "containers", func(j *runpb.Job) { trainer(j).WorkingDir = "" }},
	"env":                  {"containers[].env", "containers", func(j *runpb.Job) { env(j, "MODEL").Values = &runpb.EnvVar_Value{Value: "llama"} }},
	"env-gone":             {"containers[].env", "containers", func(j *runpb.Job) { noEnv(j, "EMPTY") }},
	"env-comes":            {"containers[].env", "plain", func(j *runpb.Job) { trainer(j).Env = []*runpb.EnvVar{{Name: "A"}} }},
	"secret-env":           {"containers[].secret_env[].secret", "containers", func(j *runpb.Job) { reference(j).Secret = "other" }},
	"secret-env-version":   {"containers[].secret_env[].version", "containers", func(j *runpb.Job) { reference(j).Version = "4" }},
	"secret-env-plain":     {"containers[].secret_env", "containers", func(j *runpb.Job) { env(j, "HF_TOKEN").Values = &runpb.EnvVar_Value{Value: "x"} }},
	"cpu":                  {"containers[].resources.cpu", "containers", func(j *runpb.Job) { limits(j, "6", "24Gi") }},
	"memory":               {"containers[].resources.memory", "containers", func(j *runpb.Job) { limits(j, "8", "16Gi") }},
	"size-comes":           {"containers[].resources.cpu", "plain", func(j *runpb.Job) { limits(j, "2", "512Mi") }},
	"depends":              {"containers[].depends_on", "containers", func(j *runpb.Job) { trainer(j).DependsOn = nil }},
	"depends-come":         {"containers[].depends_on", "containers", func(j *runpb.Job) { logger(j).DependsOn, trainer(j).DependsOn = []string{"trainer"}, nil }},
	"probe-gone":           {"containers[].startup_probe", "containers", func(j *runpb.Job) { trainer(j).StartupProbe = nil }},
	"probe-comes":          {"containers[].startup_probe", "plain", func(j *runpb.Job) { trainer(j).StartupProbe = grpcProbe(1) }},
	"probe-delay":          {"containers[].startup_probe.initial_delay_seconds", "containers", func(j *runpb.Job) { trainer(j).StartupProbe.InitialDelaySeconds = 0 }},
	"probe-period":         {"containers[].startup_probe.period_seconds", "containers", func(j *runpb.Job) { trainer(j).StartupProbe.PeriodSeconds = 21 }},
	"probe-timeout":        {"containers[].startup_probe.timeout_seconds", "containers", func(j *runpb.Job) { trainer(j).StartupProbe.TimeoutSeconds = 4 }},
	"probe-tries":          {"containers[].startup_probe.failure_threshold", "containers", func(j *runpb.Job) { trainer(j).StartupProbe.FailureThreshold = 8 }},
	"probe-http":           {"containers[].startup_probe.http_get", "containers", func(j *runpb.Job) { trainer(j).StartupProbe = grpcProbe(1) }},
	"probe-http-path":      {"containers[].startup_probe.http_get.path", "containers", func(j *runpb.Job) { trainer(j).StartupProbe.GetHttpGet().Path = "/" }},
	"probe-http-port":      {"containers[].startup_probe.http_get.port", "containers", func(j *runpb.Job) { trainer(j).StartupProbe.GetHttpGet().Port = 8080 }},
	"probe-http-headers":   {"containers[].startup_probe.http_get.headers", "containers", func(j *runpb.Job) { trainer(j).StartupProbe.GetHttpGet().HttpHeaders = nil }},
	"probe-tcp":            {"containers[].startup_probe.tcp_socket", "containers", func(j *runpb.Job) { logger(j).StartupProbe = grpcProbe(1) }},
	"probe-tcp-port":       {"containers[].startup_probe.tcp_socket.port", "containers", func(j *runpb.Job) { logger(j).StartupProbe.GetTcpSocket().Port = 8080 }},
	"probe-grpc": {"containers[].startup_probe.grpc", "other", func(j *runpb.Job) {
		trainer(j).StartupProbe.ProbeType = &runpb.Probe_TcpSocket{TcpSocket: &runpb.TCPSocketAction{}}
	}},
	"probe-grpc-port":    {"containers[].startup_probe.grpc.port", "other", func(j *runpb.Job) { trainer(j).StartupProbe.GetGrpc().Port = 1 }},
	"probe-grpc-service": {"containers[].startup_probe.grpc.service", "other", func(j *runpb.Job) { trainer(j).StartupProbe.GetGrpc().Service = "" }},
	"mount-gone":         {"containers[].volume_mounts", "volumes", func(j *runpb.Job) { trainer(j).VolumeMounts = trainer(j).GetVolumeMounts()[1:] }},
	"mount-comes":        {"containers[].volume_mounts", "volumes", func(j *runpb.Job) { addMount(j, "scratch", "/tmp/more") }},
	"mount-sockets":      {"containers[].volume_mounts", "volumes", func(j *runpb.Job) { addMount(j, "cloudsql", "/more") }},
	"mount-volume":       {"containers[].volume_mounts[].volume", "volumes", func(j *runpb.Job) { mount(j, "/share").Name = "models" }},
	"mount-path":         {"containers[].volume_mounts[].sub_path", "volumes", func(j *runpb.Job) { mount(j, "/scratch").SubPath = "" }},
	"mount-path-comes":   {"containers[].volume_mounts[].sub_path", "volumes", func(j *runpb.Job) { mount(j, "/share").SubPath = "a" }},
	"volume-comes":       {"volumes", "plain", func(j *runpb.Job) { task(j).Volumes = []*runpb.Volume{scratch("v")} }},
	"volume-gone":        {"volumes", "volumes", func(j *runpb.Job) { removeVolume(j, "share") }},
	"bucket-kind":        {"volumes[].gcs", "volumes", func(j *runpb.Job) { volume(j, "models").VolumeType = scratch("").GetVolumeType() }},
	"bucket":             {"volumes[].gcs.bucket", "volumes", func(j *runpb.Job) { volume(j, "models").GetGcs().Bucket = "other" }},
	"bucket-options":     {"volumes[].gcs.mount_options", "volumes", func(j *runpb.Job) { volume(j, "models").GetGcs().MountOptions = nil }},
	"bucket-write":       {"volumes[].gcs.read_only", "volumes", func(j *runpb.Job) { volume(j, "models").GetGcs().ReadOnly = false }},
	"secret-kind":        {"volumes[].secret", "volumes", func(j *runpb.Job) { volume(j, "keys").VolumeType = scratch("").GetVolumeType() }},
	"secret":             {"volumes[].secret.secret", "volumes", func(j *runpb.Job) { volume(j, "keys").GetSecret().Secret = "other" }},
	"secret-mode":        {"volumes[].secret.default_mode", "volumes", func(j *runpb.Job) { volume(j, "keys").GetSecret().DefaultMode = 0o444 }},
	"secret-items":       {"volumes[].secret.items", "volumes", func(j *runpb.Job) { volume(j, "keys").GetSecret().Items = nil }},
	"secret-items-come": {"volumes[].secret.items", "other", func(j *runpb.Job) {
		volume(j, "all").GetSecret().Items = []*runpb.VersionToPath{{Path: "a", Version: "1"}}
	}},
	"secret-item-version": {"volumes[].secret.items[].version", "volumes", func(j *runpb.Job) { volume(j, "keys").GetSecret().GetItems()[0].Version = "4" }},
	"secret-item-mode":    {"volumes[].secret.items[].mode", "volumes", func(j *runpb.Job) { volume(j, "keys").GetSecret().GetItems()[0].Mode = 0 }},
	"sql":                 {"volumes[].cloud_sql.instances", "volumes", func(j *runpb.Job) { sql(j).Instances = []string{"acme-ml:us-central1:db2"} }},
	"sql-more":            {"volumes[].cloud_sql.instances", "volumes", func(j *runpb.Job) { sql(j).Instances = append(sql(j).GetInstances(), "acme-ml:us-central1:db2") }},
	"sql-gone":            {"volumes", "volumes", func(j *runpb.Job) { removeVolume(j, "cloudsql") }},
	"scratch-kind": {"volumes[].empty_dir", "volumes", func(j *runpb.Job) {
		volume(j, "scratch").VolumeType = proto.CloneOf(volume(j, "share")).GetVolumeType()
	}},
	"scratch-medium":    {"volumes[].empty_dir.medium", "volumes", func(j *runpb.Job) { onDisk(j) }},
	"scratch-size":      {"volumes[].empty_dir.size_limit", "volumes", func(j *runpb.Job) { volume(j, "scratch").GetEmptyDir().SizeLimit = "2Gi" }},
	"scratch-size-gone": {"volumes[].empty_dir.size_limit", "volumes", func(j *runpb.Job) { volume(j, "scratch").GetEmptyDir().SizeLimit = "" }},
	"share-kind":        {"volumes[].nfs", "volumes", func(j *runpb.Job) { volume(j, "share").VolumeType = scratch("").GetVolumeType() }},
	"share":             {"volumes[].nfs.server", "volumes", func(j *runpb.Job) { volume(j, "share").GetNfs().Server = "10.0.0.3" }},
	"share-path":        {"volumes[].nfs.path", "volumes", func(j *runpb.Job) { volume(j, "share").GetNfs().Path = "/other" }},
	"share-write":       {"volumes[].nfs.read_only", "volumes", func(j *runpb.Job) { volume(j, "share").GetNfs().ReadOnly = false }},
}

// unreachable are the attributes that no change of a job shows in, and why.
var unreachable = map[string]string{
	"name": "another job", "location": "another job", "project": "another job",
	"deletion_protection": "Terraform's own", "timeouts": "Terraform's own", "timeouts.create": "Terraform's own",
	"timeouts.read": "Terraform's own", "timeouts.update": "Terraform's own", "timeouts.delete": "Terraform's own",
	"run": "Terraform's own", "run.triggers": "Terraform's own", "run.wait": "Terraform's own", "run.timeout": "Terraform's own",
	"run.task_count": "Terraform's own", "run.container": "Terraform's own", "run.args": "Terraform's own", "run.env": "Terraform's own",
	"gpu.count":              "the API takes one value only",
	"gpu.zonal_redundancy":   "the API takes one value only",
	"containers[].resources": "the API fills it in",
	"volumes[].cloud_sql":    "the name of the volume is that of its kind",
}

func task(j *runpb.Job) *runpb.TaskTemplate { return j.GetTemplate().GetTemplate() }

func trainer(j *runpb.Job) *runpb.Container { return task(j).GetContainers()[0] }

func logger(j *runpb.Job) *runpb.Container { return task(j).GetContainers()[1] }

func sidecar() *runpb.Container {
	return &runpb.Container{Name: "sidecar", Image: "us-docker.pkg.dev/cloudrun/container/job:latest"}
}

func limits(j *runpb.Job, cpu, memory string) {
	trainer(j).GetResources().GetLimits()["cpu"], trainer(j).GetResources().GetLimits()["memory"] = cpu, memory
}

func rtx(j *runpb.Job) {
	task(j).NodeSelector.Accelerator = "nvidia-rtx-pro-6000"
	limits(j, "20", "80Gi")
}

func l4(j *runpb.Job) {
	task(j).NodeSelector, task(j).GpuZonalRedundancyDisabled = &runpb.NodeSelector{Accelerator: "nvidia-l4"}, proto.Bool(true)
	limits(j, "4", "16Gi")
}

func noGPU(j *runpb.Job) {
	task(j).NodeSelector, task(j).GpuZonalRedundancyDisabled = nil, nil
	delete(trainer(j).GetResources().GetLimits(), "nvidia.com/gpu")
}

func moveGPU(j *runpb.Job) {
	delete(trainer(j).GetResources().GetLimits(), "nvidia.com/gpu")
	logger(j).Resources.Limits = map[string]string{"cpu": "4", "memory": "16Gi", "nvidia.com/gpu": "1"}
}

// onDisk makes use of a feature in preview, so that the API does not lower the stage again.
func onDisk(j *runpb.Job) {
	j.LaunchStage = api.LaunchStage_BETA
	volume(j, "scratch").GetEmptyDir().Medium = runpb.EmptyDirVolumeSource_DISK
}

func policy(j *runpb.Job, name string) {
	j.BinaryAuthorization = &runpb.BinaryAuthorization{
		BinauthzMethod:          &runpb.BinaryAuthorization_Policy{Policy: name},
		BreakglassJustification: j.GetBinaryAuthorization().GetBreakglassJustification(),
	}
}

func network(name string) *runpb.VpcAccess {
	return &runpb.VpcAccess{NetworkInterfaces: []*runpb.VpcAccess_NetworkInterface{{Network: name}}}
}

func nic(j *runpb.Job) *runpb.VpcAccess_NetworkInterface {
	return task(j).GetVpcAccess().GetNetworkInterfaces()[0]
}

func env(j *runpb.Job, name string) *runpb.EnvVar {
	at := slices.IndexFunc(trainer(j).GetEnv(), func(v *runpb.EnvVar) bool { return v.GetName() == name })
	return trainer(j).GetEnv()[at]
}

func noEnv(j *runpb.Job, name string) {
	trainer(j).Env = slices.DeleteFunc(trainer(j).GetEnv(), func(v *runpb.EnvVar) bool { return v.GetName() == name })
}

func reference(j *runpb.Job) *runpb.SecretKeySelector {
	return env(j, "HF_TOKEN").GetValueSource().GetSecretKeyRef()
}

func grpcProbe(port int32) *runpb.Probe {
	return &runpb.Probe{ProbeType: &runpb.Probe_Grpc{Grpc: &runpb.GRPCAction{Port: port}}}
}

func mount(j *runpb.Job, path string) *runpb.VolumeMount {
	at := slices.IndexFunc(trainer(j).GetVolumeMounts(), func(m *runpb.VolumeMount) bool { return m.GetMountPath() == path })
	return trainer(j).GetVolumeMounts()[at]
}

func addMount(j *runpb.Job, name, path string) {
	trainer(j).VolumeMounts = append(trainer(j).GetVolumeMounts(), &runpb.VolumeMount{Name: name, MountPath: path})
}

func volume(j *runpb.Job, name string) *runpb.Volume {
	at := slices.IndexFunc(task(j).GetVolumes(), func(v *runpb.Volume) bool { return v.GetName() == name })
	return task(j).GetVolumes()[at]
}

func removeVolume(j *runpb.Job, name string) {
	task(j).Volumes = slices.DeleteFunc(task(j).GetVolumes(), func(v *runpb.Volume) bool { return v.GetName() == name })
	trainer(j).VolumeMounts = slices.DeleteFunc(trainer(j).GetVolumeMounts(), func(m *runpb.VolumeMount) bool { return m.GetName() == name })
}

func scratch(name string) *runpb.Volume {
	return &runpb.Volume{Name: name, VolumeType: &runpb.Volume_EmptyDir{EmptyDir: &runpb.EmptyDirVolumeSource{Medium: runpb.EmptyDirVolumeSource_MEMORY}}}
}

func sql(j *runpb.Job) *runpb.CloudSqlInstance { return volume(j, "cloudsql").GetCloudSqlInstance() }
