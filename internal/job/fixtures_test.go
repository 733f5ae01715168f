package job

import (
	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/customtype"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/gpu"
)

func stringsOf(in ...string) types.List { return stringList(in, types.ListNull(types.StringType)) }

func mapOf(pairs ...string) types.Map {
	out := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		out[pairs[i]] = pairs[i+1]
	}
	return stringMap(out, types.MapNull(types.StringType))
}

func noTimeouts() timeouts.Value {
	of := map[string]attr.Type{}
	for _, name := range []string{"create", "read", "update", "delete"} {
		of[name] = types.StringType
	}
	return timeouts.Value{Object: types.ObjectNull(of)}
}

// plainContainer is a container with nothing but an image.
func plainContainer() Container {
	return Container{
		Name: types.StringNull(), Image: types.StringValue("us-docker.pkg.dev/cloudrun/container/job:latest"),
		Command: stringsOf(), Args: stringsOf(), WorkingDir: types.StringNull(),
		Env: mapOf(), SecretEnv: secretEnvMap(nil, types.MapNull(secretEnvType)), Resources: types.ObjectNull(resourcesAttributes),
		VolumeMounts: types.MapNull(volumeMountType), StartupProbe: types.ObjectNull(startupProbeAttributes), DependsOn: stringsOf(),
	}
}

// plainModel is the smallest configuration, with the defaults of the schema filled in.
func plainModel() Model {
	return Model{
		ID: types.StringNull(), Name: types.StringValue("case"), Location: types.StringValue("us-central1"), Project: types.StringValue("acme"),
		Labels: mapOf(), EffectiveLabels: mapOf(), Annotations: mapOf(), ExecutionLabels: mapOf(), ExecutionAnnotations: mapOf(),
		Volumes: types.MapNull(volumeType), VPCAccess: types.ObjectNull(vpcAccessAttributes), EncryptionKey: types.StringNull(),
		BinaryAuthorization: types.ObjectNull(binaryAuthorizationAttributes), GPU: types.ObjectNull(gpuAttributes),
		TaskCount: types.Int64Value(1), Parallelism: types.Int64Null(), MaxRetries: types.Int64Value(3),
		TaskTimeout: customtype.Duration{StringValue: types.StringValue("600s")},
		Containers:  containerList([]Container{plainContainer()}), ServiceAccount: types.StringNull(), LaunchStage: types.StringNull(),
		DeletionProtection: types.BoolValue(false), Run: types.ObjectNull(runAttributes), LastRun: types.ObjectNull(lastRunAttributes), Timeouts: noTimeouts(), UID: types.StringNull(), CreateTime: types.StringNull(),
		PeakGPUs: types.Int64Null(), PeakCPU: types.Float64Null(), PeakMemoryGiB: types.Float64Null(),
	}
}

// fullModel has every attribute set, and none to its default.
func fullModel() Model {
	m := plainModel()
	m.ID = types.StringValue("projects/acme/locations/us-central1/jobs/case")
	m.Labels, m.EffectiveLabels = mapOf("team", "ml"), mapOf("team", "ml", "env", "dev")
	m.GPU = GPU{
		Type: types.StringValue("nvidia-l4"), Count: types.Int64Value(1), Container: types.StringValue("trainer"), ZonalRedundancy: types.BoolValue(false),
	}.object()
	m.TaskCount, m.Parallelism, m.MaxRetries = types.Int64Value(12), types.Int64Value(3), types.Int64Value(0)
	m.TaskTimeout = customtype.Duration{StringValue: types.StringValue("1h")}
	trainer := plainContainer()
	trainer.Name = types.StringValue("trainer")
	trainer.Command, trainer.Args, trainer.WorkingDir = stringsOf("python"), stringsOf("-m", "train"), types.StringValue("/app")
	trainer.Env = mapOf("MODEL", "gemma-2b", "EMPTY", "")
	trainer.SecretEnv = secretEnvMap(map[string]SecretEnv{
		"HF_TOKEN": {Secret: types.StringValue("hf-token"), Version: types.StringValue("3")},
	}, types.MapNull(secretEnvType))
	trainer.Resources = Resources{CPU: customtype.QuantityValue("8000m"), Memory: customtype.QuantityValue("32Gi")}.object()
	trainer.VolumeMounts = mountMap(map[string]VolumeMount{
		"/models": {Volume: types.StringValue("models"), SubPath: types.StringValue("gemma")},
		"/secret": {Volume: types.StringValue("key"), SubPath: types.StringNull()},
	}, types.MapNull(volumeMountType))
	trainer.DependsOn = stringsOf("logger")
	trainer.StartupProbe = fullProbe(func(p *StartupProbe) {
		p.HTTPGet = HTTPGet{Path: types.StringValue("/ready"), Port: types.Int64Value(8081), Headers: mapOf("X-Probe", "1")}.object()
	})
	m.Volumes = fullVolumes()
	m.VPCAccess = VPCAccess{
		Connector: types.StringNull(), Network: types.StringValue("default"), Subnetwork: types.StringValue("gpu"),
		NetworkTags: stringsOf("batch", "gpu"), Egress: types.StringValue("ALL_TRAFFIC"),
	}.object()
	m.EncryptionKey = types.StringValue("projects/acme/locations/us-central1/keyRings/r/cryptoKeys/k")
	m.BinaryAuthorization = BinaryAuthorization{
		UseDefault: types.BoolNull(), Policy: types.StringValue("projects/acme/platforms/cloudRun/strict"),
		BreakglassJustification: types.StringValue("incident 7"),
	}.object()
	m.Annotations, m.ExecutionLabels, m.ExecutionAnnotations = mapOf("owner", "ml"), mapOf("cost", "42"), mapOf("ticket", "T-1")
	logger := plainContainer()
	logger.StartupProbe = fullProbe(func(p *StartupProbe) { p.TCPSocket = tcpSocket(types.Int64Value(9000)) })
	logger.Name = types.StringValue("logger")
	logger.Resources = Resources{CPU: customtype.QuantityValue("1"), Memory: customtype.QuantityValue("512Mi")}.object()
	m.Containers = containerList([]Container{trainer, logger})
	m.ServiceAccount = types.StringValue("trainer@acme.iam.gserviceaccount.com")
	m.LaunchStage = types.StringValue("BETA")
	m.DeletionProtection = types.BoolValue(true)
	m.Run = Run{
		Triggers: mapOf("data", "2026-12-01"), Wait: types.BoolValue(false), Timeout: customtype.Duration{StringValue: types.StringValue("90m")},
		TaskCount: types.Int64Value(2), Container: types.StringValue("logger"), Args: stringsOf("--quick"), Env: mapOf("EPOCHS", "1"),
	}.object()
	m.LastRun = LastRun{
		Execution: types.StringValue("case-x7k2p"), State: types.StringValue("EXECUTION_SUCCEEDED"), LogURI: types.StringValue("https://example.com/logs"),
	}.object()
	return withPeaks(m)
}

