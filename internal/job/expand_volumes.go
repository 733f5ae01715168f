package job

import (
	"maps"
	"slices"

	"cloud.google.com/go/run/apiv2/runpb"
)

// expandVolumes orders volumes by name, Cloud SQL last as the API itself answers them.
func expandVolumes(in map[string]Volume, current []*runpb.Volume) []*runpb.Volume {
	var out, sql []*runpb.Volume
	for _, name := range slices.Sorted(maps.Keys(in)) {
		v := currentOr(current, func(old *runpb.Volume) bool { return old.GetName() == name })
		v.Name = name
		expandVolume(in[name], v)
		if v.GetCloudSqlInstance() != nil {
			sql = append(sql, v)
			continue
		}
		out = append(out, v)
	}
	return append(out, sql...)
}

func expandVolume(v Volume, out *runpb.Volume) {
	switch {
	case known(v.Secret):
		out.VolumeType = &runpb.Volume_Secret{Secret: expandSecretVolume(secretVolumeOf(v.Secret), orNew(out.GetSecret()))}
	case known(v.CloudSQL):
		sql := orNew(out.GetCloudSqlInstance())
		sql.Instances = texts(listField(v.CloudSQL, "instances", stringListType.ElemType))
		out.VolumeType = &runpb.Volume_CloudSqlInstance{CloudSqlInstance: sql}
	case known(v.EmptyDir):
		out.VolumeType = &runpb.Volume_EmptyDir{EmptyDir: expandEmptyDir(emptyDirOf(v.EmptyDir), orNew(out.GetEmptyDir()))}
	case known(v.NFS):
		nfs, share := nfsOf(v.NFS), orNew(out.GetNfs())
		share.Server, share.Path, share.ReadOnly = nfs.Server.ValueString(), nfs.Path.ValueString(), nfs.ReadOnly.ValueBool()
		out.VolumeType = &runpb.Volume_Nfs{Nfs: share}
	case known(v.GCS):
		gcs, bucket := gcsOf(v.GCS), orNew(out.GetGcs())
		bucket.Bucket, bucket.ReadOnly, bucket.MountOptions = gcs.Bucket.ValueString(), gcs.ReadOnly.ValueBool(), texts(gcs.MountOptions)
		out.VolumeType = &runpb.Volume_Gcs{Gcs: bucket}
	}
}

func expandSecretVolume(s SecretVolume, out *runpb.SecretVolumeSource) *runpb.SecretVolumeSource {
	out.Secret = s.Secret.ValueString()
	out.DefaultMode, _ = s.DefaultMode.Bits() // 0, like absent, is the API's default
	items, current := s.items(), out.GetItems()
	out.Items = nil
	for _, path := range slices.Sorted(maps.Keys(items)) {
		item := currentOr(current, func(old *runpb.VersionToPath) bool { return old.GetPath() == path })
		item.Path, item.Version = path, items[path].Version.ValueString()
		item.Mode, _ = items[path].Mode.Bits() // 0, like absent, is the mode of the volume
		out.Items = append(out.Items, item)
	}
	return out
}

func expandEmptyDir(e EmptyDir, out *runpb.EmptyDirVolumeSource) *runpb.EmptyDirVolumeSource {
	out.Medium = runpb.EmptyDirVolumeSource_Medium(runpb.EmptyDirVolumeSource_Medium_value[e.Medium.ValueString()])
	out.SizeLimit = e.SizeLimit.ValueString()
	return out
}

func expandMounts(in map[string]VolumeMount, current []*runpb.VolumeMount) []*runpb.VolumeMount {
	out := make([]*runpb.VolumeMount, 0, len(in))
	for _, path := range slices.Sorted(maps.Keys(in)) {
		mount := currentOr(current, func(old *runpb.VolumeMount) bool { return old.GetMountPath() == path })
		mount.MountPath, mount.Name, mount.SubPath = path, in[path].Volume.ValueString(), in[path].SubPath.ValueString()
		out = append(out, mount)
	}
	return out
}
