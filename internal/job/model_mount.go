package job

import (
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// VolumeMount is one entry of containers[].volume_mounts; its key is the path in the container.
type VolumeMount struct {
	Volume  types.String
	SubPath types.String
}

var (
	volumeMountAttributes = map[string]attr.Type{"volume": types.StringType, "sub_path": types.StringType}
	volumeMountType       = types.ObjectType{AttrTypes: volumeMountAttributes}
)

// mounts reads containers[].volume_mounts.
func (c Container) mounts() map[string]VolumeMount {
	out := make(map[string]VolumeMount, len(c.VolumeMounts.Elements()))
	for path, v := range c.VolumeMounts.Elements() {
		if o, ok := v.(types.Object); ok {
			out[path] = VolumeMount{Volume: stringField(o, "volume"), SubPath: stringField(o, "sub_path")}
		}
	}
	return out
}

func mountMap(in map[string]VolumeMount, like types.Map) types.Map {
	if len(in) == 0 {
		return emptyMap(volumeMountType, like)
	}
	out := make(map[string]attr.Value, len(in))
	for path, m := range in {
		out[path] = types.ObjectValueMust(volumeMountAttributes, map[string]attr.Value{"volume": m.Volume, "sub_path": m.SubPath})
	}
	return types.MapValueMust(volumeMountType, out)
}
