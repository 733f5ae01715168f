package emulator

import (
	"regexp"
	"slices"

	"cloud.google.com/go/run/apiv2/runpb"
)

const maxArgs = 1000

var (
	// RFC 1123, where the service also takes dots.
	containerNamePattern = regexp.MustCompile(`^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$`)
	imagePattern         = regexp.MustCompile(
		`^([a-zA-Z0-9][-a-zA-Z0-9.]*(:[0-9]+)?/)?` + // host name
			`[a-z0-9]+([._-]+[a-z0-9]+)*(/[a-z0-9]+([._-]+[a-z0-9]+)*)*` + // path
			`(:[a-zA-Z0-9_][-a-zA-Z0-9_.]{0,127})?` + // tag
			`(@[a-z0-9]+([+._-][a-z0-9]+)*:[0-9a-fA-F]{32,})?$`) // digest
)

// checkContainers is about each container by itself, and the names of all.
func (c *checker) checkContainers() {
	var names []string
	args := 0
	for i, container := range c.task().GetContainers() {
		c.checkContainer(i, container)
		if name := container.GetName(); name != "" {
			if slices.Contains(names, name) {
				c.request("template.template.containers", "duplicate container names: %s", name)
			}
			names = append(names, name)
		}
		args += len(container.GetArgs())
	}
	if args > maxArgs {
		c.template("template.template.containers", "Exceeded the limit on Args across all containers: %d.", maxArgs)
	}
}

func (c *checker) checkContainer(i int, container *runpb.Container) {
	name := container.GetName()
	if name != "" && (len(name) > maxNameLength || !containerNamePattern.MatchString(name)) {
		c.request(containerField(i, ".name"), "must conform to RFC 1123")
	}
	switch image := container.GetImage(); {
	case image == "":
		c.request(containerField(i, ".image"), "must provide an image name to deploy")
	case !imagePattern.MatchString(image):
		c.request(containerField(i, ".image"), "must be a container image path in the form [hostname/]repo-path[:tag and/or @digest]")
	}
	if container.GetLivenessProbe() != nil {
		c.template(containerField(i, ".liveness_probe"), "Job does not support liveness probe.")
	}
	if container.GetReadinessProbe() != nil {
		c.template(containerField(i, ".readiness_probe"), "Job does not support readiness probe.")
	}
	if container.GetResources().GetCpuIdle() {
		if asksForGPU(container) {
			c.template(containerField(i, ".resources.cpu_idle"), "CPU idle (CPU throttling) must be disabled in order to set GPU requirements.")
			return
		}
		c.template(containerField(i, ".resources.cpu_idle"), "CPU idle must be set to false on a Job.")
	}
}

// checkDependencies is about the order in which containers start.
func (c *checker) checkDependencies() {
	known := map[string][]string{}
	for _, container := range c.task().GetContainers() {
		known[container.GetName()] = container.GetDependsOn()
	}
	for i, container := range c.task().GetContainers() {
		for _, name := range container.GetDependsOn() {
			if _, exists := known[name]; !exists {
				c.request(containerField(i, ".depends_on"), "container %s does not exist", name)
			}
		}
	}
	if len(c.violations) > 0 {
		return
	}
	for i, container := range c.task().GetContainers() {
		if reaches(known, container.GetDependsOn(), container.GetName(), nil) {
			c.request(containerField(i, ".depends_on"), "dependency cycle detected")
			return
		}
	}
}

// reaches tells whether one of the names leads to the target by what containers depend on.
func reaches(known map[string][]string, names []string, target string, seen []string) bool {
	for _, name := range names {
		if name == target {
			return true
		}
		if !slices.Contains(seen, name) && reaches(known, known[name], target, append(slices.Clone(seen), name)) {
			return true
		}
	}
	return false
}
