package datasource

import (
	"context"
	"math/big"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/cost"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/customtype"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/diagnose"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/gpu"
)

var (
	_ datasource.DataSourceWithConfigure      = (*costEstimate)(nil)
	_ datasource.DataSourceWithValidateConfig = (*costEstimate)(nil)
)

// costEstimate is the data source cloudrungpu_cost_estimate: what one execution of a job costs.
type costEstimate struct{ informed }

// NewCostEstimate returns the data source cloudrungpu_cost_estimate, not yet configured.
func NewCostEstimate(known func() *gpu.Catalogue) datasource.DataSource {
	return &costEstimate{informed{known: known}}
}

type costModel struct {
	GPUType      types.String        `tfsdk:"gpu_type"`
	GPUCount     types.Int64         `tfsdk:"gpu_count"`
	Region       types.String        `tfsdk:"region"`
	CPU          customtype.Quantity `tfsdk:"cpu"`
	Memory       customtype.Quantity `tfsdk:"memory"`
	TaskCount    types.Int64         `tfsdk:"task_count"`
	TaskDuration customtype.Duration `tfsdk:"task_duration"`
	MaxRetries   types.Int64         `tfsdk:"max_retries"`
	LivePrices   types.Bool          `tfsdk:"live_prices"`

	ExpectedUSD    types.Number         `tfsdk:"expected_usd"`
	UpperBoundUSD  types.Number         `tfsdk:"upper_bound_usd"`
	BilledSeconds  types.Number         `tfsdk:"billed_seconds"`
	PriceTier      types.Int64          `tfsdk:"price_tier"`
	Parts          map[string]partModel `tfsdk:"parts"`
	CatalogProblem types.String         `tfsdk:"billing_catalog_problem"`
}

// partModel is what one of GPU, CPU and memory costs.
type partModel struct {
	ExpectedUSD   types.Number `tfsdk:"expected_usd"`
	UpperBoundUSD types.Number `tfsdk:"upper_bound_usd"`
	USDPerSecond  types.String `tfsdk:"usd_per_second"`
	PriceFrom     types.String `tfsdk:"price_from"`
	Source        types.String `tfsdk:"source"`
	SourceDate    types.String `tfsdk:"source_date"`
	Certainty     types.String `tfsdk:"certainty"`
	Reason        types.String `tfsdk:"reason"`
}

// Metadata names the data source.
func (d *costEstimate) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_cost_estimate"
}

// ValidateConfig refuses GPUs that do not exist, or that no task can have.
func (d *costEstimate) ValidateConfig(ctx context.Context, req datasource.ValidateConfigRequest, resp *datasource.ValidateConfigResponse) {
	var model costModel
	at := path.Root("gpu_type")
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, at, &model.GPUType)...)
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("gpu_count"), &model.GPUCount)...)
	resp.Diagnostics.Append(d.checkGPUs(model.GPUType, model.GPUCount)...)
}

// Read computes the estimate.
func (d *costEstimate) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var model costModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &model)...)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(d.checkDecided()...)
	resp.Diagnostics.Append(d.checkGPUs(model.GPUType, model.GPUCount)...)
	d.fill(&model)
	if at := path.Root("region"); model.Region.IsNull() {
		resp.Diagnostics.Append(diagnose.NoLocation(at))
	} else if model.Region.IsUnknown() {
		resp.Diagnostics.Append(diagnose.LocationNotYetKnown(at))
	}
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(d.estimate(ctx, &model)...)
	resp.Diagnostics.Append(resp.State.Set(ctx, model)...)
}

// fill puts in what the resource puts in for a job that is silent: the region of the provider, one GPU of a type, the smallest
// CPU and memory, one task, three retries.
func (d *costEstimate) fill(model *costModel) {
	if model.Region.IsNull() {
		model.Region = d.data.Region
	}
	smallest, gpus := d.catalogue().Sizes()[0], int64(0)
	if kind, found := d.catalogue().Type(model.GPUType.ValueString()); found {
		smallest, gpus = kind.Sizes[0], kind.PerTask[0]
	}
	if model.GPUCount.IsNull() {
		model.GPUCount = types.Int64Value(gpus)
	}
	if model.CPU.IsNull() {
		model.CPU = customtype.CPU(smallest.CPU)
	}
	if model.Memory.IsNull() {
		model.Memory = customtype.Memory(smallest.MinMemory)
	}
	if model.TaskCount.IsNull() {
		model.TaskCount = types.Int64Value(1)
	}
	if model.MaxRetries.IsNull() {
		model.MaxRetries = types.Int64Value(3)
	}
	if model.LivePrices.IsNull() {
		model.LivePrices = types.BoolValue(true)
	}
}

func (d *costEstimate) estimate(ctx context.Context, model *costModel) diag.Diagnostics {
	rates, problem, diags := d.rates(ctx, model)
	model.CatalogProblem = textOrNull(problem)
	model.PriceTier = types.Int64Null()
	if region, found := d.catalogue().Region(model.Region.ValueString()); found {
		model.PriceTier = numberOrNull(int64(region.PriceTier))
	}
	e := cost.Of(jobOf(model), cost.Rates{GPU: rates.gpu.perSecond, CPU: rates.cpu.perSecond, Memory: rates.memory.perSecond})
	model.BilledSeconds = numberOf(big.NewRat(int64(e.Billed), int64(time.Second)).FloatString(9))
	model.ExpectedUSD, model.UpperBoundUSD = dollars(e.Total.Once), dollars(e.Total.Bound)
	model.Parts = map[string]partModel{
		"gpu": rates.gpu.flatten(e.GPU), "cpu": rates.cpu.flatten(e.CPU), "memory": rates.memory.flatten(e.Memory),
	}
	return diags
}

func jobOf(model *costModel) cost.Job {
	milliCPU, _ := model.CPU.MilliCPU() // the type has checked the form of all three
	memory, _ := model.Memory.Bytes()
	attempt, _ := model.TaskDuration.Length()
	return cost.Job{
		GPUs: model.GPUCount.ValueInt64(), MilliCPU: milliCPU, MemoryBytes: memory,
		Tasks: model.TaskCount.ValueInt64(), Retries: model.MaxRetries.ValueInt64(), Attempt: attempt,
	}
}

// dollars is an amount as Terraform's number, which is a decimal too; null where it is not known.
func dollars(a *cost.Amount) types.Number {
	if a == nil {
		return types.NumberNull()
	}
	return numberOf(a.String())
}

// numberOf reads a decimal as Terraform reads it from a state, so that a number that comes back is the same one.
func numberOf(decimal string) types.Number {
	f, _, err := big.ParseFloat(decimal, 10, 512, big.ToNearestEven)
	if err != nil {
		return types.NumberNull() // no decimal of cost and big is unreadable
	}
	return types.NumberValue(f)
}

// kindOf is the GPU type of the estimate; nil where the job has no GPU.
func (d *costEstimate) kindOf(model *costModel) *gpu.Type {
	kind, found := d.catalogue().Type(model.GPUType.ValueString())
	if !found {
		return nil
	}
	return kind
}
