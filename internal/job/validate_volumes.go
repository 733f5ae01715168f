package job

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	tfpath "github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/diagnose"
)

// cloudSQLVolume is the only name that the API takes for a volume of Cloud SQL sockets.
const cloudSQLVolume = "cloudsql"

// cachePrefix names a volume of the job as the cache of a Cloud Storage volume, among its mount options.
const cachePrefix = "cache-dir=cr-volume:"

// forbiddenMounts belong to the system of the container.
var forbiddenMounts = []string{"/dev", "/proc", "/sys"}

func volumePath(name string) tfpath.Path { return tfpath.Root("volumes").AtMapKey(name) }

// checkVolumeSources sees that each volume has exactly one source, and a Cloud SQL volume its one name. The API accepts a
// volume without a source and fails when a task starts.
func checkVolumeSources(c configuration) (diags diag.Diagnostics) {
	volumes, _ := c.volumes()
	for _, name := range slices.Sorted(maps.Keys(volumes)) {
		v := volumes[name]
		set, sure := sources(v)
		switch {
		case len(set) > 1:
			diags.Append(diagnose.Invalid(volumePath(name), diagnose.Message{
				What: fmt.Sprintf("The volume %q has %d sources: %s.", name, len(set), strings.Join(set, ", ")),
				Do:   "Keep one, and give the others a volume of their own.",
			}))
		case len(set) == 0 && sure:
			diags.Append(diagnose.Invalid(volumePath(name), diagnose.Message{
				What: fmt.Sprintf("The volume %q has no source.", name),
				Do:   "Set exactly one of secret, cloud_sql, empty_dir, nfs and gcs.",
			}))
		}
		if known(v.CloudSQL) && name != cloudSQLVolume {
			diags.Append(diagnose.Invalid(volumePath(name), diagnose.Message{
				What: fmt.Sprintf("The volume %q of Cloud SQL sockets has the wrong name.", name),
				Why:  fmt.Sprintf("Cloud Run takes such a volume only by the name %q.", cloudSQLVolume),
				Do:   fmt.Sprintf("Rename the volume to %q, here and in volume_mounts.", cloudSQLVolume),
			}))
		}
	}
	return diags
}

// sources lists the sources that a volume has; sure is false while one of them is not known.
func sources(v Volume) (set []string, sure bool) {
	sure = true
	for _, s := range []struct {
		name  string
		value attr.Value
	}{{"secret", v.Secret}, {"cloud_sql", v.CloudSQL}, {"empty_dir", v.EmptyDir}, {"nfs", v.NFS}, {"gcs", v.GCS}} {
		if known(s.value) {
			set = append(set, s.name)
		}
		sure = sure && !s.value.IsUnknown()
	}
	return set, sure
}

// checkMounts sees that what is mounted exists, and where it is mounted is possible.
func checkMounts(c configuration) (diags diag.Diagnostics) {
	volumes, sure := c.volumes()
	for i, container := range c.containers {
		mounts := container.mounts()
		first := map[string]string{}
		for _, at := range slices.Sorted(maps.Keys(mounts)) {
			here := containerPath(i).AtName("volume_mounts").AtMapKey(at)
			diags.Append(checkMountPath(here, at)...)
			if before, twice := first[path.Clean(at)]; twice {
				diags.Append(diagnose.Invalid(here, diagnose.Message{
					What: fmt.Sprintf("%q and %q are the same path: one of the two volumes would never be seen.", before, at),
					Do:   "Mount each volume at a path of its own.",
				}))
			}
			first[path.Clean(at)] = at
			if sure {
				diags.Append(checkMountedVolume(here, mounts[at], volumes)...)
			}
		}
	}
	return diags
}