func testSizes() []gpu.Size {
	return []gpu.Size{
		{CPU: 4, MinMemory: 16 << 30, MaxMemory: 16 << 30},
		{CPU: 6, MinMemory: 16 << 30, MaxMemory: 24 << 30},
		{CPU: 8, MinMemory: 16 << 30, MaxMemory: 32 << 30},
	}
}

func fullProbe(action func(*StartupProbe)) types.Object {
	p := StartupProbe{
		InitialDelay: types.Int64Value(5), Period: types.Int64Value(20), Timeout: types.Int64Value(3), FailureThreshold: types.Int64Value(7),
		HTTPGet: types.ObjectNull(httpGetAttributes), TCPSocket: types.ObjectNull(tcpSocketAttributes), GRPC: types.ObjectNull(grpcAttributes),
	}
	action(&p)
	return p.object()
}

// fullVolumes has one volume of every source, every attribute set.
func fullVolumes() types.Map {
	volume := func(set func(*Volume)) Volume {
		v := noVolume()
		set(&v)
		return v
	}
	return volumeMap(map[string]Volume{
		"models": volume(func(v *Volume) {
			v.GCS = GCS{
				Bucket: types.StringValue("acme-models"), ReadOnly: types.BoolValue(true), MountOptions: stringsOf("enable-buffered-read=true"),
			}.object()
		}),
		"key": volume(func(v *Volume) {
			v.Secret = SecretVolume{
				Secret: types.StringValue("key"), DefaultMode: customtype.FileModeValue(0o400),
				Items: secretItemMap(map[string]SecretItem{
					"a.pem": {Version: types.StringValue("3"), Mode: customtype.FileModeValue(0o440)},
					"b.pem": {Version: types.StringValue("latest"), Mode: customtype.FileModeNull()},
				}, types.MapNull(secretItemType)),
			}.object()
		}),
		"cloudsql": volume(func(v *Volume) {
			v.CloudSQL = types.ObjectValueMust(cloudSQLAttributes, map[string]attr.Value{"instances": stringsOf("acme:us-central1:db")})
		}),
		"scratch": volume(func(v *Volume) {
			v.EmptyDir = EmptyDir{Medium: types.StringValue("DISK"), SizeLimit: customtype.QuantityValue("10Gi")}.object()
		}),
		"share": volume(func(v *Volume) {
			v.NFS = NFS{Server: types.StringValue("10.0.0.2"), Path: types.StringValue("/models"), ReadOnly: types.BoolValue(true)}.object()
		}),
	}, types.MapNull(volumeType))
}

// withResources fills in the sizes as a plan does.
func withResources(m Model) Model {
	containers, _ := m.containers()
	g, hasGPU := m.gpu()
	m.Containers = containerList(fillResources(containers, containers, g, hasGPU, gpu.Default()))
	return withPeaks(m)
}
