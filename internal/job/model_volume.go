package job

import (
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/customtype"
)

// Volume is one entry of the attribute volumes: a name with exactly one source.
type Volume struct {
	Secret   types.Object
	CloudSQL types.Object
	EmptyDir types.Object
	NFS      types.Object
	GCS      types.Object
}

// SecretVolume is volumes[].secret: versions of a secret as files.
type SecretVolume struct {
	Secret      types.String
	DefaultMode customtype.FileMode
	Items       types.Map // path -> SecretItem
}

// SecretItem is one file of a secret volume.
type SecretItem struct {
	Version types.String
	Mode    customtype.FileMode
}

// EmptyDir is volumes[].empty_dir: scratch space of one task.
type EmptyDir struct {
	Medium    types.String
	SizeLimit customtype.Quantity
}

// NFS is volumes[].nfs: a share of a file server.
type NFS struct {
	Server   types.String
	Path     types.String
	ReadOnly types.Bool
}

// GCS is volumes[].gcs: a Cloud Storage bucket, mounted with Cloud Storage FUSE.
type GCS struct {
	Bucket       types.String
	ReadOnly     types.Bool
	MountOptions types.List
}

var (
	secretItemAttributes = map[string]attr.Type{
		"version": types.StringType,
		"mode":    customtype.FileModeType{},
	}
	secretItemType         = types.ObjectType{AttrTypes: secretItemAttributes}
	secretVolumeAttributes = map[string]attr.Type{
		"secret":       types.StringType,
		"default_mode": customtype.FileModeType{},
		"items":        types.MapType{ElemType: secretItemType},
	}
	cloudSQLAttributes = map[string]attr.Type{"instances": stringListType}
	emptyDirAttributes = map[string]attr.Type{
		"medium":     types.StringType,
		"size_limit": customtype.QuantityType{},
	}
	nfsAttributes = map[string]attr.Type{
		"server":    types.StringType,
		"path":      types.StringType,
		"read_only": types.BoolType,
	}
	gcsAttributes = map[string]attr.Type{
		"bucket":        types.StringType,
		"read_only":     types.BoolType,
		"mount_options": stringListType,
	}
	volumeAttributes = map[string]attr.Type{
		"secret":    types.ObjectType{AttrTypes: secretVolumeAttributes},
		"cloud_sql": types.ObjectType{AttrTypes: cloudSQLAttributes},
		"empty_dir": types.ObjectType{AttrTypes: emptyDirAttributes},
		"nfs":       types.ObjectType{AttrTypes: nfsAttributes},
		"gcs":       types.ObjectType{AttrTypes: gcsAttributes},
	}
	volumeType = types.ObjectType{AttrTypes: volumeAttributes}
)

// volumes reads the attribute volumes; false where the map is unknown.
func (m Model) volumes() (map[string]Volume, bool) {
	out := make(map[string]Volume, len(m.Volumes.Elements()))
	for name, v := range m.Volumes.Elements() {
		if o, ok := v.(types.Object); ok {
			out[name] = volumeOf(o)
		}
	}
	return out, !m.Volumes.IsUnknown()
}

func volumeOf(o types.Object) Volume {
	return Volume{
		Secret:   objectField(o, "secret", secretVolumeAttributes),
		CloudSQL: objectField(o, "cloud_sql", cloudSQLAttributes),
		EmptyDir: objectField(o, "empty_dir", emptyDirAttributes),
		NFS:      objectField(o, "nfs", nfsAttributes),
		GCS:      objectField(o, "gcs", gcsAttributes),
	}
}

// noVolume has no source yet.
func noVolume() Volume { return volumeOf(types.ObjectNull(volumeAttributes)) }

func (v Volume) object() types.Object {
	return types.ObjectValueMust(volumeAttributes, map[string]attr.Value{
		"secret": v.Secret, "cloud_sql": v.CloudSQL, "empty_dir": v.EmptyDir, "nfs": v.NFS, "gcs": v.GCS,
	})
}

func secretVolumeOf(o types.Object) SecretVolume {
	return SecretVolume{
		Secret:      stringField(o, "secret"),
		DefaultMode: field(o, "default_mode", customtype.FileModeUnknown(), customtype.FileModeNull()),
		Items:       mapField(o, "items", secretItemType),
	}
}

func (s SecretVolume) object() types.Object {
	return types.ObjectValueMust(secretVolumeAttributes, map[string]attr.Value{
		"secret": s.Secret, "default_mode": s.DefaultMode, "items": s.Items,
	})
}

func (s SecretVolume) items() map[string]SecretItem {
	out := make(map[string]SecretItem, len(s.Items.Elements()))
	for path, v := range s.Items.Elements() {
		if o, ok := v.(types.Object); ok {
			out[path] = SecretItem{
				Version: stringField(o, "version"),
				Mode:    field(o, "mode", customtype.FileModeUnknown(), customtype.FileModeNull()),
			}
		}
	}
	return out
}

func secretItemMap(in map[string]SecretItem, like types.Map) types.Map {
	if len(in) == 0 {
		return emptyMap(secretItemType, like)
	}
	out := make(map[string]attr.Value, len(in))
	for path, item := range in {
		out[path] = types.ObjectValueMust(secretItemAttributes, map[string]attr.Value{"version": item.Version, "mode": item.Mode})
	}
	return types.MapValueMust(secretItemType, out)
}

func emptyDirOf(o types.Object) EmptyDir {
	return EmptyDir{
		Medium:    stringField(o, "medium"),
		SizeLimit: field(o, "size_limit", customtype.QuantityUnknown(), customtype.QuantityNull()),
	}
}

func (e EmptyDir) object() types.Object {
	return types.ObjectValueMust(emptyDirAttributes, map[string]attr.Value{"medium": e.Medium, "size_limit": e.SizeLimit})
}

func nfsOf(o types.Object) NFS {
	return NFS{Server: stringField(o, "server"), Path: stringField(o, "path"), ReadOnly: boolField(o, "read_only")}
}

func (n NFS) object() types.Object {
	return types.ObjectValueMust(nfsAttributes, map[string]attr.Value{"server": n.Server, "path": n.Path, "read_only": n.ReadOnly})
}

func gcsOf(o types.Object) GCS {
	return GCS{
		Bucket: stringField(o, "bucket"), ReadOnly: boolField(o, "read_only"), MountOptions: listField(o, "mount_options", types.StringType),
	}
}

func (g GCS) object() types.Object {
	return types.ObjectValueMust(gcsAttributes, map[string]attr.Value{
		"bucket": g.Bucket, "read_only": g.ReadOnly, "mount_options": g.MountOptions,
	})
}

func volumeMap(in map[string]Volume, like types.Map) types.Map {
	if len(in) == 0 {
		return emptyMap(volumeType, like)
	}
	out := make(map[string]attr.Value, len(in))
	for name, v := range in {
		out[name] = v.object()
	}
	return types.MapValueMust(volumeType, out)
}