func checkMountPath(here tfpath.Path, at string) (diags diag.Diagnostics) {
	clean := path.Clean(at)
	switch {
	case !path.IsAbs(at) || strings.ContainsAny(at, ":\x00"):
		diags.Append(diagnose.Invalid(here, diagnose.Message{
			What: fmt.Sprintf("%q is not a path to mount at.", shorten(at)),
			Why:  "A mount path is absolute and has no colon.",
			Do:   `Write something like "/models".`,
		}))
	case slices.ContainsFunc(forbiddenMounts, func(f string) bool { return clean == f || strings.HasPrefix(clean, f+"/") }):
		diags.Append(diagnose.Invalid(here, diagnose.Message{
			What: fmt.Sprintf("Nothing can be mounted at %q.", at),
			Why:  "The directories " + strings.Join(forbiddenMounts, ", ") + " belong to the system.",
			Do:   `Choose another path, such as "/models".`,
		}))
	}
	return diags
}

func checkMountedVolume(here tfpath.Path, m VolumeMount, volumes map[string]Volume) (diags diag.Diagnostics) {
	if !known(m.Volume) {
		return nil
	}
	v, ok := volumes[m.Volume.ValueString()]
	if !ok {
		diags.Append(diagnose.Invalid(here.AtName("volume"), diagnose.Message{
			What: fmt.Sprintf("There is no volume %q.", m.Volume.ValueString()),
			Do:   "Add it to volumes, or name one that is there" + oneOf(slices.Sorted(maps.Keys(volumes))) + ".",
		}))
		return diags
	}
	if known(v.Secret) && known(m.SubPath) {
		diags.Append(diagnose.Invalid(here.AtName("sub_path"), diagnose.Message{
			What: fmt.Sprintf("The secret volume %q cannot be mounted with a sub_path.", m.Volume.ValueString()),
			Do:   "Leave sub_path out; choose the files with items of the volume.",
		}))
	}
	return diags
}

// checkCaches sees that a volume named as a cache in mount options exists and can be one.
func checkCaches(c configuration) (diags diag.Diagnostics) {
	volumes, sure := c.volumes()
	for _, name := range slices.Sorted(maps.Keys(volumes)) {
		for i, option := range texts(gcsOf(volumes[name].GCS).MountOptions) {
			cache, ok := strings.CutPrefix(option, cachePrefix)
			if !ok || !sure {
				continue
			}
			here := volumePath(name).AtName("gcs").AtName("mount_options").AtListIndex(i)
			target, exists := volumes[cache]
			switch set, sourcesKnown := sources(target); {
			case !exists:
				diags.Append(diagnose.Invalid(here, diagnose.Message{
					What: fmt.Sprintf("The option %q names a volume that is not there.", option),
					Do:   fmt.Sprintf("Add it: volumes = { %s = { empty_dir = { medium = \"MEMORY\", size_limit = \"8Gi\" } } }.", cache),
				}))
			case sourcesKnown && !slices.Contains(set, "empty_dir"):
				diags.Append(diagnose.Invalid(here, diagnose.Message{
					What: fmt.Sprintf("The option %q names a volume that cannot be a cache.", option),
					Why:  "Cloud Storage FUSE keeps its cache in a volume with the source empty_dir.",
					Do:   fmt.Sprintf("Give the volume %q the source empty_dir.", cache),
				}))
			}
		}
	}
	return diags
}

// checkDiskStage warns of a disk volume without the launch stage that its preview needs.
func checkDiskStage(c configuration) (diags diag.Diagnostics) {
	if c.LaunchStage.IsUnknown() || (known(c.LaunchStage) && c.LaunchStage.ValueString() != "GA") {
		return nil
	}
	volumes, _ := c.volumes()
	for _, name := range slices.Sorted(maps.Keys(volumes)) {
		if emptyDirOf(volumes[name].EmptyDir).Medium.ValueString() != "DISK" {
			continue
		}
		diags.Append(diagnose.Doubtful(volumePath(name).AtName("empty_dir").AtName("medium"), diagnose.Message{
			What: fmt.Sprintf("The volume %q is on disk, which is a preview.", name),
			Why:  "Cloud Run may refuse features in preview in a job of launch stage GA.",
			Do:   `Set launch_stage = "BETA".`,
		}))
	}
	return diags
}
