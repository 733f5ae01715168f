package datasource

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/customtype"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/diagnose"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/gpu"
)

var (
	_ datasource.DataSourceWithConfigure      = (*quotaOf)(nil)
	_ datasource.DataSourceWithValidateConfig = (*quotaOf)(nil)
)

// quotaOf is the data source cloudrungpu_quota: what a project may hold at once in a region.
type quotaOf struct{ informed }

// NewQuota returns the data source cloudrungpu_quota, not yet configured.
func NewQuota(known func() *gpu.Catalogue) datasource.DataSource {
	return &quotaOf{informed{known: known}}
}

type quotaModel struct {
	GPUType types.String `tfsdk:"gpu_type"`
	Region  types.String `tfsdk:"region"`
	Project types.String `tfsdk:"project"`

	GPUCount   types.Int64         `tfsdk:"gpu_count"`
	TaskCPU    customtype.Quantity `tfsdk:"task_cpu"`
	TaskMemory customtype.Quantity `tfsdk:"task_memory"`

	QuotaID              types.String    `tfsdk:"quota_id"`
	Metric               types.String    `tfsdk:"metric"`
	DisplayName          types.String    `tfsdk:"display_name"`
	Limit                types.Int64     `tfsdk:"limit"`
	Unlimited            types.Bool      `tfsdk:"unlimited"`
	RawValue             types.Int64     `tfsdk:"raw_value"`
	UnitsPerGPU          types.Int64     `tfsdk:"units_per_gpu"`
	FirstUseGrant        types.Int64     `tfsdk:"first_use_grant"`
	FirstUseGrantAssumed types.Bool      `tfsdk:"first_use_grant_assumed"`
	Used                 types.Float64   `tfsdk:"used"`
	Left                 types.Float64   `tfsdk:"left"`
	LargestParallelism   types.Int64     `tfsdk:"largest_parallelism"`
	BoundBy              types.String    `tfsdk:"bound_by"`
	Increase             increaseModel   `tfsdk:"increase"`
	CPU                  allocationModel `tfsdk:"cpu"`
	Memory               allocationModel `tfsdk:"memory"`
}

// increaseModel says whether a project may ask for more; null where the API does not say.
type increaseModel struct {
	Eligible types.Bool   `tfsdk:"eligible"`
	Reason   types.String `tfsdk:"reason"`
}

// allocationModel is the quota of CPU or memory.
type allocationModel struct {
	QuotaID   types.String  `tfsdk:"quota_id"`
	Metric    types.String  `tfsdk:"metric"`
	Limit     types.Float64 `tfsdk:"limit"`
	Unlimited types.Bool    `tfsdk:"unlimited"`
	RawValue  types.Int64   `tfsdk:"raw_value"`
	Used      types.Float64 `tfsdk:"used"`
	Left      types.Float64 `tfsdk:"left"`
	Increase  increaseModel `tfsdk:"increase"`
}

// Metadata names the data source.
func (d *quotaOf) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_quota"
}

// ValidateConfig refuses a GPU type that does not exist.
func (d *quotaOf) ValidateConfig(ctx context.Context, req datasource.ValidateConfigRequest, resp *datasource.ValidateConfigResponse) {
	var gpuType types.String
	var count types.Int64
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("gpu_type"), &gpuType)...)
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("gpu_count"), &count)...)
	resp.Diagnostics.Append(d.checkGPUs(gpuType, count)...)
}

