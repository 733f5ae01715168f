package job

import (
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/customtype"
)

// Container is one element of the attribute containers.
type Container struct {
	Name         types.String
	Image        types.String
	Command      types.List
	Args         types.List
	WorkingDir   types.String
	Env          types.Map
	SecretEnv    types.Map
	Resources    types.Object
	VolumeMounts types.Map
	StartupProbe types.Object
	DependsOn    types.List
}

// SecretEnv is one entry of containers[].secret_env: a version of a secret.
type SecretEnv struct {
	Secret  types.String
	Version types.String
}

// Resources is containers[].resources: what a container may use.
type Resources struct {
	CPU    customtype.Quantity
	Memory customtype.Quantity
}

var (
	secretEnvAttributes = map[string]attr.Type{
		"secret":  types.StringType,
		"version": types.StringType,
	}
	resourcesAttributes = map[string]attr.Type{
		"cpu":    customtype.QuantityType{},
		"memory": customtype.QuantityType{},
	}
	containerAttributes = map[string]attr.Type{
		"name":          types.StringType,
		"image":         types.StringType,
		"command":       stringListType,
		"args":          stringListType,
		"working_dir":   types.StringType,
		"env":           types.MapType{ElemType: types.StringType},
		"secret_env":    types.MapType{ElemType: secretEnvType},
		"resources":     types.ObjectType{AttrTypes: resourcesAttributes},
		"volume_mounts": types.MapType{ElemType: volumeMountType},
		"startup_probe": types.ObjectType{AttrTypes: startupProbeAttributes},
		"depends_on":    stringListType,
	}
	stringListType = types.ListType{ElemType: types.StringType}
	secretEnvType  = types.ObjectType{AttrTypes: secretEnvAttributes}
	containerType  = types.ObjectType{AttrTypes: containerAttributes}
)

// containers reads the attribute containers; false where the list is unknown.
func (m Model) containers() ([]Container, bool) {
	elements := objects(m.Containers)
	out := make([]Container, 0, len(elements))
	for _, o := range elements {
		out = append(out, containerOf(o))
	}
	return out, !m.Containers.IsUnknown()
}

func containerOf(o types.Object) Container {
	return Container{
		Name:         stringField(o, "name"),
		Image:        stringField(o, "image"),
		Command:      listField(o, "command", types.StringType),
		Args:         listField(o, "args", types.StringType),
		WorkingDir:   stringField(o, "working_dir"),
		Env:          mapField(o, "env", types.StringType),
		SecretEnv:    mapField(o, "secret_env", secretEnvType),
		Resources:    objectField(o, "resources", resourcesAttributes),
		VolumeMounts: mapField(o, "volume_mounts", volumeMountType),
		StartupProbe: objectField(o, "startup_probe", startupProbeAttributes),
		DependsOn:    listField(o, "depends_on", types.StringType),
	}
}

func (c Container) object() types.Object {
	return types.ObjectValueMust(containerAttributes, map[string]attr.Value{
		"name":          c.Name,
		"image":         c.Image,
		"command":       c.Command,
		"args":          c.Args,
		"working_dir":   c.WorkingDir,
		"env":           c.Env,
		"secret_env":    c.SecretEnv,
		"resources":     c.Resources,
		"volume_mounts": c.VolumeMounts,
		"startup_probe": c.StartupProbe,
		"depends_on":    c.DependsOn,
	})
}

func containerList(in []Container) types.List {
	out := make([]attr.Value, 0, len(in))
	for _, c := range in {
		out = append(out, c.object())
	}
	return types.ListValueMust(containerType, out)
}

// resources reads containers[].resources. Absent parts are null, those of an unknown object unknown.
func (c Container) resources() Resources {
	return Resources{
		CPU:    field(c.Resources, "cpu", customtype.QuantityUnknown(), customtype.QuantityNull()),
		Memory: field(c.Resources, "memory", customtype.QuantityUnknown(), customtype.QuantityNull()),
	}
}

func (r Resources) object() types.Object {
	return types.ObjectValueMust(resourcesAttributes, map[string]attr.Value{"cpu": r.CPU, "memory": r.Memory})
}

func (r Resources) equal(o Resources) bool { return r.CPU.Equal(o.CPU) && r.Memory.Equal(o.Memory) }

// secretEnv reads containers[].secret_env; nil where it is absent or unknown.
func (c Container) secretEnv() map[string]SecretEnv {
	out := make(map[string]SecretEnv, len(c.SecretEnv.Elements()))
	for name, v := range c.SecretEnv.Elements() {
		o, ok := v.(types.Object)
		if !ok {
			continue
		}
		out[name] = SecretEnv{Secret: stringField(o, "secret"), Version: stringField(o, "version")}
	}
	return out
}

func (s SecretEnv) object() types.Object {
	return types.ObjectValueMust(secretEnvAttributes, map[string]attr.Value{"secret": s.Secret, "version": s.Version})
}

func secretEnvMap(in map[string]SecretEnv, like types.Map) types.Map {
	if len(in) == 0 {
		return emptyMap(secretEnvType, like)
	}
	out := make(map[string]attr.Value, len(in))
	for name, s := range in {
		out[name] = s.object()
	}
	return types.MapValueMust(secretEnvType, out)
}
