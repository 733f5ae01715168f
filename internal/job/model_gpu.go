package job

import (
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// GPU is the attribute gpu: what one task gets.
type GPU struct {
	Type            types.String
	Count           types.Int64
	Container       types.String
	ZonalRedundancy types.Bool
}

var gpuAttributes = map[string]attr.Type{
	"type":             types.StringType,
	"count":            types.Int64Type,
	"container":        types.StringType,
	"zonal_redundancy": types.BoolType,
}

// gpu reads the attribute gpu; false where it is absent. Of an unknown gpu all fields are unknown.
func (m Model) gpu() (GPU, bool) {
	return GPU{
		Type:            stringField(m.GPU, "type"),
		Count:           int64Field(m.GPU, "count"),
		Container:       stringField(m.GPU, "container"),
		ZonalRedundancy: boolField(m.GPU, "zonal_redundancy"),
	}, !m.GPU.IsNull()
}

func (g GPU) object() types.Object {
	return types.ObjectValueMust(gpuAttributes, map[string]attr.Value{
		"type":             g.Type,
		"count":            g.Count,
		"container":        g.Container,
		"zonal_redundancy": g.ZonalRedundancy,
	})
}

// holder returns the index of the container that gets the GPU: the one that gpu.container names, else the only one.
// It is -1 where there is no such container, and false where it cannot be known yet.
func (g GPU) holder(containers []Container) (int, bool) {
	if g.Container.IsUnknown() {
		return -1, false
	}
	if g.Container.IsNull() {
		if len(containers) == 1 {
			return 0, true
		}
		return -1, true
	}
	for i, c := range containers {
		if c.Name.IsUnknown() {
			return -1, false
		}
		if c.Name.ValueString() == g.Container.ValueString() {
			return i, true
		}
	}
	return -1, true
}

// count is the number of GPUs per task: 1 where the configuration is silent, 0 where it is unknown.
func (g GPU) count() int64 {
	if g.Count.IsNull() {
		return 1
	}
	return g.Count.ValueInt64()
}
