package job

import (
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64default"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

func gpuSchema() schema.Attribute {
	return schema.SingleNestedAttribute{
		Optional:            true,
		MarkdownDescription: "GPU of each task. Default: absent, no GPU. Removing it takes the GPU off the job in place, in one apply.",
		Attributes: map[string]schema.Attribute{
			"type": schema.StringAttribute{
				Required: true,
				MarkdownDescription: "Type of the GPU: `nvidia-l4` or `nvidia-rtx-pro-6000`. See the data source `cloudrungpu_gpu_types` for " +
					"the sizes and regions that go with each.",
			},
			"count": schema.Int64Attribute{
				Optional: true, Computed: true, Default: int64default.StaticInt64(1),
				MarkdownDescription: "Number of GPUs per task. Every type offers exactly one today. Default: `1`.",
			},
			"container": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "Name of the container that gets the GPU: the `name` of one of `containers`. Required when there are " +
					"several containers. Default: the only one.",
				Validators: []validator.String{containerNameForm},
			},
			"zonal_redundancy": schema.BoolAttribute{
				Optional: true, Computed: true, Default: booldefault.StaticBool(false),
				MarkdownDescription: "Whether GPU capacity is reserved in a second zone. Cloud Run does not offer that to jobs, so only " +
					"`false` is accepted. Default: `false`.",
			},
		},
	}
}
