package datasource

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/gpu"
)

var (
	_ datasource.DataSourceWithConfigure      = (*regions)(nil)
	_ datasource.DataSourceWithValidateConfig = (*regions)(nil)
)

// regions is the data source cloudrungpu_regions: the catalogue, by region.
type regions struct{ informed }

// NewRegions returns the data source cloudrungpu_regions, not yet configured.
func NewRegions(known func() *gpu.Catalogue) datasource.DataSource {
	return &regions{informed{known: known}}
}

type regionsModel struct {
	GPUType types.String `tfsdk:"gpu_type"`
	Live    types.Bool   `tfsdk:"live"`
	Project types.String `tfsdk:"project"`
	Names   []string     `tfsdk:"names"`
	// OnlyInQuota is nil, and so null, where nobody was asked.
	OnlyInQuota []string               `tfsdk:"only_in_quota"`
	Regions     map[string]regionModel `tfsdk:"regions"`
}

type regionModel struct {
	GPUTypes       []string    `tfsdk:"gpu_types"`
	InvitationOnly []string    `tfsdk:"invitation_only"`
	Notes          []string    `tfsdk:"notes"`
	LowCO2         bool        `tfsdk:"low_co2"`
	PriceTier      types.Int64 `tfsdk:"price_tier"`
	QuotaLists     []string    `tfsdk:"quota_lists"` // nil, and so null, where nobody was asked
	origin
}

// Metadata names the data source.
func (d *regions) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_regions"
}

// Schema describes the data source.
func (d *regions) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "The regions that offer GPUs to Cloud Run jobs, and where and since when that is known. It comes with the provider: " +
			"reading it asks nobody and needs no credentials, unless `live` is set.",
		Attributes: map[string]schema.Attribute{
			"gpu_type": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "Only the regions that offer this GPU type, such as `nvidia-l4`. Default: those of all types.",
			},
			"live": schema.BoolAttribute{
				Optional: true,
				MarkdownDescription: "Whether to compare the regions with those that the GPU quotas of the project name (see `quota_lists`), which asks the " +
					"Cloud Quotas API and needs `roles/cloudquotas.viewer`. Default: `false`, ask nobody.",
			},
			"project": schema.StringAttribute{
				Optional: true, Computed: true,
				MarkdownDescription: "Id of the project whose quotas are asked for with `live`. Default: the provider's project; null without `live`.",
				Validators:          []validator.String{stringvalidator.LengthAtLeast(1)},
			},
			"only_in_quota": schema.ListAttribute{
				ElementType: types.StringType, Computed: true,
				MarkdownDescription: "Regions that a GPU quota of the project names and `regions` has not, sorted: newer than this version of the " +
					"provider, perhaps; null without `live`.",
			},
			"names": schema.SetAttribute{
				ElementType:         types.StringType,
				Computed:            true,
				MarkdownDescription: "The names of the regions, ready for `for_each`. Regions that need an invitation are among them.",
			},
			"regions": schema.MapNestedAttribute{
				Computed:            true,
				MarkdownDescription: "The regions by name.",
				NestedObject:        schema.NestedAttributeObject{Attributes: regionAttributes()},
			},
		},
	}
}

func regionAttributes() map[string]schema.Attribute {
	return withOrigin(map[string]schema.Attribute{
		"gpu_types": schema.ListAttribute{
			ElementType: types.StringType, Computed: true,
			MarkdownDescription: "The GPU types that the region offers to jobs, sorted by name.",
		},
		"invitation_only": schema.ListAttribute{
			ElementType: types.StringType, Computed: true,
			MarkdownDescription: "Those of `gpu_types` for which Google has to let a project in first, sorted by name.",
		},
		"notes": schema.ListAttribute{
			ElementType: types.StringType, Computed: true,
			MarkdownDescription: "What is known of the capacity, each with the GPU type that it is about.",
		},
		"quota_lists": schema.ListAttribute{
			ElementType: types.StringType, Computed: true,
			MarkdownDescription: "The GPU types whose quota in the project names the region, sorted by name; null without `live`. It is a sign that the " +
				"region offers them, not a promise.",
		},
		"low_co2":    schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether Google marks the region as low in carbon emissions."},
		"price_tier": schema.Int64Attribute{Computed: true, MarkdownDescription: "Price tier of the region: `1` or `2`; null where a `gpu_catalogue` adds the region and does not say."},
	})
}

// ValidateConfig refuses a filter for a type that does not exist.
func (d *regions) ValidateConfig(ctx context.Context, req datasource.ValidateConfigRequest, resp *datasource.ValidateConfigResponse) {
	var written types.String
	at := path.Root("gpu_type")
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, at, &written)...)
	resp.Diagnostics.Append(d.checkGPUType(at, written)...)
}

// Read gives what the catalogue has, and asks for quotas only with live.
func (d *regions) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var model regionsModel
	at := path.Root("gpu_type")
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, at, &model.GPUType)...)
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("live"), &model.Live)...)
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("project"), &model.Project)...)
	resp.Diagnostics.Append(d.checkDecided()...)
	resp.Diagnostics.Append(d.checkGPUType(at, model.GPUType)...)
	if resp.Diagnostics.HasError() {
		return
	}
	model.Names, model.Regions = []string{}, map[string]regionModel{}
	for _, region := range d.catalogue().Regions() {
		if !model.GPUType.IsNull() && !slices.Contains(region.Types, model.GPUType.ValueString()) {
			continue
		}
		model.Names = append(model.Names, region.Name)
		model.Regions[region.Name] = flattenRegion(region)
	}
	if model.Live.ValueBool() {
		resp.Diagnostics.Append(d.checkLive(ctx, &model)...)
	}
	if !resp.Diagnostics.HasError() {
		resp.Diagnostics.Append(resp.State.Set(ctx, model)...)
	}
}

func flattenRegion(r gpu.Region) regionModel {
	return regionModel{
		GPUTypes:       notNil(r.Types),
		InvitationOnly: notNil(r.InvitationOnly),
		Notes:          notNil(r.Notes),
		LowCO2:         r.LowCO2,
		PriceTier:      numberOrNull(int64(r.PriceTier)),
		origin:         originOf(r.Source, r.Date, r.Certainty),
	}
}

// notNil makes an empty list of no list: Terraform tells empty from null, and nothing here is unknown.
func notNil(values []string) []string {
	if values == nil {
		return []string{}
	}
	return values
}
