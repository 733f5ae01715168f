package datasource

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/customtype"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/gpu"
)

var (
	_ datasource.DataSourceWithConfigure      = (*gpuTypes)(nil)
	_ datasource.DataSourceWithValidateConfig = (*gpuTypes)(nil)
)

// gpuTypes is the data source cloudrungpu_gpu_types: the catalogue, by GPU type.
type gpuTypes struct{ informed }

// NewGPUTypes returns the data source cloudrungpu_gpu_types, not yet configured.
func NewGPUTypes(known func() *gpu.Catalogue) datasource.DataSource {
	return &gpuTypes{informed{known: known}}
}

type gpuTypesModel struct {
	Type   types.String            `tfsdk:"type"`
	Region types.String            `tfsdk:"region"`
	Names  []string                `tfsdk:"names"`
	Types  map[string]gpuTypeModel `tfsdk:"types"`
}

type gpuTypeModel struct {
	MemoryGB      types.Int64           `tfsdk:"memory_gb"`
	Architecture  types.String          `tfsdk:"architecture"`
	DriverVersion types.String          `tfsdk:"driver_version"`
	CUDAVersion   types.String          `tfsdk:"cuda_version"`
	GPUsPerTask   []int64               `tfsdk:"gpus_per_task"`
	CPUs          []int64               `tfsdk:"cpus"`
	Sizes         []sizeModel           `tfsdk:"sizes"`
	LaunchStage   string                `tfsdk:"launch_stage"`
	LongestTask   map[string]string     `tfsdk:"longest_task"`
	Regions       map[string]offerModel `tfsdk:"regions"`
	Quota         quotaNameModel        `tfsdk:"quota"`
	ZonalQuota    *quotaNameModel       `tfsdk:"zonal_redundancy_quota"`
	FirstUseGrant int64                 `tfsdk:"first_use_grant"`
	Prices        []priceModel          `tfsdk:"prices"`
	Facts         map[string]factModel  `tfsdk:"facts"`
}

type sizeModel struct {
	CPU       int64  `tfsdk:"cpu"`
	MinMemory string `tfsdk:"min_memory"`
	MaxMemory string `tfsdk:"max_memory"`
}

type offerModel struct {
	InvitationOnly bool         `tfsdk:"invitation_only"`
	Note           types.String `tfsdk:"note"`
	origin
}

type quotaNameModel struct {
	ID          string `tfsdk:"id"`
	Metric      string `tfsdk:"metric"`
	DisplayName string `tfsdk:"display_name"`
	UnitsPerGPU int64  `tfsdk:"units_per_gpu"`
}

type priceModel struct {
	PriceTier       int64  `tfsdk:"price_tier"`
	ZonalRedundancy bool   `tfsdk:"zonal_redundancy"`
	USDPerSecond    string `tfsdk:"usd_per_second"`
	origin
}

type factModel struct {
	Value string `tfsdk:"value"`
	origin
}

// Metadata names the data source.
func (d *gpuTypes) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_gpu_types"
}

// ValidateConfig refuses a filter for a type that does not exist.
func (d *gpuTypes) ValidateConfig(ctx context.Context, req datasource.ValidateConfigRequest, resp *datasource.ValidateConfigResponse) {
	var written types.String
	at := path.Root("type")
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, at, &written)...)
	resp.Diagnostics.Append(d.checkGPUType(at, written)...)
}

// Read gives what the catalogue has. It asks nobody.
func (d *gpuTypes) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var model gpuTypesModel
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("type"), &model.Type)...)
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("region"), &model.Region)...)
	resp.Diagnostics.Append(d.checkDecided()...)
	resp.Diagnostics.Append(d.checkGPUType(path.Root("type"), model.Type)...)
	if resp.Diagnostics.HasError() {
		return
	}
	model.Names, model.Types = []string{}, map[string]gpuTypeModel{}
	for _, t := range d.catalogue().Types() {
		if !model.Type.IsNull() && t.Name != model.Type.ValueString() || !model.Region.IsNull() && !t.InRegion(model.Region.ValueString()) {
			continue
		}
		model.Names = append(model.Names, t.Name)
		model.Types[t.Name] = flattenType(t)
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, model)...)
}

func flattenType(t *gpu.Type) gpuTypeModel {
	model := gpuTypeModel{
		MemoryGB:      numberOrNull(t.MemoryGB),
		Architecture:  textOrNull(t.Architecture),
		DriverVersion: textOrNull(t.Driver),
		CUDAVersion:   textOrNull(t.CUDA),
		GPUsPerTask:   t.PerTask,
		LaunchStage:   t.Stage,
		LongestTask:   map[string]string{},
		Regions:       map[string]offerModel{},
		Quota:         flattenQuotaName(t.Quota),
		FirstUseGrant: t.FirstUseGrant,
		Prices:        flattenPrices(t.Prices),
		Facts:         map[string]factModel{},
	}
	if t.ZonalQuota.ID != "" {
		zonal := flattenQuotaName(t.ZonalQuota)
		model.ZonalQuota = &zonal
	}
	for _, s := range t.Sizes {
		model.CPUs = append(model.CPUs, s.CPU)
		model.Sizes = append(model.Sizes, sizeModel{CPU: s.CPU, MinMemory: gibibytes(s.MinMemory), MaxMemory: gibibytes(s.MaxMemory)})
	}
	for _, limit := range t.Tasks {
		model.LongestTask[limit.Stage] = seconds(limit.Longest)
	}
	for _, o := range t.Offers {
		model.Regions[o.Region] = offerModel{
			InvitationOnly: o.InvitationOnly, Note: textOrNull(o.Note), origin: originOf(o.Source, o.Date, o.Certainty),
		}
	}
	for _, f := range t.Facts {
		model.Facts[f.Name] = factModel{Value: f.Value, origin: originOf(f.Source, f.Date, f.Certainty)}
	}
	return model
}

func flattenQuotaName(q gpu.Quota) quotaNameModel {
	return quotaNameModel{ID: q.ID, Metric: q.Metric, DisplayName: q.DisplayName, UnitsPerGPU: q.PerGPU}
}

func flattenPrices(prices []gpu.Price) []priceModel {
	models := make([]priceModel, len(prices))
	for i, p := range prices {
		models[i] = priceModel{
			PriceTier: int64(p.Tier), ZonalRedundancy: p.ZonalRedundancy, USDPerSecond: p.PerSecondUSD,
			origin: originOf(p.Source, p.Date, p.Certainty),
		}
	}
	return models
}

func gibibytes(bytes int64) string { return customtype.Memory(bytes).ValueString() }

func seconds(d time.Duration) string { return customtype.FormatDuration(d) }
