package job

import (
	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/mapvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/customtype"
)

func containersSchema() schema.Attribute {
	return schema.ListNestedAttribute{
		Required:            true,
		MarkdownDescription: "Containers of each task, 1 to 10. They start together and share the task's network.",
		Validators:          []validator.List{listvalidator.SizeBetween(1, 10), listvalidator.NoNullValues()},
		NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
			"name": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "Name of the container, unique in the job: lower-case letters, digits, hyphens and dots, at most 63. " +
					"Needed only to refer to the container. Default: absent.",
				Validators: []validator.String{containerNameForm},
			},
			"image": schema.StringAttribute{
				Required: true,
				MarkdownDescription: "Image of the container: `[HOST/]PATH[:TAG][@DIGEST]`. A tag is resolved when the job is created or " +
					"updated; pin a digest to know what runs.",
				Validators: []validator.String{imageForm{}},
			},
			"command": schema.ListAttribute{
				Optional: true, ElementType: types.StringType,
				MarkdownDescription: "Entry point, as separate words. Default: the one of the image.",
				Validators:          []validator.List{listvalidator.NoNullValues()},
			},
			"args": schema.ListAttribute{
				Optional: true, ElementType: types.StringType,
				MarkdownDescription: "Arguments of the entry point. Default: those of the image.",
				Validators:          []validator.List{listvalidator.NoNullValues()},
			},
			"working_dir": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "Working directory, an absolute path. Default: the one of the image.",
				Validators:          []validator.String{stringvalidator.LengthAtLeast(1)},
			},
			"env": schema.MapAttribute{
				Optional: true, ElementType: types.StringType,
				MarkdownDescription: "Environment variables, name to value. Names that Cloud Run sets itself are refused: `PORT`, " +
					"`CLOUD_RUN_JOB`, `CLOUD_RUN_EXECUTION`, `CLOUD_RUN_TASK_INDEX`, `CLOUD_RUN_TASK_ATTEMPT`, `CLOUD_RUN_TASK_COUNT`. A " +
					"value is at most 32768 bytes. Values are stored in the state: use `secret_env` for secrets. Default: none.",
				Validators: []validator.Map{mapvalidator.NoNullValues()},
			},
			"secret_env": schema.MapNestedAttribute{
				Optional: true,
				MarkdownDescription: "Environment variables with values from Secret Manager, by name. The service account of the job needs " +
					"`roles/secretmanager.secretAccessor` on each secret. Default: none.",
				Validators: []validator.Map{mapvalidator.NoNullValues()},
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"secret": schema.StringAttribute{
						Required:            true,
						MarkdownDescription: "The secret: its name, or `projects/PROJECT/secrets/NAME` when it lives in another project.",
						Validators:          []validator.String{secretForm},
					},
					"version": schema.StringAttribute{
						Required:            true,
						MarkdownDescription: "Version of the secret: a number, an alias, or `latest`, which is resolved whenever a task starts.",
						Validators:          []validator.String{secretVersionForm},
					},
				}},
			},
			"resources":     resourcesSchema(),
			"volume_mounts": volumeMountsSchema(),
			"startup_probe": startupProbeSchema(),
			"depends_on": schema.ListAttribute{
				Optional: true, ElementType: types.StringType,
				MarkdownDescription: "Names of containers that must have started before this one. Default: none.",
				Validators:          []validator.List{listvalidator.NoNullValues()},
			},
		}},
	}
}

func resourcesSchema() schema.Attribute {
	return schema.SingleNestedAttribute{
		Optional: true, Computed: true,
		MarkdownDescription: "CPU and memory of the container, as Kubernetes quantities; they compare by value (`8` is `8000m`). Default: " +
			"for the container with the GPU the smallest size that its type allows, else `1` vCPU and `512Mi`. Where only one of the " +
			"two is written, the other is the smallest that goes with it.",
		Attributes: map[string]schema.Attribute{
			"cpu": schema.StringAttribute{
				Optional: true, Computed: true, CustomType: customtype.QuantityType{},
				MarkdownDescription: "vCPU, such as `4` or `4000m`. Without a GPU `1`, `2`, `4`, `6` or `8`; `nvidia-l4`: `4`, `6` or `8`; " +
					"`nvidia-rtx-pro-6000`: `20` to `30` in steps of two. Default: the smallest that fits.",
				PlanModifiers: []planmodifier.String{customtype.KeepSpelling(customtype.QuantityType{})},
			},
			"memory": schema.StringAttribute{
				Optional: true, Computed: true, CustomType: customtype.QuantityType{},
				MarkdownDescription: "Memory, such as `16Gi`. The range depends on `cpu`; at least `512Mi`, with `nvidia-l4` at least `16Gi`, " +
					"with `nvidia-rtx-pro-6000` at least `80Gi`. Default: the smallest that fits.",
				PlanModifiers: []planmodifier.String{customtype.KeepSpelling(customtype.QuantityType{})},
			},
		},
	}
}
