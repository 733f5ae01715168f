package datasource

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/customtype"
)

// Schema describes the data source.
func (d *costEstimate) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	attributes := costInputs()
	for name, attribute := range costResults() {
		attributes[name] = attribute
	}
	resp.Schema = schema.Schema{
		MarkdownDescription: "What one execution of a job costs, at list prices, before it runs: for a `check` block or a policy that knows a ceiling. " +
			"The prices are those of the Cloud Billing catalogue, read once in a run of Terraform, which needs its API enabled " +
			"(`cloudbilling.googleapis.com`); what it does not have comes from the catalogue of the provider, and each part says which.\n\n" +
			"What is counted: every attempt of a task from `task_duration`, but at least a minute; a GPU at the price without zonal redundancy, which " +
			"is what jobs pay. What is not: the CPU and memory that are free each month, discounts, taxes, the time to start, storage, network. " +
			"How many tasks run at once changes nothing: it is the same time of the same tasks.",
		Attributes: attributes,
	}
}

func costInputs() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"gpu_type": schema.StringAttribute{
			Optional: true, MarkdownDescription: "The GPU type, such as `nvidia-l4`. Default: no GPU.",
		},
		"gpu_count": schema.Int64Attribute{
			Optional: true, Computed: true, MarkdownDescription: "GPUs of each task. Default: 1 with a `gpu_type`, 0 without.",
		},
		"region": schema.StringAttribute{
			Optional: true, Computed: true,
			MarkdownDescription: "The region, such as `us-central1`. Default: the provider's region.",
			Validators:          []validator.String{stringvalidator.LengthAtLeast(1)},
		},
		"cpu": schema.StringAttribute{
			Optional: true, Computed: true, CustomType: customtype.QuantityType{},
			MarkdownDescription: "CPU of each task, all its containers together, in vCPU, such as `8` or `8000m`. Default: the least that the GPU type allows.",
		},
		"memory": schema.StringAttribute{
			Optional: true, Computed: true, CustomType: customtype.QuantityType{},
			MarkdownDescription: "Memory of each task, all its containers together, such as `32Gi`. Default: the least that the GPU type allows.",
		},
		"task_count": schema.Int64Attribute{
			Optional: true, Computed: true, MarkdownDescription: "Tasks of an execution, `1` to `10000`. Default: `1`.",
			Validators: []validator.Int64{int64validator.Between(1, 10000)},
		},
		"task_duration": schema.StringAttribute{
			Required: true, CustomType: customtype.DurationType{},
			MarkdownDescription: "How long one attempt of a task runs, such as `1800s` or `30m`. The job's `task_timeout` gives the worst case.",
		},
		"max_retries": schema.Int64Attribute{
			Optional: true, Computed: true, MarkdownDescription: "How often a task is tried again at most, `0` to `10`. Default: `3`, as for a job.",
			Validators: []validator.Int64{int64validator.Between(0, 10)},
		},
		"live_prices": schema.BoolAttribute{
			Optional: true, Computed: true,
			MarkdownDescription: "Whether to ask the Cloud Billing catalogue. `false` asks nobody: the prices are those of the provider, the same until " +
				"another version of it. Default: `true`.",
		},
	}
}

func costResults() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"expected_usd": schema.NumberAttribute{
			Computed: true,
			MarkdownDescription: "US dollars of one execution in which every task succeeds at its first attempt: a number, exact to the " +
				"billionth, that policies can compare; null where the price of a part is not known (see its `reason`).",
		},
		"upper_bound_usd": schema.NumberAttribute{
			Computed: true,
			MarkdownDescription: "US dollars of one execution in which every task uses up `max_retries` and every attempt runs as long; null where " +
				"the price of a part is not known.",
		},
		"billed_seconds": schema.NumberAttribute{Computed: true, MarkdownDescription: "Seconds for which one attempt is billed: at least `60`."},
		"price_tier": schema.Int64Attribute{
			Computed: true, MarkdownDescription: "Price tier of the region: `1` or `2`; null for a region that the provider does not know.",
		},
		"billing_catalog_problem": schema.StringAttribute{
			Computed: true, MarkdownDescription: "Why the Cloud Billing catalogue could not be read; null where it was, or was not asked.",
		},
		"parts": schema.MapNestedAttribute{
			Computed:            true,
			MarkdownDescription: "What each part costs: " + listed("gpu", "cpu", "memory") + ".",
			NestedObject:        schema.NestedAttributeObject{Attributes: costPart()},
		},
	}
}

func costPart() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"expected_usd":    schema.NumberAttribute{Computed: true, MarkdownDescription: "Its share of `expected_usd`, in US dollars; null where the price is not known."},
		"upper_bound_usd": schema.NumberAttribute{Computed: true, MarkdownDescription: "Its share of `upper_bound_usd`, in US dollars; null where the price is not known."},
		"usd_per_second": schema.StringAttribute{
			Computed: true, MarkdownDescription: "US dollars of one GPU, vCPU or GiB for one second, a decimal number as published; null where it is not known.",
		},
		"price_from": schema.StringAttribute{
			Computed: true,
			MarkdownDescription: "Where the price comes from: `" + fromBilling + "` (Cloud Billing, read now) or `" + fromCatalogue +
				"` (comes with the provider); null where there is none.",
		},
		"source": schema.StringAttribute{Computed: true, MarkdownDescription: "The SKU of Cloud Billing, or the page that the provider has the price from; null without a price."},
		"source_date": schema.StringAttribute{
			Computed: true,
			MarkdownDescription: "The day from which Cloud Billing has the price, or the newest one on which the page is known to have had it, as `YYYY-MM-DD`; " +
				"null without a price.",
		},
		"certainty": schema.StringAttribute{
			Computed: true,
			MarkdownDescription: "How well the price is known: `certain`, `likely` (a second-hand report, also of the region's price tier) or `unknown` " +
				"(a stand-in); null without a price.",
		},
		"reason": schema.StringAttribute{
			Computed: true, MarkdownDescription: "Why there is no price, or why the one of Cloud Billing is not used; null where there is nothing to say.",
		},
	}
}
