package job

import (
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/gpu"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/quota"
)

const (
	milli = 1000
	gib   = 1 << 30
)

// withPeaks sets what one execution can hold at once: the share of one task times the tasks that run at once. A peak is
// unknown where one of its factors is.
func withPeaks(m Model) Model {
	atOnce, tasksKnown := m.tasksAtOnce()
	cpu, memory, sizesKnown := m.taskSize()

	m.PeakGPUs = types.Int64Unknown()
	g, hasGPU := m.gpu()
	switch {
	case !hasGPU:
		m.PeakGPUs = types.Int64Value(0)
	case tasksKnown && !g.Count.IsUnknown():
		m.PeakGPUs = types.Int64Value(g.count() * atOnce)
	}

	m.PeakCPU, m.PeakMemoryGiB = types.Float64Unknown(), types.Float64Unknown()
	if tasksKnown && sizesKnown {
		m.PeakCPU = types.Float64Value(float64(cpu*atOnce) / milli)
		m.PeakMemoryGiB = types.Float64Value(float64(memory) * float64(atOnce) / gib)
	}
	return m
}

// decidedPeaks is withPeaks of a job that exists: what the server left open, no apply will tell.
func decidedPeaks(m Model) Model {
	m = withPeaks(m)
	if m.PeakCPU.IsUnknown() {
		m.PeakCPU, m.PeakMemoryGiB = types.Float64Null(), types.Float64Null()
	}
	return m
}

// tasksAtOnce is how many tasks can really run at once.
func (m Model) tasksAtOnce() (int64, bool) {
	if m.tasksUnknown() || m.Parallelism.IsUnknown() {
		return 0, false
	}
	tasks := m.mostTasks()
	if m.Parallelism.IsNull() {
		return tasks, true
	}
	return min(tasks, m.Parallelism.ValueInt64()), true
}

// mostTasks is the number of tasks of an execution: of the job's own, or of the run that follows a change, if that has more.
func (m Model) mostTasks() int64 {
	r, _ := m.run()
	return max(m.TaskCount.ValueInt64(), r.TaskCount.ValueInt64(), 1)
}

func (m Model) tasksUnknown() bool {
	r, _ := m.run()
	return m.TaskCount.IsUnknown() || r.TaskCount.IsUnknown()
}

// taskSize is the milli-vCPU and the bytes of memory of one task, all containers together.
func (m Model) taskSize() (milliCPU, bytes int64, ok bool) {
	containers, ok := m.containers()
	if !ok {
		return 0, 0, false
	}
	for _, c := range containers {
		r := c.resources()
		cpu, cpuOK := r.CPU.MilliCPU()
		memory, memoryOK := r.Memory.Bytes()
		if !cpuOK || !memoryOK {
			return 0, 0, false
		}
		milliCPU += cpu
		bytes += memory
	}
	return milliCPU, bytes, true
}

// demand is what the job asks of the project's quotas; false where that is not known yet. Only a job with a GPU is
// checked: what it needs of CPU and memory comes along, because the default of a new project is smaller than three GPUs need.
func (m Model) demand(catalogue *gpu.Catalogue) (quota.Demand, bool) {
	g, hasGPU := m.gpu()
	cpu, memory, sizesKnown := m.taskSize()
	if !hasGPU || !sizesKnown || m.tasksUnknown() || m.Parallelism.IsUnknown() || g.Count.IsUnknown() ||
		!known(m.Project) || !known(m.Location) || catalogue.IsUndecided() {
		return quota.Demand{}, false
	}
	t, ok := catalogue.Type(g.Type.ValueString())
	if !ok {
		return quota.Demand{}, false
	}
	allocations := catalogue.AllocationQuotas()
	return quota.Demand{
		Project: m.Project.ValueString(), Region: m.Location.ValueString(),
		Parallelism: m.Parallelism.ValueInt64(), TaskCount: m.mostTasks(),
		Needs: []quota.Need{
			{
				Kind: quota.GPU, QuotaID: t.Quota.ID, Label: t.Name + " GPU",
				PerTask: g.count() * t.Quota.PerGPU, Unit: t.Quota.PerGPU, Grant: t.FirstUseGrant * t.Quota.PerGPU,
			},
			{Kind: quota.CPU, QuotaID: allocations.CPU.ID, Label: "vCPU", PerTask: cpu * allocations.CPU.Unit / milli, Unit: allocations.CPU.Unit},
			{Kind: quota.Memory, QuotaID: allocations.Memory.ID, Label: "GiB of memory", PerTask: memory, Unit: allocations.Memory.Unit},
		},
	}, true
}
