package job

import (
	"cloud.google.com/go/run/apiv2/runpb"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/customtype"
)

func flattenVolumes(in []*runpb.Volume, prior Model) types.Map {
	before, _ := prior.volumes()
	out := make(map[string]Volume, len(in))
	for _, v := range in {
		out[v.GetName()] = flattenVolume(v, before[v.GetName()])
	}
	return volumeMap(out, prior.Volumes)
}

func flattenVolume(in *runpb.Volume, prior Volume) Volume {
	out := noVolume()
	switch {
	case in.GetSecret() != nil:
		out.Secret = flattenSecretVolume(in.GetSecret(), secretVolumeOf(prior.Secret)).object()
	case in.GetCloudSqlInstance() != nil:
		was := listField(prior.CloudSQL, "instances", types.StringType)
		out.CloudSQL = types.ObjectValueMust(cloudSQLAttributes, map[string]attr.Value{
			"instances": sameElements(in.GetCloudSqlInstance().GetInstances(), was),
		})
	case in.GetEmptyDir() != nil:
		out.EmptyDir = flattenEmptyDir(in.GetEmptyDir(), emptyDirOf(prior.EmptyDir)).object()
	case in.GetNfs() != nil:
		out.NFS = NFS{
			Server:   types.StringValue(in.GetNfs().GetServer()),
			Path:     types.StringValue(in.GetNfs().GetPath()),
			ReadOnly: types.BoolValue(in.GetNfs().GetReadOnly()),
		}.object()
	case in.GetGcs() != nil:
		out.GCS = GCS{
			Bucket:       types.StringValue(in.GetGcs().GetBucket()),
			ReadOnly:     types.BoolValue(in.GetGcs().GetReadOnly()),
			MountOptions: stringList(in.GetGcs().GetMountOptions(), gcsOf(prior.GCS).MountOptions),
		}.object()
	}
	return out
}

func flattenSecretVolume(in *runpb.SecretVolumeSource, prior SecretVolume) SecretVolume {
	before := prior.items()
	items := make(map[string]SecretItem, len(in.GetItems()))
	for _, item := range in.GetItems() {
		mode := customtype.FileModeNull()
		// An absent mode means that of the volume; the server may answer with that one spelled out.
		if item.GetMode() != 0 && (known(before[item.GetPath()].Mode) || item.GetMode() != in.GetDefaultMode()) {
			mode = flattenMode(item.GetMode(), before[item.GetPath()].Mode)
		}
		items[item.GetPath()] = SecretItem{Version: types.StringValue(item.GetVersion()), Mode: mode}
	}
	mode := in.GetDefaultMode()
	if mode == 0 {
		mode = 0o444
	}
	return SecretVolume{
		Secret:      types.StringValue(in.GetSecret()),
		DefaultMode: flattenMode(mode, prior.DefaultMode),
		Items:       secretItemMap(items, prior.Items),
	}
}

func flattenMode(bits int32, prior customtype.FileMode) customtype.FileMode {
	if before, ok := prior.Bits(); ok && before == bits {
		return prior
	}
	return customtype.FileModeValue(bits)
}

func flattenEmptyDir(in *runpb.EmptyDirVolumeSource, prior EmptyDir) EmptyDir {
	medium := in.GetMedium()
	if medium == runpb.EmptyDirVolumeSource_MEDIUM_UNSPECIFIED {
		medium = runpb.EmptyDirVolumeSource_MEMORY
	}
	limit := flattenQuantity(in.GetSizeLimit())
	if same(limit, prior.SizeLimit) {
		limit = prior.SizeLimit
	}
	return EmptyDir{Medium: types.StringValue(medium.String()), SizeLimit: limit}
}

// flattenMounts reads the mounts of a container. The server mounts Cloud SQL sockets by itself; that mount is reported only
// where it was written, or where nothing was written yet.
func flattenMounts(in []*runpb.VolumeMount, prior types.Map, imported bool) types.Map {
	out := make(map[string]VolumeMount, len(in))
	for _, m := range in {
		_, written := prior.Elements()[m.GetMountPath()]
		if m.GetName() == cloudSQLVolume && m.GetMountPath() == "/"+cloudSQLVolume && !written && !imported {
			continue
		}
		out[m.GetMountPath()] = VolumeMount{
			Volume:  types.StringValue(m.GetName()),
			SubPath: optionalString(m.GetSubPath(), types.StringNull()),
		}
	}
	return mountMap(out, prior)
}
