package datasource

import "github.com/hashicorp/terraform-plugin-framework/datasource/schema"

// jobLifeAttributes are what the data source has beside the attributes of the resource.
func jobLifeAttributes() map[string]schema.Attribute {
	text := func(description string) schema.Attribute {
		return schema.StringAttribute{Computed: true, MarkdownDescription: description}
	}
	return map[string]schema.Attribute{
		"generation": schema.Int64Attribute{
			Computed: true, MarkdownDescription: "Counts the changes of the configuration.",
		},
		"etag":           text("Changes with every change of the job."),
		"update_time":    text("When the job was last changed, in RFC 3339 form, UTC."),
		"creator":        text("E-mail of who created the job; null where the API does not say."),
		"last_modifier":  text("E-mail of who last changed the job; null where the API does not say."),
		"client":         text("Client that last wrote the job, such as `gcloud`; null where it did not say."),
		"client_version": text("Version of that client; null where it did not say."),
		"ready": schema.BoolAttribute{
			Computed: true, MarkdownDescription: "Whether the job can run: `true` or `false`.",
		},
		"reconciling": schema.BoolAttribute{
			Computed: true, MarkdownDescription: "Whether a change is still being carried out: `true` or `false`.",
		},
		"execution_count": schema.Int64Attribute{
			Computed: true, MarkdownDescription: "Number of executions so far.",
		},
		"latest_execution": schema.SingleNestedAttribute{
			Computed: true, MarkdownDescription: "The execution created last; null where the job never ran.",
			Attributes: map[string]schema.Attribute{
				"name":            text("Name of the execution."),
				"create_time":     text("When it was created, in RFC 3339 form, UTC."),
				"completion_time": text("When it ended, in RFC 3339 form, UTC; null while it runs."),
				"status": text("How it fares: `EXECUTION_PENDING`, `EXECUTION_RUNNING`, `EXECUTION_SUCCEEDED`, `EXECUTION_FAILED` or " +
					"`EXECUTION_CANCELLED`."),
			},
		},
		"conditions": schema.ListNestedAttribute{
			Computed: true, MarkdownDescription: "What the API says of the job's state, the overall condition `Ready` first.",
			NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
				"type":                 text("What the condition is about, such as `Ready`."),
				"state":                text("`CONDITION_SUCCEEDED`, `CONDITION_FAILED`, `CONDITION_PENDING` or `CONDITION_RECONCILING`."),
				"message":              text("What is the matter, in the API's words; null where nothing is."),
				"reason":               text("Code of the reason, such as `CONTAINER_MISSING`; null where there is none."),
				"severity":             text("`ERROR`, `WARNING` or `INFO`; null where the API does not say."),
				"last_transition_time": text("Since when the condition is in this state, in RFC 3339 form, UTC."),
			}},
		},
	}
}
