package datasource

import "github.com/hashicorp/terraform-plugin-framework/datasource/schema"

func computedText(description string) schema.Attribute {
	return schema.StringAttribute{Computed: true, MarkdownDescription: description}
}

func computedCount(description string) schema.Attribute {
	return schema.Int64Attribute{Computed: true, MarkdownDescription: description}
}

const states = "`EXECUTION_PENDING`, `EXECUTION_RUNNING`, `EXECUTION_SUCCEEDED`, `EXECUTION_FAILED` or `EXECUTION_CANCELLED`"

// whereAttributes say which job is meant.
func whereAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"job": schema.StringAttribute{Required: true, MarkdownDescription: "Name of the job."},
		"location": schema.StringAttribute{
			Optional: true, MarkdownDescription: "Region of the job. Default: the `region` of the provider.",
		},
		"project": schema.StringAttribute{
			Optional: true, MarkdownDescription: "Id of the project of the job. Default: the `project` of the provider.",
		},
	}
}

// executionAttributes are what is known of an execution.
func executionAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"name":            computedText("Name of the execution, such as `finetune-x7k2p`."),
		"state":           computedText("How it fares: " + states + "."),
		"message":         computedText("What the API says of its state, or of what it waits for; null where it says nothing."),
		"creator":         computedText("E-mail of who started it; null where the API does not say."),
		"create_time":     computedText("When it was created, in RFC 3339 form, UTC."),
		"start_time":      computedText("When its first task started, in RFC 3339 form, UTC; null before that."),
		"completion_time": computedText("When it ended, in RFC 3339 form, UTC; null while it runs."),
		"task_count":      computedCount("Number of its tasks."),
		"parallelism":     computedCount("Number of its tasks that may run at once."),
		"running_count":   computedCount("Number of tasks that run."),
		"succeeded_count": computedCount("Number of tasks that have succeeded."),
		"failed_count":    computedCount("Number of tasks that have failed for good."),
		"cancelled_count": computedCount("Number of tasks that were cancelled."),
		"retried_count":   computedCount("Number of tries after the first, over all tasks."),
		"gpu_type":        computedText("Type of the GPU of each task; null without a GPU."),
		"gpu_seconds": schema.Float64Attribute{
			Computed: true,
			MarkdownDescription: "GPU seconds of its tasks that have ended: from the start to the end of each, times its GPUs; `0` without a GPU. What is billed is the whole " +
				"life of the instances, which is a little longer.",
		},
		"log_uri": computedText("Address of its logs in the console; null where the API does not say."),
	}
}

func taskAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"index":           computedCount("Index of the task, from 0, as the task sees it in `CLOUD_RUN_TASK_INDEX`."),
		"state":           computedText("How it fares: " + states + "."),
		"start_time":      computedText("When it started, in RFC 3339 form, UTC; null before that."),
		"completion_time": computedText("When it ended, in RFC 3339 form, UTC; null while it runs."),
		"attempts":        computedCount("Number of its tries so far, the one at work included; `0` before it has started."),
		"exit_code":       computedCount("What the container exited with in the last try that has ended; null before that."),
		"signal":          computedCount("Signal that ended the container in that try; null where none did."),
		"message":         computedText("What the API says of that try; null where it says nothing."),
		"log_uri":         computedText("Address of its logs in the console; null where the API does not say."),
	}
}
