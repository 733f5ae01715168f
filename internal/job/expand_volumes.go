package job

import (
	"maps"
	"slices"

	"cloud.google.com/go/run/apiv2/runpb"
)

// expandVolumes orders volumes by name, Cloud SQL last as the API itself answers them.
func expandVolumes(in map[string]Volume) []*runpb.Volume {
	var out, sql []*runpb.Volume
	for _, name := range slices.Sorted(maps.Keys(in)) {
		v := expandVolume(name, in[name])
		if v.GetCloudSqlInstance() != nil {
			sql = append(sql, v)
			continue
		}
		out = append(out, v)
	}
	return append(out, sql...)
}

func expandVolume(name string, v Volume) *runpb.Volume {
	out := &runpb.Volume{Name: name}
	switch {
	case known(v.Secret):
		out.VolumeType = &runpb.Volume_Secret{Secret: expandSecretVolume(secretVolumeOf(v.Secret))}
	case known(v.CloudSQL):
		instances := texts(listField(v.CloudSQL, "instances", stringListType.ElemType))
		out.VolumeType = &runpb.Volume_CloudSqlInstance{CloudSqlInstance: &runpb.CloudSqlInstance{Instances: instances}}
	case known(v.EmptyDir):
		out.VolumeType = &runpb.Volume_EmptyDir{EmptyDir: expandEmptyDir(emptyDirOf(v.EmptyDir))}
	case known(v.NFS):
		nfs := nfsOf(v.NFS)
		out.VolumeType = &runpb.Volume_Nfs{Nfs: &runpb.NFSVolumeSource{
			Server: nfs.Server.ValueString(), Path: nfs.Path.ValueString(), ReadOnly: nfs.ReadOnly.ValueBool(),
		}}
	case known(v.GCS):
		gcs := gcsOf(v.GCS)
		out.VolumeType = &runpb.Volume_Gcs{Gcs: &runpb.GCSVolumeSource{
			Bucket: gcs.Bucket.ValueString(), ReadOnly: gcs.ReadOnly.ValueBool(), MountOptions: texts(gcs.MountOptions),
		}}
	}
	return out
}

func expandSecretVolume(s SecretVolume) *runpb.SecretVolumeSource {
	out := &runpb.SecretVolumeSource{Secret: s.Secret.ValueString()}
	out.DefaultMode, _ = s.DefaultMode.Bits() // 0, like absent, is the API's default
	items := s.items()
	for _, path := range slices.Sorted(maps.Keys(items)) {
		mode, _ := items[path].Mode.Bits()
		out.Items = append(out.Items, &runpb.VersionToPath{Path: path, Version: items[path].Version.ValueString(), Mode: mode})
	}
	return out
}

func expandEmptyDir(e EmptyDir) *runpb.EmptyDirVolumeSource {
	return &runpb.EmptyDirVolumeSource{
		Medium:    runpb.EmptyDirVolumeSource_Medium(runpb.EmptyDirVolumeSource_Medium_value[e.Medium.ValueString()]),
		SizeLimit: e.SizeLimit.ValueString(),
	}
}

func expandMounts(in map[string]VolumeMount) []*runpb.VolumeMount {
	out := make([]*runpb.VolumeMount, 0, len(in))
	for _, path := range slices.Sorted(maps.Keys(in)) {
		out = append(out, &runpb.VolumeMount{
			Name: in[path].Volume.ValueString(), MountPath: path, SubPath: in[path].SubPath.ValueString(),
		})
	}
	return out
}
