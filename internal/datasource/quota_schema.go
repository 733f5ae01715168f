package datasource

import (
	"context"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/customtype"
)

// Schema describes the data source.
func (d *quotaOf) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	attributes := fitAttributes()
	maps.Copy(attributes, limitAttributes())
	resp.Schema = schema.Schema{
		MarkdownDescription: "How many GPUs of a type, and how much CPU and memory, the jobs, services and worker pools of a project may hold at " +
			"once in a region. It is read from the Cloud Quotas API, which has to be enabled in the project (`cloudquotas.googleapis.com`); " +
			"the caller needs `roles/cloudquotas.viewer`. What is in use comes from Cloud Monitoring, minutes late, and needs " +
			"`roles/monitoring.viewer`; it is null where it cannot be read.",
		Attributes: attributes,
	}
}

// fitAttributes are the task that is asked about, and how many of it fit.
func fitAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"gpu_count": schema.Int64Attribute{
			Optional: true, Computed: true, MarkdownDescription: "GPUs of each task, for `largest_parallelism`. Default: `1`.",
		},
		"task_cpu": schema.StringAttribute{
			Optional: true, Computed: true, CustomType: customtype.QuantityType{},
			MarkdownDescription: "CPU of each task, all its containers together, in vCPU, such as `8` or `8000m`, for `largest_parallelism`. Default: the " +
				"least that the GPU type allows.",
		},
		"task_memory": schema.StringAttribute{
			Optional: true, Computed: true, CustomType: customtype.QuantityType{},
			MarkdownDescription: "Memory of each task, all its containers together, such as `32Gi`, for `largest_parallelism`. Default: the least that the " +
				"GPU type allows.",
		},
		"largest_parallelism": schema.Int64Attribute{
			Computed: true,
			MarkdownDescription: "How many such tasks the limits of GPUs, CPU and memory allow at once, whatever else is running: the largest " +
				"`parallelism` that the API accepts; null where there is no bound, or a limit is not known (see `bound_by`).",
		},
		"bound_by": schema.StringAttribute{
			Computed: true,
			MarkdownDescription: "Which limit decides `largest_parallelism`: " + listed("gpu", "cpu", "memory") + ", or `nothing` where none of them " +
				"has a bound; null where one of them is not known.",
		},
		"left": schema.Float64Attribute{
			Computed: true, MarkdownDescription: "How many GPUs of `limit` are not in use; null where `limit` or `used` is.",
		},
	}
}

// limitAttributes are the place that is asked about, and its limits.
func limitAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"gpu_type": schema.StringAttribute{
			Required:            true,
			MarkdownDescription: "The GPU type, such as `nvidia-l4`. `cloudrungpu_gpu_types` lists the types there are.",
		},
		"region": schema.StringAttribute{
			Optional: true, Computed: true,
			MarkdownDescription: "The region, such as `us-central1`. Default: the provider's region.",
			Validators:          []validator.String{stringvalidator.LengthAtLeast(1)},
		},
		"project": schema.StringAttribute{
			Optional: true, Computed: true,
			MarkdownDescription: "Id of the project. Default: the provider's project.",
			Validators:          []validator.String{stringvalidator.LengthAtLeast(1)},
		},
		"quota_id":     schema.StringAttribute{Computed: true, MarkdownDescription: "Id of the GPU quota in the Cloud Quotas API."},
		"metric":       schema.StringAttribute{Computed: true, MarkdownDescription: "Metric that the GPU quota limits."},
		"display_name": schema.StringAttribute{Computed: true, MarkdownDescription: "Name of the GPU quota in the Google Cloud console."},
		"limit": schema.Int64Attribute{
			Computed: true,
			MarkdownDescription: "How many whole GPUs the project may hold at once in the region, the grant on first use counted in; null where there " +
				"is no bound (see `unlimited`) or the API has no entry for the region.",
		},
		"unlimited": schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether the quota has no bound."},
		"raw_value": schema.Int64Attribute{
			Computed: true,
			MarkdownDescription: "The limit as the API gives it, in quota units (see `units_per_gpu`); `-1` is no bound, null is no entry for the " +
				"region.",
		},
		"units_per_gpu": schema.Int64Attribute{
			Computed:            true,
			MarkdownDescription: "Quota units in one GPU: `1`, or `1000` where the quota counts thousandths of a GPU.",
		},
		"first_use_grant": schema.Int64Attribute{
			Computed:            true,
			MarkdownDescription: "How many GPUs Google grants on the first deployment of a project in a region.",
		},
		"first_use_grant_assumed": schema.BoolAttribute{
			Computed: true,
			MarkdownDescription: "Whether `limit` is that grant, assumed because the project has no quota in the region yet. New accounts do not always " +
				"get it.",
		},
		"used":     schema.Float64Attribute{Computed: true, MarkdownDescription: "How many GPUs the project holds in the region; null where that is not known."},
		"increase": increaseAttribute(),
		"cpu": schema.SingleNestedAttribute{
			Computed: true, MarkdownDescription: "The quota of CPU, in vCPU.", Attributes: allocationAttributes("vCPU", "thousandths of a vCPU"),
		},
		"memory": schema.SingleNestedAttribute{
			Computed: true, MarkdownDescription: "The quota of memory, in GiB.", Attributes: allocationAttributes("GiB", "bytes"),
		},
	}
}

func increaseAttribute() schema.SingleNestedAttribute {
	return schema.SingleNestedAttribute{
		Computed:            true,
		MarkdownDescription: "Whether the project may ask for an increase of the quota.",
		Attributes: map[string]schema.Attribute{
			"eligible": schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether it may; null where the API does not say."},
			"reason": schema.StringAttribute{
				Computed: true,
				MarkdownDescription: "Why it may not, as the API spells it: " +
					listed("NO_VALID_BILLING_ACCOUNT", "NOT_SUPPORTED", "NOT_ENOUGH_USAGE_HISTORY", "OTHER") + "; null otherwise.",
			},
		},
	}
}

func allocationAttributes(whole, unit string) map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"quota_id": schema.StringAttribute{Computed: true, MarkdownDescription: "Id of the quota in the Cloud Quotas API."},
		"metric":   schema.StringAttribute{Computed: true, MarkdownDescription: "Metric that the quota limits."},
		"limit": schema.Float64Attribute{
			Computed: true, MarkdownDescription: "The limit, in " + whole + "; null where there is no bound or the API has no entry for the region.",
		},
		"unlimited": schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether the quota has no bound."},
		"raw_value": schema.Int64Attribute{
			Computed: true, MarkdownDescription: "The limit as the API gives it, in " + unit + "; `-1` is no bound, null is no entry for the region.",
		},
		"used":     schema.Float64Attribute{Computed: true, MarkdownDescription: "What the project holds in the region, in " + whole + "; null where that is not known."},
		"left":     schema.Float64Attribute{Computed: true, MarkdownDescription: "What of the limit is not in use, in " + whole + "; null where `limit` or `used` is."},
		"increase": increaseAttribute(),
	}
}