// Read asks for the limits, and for what is in use where that is known.
func (d *quotaOf) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var model quotaModel
	for name, value := range map[string]*types.String{"gpu_type": &model.GPUType, "region": &model.Region, "project": &model.Project} {
		resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root(name), value)...)
	}
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("gpu_count"), &model.GPUCount)...)
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("task_cpu"), &model.TaskCPU)...)
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("task_memory"), &model.TaskMemory)...)
	resp.Diagnostics.Append(d.checkDecided()...)
	resp.Diagnostics.Append(d.checkGPUs(model.GPUType, model.GPUCount)...)
	resp.Diagnostics.Append(d.place(&model)...)
	if resp.Diagnostics.HasError() {
		return
	}
	kind, _ := d.catalogue().Type(model.GPUType.ValueString()) // it is there: checkGPUs has looked
	allocations := d.catalogue().AllocationQuotas()
	project, region := model.Project.ValueString(), model.Region.ValueString()
	answers := ask(ctx, d.data, project, region, []question{
		{id: kind.Quota.ID, metric: kind.Quota.Metric},
		{id: allocations.CPU.ID, metric: allocations.CPU.Metric},
		{id: allocations.Memory.ID, metric: allocations.Memory.Metric},
	})
	for _, a := range answers {
		if a.err != nil {
			resp.Diagnostics.Append(diagnose.QuotaUnread(a.id, project, region, a.err))
			return // the others fail for the same reason
		}
	}
	fillTask(&model, kind)
	flattenGPUQuota(&model, kind, answers[0])
	fit(&model, kind, answers[0], answers[1], answers[2])
	model.CPU = flattenAllocation(allocations.CPU, answers[1])
	model.Memory = flattenAllocation(allocations.Memory, answers[2])
	resp.Diagnostics.Append(resp.State.Set(ctx, model)...)
}

// place fills in project and region of the provider where the data source has none.
func (d *quotaOf) place(model *quotaModel) (diags diag.Diagnostics) {
	if model.Project.IsNull() {
		model.Project = d.data.Project
	}
	if model.Region.IsNull() {
		model.Region = d.data.Region
	}
	switch at := path.Root("project"); {
	case model.Project.IsNull():
		diags.Append(diagnose.NoProject(at))
	case model.Project.IsUnknown():
		diags.Append(diagnose.ProjectNotYetKnown(at))
	}
	switch at := path.Root("region"); {
	case model.Region.IsNull():
		diags.Append(diagnose.NoLocation(at))
	case model.Region.IsUnknown():
		diags.Append(diagnose.LocationNotYetKnown(at))
	}
	return diags
}

// flattenGPUQuota turns quota units into GPUs. A limit of nothing, or none at all, becomes the grant on first use, where the
// region offers the type to everybody.
func flattenGPUQuota(model *quotaModel, kind *gpu.Type, a answer) {
	model.QuotaID = types.StringValue(kind.Quota.ID)
	model.Metric = types.StringValue(kind.Quota.Metric)
	model.DisplayName = types.StringValue(kind.Quota.DisplayName)
	model.UnitsPerGPU = types.Int64Value(kind.Quota.PerGPU)
	model.FirstUseGrant = types.Int64Value(kind.FirstUseGrant)
	model.RawValue, model.Unlimited = a.raw(), types.BoolValue(a.unlimited())
	model.Increase = a.increase()
	model.Used = a.inWholes(kind.Quota.PerGPU)
	offer, offered := kind.Offer(model.Region.ValueString())
	assumed := a.limit.Value == 0 && kind.FirstUseGrant > 0 && offered && !offer.InvitationOnly
	model.FirstUseGrantAssumed = types.BoolValue(assumed)
	switch {
	case assumed:
		model.Limit = types.Int64Value(kind.FirstUseGrant)
	case model.RawValue.IsNull() || a.unlimited():
		model.Limit = types.Int64Null()
	default:
		model.Limit = types.Int64Value(a.limit.Value / kind.Quota.PerGPU)
	}
	model.Left = types.Float64Null()
	if !model.Limit.IsNull() {
		model.Left = left(types.Float64Value(float64(model.Limit.ValueInt64())), model.Used)
	}
}

func flattenAllocation(of gpu.Allocation, a answer) allocationModel {
	model := allocationModel{
		QuotaID:   types.StringValue(of.ID),
		Metric:    types.StringValue(of.Metric),
		Limit:     types.Float64Null(),
		Unlimited: types.BoolValue(a.unlimited()),
		RawValue:  a.raw(),
		Used:      a.inWholes(of.Unit),
		Increase:  a.increase(),
	}
	if !model.RawValue.IsNull() && !a.unlimited() {
		model.Limit = types.Float64Value(float64(a.limit.Value) / float64(of.Unit))
	}
	model.Left = left(model.Limit, model.Used)
	return model
}
