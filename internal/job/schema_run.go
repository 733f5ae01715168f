package job

import (
	"time"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/mapvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/customtype"
)

// runTimeout is the default of run.timeout: a GPU task may run for an hour.
const runTimeout = time.Hour

func runSchema() schema.Attribute {
	return schema.SingleNestedAttribute{
		Optional: true,
		MarkdownDescription: "Runs the job: once after it is created, and once more whenever its configuration, a trigger or what the run overrides changes. " +
			"A run that did not succeed is started again by the next apply; one that was only not waited for to its end is waited for. Needs the permissions " +
			"`run.jobs.run` and `run.jobs.runWithOverrides`. Default: absent, Terraform does not run the job.",
		Attributes: map[string]schema.Attribute{
			"triggers": schema.MapAttribute{
				Optional: true, ElementType: types.StringType,
				MarkdownDescription: "Any values, by any names; when one of them changes, the job runs again. Default: none.",
				Validators:          []validator.Map{mapvalidator.NoNullValues()},
			},
			"wait": schema.BoolAttribute{
				Optional: true, Computed: true, Default: booldefault.StaticBool(true),
				MarkdownDescription: "Whether to wait until the run has ended, and to fail where it fails: `true` or `false`. Default: `true`.",
			},
			"timeout": schema.StringAttribute{
				Optional: true, Computed: true, CustomType: customtype.DurationType{}, Default: stringdefault.StaticString("1h"),
				MarkdownDescription: "How long to wait for the run, as a duration: `90m`, `12h`. It is apart from `timeouts`, and the run itself goes on when it " +
					"is over: the next apply waits on. Default: `1h`.",
				PlanModifiers: []planmodifier.String{customtype.KeepSpelling(customtype.DurationType{})},
			},
			"task_count": schema.Int64Attribute{
				Optional:            true,
				MarkdownDescription: "Number of tasks of this run: 1 to 10000. Default: the `task_count` of the job.",
				Validators:          []validator.Int64{int64validator.Between(1, 10000)},
			},
			"container": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "Name of the container that `args` and `env` are for: the `name` of one of `containers`. Default: the only one, or the one with " +
					"the GPU.",
				Validators: []validator.String{containerNameForm},
			},
			"args": schema.ListAttribute{
				Optional: true, ElementType: types.StringType,
				MarkdownDescription: "Arguments of the container in this run, in place of its own; `[]` for none. Default: those of the container.",
				Validators:          []validator.List{listvalidator.NoNullValues()},
			},
			"env": schema.MapAttribute{
				Optional: true, ElementType: types.StringType,
				MarkdownDescription: "Environment variables of the container in this run, name to value, over its own. `CLOUDRUNGPU_RUN` is set by the provider, to " +
					"recognise its runs. Default: none but those of the container.",
				Validators: []validator.Map{mapvalidator.NoNullValues()},
			},
		},
	}
}

func lastRunSchema() schema.Attribute {
	return schema.SingleNestedAttribute{
		Computed: true,
		MarkdownDescription: "The execution that Terraform started last; `(known after apply)` in a plan that runs the job. It is never refreshed, so runs by others are " +
			"no drift: see the data source `cloudrungpu_execution`. Null without `run`.",
		Attributes: map[string]schema.Attribute{
			"execution": schema.StringAttribute{
				Computed: true, MarkdownDescription: "Name of the execution, such as `finetune-x7k2p`.",
			},
			"state": schema.StringAttribute{
				Computed: true,
				MarkdownDescription: "How it fared when Terraform stopped looking: `EXECUTION_SUCCEEDED`, `EXECUTION_FAILED`, `EXECUTION_CANCELLED`, or, where it was " +
					"not waited for to its end, `EXECUTION_RUNNING` or `EXECUTION_PENDING`.",
			},
			"log_uri": schema.StringAttribute{
				Computed: true, MarkdownDescription: "Address of its logs in the console; null where the API does not say.",
			},
		},
	}
}
