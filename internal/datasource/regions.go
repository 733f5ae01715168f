package datasource

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/gpu"
)

var (
	_ datasource.DataSourceWithConfigure      = (*regions)(nil)
	_ datasource.DataSourceWithValidateConfig = (*regions)(nil)
)

// regions is the data source cloudrungpu_regions: the catalogue, by region.
type regions struct{ configured }

// NewRegions returns the data source cloudrungpu_regions, not yet configured.
func NewRegions() datasource.DataSource { return &regions{} }

type regionsModel struct {
	GPUType types.String           `tfsdk:"gpu_type"`
	Names   []string               `tfsdk:"names"`
	Regions map[string]regionModel `tfsdk:"regions"`
}

type regionModel struct {
	GPUTypes       []string `tfsdk:"gpu_types"`
	InvitationOnly []string `tfsdk:"invitation_only"`
	Notes          []string `tfsdk:"notes"`
	LowCO2         bool     `tfsdk:"low_co2"`
	PriceTier      int64    `tfsdk:"price_tier"`
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
			"reading it asks nobody and needs no credentials.",
		Attributes: map[string]schema.Attribute{
			"gpu_type": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "Only the regions that offer this GPU type, such as `nvidia-l4`. Default: those of all types.",
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
		"low_co2":    schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether Google marks the region as low in carbon emissions."},
		"price_tier": schema.Int64Attribute{Computed: true, MarkdownDescription: "Price tier of the region: `1` or `2`."},
	})
}

// ValidateConfig refuses a filter for a type that does not exist.
func (d *regions) ValidateConfig(ctx context.Context, req datasource.ValidateConfigRequest, resp *datasource.ValidateConfigResponse) {
	var written types.String
	at := path.Root("gpu_type")
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, at, &written)...)
	resp.Diagnostics.Append(d.checkGPUType(at, written)...)
}

// Read gives what the catalogue has. It asks nobody.
func (d *regions) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var model regionsModel
	at := path.Root("gpu_type")
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, at, &model.GPUType)...)
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
	resp.Diagnostics.Append(resp.State.Set(ctx, model)...)
}

func flattenRegion(r gpu.Region) regionModel {
	return regionModel{
		GPUTypes:       notNil(r.Types),
		InvitationOnly: notNil(r.InvitationOnly),
		Notes:          notNil(r.Notes),
		LowCO2:         r.LowCO2,
		PriceTier:      int64(r.PriceTier),
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
