package job

import (
	"strconv"

	"cloud.google.com/go/run/apiv2/runpb"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/customtype"
)

func flattenGPU(task *runpb.TaskTemplate, prior Model) types.Object {
	holder := gpuHolder(task.GetContainers())
	if task.GetNodeSelector() == nil && holder < 0 {
		return types.ObjectNull(gpuAttributes)
	}
	before, _ := prior.gpu()
	g := GPU{
		Type:            types.StringValue(task.GetNodeSelector().GetAccelerator()),
		Count:           types.Int64Value(1), // what the server takes where the limit is left out
		Container:       types.StringNull(),
		ZonalRedundancy: types.BoolValue(!task.GetGpuZonalRedundancyDisabled()),
	}
	if holder >= 0 {
		if n, err := strconv.ParseInt(task.GetContainers()[holder].GetResources().GetLimits()[gpuLimit], 10, 64); err == nil {
			g.Count = types.Int64Value(n)
		}
		// A single container needs no name to get the GPU, so none is reported unless it was written.
		if name := task.GetContainers()[holder].GetName(); name != "" && (known(before.Container) || len(task.GetContainers()) > 1) {
			g.Container = types.StringValue(name)
		}
	}
	return g.object()
}

// gpuHolder is the index of the container with a GPU limit; -1 where none has one.
func gpuHolder(containers []*runpb.Container) int {
	for i, c := range containers {
		if c.GetResources().GetLimits()[gpuLimit] != "" {
			return i
		}
	}
	return -1
}

// MainContainer is the name of the container that a run of a job is about: the one with the GPU, else the first. It is "" where
// that has no name.
func MainContainer(job *runpb.Job) string {
	containers := job.GetTemplate().GetTemplate().GetContainers()
	if len(containers) == 0 {
		return ""
	}
	return containers[max(gpuHolder(containers), 0)].GetName()
}

func flattenContainers(in []*runpb.Container, prior Model) types.List {
	before, _ := prior.containers()
	out := make([]Container, 0, len(in))
	for i, c := range in {
		out = append(out, flattenContainer(c, priorContainer(c.GetName(), i, before), len(before) == 0))
	}
	return containerList(out)
}

// priorContainer is the container of the same name, else the one at the same place.
func priorContainer(name string, at int, before []Container) Container {
	for _, c := range before {
		if name != "" && c.Name.ValueString() == name {
			return c
		}
	}
	if at < len(before) {
		return before[at]
	}
	return Container{}
}

func flattenContainer(c *runpb.Container, prior Container, imported bool) Container {
	plain, secret := flattenEnv(c.GetEnv())
	return Container{
		Name:         optionalString(c.GetName(), types.StringNull()),
		Image:        types.StringValue(c.GetImage()),
		Command:      stringList(c.GetCommand(), prior.Command),
		Args:         stringList(c.GetArgs(), prior.Args),
		WorkingDir:   optionalString(c.GetWorkingDir(), types.StringNull()),
		Env:          stringMap(plain, prior.Env),
		SecretEnv:    secretEnvMap(secret, prior.SecretEnv),
		Resources:    flattenResources(c.GetResources().GetLimits(), prior.resources()),
		VolumeMounts: flattenMounts(c.GetVolumeMounts(), prior.VolumeMounts, imported),
		StartupProbe: flattenProbe(c.GetStartupProbe(), prior),
		DependsOn:    sameElements(c.GetDependsOn(), prior.DependsOn),
	}
}

func flattenResources(limits map[string]string, prior Resources) types.Object {
	if limits["cpu"] == "" && limits["memory"] == "" {
		return types.ObjectNull(resourcesAttributes)
	}
	return keepSpelling(Resources{CPU: flattenQuantity(limits["cpu"]), Memory: flattenQuantity(limits["memory"])}, prior).object()
}

func flattenQuantity(s string) customtype.Quantity {
	if s == "" {
		return customtype.QuantityNull()
	}
	return customtype.QuantityValue(s)
}

func flattenEnv(in []*runpb.EnvVar) (plain map[string]string, secret map[string]SecretEnv) {
	plain, secret = map[string]string{}, map[string]SecretEnv{}
	for _, v := range in {
		if source := v.GetValueSource(); source != nil {
			secret[v.GetName()] = SecretEnv{
				Secret:  types.StringValue(source.GetSecretKeyRef().GetSecret()),
				Version: types.StringValue(source.GetSecretKeyRef().GetVersion()),
			}
			continue
		}
		plain[v.GetName()] = v.GetValue()
	}
	return plain, secret
}
