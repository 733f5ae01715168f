package datasource

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// Schema describes the data source.
func (d *gpuTypes) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "The GPU types that Cloud Run offers to jobs, with everything the provider knows of them, and where and since when " +
			"each fact is known. It comes with the provider: reading it asks nobody and needs no credentials.",
		Attributes: map[string]schema.Attribute{
			"type": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "Only this GPU type, such as `nvidia-l4`. Default: all types.",
			},
			"region": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "Only the GPU types that this region offers, such as `us-central1`; none where it offers no GPU. Default: those of all regions.",
			},
			"names": schema.SetAttribute{
				ElementType:         types.StringType,
				Computed:            true,
				MarkdownDescription: "The names of the GPU types, ready for `for_each`.",
			},
			"types": schema.MapNestedAttribute{
				Computed:            true,
				MarkdownDescription: "The GPU types by name.",
				NestedObject:        schema.NestedAttributeObject{Attributes: gpuTypeAttributes()},
			},
		},
	}
}

func gpuTypeAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"memory_gb":      schema.Int64Attribute{Computed: true, MarkdownDescription: "Memory of one GPU, in GB; like the three below, null where a `gpu_catalogue` adds the type and does not say."},
		"architecture":   schema.StringAttribute{Computed: true, MarkdownDescription: "NVIDIA's name of the architecture, such as `Blackwell`."},
		"driver_version": schema.StringAttribute{Computed: true, MarkdownDescription: "Version of the NVIDIA driver that Cloud Run provides, such as `580.x`."},
		"cuda_version":   schema.StringAttribute{Computed: true, MarkdownDescription: "The newest version of CUDA that the driver serves, such as `13.0`."},
		"gpus_per_task": schema.ListAttribute{
			ElementType: types.Int64Type, Computed: true,
			MarkdownDescription: "How many GPUs of this type one task may have, ascending.",
		},
		"cpus": schema.ListAttribute{
			ElementType: types.Int64Type, Computed: true,
			MarkdownDescription: "How many vCPU the container with the GPU may have, ascending. The first is the default.",
		},
		"sizes": schema.ListNestedAttribute{
			Computed:            true,
			MarkdownDescription: "The memory that goes with each number of vCPU, ascending by vCPU.",
			NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
				"cpu":        schema.Int64Attribute{Computed: true, MarkdownDescription: "Number of vCPU."},
				"min_memory": schema.StringAttribute{Computed: true, MarkdownDescription: "The least memory, such as `16Gi`."},
				"max_memory": schema.StringAttribute{Computed: true, MarkdownDescription: "The most memory, such as `32Gi`."},
			}},
		},
		"launch_stage": schema.StringAttribute{
			Computed: true, MarkdownDescription: "Launch stage of the GPU type for jobs: " + listed("GA", "BETA", "ALPHA") + ".",
		},
		"longest_task": schema.MapAttribute{
			ElementType: types.StringType, Computed: true,
			MarkdownDescription: "How long a task with this GPU may run, such as `3600s`, by the job's launch stage: " + listed("GA", "BETA", "ALPHA") +
				". A stage that is missing allows what the more stable ones allow.",
		},
		"regions": schema.MapNestedAttribute{
			Computed:            true,
			MarkdownDescription: "The regions that offer the GPU type to jobs, by name.",
			NestedObject: schema.NestedAttributeObject{Attributes: withOrigin(map[string]schema.Attribute{
				"invitation_only": schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether Google has to let a project in before it can use the GPU type there."},
				"note":            schema.StringAttribute{Computed: true, MarkdownDescription: "What is known of the capacity there; null where nothing is."},
			})},
		},
		"quota": schema.SingleNestedAttribute{
			Computed: true, MarkdownDescription: "The quota that jobs draw on.", Attributes: quotaNameAttributes(),
		},
		"zonal_redundancy_quota": schema.SingleNestedAttribute{
			Computed: true, MarkdownDescription: "The quota of services with zonal redundancy, which jobs cannot have.", Attributes: quotaNameAttributes(),
		},
		"first_use_grant": schema.Int64Attribute{
			Computed: true, MarkdownDescription: "How many GPUs the first deployment of a project in a region is granted without asking.",
		},
		"prices": schema.ListNestedAttribute{
			Computed:            true,
			MarkdownDescription: "List prices of one GPU. Jobs pay the price without zonal redundancy; CPU and memory are paid besides.",
			NestedObject: schema.NestedAttributeObject{Attributes: withOrigin(map[string]schema.Attribute{
				"price_tier":       schema.Int64Attribute{Computed: true, MarkdownDescription: "Price tier of the region: `1` or `2`."},
				"zonal_redundancy": schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether it is the price with zonal redundancy."},
				"usd_per_second":   schema.StringAttribute{Computed: true, MarkdownDescription: "US dollars for one second, a decimal number as published."},
			})},
		},
		"facts": schema.MapNestedAttribute{
			Computed:            true,
			MarkdownDescription: "Where and since when each of the facts is known, by the name of the fact.",
			NestedObject: schema.NestedAttributeObject{Attributes: withOrigin(map[string]schema.Attribute{
				"value": schema.StringAttribute{Computed: true, MarkdownDescription: "The fact in words."},
			})},
		},
	}
}

func quotaNameAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"id":            schema.StringAttribute{Computed: true, MarkdownDescription: "Id in the Cloud Quotas API."},
		"metric":        schema.StringAttribute{Computed: true, MarkdownDescription: "Metric that the quota limits."},
		"display_name":  schema.StringAttribute{Computed: true, MarkdownDescription: "Name in the Google Cloud console."},
		"units_per_gpu": schema.Int64Attribute{Computed: true, MarkdownDescription: "Quota units in one GPU: `1`, or `1000` where the quota counts thousandths."},
	}
}
