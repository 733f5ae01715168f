package datasource

import (
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/customtype"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/gpu"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/quota"
)

// fillTask puts in what the resource gives a task that is silent: one GPU, and the least CPU and memory.
func fillTask(model *quotaModel, kind *gpu.Type) {
	if model.GPUCount.IsNull() {
		model.GPUCount = types.Int64Value(kind.PerTask[0])
	}
	if model.TaskCPU.IsNull() {
		model.TaskCPU = customtype.CPU(kind.Sizes[0].CPU)
	}
	if model.TaskMemory.IsNull() {
		model.TaskMemory = customtype.Memory(kind.Sizes[0].MinMemory)
	}
}

// fit says how many tasks the limits allow at once. A grant that is assumed counts as a limit.
func fit(model *quotaModel, kind *gpu.Type, gpus, cpu, memory answer) {
	milliCPU, _ := model.TaskCPU.MilliCPU() // the type has checked the form of both
	bytes, _ := model.TaskMemory.Bytes()
	ofGPUs := gpus.allowance(quota.GPU, model.GPUCount.ValueInt64()*kind.Quota.PerGPU)
	if model.FirstUseGrantAssumed.ValueBool() {
		ofGPUs.Known, ofGPUs.Limit = true, kind.FirstUseGrant*kind.Quota.PerGPU
	}
	bound := quota.Tightest(ofGPUs, cpu.allowance(quota.CPU, milliCPU), memory.allowance(quota.Memory, bytes))
	model.LargestParallelism, model.BoundBy = types.Int64Null(), types.StringNull()
	switch {
	case !bound.Known:
	case bound.Largest == quota.Unlimited:
		model.BoundBy = types.StringValue("nothing")
	default:
		model.LargestParallelism = types.Int64Value(bound.Largest)
		model.BoundBy = types.StringValue(strings.ToLower(string(bound.By)))
	}
}

func (a answer) allowance(kind quota.Kind, perTask int64) quota.Allowance {
	return quota.Allowance{Kind: kind, PerTask: perTask, Known: a.limit.State == quota.Known, Limit: a.limit.Value}
}

// left is what of a limit is not in use, in the unit of both; null where one of them is not known, or there is no bound.
func left(limit, used types.Float64) types.Float64 {
	if limit.IsNull() || used.IsNull() {
		return types.Float64Null()
	}
	return types.Float64Value(max(limit.ValueFloat64()-used.ValueFloat64(), 0))
}
