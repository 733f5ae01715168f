package action

import (
	"context"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/mapvalidator"
	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/customtype"
)

// jobRunModel is the configuration of the action.
type jobRunModel struct {
	where
	Wait        types.Bool          `tfsdk:"wait"`
	Timeout     customtype.Duration `tfsdk:"timeout"`
	TaskCount   types.Int64         `tfsdk:"task_count"`
	TaskTimeout customtype.Duration `tfsdk:"task_timeout"`
	Container   types.String        `tfsdk:"container"`
	Args        types.List          `tfsdk:"args"`
	Env         types.Map           `tfsdk:"env"`
}

// Schema describes the action.
func (a *jobRun) Schema(_ context.Context, _ action.SchemaRequest, resp *action.SchemaResponse) {
	attributes := whereAttributes()
	maps.Copy(attributes, map[string]schema.Attribute{
		"wait": schema.BoolAttribute{
			Optional:            true,
			MarkdownDescription: "Whether to wait until the run has ended, and to fail where it fails: `true` or `false`. Default: `true`.",
		},
		"timeout": schema.StringAttribute{
			Optional: true, CustomType: customtype.DurationType{},
			MarkdownDescription: "How long to wait for the run, as a duration: `90m`, `12h`. The run itself goes on when it is over. Default: `1h`.",
		},
		"task_count": schema.Int64Attribute{
			Optional: true, MarkdownDescription: "Number of tasks of this run: 1 to 10000. Default: the `task_count` of the job.",
			Validators: []validator.Int64{int64validator.Between(1, 10000)},
		},
		"task_timeout": schema.StringAttribute{
			Optional: true, CustomType: customtype.DurationType{},
			MarkdownDescription: "How long one try of a task of this run may take, as a duration. Default: the `task_timeout` of the job.",
		},
		"container": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "Name of the container that `args` and `env` are for. Default: the only one, or the one with the GPU.",
		},
		"args": schema.ListAttribute{
			Optional: true, ElementType: types.StringType,
			MarkdownDescription: "Arguments of the container in this run, in place of its own; `[]` for none. Default: those of the container.",
			Validators:          []validator.List{listvalidator.NoNullValues()},
		},
		"env": schema.MapAttribute{
			Optional: true, ElementType: types.StringType,
			MarkdownDescription: "Environment variables of the container in this run, name to value, over its own. Default: none but those of the container.",
			Validators:          []validator.Map{mapvalidator.NoNullValues()},
		},
	})
	resp.Schema = schema.Schema{
		MarkdownDescription: "Runs a Cloud Run job, and waits for the run to end. Needs Terraform 1.14 or newer. Each invocation is one execution, however many answers of " +
			"the API are lost.",
		Attributes: attributes,
	}
}
