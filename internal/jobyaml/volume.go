package jobyaml

import (
	"strings"

	"cloud.google.com/go/run/apiv2/runpb"
)

const (
	gcsDriver = "gcsfuse.run.googleapis.com"
	cloudSQL  = "cloudsql"
)

// readAliases reads what v1 calls secrets of other projects by: ALIAS:projects/P/secrets/S,ANOTHER:…
func (c *converter) readAliases(text string) {
	for _, entry := range split(text) {
		alias, name, found := strings.Cut(entry, ":")
		if !found {
			c.fault("annotation %q has the entry %q: write ALIAS:projects/PROJECT/secrets/SECRET", secretAliases, shorten(entry))
			continue
		}
		c.aliases[alias] = name
	}
}

// secret is the name of a secret, of which an alias stands for the full one.
func (c *converter) secret(name string) string {
	if full, found := c.aliases[name]; found {
		return full
	}
	return name
}

func (c *converter) volume(in volume) *runpb.Volume {
	out := &runpb.Volume{Name: in.Name}
	kinds := 0
	if in.CSI != nil {
		kinds++
		if in.CSI.Driver != gcsDriver {
			c.fault("volume %q has the driver %q: only %q can be carried over", shorten(in.Name), shorten(in.CSI.Driver), gcsDriver)
		}
		out.VolumeType = &runpb.Volume_Gcs{Gcs: &runpb.GCSVolumeSource{
			Bucket: in.CSI.VolumeAttributes.BucketName, ReadOnly: in.CSI.ReadOnly, MountOptions: split(in.CSI.VolumeAttributes.MountOptions),
		}}
	}
	if in.NFS != nil {
		kinds++
		out.VolumeType = &runpb.Volume_Nfs{Nfs: &runpb.NFSVolumeSource{Server: in.NFS.Server, Path: in.NFS.Path, ReadOnly: in.NFS.ReadOnly}}
	}
	if in.Secret != nil {
		kinds++
		out.VolumeType = &runpb.Volume_Secret{Secret: c.secretVolume(*in.Secret)}
	}
	if in.EmptyDir != nil {
		kinds++
		out.VolumeType = &runpb.Volume_EmptyDir{EmptyDir: c.emptyDir(in.Name, *in.EmptyDir)}
	}
	if kinds != 1 {
		c.fault("volume %q needs exactly one of csi, nfs, secret and emptyDir, and has %d", shorten(in.Name), kinds)
	}
	return out
}

func (c *converter) secretVolume(in secretVolume) *runpb.SecretVolumeSource {
	out := &runpb.SecretVolumeSource{Secret: c.secret(in.SecretName)}
	if in.DefaultMode != nil {
		out.DefaultMode = int32(*in.DefaultMode)
	}
	for _, item := range in.Items {
		version := &runpb.VersionToPath{Version: item.Key, Path: item.Path}
		if item.Mode != nil {
			version.Mode = int32(*item.Mode)
		}
		out.Items = append(out.Items, version)
	}
	return out
}

func (c *converter) emptyDir(name string, in emptyDir) *runpb.EmptyDirVolumeSource {
	out := &runpb.EmptyDirVolumeSource{SizeLimit: in.SizeLimit, Medium: runpb.EmptyDirVolumeSource_MEMORY}
	switch strings.ToLower(in.Medium) {
	case "", "memory":
	case "disk":
		out.Medium = runpb.EmptyDirVolumeSource_DISK
	default:
		c.fault("volume %q has the medium %q: write Memory or Disk", shorten(name), shorten(in.Medium))
	}
	return out
}

// mountCloudSQL makes of the annotation what v2 has for it: a volume, and a mount of it in every container. Only the real service
// can tell whether it shows a job made through v1 just so.
func mountCloudSQL(task *runpb.TaskTemplate, instances string) {
	if instances == "" {
		return
	}
	task.Volumes = append(task.Volumes, &runpb.Volume{
		Name:       cloudSQL,
		VolumeType: &runpb.Volume_CloudSqlInstance{CloudSqlInstance: &runpb.CloudSqlInstance{Instances: split(instances)}},
	})
	for _, container := range task.GetContainers() {
		container.VolumeMounts = append(container.VolumeMounts, &runpb.VolumeMount{Name: cloudSQL, MountPath: "/" + cloudSQL})
	}
}
