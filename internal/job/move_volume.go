package job

import "cloud.google.com/go/run/apiv2/runpb"

type peerVolume struct {
	Name     string              `json:"name"`
	Secret   block[peerSecret]   `json:"secret"`
	CloudSQL block[peerSQL]      `json:"cloud_sql_instance"`
	EmptyDir block[peerEmptyDir] `json:"empty_dir"`
	GCS      block[peerGCS]      `json:"gcs"`
	NFS      block[peerNFS]      `json:"nfs"`
}

type peerSecret struct {
	Secret      string           `json:"secret"`
	DefaultMode int32            `json:"default_mode"`
	Items       []peerSecretItem `json:"items"`
}

type peerSecretItem struct {
	Path    string `json:"path"`
	Version string `json:"version"`
	Mode    int32  `json:"mode"`
}

type peerSQL struct {
	Instances []string `json:"instances"`
}

type peerEmptyDir struct {
	Medium    string `json:"medium"`
	SizeLimit string `json:"size_limit"`
}

type peerGCS struct {
	Bucket       string   `json:"bucket"`
	ReadOnly     bool     `json:"read_only"`
	MountOptions []string `json:"mount_options"`
}

type peerNFS struct {
	Server   string `json:"server"`
	Path     string `json:"path"`
	ReadOnly bool   `json:"read_only"`
}

func (v peerVolume) expand() *runpb.Volume {
	out := &runpb.Volume{Name: v.Name}
	switch {
	case len(v.Secret) > 0:
		secret := v.Secret.get()
		source := &runpb.SecretVolumeSource{Secret: secret.Secret, DefaultMode: secret.DefaultMode}
		for _, item := range secret.Items {
			source.Items = append(source.Items, &runpb.VersionToPath{Path: item.Path, Version: item.Version, Mode: item.Mode})
		}
		out.VolumeType = &runpb.Volume_Secret{Secret: source}
	case len(v.CloudSQL) > 0:
		out.VolumeType = &runpb.Volume_CloudSqlInstance{CloudSqlInstance: &runpb.CloudSqlInstance{Instances: v.CloudSQL.get().Instances}}
	case len(v.EmptyDir) > 0:
		dir := v.EmptyDir.get()
		out.VolumeType = &runpb.Volume_EmptyDir{EmptyDir: &runpb.EmptyDirVolumeSource{
			Medium: runpb.EmptyDirVolumeSource_Medium(runpb.EmptyDirVolumeSource_Medium_value[dir.Medium]), SizeLimit: dir.SizeLimit,
		}}
	case len(v.GCS) > 0:
		gcs := v.GCS.get()
		out.VolumeType = &runpb.Volume_Gcs{Gcs: &runpb.GCSVolumeSource{
			Bucket: gcs.Bucket, ReadOnly: gcs.ReadOnly, MountOptions: gcs.MountOptions,
		}}
	case len(v.NFS) > 0:
		nfs := v.NFS.get()
		out.VolumeType = &runpb.Volume_Nfs{Nfs: &runpb.NFSVolumeSource{Server: nfs.Server, Path: nfs.Path, ReadOnly: nfs.ReadOnly}}
	}
	return out
}
