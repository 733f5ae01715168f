package diagnose

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"cloud.google.com/go/run/apiv2/runpb"
	"github.com/hashicorp/terraform-plugin-framework/path"
)

// attributeOf is the attribute of the resource behind a field of the API: of v2 ("template.template.containers[0].image", with or
// without "Violation in CreateJobRequest.job." before it, in snake or camel case) or of v1 ("spec.template.spec.parallelism").
// What the API numbers and the resource names (volumes, variables) is looked up in the request. It is empty where no attribute
// of the resource can cure the field.
func attributeOf(field string, sent *runpb.Job) path.Path {
	steps := fieldSteps(field)
	if len(steps) > 0 && steps[0].name == "spec" {
		return v1Attribute(steps)
	}
	depth := 0
	for len(steps) > 0 && steps[0].name == "template" {
		steps, depth = steps[1:], depth+1
	}
	if len(steps) == 0 {
		return path.Empty()
	}
	switch first := steps[0]; {
	case depth == 1 && (first.name == "labels" || first.name == "annotations"):
		return path.Root("execution_" + first.name)
	case depth < 2:
		return plain(first.name, jobAttributes)
	default:
		return taskAttribute(steps, sent.GetTemplate().GetTemplate())
	}
}

// The attributes that stand at the top of the resource, by the name of their field.
var (
	jobAttributes = map[string]string{
		"name": "name", "job_id": "name", "labels": "labels", "annotations": "annotations", "launch_stage": "launch_stage",
		"binary_authorization": "binary_authorization", "parallelism": "parallelism", "task_count": "task_count",
	}
	taskAttributes = map[string]string{
		"max_retries": "max_retries", "timeout": "task_timeout", "service_account": "service_account", "encryption_key": "encryption_key",
		"containers": "containers", "volumes": "volumes", "vpc_access": "vpc_access",
	}
)

func plain(field string, among map[string]string) path.Path {
	if attribute, ok := among[field]; ok {
		return path.Root(attribute)
	}
	return path.Empty()
}

func taskAttribute(steps []step, task *runpb.TaskTemplate) path.Path {
	first, rest := steps[0], steps[1:]
	switch {
	case first.name == "node_selector":
		return path.Root("gpu").AtName("type")
	case first.name == "gpu_zonal_redundancy_disabled":
		return path.Root("gpu").AtName("zonal_redundancy")
	case first.name == "containers" && first.index >= 0:
		return containerAttribute(path.Root("containers").AtListIndex(first.index), rest, at(task.GetContainers(), first.index))
	case first.name == "volumes" && first.index >= 0:
		if v := at(task.GetVolumes(), first.index); v != nil {
			return volumeAttribute(path.Root("volumes").AtMapKey(v.GetName()), rest)
		}
	case first.name == "vpc_access" && len(rest) > 0:
		last := rest[len(rest)-1].name
		if last == "tags" {
			last = "network_tags"
		}
		if last != "network_interfaces" {
			return path.Root("vpc_access").AtName(last)
		}
	}
	return plain(first.name, taskAttributes)
}

func containerAttribute(here path.Path, steps []step, c *runpb.Container) path.Path {
	if len(steps) == 0 {
		return here
	}
	switch first := steps[0]; first.name {
	case "env":
		if v := at(c.GetEnv(), first.index); v != nil {
			kind := "env"
			if v.GetValueSource() != nil {
				kind = "secret_env"
			}
			return here.AtName(kind).AtMapKey(v.GetName())
		}
		return here.AtName("env")
	case "resources":
		switch last := steps[len(steps)-1].name; last {
		case "cpu", "memory":
			return here.AtName("resources").AtName(last)
		case "gpu", "nvidia.com/gpu":
			return path.Root("gpu").AtName("count")
		}
		return here.AtName("resources")
	case "volume_mounts":
		if m := at(c.GetVolumeMounts(), first.index); m != nil {
			return here.AtName("volume_mounts").AtMapKey(m.GetMountPath())
		}
		return here.AtName("volume_mounts")
	case "name", "image", "command", "args", "working_dir", "depends_on", "startup_probe":
		return here.AtName(first.name)
	}
	return here
}

func volumeAttribute(here path.Path, steps []step) path.Path {
	sources := map[string]string{
		"secret": "secret", "cloud_sql_instance": "cloud_sql", "empty_dir": "empty_dir", "nfs": "nfs", "gcs": "gcs",
	}
	if len(steps) == 0 || sources[steps[0].name] == "" {
		return here
	}
	return here.AtName(sources[steps[0].name])
}

// v1Attribute serves the few fields of v1 that the API names in answers about jobs.
func v1Attribute(steps []step) path.Path {
	last := steps[len(steps)-1].name
	switch last {
	case "parallelism", "task_count", "max_retries":
		return path.Root(last)
	case "timeout_seconds":
		return path.Root("task_timeout")
	case "service_account_name":
		return path.Root("service_account")
	}
	for i, s := range steps {
		if s.name == "containers" && s.index >= 0 {
			return containerAttribute(path.Root("containers").AtListIndex(s.index), steps[i+1:], nil)
		}
	}
	return path.Empty()
}

// step is one step of a field: a name in snake case, and an index, -1 where there is none.
type step struct {
	name  string
	index int
}

var (
	violationPrefix = regexp.MustCompile(`^(Violation in )?(\w+Request\.)?(job\.)?`)
	indexed         = regexp.MustCompile(`^(.*)\[(\d+)\]$`)
)

func fieldSteps(field string) []step {
	field = strings.TrimPrefix(field, violationPrefix.FindString(field))
	// The key of the GPU limit has a dot of its own.
	field = strings.ReplaceAll(field, "nvidia.com/gpu", "gpu")
	var out []step
	for part := range strings.SplitSeq(field, ".") {
		s := step{name: snake(part), index: -1}
		if m := indexed.FindStringSubmatch(s.name); m != nil {
			if n, err := strconv.Atoi(m[2]); err == nil {
				s = step{name: m[1], index: n}
			}
		}
		if s.name != "" {
			out = append(out, s)
		}
	}
	return out
}

// snake is the name of a field in snake case, whichever case it came in.
func snake(s string) string {
	var out strings.Builder
	for i, r := range s {
		if unicode.IsUpper(r) && i > 0 {
			out.WriteByte('_')
		}
		out.WriteRune(unicode.ToLower(r))
	}
	return out.String()
}

// at is an element of a list, the zero value where the list is shorter.
func at[T any](list []T, i int) (element T) {
	if i >= 0 && i < len(list) {
		element = list[i]
	}
	return element
}
