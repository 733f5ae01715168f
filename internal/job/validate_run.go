package job

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/diagnose"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/runapi"
)

func runPath(attribute string) path.Path { return path.Root("run").AtName(attribute) }

// checkRun holds the overrides of a run against the rules for containers.
func checkRun(c configuration) (diags diag.Diagnostics) {
	r, runs := c.run()
	if !runs {
		return nil
	}
	diags.Append(checkRunContainer(c, r)...)
	variables := r.Env.Elements()
	for _, name := range slices.Sorted(maps.Keys(variables)) {
		at := runPath("env").AtMapKey(name)
		diags.Append(checkVariable(at, name, variables[name])...)
		if name == runapi.MarkVariable {
			diags.Append(diagnose.Invalid(at, diagnose.Message{
				What: fmt.Sprintf("The environment variable %s is set by the provider.", name),
				Why:  "It tells a run from every other one, so that none is started twice.",
				Do:   "Leave it out, or choose another name.",
			}))
		}
	}
	return diags
}

// checkRunContainer sees that it is clear what args and env are for.
func checkRunContainer(c configuration, r Run) (diags diag.Diagnostics) {
	if len(c.containers) == 0 || r.Container.IsUnknown() || c.Containers.IsUnknown() {
		return nil
	}
	for _, container := range c.containers {
		if container.Name.IsUnknown() {
			return nil
		}
	}
	if known(r.Container) {
		if !slices.Contains(containerNames(c.containers), r.Container.ValueString()) {
			diags.Append(diagnose.Invalid(runPath("container"), diagnose.Message{
				What: fmt.Sprintf("No container has the name %q.", shorten(r.Container.ValueString())),
				Do:   "Name a container of this job" + oneOf(containerNames(c.containers)) + ".",
			}))
		}
		return diags
	}
	if changes := known(r.Args) || known(r.Env); changes && len(c.containers) > 1 && !c.hasGPU {
		diags.Append(diagnose.Invalid(runPath("container"), diagnose.Message{
			What: fmt.Sprintf("The job has %d containers, and run does not say which of them args and env are for.", len(c.containers)),
			Do:   "Set run.container" + oneOf(containerNames(c.containers)) + ".",
		}))
	}
	return diags
}

// checkRunTasks warns of a run with fewer tasks than the job runs at once. That the API refuses such a run, and cannot be told
// another parallelism, has been reported by a user; only the real service can confirm it.
func checkRunTasks(c configuration) (diags diag.Diagnostics) {
	r, _ := c.run()
	if !known(r.TaskCount) || !known(c.Parallelism) || r.TaskCount.ValueInt64() >= c.Parallelism.ValueInt64() {
		return nil
	}
	diags.Append(diagnose.Doubtful(runPath("task_count"), diagnose.Message{
		What: fmt.Sprintf("The run has %d tasks, but parallelism is %d.", r.TaskCount.ValueInt64(), c.Parallelism.ValueInt64()),
		Why:  "A run cannot override parallelism, and Cloud Run may refuse one with fewer tasks than that.",
		Do:   fmt.Sprintf("Set parallelism to at most %d, or leave it out: as many tasks as possible.", r.TaskCount.ValueInt64()),
	}))
	return diags
}
