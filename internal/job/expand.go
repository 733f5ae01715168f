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
// no field mask and replaces everything, so what the model does not cover is carried over from there, at every depth: labels
// of others, fields that this provider does not know, or that are younger than it.
func expandJob(m Model, were owned, onto *runpb.Job, version string) *runpb.Job {
	job := &runpb.Job{}
	if onto != nil {
		job = proto.CloneOf(onto)
	}
	job.Labels = mergeOwned(job.GetLabels(), were.labels, textMap(m.EffectiveLabels))
	job.Annotations = mergeOwned(job.GetAnnotations(), were.annotations, textMap(m.Annotations))
	job.BinaryAuthorization = expandBinaryAuthorization(m, job.GetBinaryAuthorization())
	job.Client, job.ClientVersion = clientName, version
	if known(m.LaunchStage) || were.launchStage {
		job.LaunchStage = expandLaunchStage(m)
	}
	// A token starts an execution when it is written; one read back from the server must never start another.
	job.CreateExecution = nil
	job.Template = orNew(job.GetTemplate())
	expandExecution(m, were, job.GetTemplate())
	return job
}

func expandExecution(m Model, were owned, out *runpb.ExecutionTemplate) {
	out.Labels = mergeOwned(out.GetLabels(), were.executionLabels, textMap(m.ExecutionLabels))
	out.Annotations = mergeOwned(out.GetAnnotations(), were.executionAnnotations, textMap(m.ExecutionAnnotations))
	out.TaskCount = int32(m.TaskCount.ValueInt64())
	out.Parallelism = int32(m.Parallelism.ValueInt64()) // 0 is the API's word for "as many as possible"
	out.Template = orNew(out.GetTemplate())
	expandTask(m, out.GetTemplate())
}

func expandTask(m Model, out *runpb.TaskTemplate) {
	out.Retries = &runpb.TaskTemplate_MaxRetries{MaxRetries: int32(m.MaxRetries.ValueInt64())}
	out.Timeout = nil
	if length, ok := m.TaskTimeout.Length(); ok {
		out.Timeout = durationpb.New(length)
	}
	out.EncryptionKey = m.EncryptionKey.ValueString()
	out.VpcAccess = expandVPCAccess(m, out.GetVpcAccess())
	volumes, _ := m.volumes()
	out.Volumes = expandVolumes(volumes, out.GetVolumes())
	out.ServiceAccount = m.ServiceAccount.ValueString() // empty brings the default back

	containers, _ := m.containers()
	g, hasGPU := m.gpu()
	out.Containers = expandContainers(containers, out.GetContainers())
	if !hasGPU {
		out.NodeSelector, out.GpuZonalRedundancyDisabled = nil, nil
		return
	}
	expandGPU(g, containers, out)
}

// expandGPU sets the three fields that make a GPU job, and that must come and go together.
func expandGPU(g GPU, containers []Container, out *runpb.TaskTemplate) {
	out.NodeSelector = orNew(out.GetNodeSelector())
	out.NodeSelector.Accelerator = g.Type.ValueString()
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
	if name := c.Name.ValueString(); name != "" {
		return currentOr(current, func(old *runpb.Container) bool { return old.GetName() == name })
	}
	if at < len(current) && current[at].GetName() == "" {
		return current[at]
	}
	return new(runpb.Container)
}

func expandContainer(c Container, out *runpb.Container) *runpb.Container {
	out.Name = c.Name.ValueString()
	out.Image = c.Image.ValueString()
	out.Command = texts(c.Command)
	out.Args = texts(c.Args)
	out.WorkingDir = c.WorkingDir.ValueString()
	out.Env = expandEnv(textMap(c.Env), c.secretEnv(), out.GetEnv())
	out.Resources = expandResources(c.resources(), orNew(out.GetResources()))
	out.VolumeMounts = expandMounts(c.mounts(), out.GetVolumeMounts())
	out.StartupProbe = expandProbe(c, out.GetStartupProbe())
	out.DependsOn = texts(c.DependsOn)
	return out
}

func expandResources(r Resources, out *runpb.ResourceRequirements) *runpb.ResourceRequirements {
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
func expandEnv(plain map[string]string, secret map[string]SecretEnv, current []*runpb.EnvVar) []*runpb.EnvVar {
	out := make([]*runpb.EnvVar, 0, len(plain)+len(secret))
	variable := func(name string) *runpb.EnvVar {
		v := currentOr(current, func(old *runpb.EnvVar) bool { return old.GetName() == name })
		v.Name = name
		out = append(out, v)
		return v
	}
	for _, name := range slices.Sorted(maps.Keys(plain)) {
		variable(name).Values = &runpb.EnvVar_Value{Value: plain[name]}
	}
	for _, name := range slices.Sorted(maps.Keys(secret)) {
		v := variable(name)
		source := orNew(v.GetValueSource())
		source.SecretKeyRef = orNew(source.GetSecretKeyRef())
		source.SecretKeyRef.Secret = secret[name].Secret.ValueString()
		source.SecretKeyRef.Version = secret[name].Version.ValueString()
		v.Values = &runpb.EnvVar_ValueSource{ValueSource: source}
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

// orNew is the message that is there, to be written onto, or a new one.
func orNew[M any](current *M) *M {
	if current == nil {
		return new(M)
	}
	return current
}

// currentOr is the first message of a list that is meant, to be written onto, or a new one.
func currentOr[M any](list []*M, meant func(*M) bool) *M {
	for _, m := range list {
		if meant(m) {
			return m
		}
	}
	return new(M)
}

// owned is what was ours before a change, of what is not ours where it is not written: keys of labels and annotations, and the
// launch stage. It goes when we no longer write it, and stays when it is somebody else's.
type owned struct {
	labels, annotations, executionLabels, executionAnnotations map[string]string
	launchStage                                                bool
}

func ownedBy(m Model) owned {
	return owned{
		labels:               textMap(m.EffectiveLabels),
		annotations:          textMap(m.Annotations),
		executionLabels:      textMap(m.ExecutionLabels),
		executionAnnotations: textMap(m.ExecutionAnnotations),
		launchStage:          known(m.LaunchStage),
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
