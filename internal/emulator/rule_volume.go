package emulator

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"cloud.google.com/go/run/apiv2/runpb"
)

const (
	maxMode        = 0o777
	cloudSQLVolume = "cloudsql"
)

var instancePattern = regexp.MustCompile(`^[^:]+(:[^:]+)?:[^:]+:[^:]+$`)

// checkVolumes is about each volume by itself, and the names of all. A volume without a source, and a relative path on an NFS server,
// are no mistakes to the service.
func (c *checker) checkVolumes() {
	var names []string
	for i, volume := range c.task().GetVolumes() {
		if slices.Contains(names, volume.GetName()) {
			c.template("template.template.volumes", "Duplicate volume name: %s.", volume.GetName())
		}
		names = append(names, volume.GetName())
		c.checkVolume(indexed("template.template.volumes", i), volume)
	}
}

func (c *checker) checkVolume(field string, volume *runpb.Volume) {
	switch source := volume.GetVolumeType().(type) {
	case *runpb.Volume_Secret:
		c.checkSecretVolume(field+".secret", source.Secret)
	case *runpb.Volume_CloudSqlInstance:
		if volume.GetName() != cloudSQLVolume {
			c.template(field+".name", "Cloud SQL volume must be named '%s'.", cloudSQLVolume)
		}
		for _, instance := range source.CloudSqlInstance.GetInstances() {
			if !instancePattern.MatchString(instance) {
				c.request(field+".cloud_sql_instance.instances", "must be in the format project:location:instance")
			}
		}
	case *runpb.Volume_EmptyDir:
		if size := source.EmptyDir.GetSizeLimit(); size != "" {
			if _, err := parseQuantity(size); err != nil {
				c.template(field+".empty_dir.size_limit", "Could not parse Quantity '%s'.", size)
			}
		}
	case *runpb.Volume_Gcs:
		if source.Gcs.GetBucket() == "" {
			c.template(field+".gcs.bucket", "Bucket name must be specified.")
		}
	case *runpb.Volume_Nfs:
		if source.Nfs.GetServer() == "" {
			c.request(field+".nfs.server", "required field not present.")
		}
	}
}

func (c *checker) checkSecretVolume(field string, secret *runpb.SecretVolumeSource) {
	if secret.GetSecret() == "" {
		c.request(field+".secret", "required field not present.")
	}
	if mode := secret.GetDefaultMode(); mode < 0 || mode > maxMode {
		c.request(field+".default_mode", "must be a supported unix chmod bitmask")
	}
	for i, item := range secret.GetItems() {
		at := field + "." + indexed("items", i)
		if item.GetPath() == "" {
			c.request(at+".path", "required field not present.")
		}
		if item.GetMode() < 0 || item.GetMode() > maxMode {
			c.request(at+".mode", "must be a supported unix chmod bitmask")
		}
		if !secretVersionPattern.MatchString(item.GetVersion()) {
			c.request(at+".version", "should have only alphanumeric characters")
		}
	}
}

// systemPaths are where nothing may be mounted.
var systemPaths = []string{"/dev", "/proc", "/sys"}

// checkMounts is about where containers see volumes. The same path twice is no mistake to the service.
func (c *checker) checkMounts() {
	volumes := map[string]*runpb.Volume{}
	for _, volume := range c.task().GetVolumes() {
		volumes[volume.GetName()] = volume
	}
	for i, container := range c.task().GetContainers() {
		for n, mount := range container.GetVolumeMounts() {
			field := containerField(i, ".") + indexed("volume_mounts", n)
			volume, exists := volumes[mount.GetName()]
			if !exists {
				c.template(containerField(i, ".volume_mounts"), "Volume mounts contain names %s which were not found in volumes list.", mount.GetName())
			}
			if volume.GetSecret() != nil && mount.GetSubPath() != "" {
				c.template(field+".sub_path", "Secret volume mount cannot have sub_path set.")
			}
			c.checkMountPath(field+".mount_path", mount.GetMountPath())
		}
	}
}

func (c *checker) checkMountPath(field, mountPath string) {
	if !path.IsAbs(mountPath) || strings.Contains(mountPath, ":") {
		c.request(field, "must be a valid unix absolute path")
		return
	}
	clean := path.Clean(mountPath)
	if slices.ContainsFunc(systemPaths, func(system string) bool { return clean == system || strings.HasPrefix(clean, system+"/") }) {
		c.template(field, "Mount paths %s are in one of disallowed mount points.", mountPath)
	}
}
