package job

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/diagnose"
)

// checkDependencies sees that containers wait only for containers that exist, and never in a circle.
func checkDependencies(c configuration) (diags diag.Diagnostics) {
	index := map[string]int{}
	for i, container := range c.containers {
		if container.Name.IsUnknown() || container.DependsOn.IsUnknown() {
			return nil
		}
		if name := container.Name.ValueString(); name != "" {
			index[name] = i
		}
	}
	for i, container := range c.containers {
		for j, v := range container.DependsOn.Elements() {
			if _, exists := index[text(v)]; !known(v) || exists {
				continue
			}
			diags.Append(diagnose.Invalid(containerPath(i).AtName("depends_on").AtListIndex(j), diagnose.Message{
				What: fmt.Sprintf("No container has the name %q.", shorten(text(v))),
				Do:   "Name a container of this job" + oneOf(containerNames(c.containers)) + ".",
			}))
		}
	}
	if circle := findCircle(c.containers, index); len(circle) > 0 {
		diags.Append(diagnose.Invalid(containerPath(index[circle[0]]).AtName("depends_on"), diagnose.Message{
			What: "Containers wait for each other in a circle: " + strings.Join(circle, " -> ") + ".",
			Do:   "Take one of these dependencies away.",
		}))
	}
	return diags
}

// findCircle returns the names along a circle of dependencies, the first one again at the end; nil where there is none.
func findCircle(containers []Container, index map[string]int) []string {
	const (
		open = 1
		done = 2
	)
	seen := map[string]int{}
	var way []string
	var walk func(name string) []string
	walk = func(name string) []string {
		seen[name] = open
		way = append(way, name)
		for _, next := range texts(containers[index[name]].DependsOn) {
			if _, exists := index[next]; !exists {
				continue
			}
			if seen[next] == open {
				return append(way[slices.Index(way, next):], next)
			}
			if seen[next] == 0 {
				if circle := walk(next); circle != nil {
					return circle
				}
			}
		}
		seen[name] = done
		way = way[:len(way)-1]
		return nil
	}
	for _, c := range containers {
		if name := c.Name.ValueString(); name != "" && seen[name] == 0 {
			if circle := walk(name); circle != nil {
				return circle
			}
		}
	}
	return nil
}
