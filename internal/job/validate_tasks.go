package job

import (
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/customtype"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/diagnose"
)

// checkTaskTimeout refuses a task that may run longer than Cloud Run lets it.
func checkTaskTimeout(c configuration) (diags diag.Diagnostics) {
	length, ok := c.TaskTimeout.Length()
	if !ok {
		return nil
	}
	if most := c.catalogue.LongestTask(); length > most {
		diags.Append(diagnose.Invalid(path.Root("task_timeout"), diagnose.Message{
			What: fmt.Sprintf("A task cannot run for %s.", c.TaskTimeout.ValueString()),
			Why:  fmt.Sprintf("Cloud Run stops a task without a GPU after %s at the latest.", inWords(most)),
			Do:   fmt.Sprintf("Set task_timeout to at most %q, and split longer work into more tasks.", customtype.FormatDuration(most)),
		}))
		return diags
	}
	t, ok := c.gpuType()
	if !ok {
		return nil
	}
	ga, beta := t.LongestTask("GA"), t.LongestTask("BETA")
	allowed := t.LongestTask(c.LaunchStage.ValueString())
	if c.LaunchStage.IsUnknown() {
		allowed = max(ga, beta)
	}
	if length <= allowed {
		return nil
	}
	m := diagnose.Message{
		What: fmt.Sprintf("A task with an %s GPU cannot run for %s.", t.Name, c.TaskTimeout.ValueString()),
		Why: fmt.Sprintf("Cloud Run stops a task with a GPU after %s; with launch_stage = \"BETA\" (preview) after %s.",
			inWords(ga), inWords(beta)),
		Do: fmt.Sprintf("Set task_timeout to at most %q, and let tasks save and resume their work.", customtype.FormatDuration(allowed)),
	}
	if length <= beta {
		m.Do = fmt.Sprintf("Set launch_stage = \"BETA\", or task_timeout to at most %q.", customtype.FormatDuration(allowed))
	}
	diags.Append(diagnose.Invalid(path.Root("task_timeout"), m))
	return diags
}

// inWords is a duration as people write it and as the API does: "1h (3600s)".
func inWords(d time.Duration) string {
	return fmt.Sprintf("%gh (%s)", d.Hours(), customtype.FormatDuration(d))
}

// checkParallelism warns where more tasks may run at once than there are: the API takes it, and the quota check of the
// API counts it in full, so it can refuse a job that would never use that much.
func checkParallelism(c configuration) (diags diag.Diagnostics) {
	if !known(c.Parallelism) || c.tasksUnknown() {
		return nil
	}
	tasks := c.mostTasks()
	if c.Parallelism.ValueInt64() <= tasks {
		return nil
	}
	diags.Append(diagnose.Doubtful(path.Root("parallelism"), diagnose.Message{
		What: fmt.Sprintf("parallelism is %d, but task_count is %d.", c.Parallelism.ValueInt64(), tasks),
		Why:  "Cloud Run accepts this, runs at most task_count tasks at once, and still counts the whole parallelism against quotas.",
		Do:   fmt.Sprintf("Set parallelism to at most %d, or raise task_count.", tasks),
	}))
	return diags
}
