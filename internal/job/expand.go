package job

import (
	"maps"
	"slices"
	"strconv"

	"cloud.google.com/go/run/apiv2/runpb"
	"google.golang.org/genproto/googleapis/api"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"
)

// gpuLimit is the key of the GPU count among a container's resource limits.
const gpuLimit = "nvidia.com/gpu"

// clientName tells readers of the job, and us, which client wrote it last.
const clientName = "terraform-provider-cloudrungpu"

// expandJob writes a fully known model onto a job: the server's current one at an update, none at a create. UpdateJob has
// no field mask and replaces everything, so what the model does not cover is carried over from there: labels of others,
// fields that this provider does not know.
func expandJob(m Model, were owned, onto *runpb.Job, version string) *runpb.Job {
	job := &runpb.Job{}
	if onto != nil {
		job = proto.CloneOf(onto)
	}
	job.Labels = mergeOwned(job.GetLabels(), were.labels, textMap(m.EffectiveLabels))
	job.Annotations = mergeOwned(job.GetAnnotations(), were.annotations, textMap(m.Annotations))
	job.BinaryAuthorization = expandBinaryAuthorization(m)
	job.Client, job.ClientVersion = clientName, version
	job.LaunchStage = expandLaunchStage(m)
	// A token starts an execution when it is written; one read back from the server must never start another.
	job.CreateExecution = nil
	if job.GetTemplate() == nil {
		job.Template = &runpb.ExecutionTemplate{}
	}
	expandExecution(m, were, job.GetTemplate())
	return job
}

func expandExecution(m Model, were owned, out *runpb.ExecutionTemplate) {
	out.Labels = mergeOwned(out.GetLabels(), were.executionLabels, textMap(m.ExecutionLabels))
	out.Annotations = mergeOwned(out.GetAnnotations(), were.executionAnnotations, textMap(m.ExecutionAnnotations))
	out.TaskCount = int32(m.TaskCount.ValueInt64())
	out.Parallelism = int32(m.Parallelism.ValueInt64()) // 0 is the API's word for "as many as possible"
	if out.GetTemplate() == nil {
		out.Template = &runpb.TaskTemplate{}
	}
	expandTask(m, out.GetTemplate())
}

func expandTask(m Model, out *runpb.TaskTemplate) {
	out.Retries = &runpb.TaskTemplate_MaxRetries{MaxRetries: int32(m.MaxRetries.ValueInt64())}
	out.Timeout = nil
	if length, ok := m.TaskTimeout.Length(); ok {
		out.Timeout = durationpb.New(length)
	}
	out.EncryptionKey = m.EncryptionKey.ValueString()
	out.VpcAccess = expandVPCAccess(m)
	volumes, _ := m.volumes()
	out.Volumes = expandVolumes(volumes)
	out.ServiceAccount = m.ServiceAccount.ValueString() // empty brings the default back

	containers, _ := m.containers()
	g, hasGPU := m.gpu()
	out.Containers = expandContainers(containers, out.GetContainers())
	out.NodeSelector, out.GpuZonalRedundancyDisabled = nil, nil
	if hasGPU {
		expandGPU(g, containers, out)
	}
}

// expandGPU sets the three fields that make a GPU job, and that must come and go together.
func expandGPU(g GPU, containers []Container, out *runpb.TaskTemplate) {
	out.NodeSelector = &runpb.NodeSelector{Accelerator: g.Type.ValueString()}
	out.GpuZonalRedundancyDisabled = proto.Bool(!g.ZonalRedundancy.ValueBool())
	if holder, ok := g.holder(containers); ok && holder >= 0 {
		limits := out.GetContainers()[holder].GetResources()
		limits.Limits[gpuLimit] = strconv.FormatInt(g.count(), 10)
	}
}

// expandContainers writes each container onto the current one of the same name, or of the same place where neither has one.
func expandContainers(in []Container, current []*runpb.Container) []*runpb.Container {
	out := make([]*runpb.Container, 0, len(in))
	for i, c := range in {
		out = append(out, expandContainer(c, currentContainer(c, i, current)))
	}
	return out
}

func currentContainer(c Container, at int, current []*runpb.Container) *runpb.Container {
	name := c.Name.ValueString()
	for i, old := range current {
		if old.GetName() == name && (name != "" || i == at) {
			return proto.CloneOf(old)
		}
	}
	return &runpb.Container{}
}

func expandContainer(c Container, out *runpb.Container) *runpb.Container {
	out.Name = c.Name.ValueString()
	out.Image = c.Image.ValueString()
	out.Command = texts(c.Command)
	out.Args = texts(c.Args)
	out.WorkingDir = c.WorkingDir.ValueString()
	out.Env = expandEnv(textMap(c.Env), c.secretEnv())
	out.Resources = expandResources(c.resources(), out.GetResources())
	out.VolumeMounts = expandMounts(c.mounts())
	out.StartupProbe = expandProbe(c)
	out.DependsOn = texts(c.DependsOn)
	return out
}

func expandResources(r Resources, out *runpb.ResourceRequirements) *runpb.ResourceRequirements {
	if out == nil {
		out = &runpb.ResourceRequirements{}
	}
	out.Limits = map[string]string{}
	if known(r.CPU) {
		out.Limits["cpu"] = r.CPU.ValueString()
	}
	if known(r.Memory) {
		out.Limits["memory"] = r.Memory.ValueString()
	}
	return out
}

// expandEnv orders variables by name, so that one configuration always makes one request.
func expandEnv(plain map[string]string, secret map[string]SecretEnv) []*runpb.EnvVar {
	out := make([]*runpb.EnvVar, 0, len(plain)+len(secret))
	for _, name := range slices.Sorted(maps.Keys(plain)) {
		out = append(out, &runpb.EnvVar{Name: name, Values: &runpb.EnvVar_Value{Value: plain[name]}})
	}
	for _, name := range slices.Sorted(maps.Keys(secret)) {
		out = append(out, &runpb.EnvVar{Name: name, Values: &runpb.EnvVar_ValueSource{ValueSource: &runpb.EnvVarSource{
			SecretKeyRef: &runpb.SecretKeySelector{
				Secret:  secret[name].Secret.ValueString(),
				Version: secret[name].Version.ValueString(),
			},
		}}})
	}
	return out
}

// expandLaunchStage leaves GA out: that is what the API takes an absent stage for, and what it may answer with.
func expandLaunchStage(m Model) api.LaunchStage {
	stage := api.LaunchStage(api.LaunchStage_value[m.LaunchStage.ValueString()])
	if stage == api.LaunchStage_GA {
		return api.LaunchStage_LAUNCH_STAGE_UNSPECIFIED
	}
	return stage
}

// owned are the keys of labels and annotations that were ours before a change; keys of others stay when ours go.
type owned struct {
	labels, annotations, executionLabels, executionAnnotations map[string]string
}

func ownedBy(m Model) owned {
	return owned{
		labels:               textMap(m.EffectiveLabels),
		annotations:          textMap(m.Annotations),
		executionLabels:      textMap(m.ExecutionLabels),
		executionAnnotations: textMap(m.ExecutionAnnotations),
	}
}

// mergeOwned is current without the keys that were ours, with those that are ours now.
func mergeOwned(current, were, now map[string]string) map[string]string {
	out := make(map[string]string, len(current)+len(now))
	for key, value := range current {
		if _, ours := were[key]; !ours {
			out[key] = value
		}
	}
	maps.Copy(out, now)
	return out
}
