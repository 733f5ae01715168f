package job

import (
	"slices"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/customtype"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/gpu"
)

// plannedResources is what a container gets when the configuration leaves CPU or memory out: the smallest size that goes
// with what is written. It is unknown where what is written is.
func plannedResources(written Resources, sizes []gpu.Size) Resources {
	cpu, memory := written.CPU, written.Memory
	switch {
	case cpu.IsNull() && memory.IsNull():
		return Resources{CPU: customtype.CPU(sizes[0].CPU), Memory: customtype.Memory(sizes[0].MinMemory)}
	case memory.IsNull():
		return Resources{CPU: cpu, Memory: smallestMemory(cpu, sizes)}
	case cpu.IsNull():
		return Resources{CPU: smallestCPU(memory, sizes), Memory: memory}
	}
	return written
}

func smallestMemory(cpu customtype.Quantity, sizes []gpu.Size) customtype.Quantity {
	if cpu.IsUnknown() {
		return customtype.QuantityUnknown()
	}
	milli, _ := cpu.MilliCPU()
	for _, s := range sizes {
		if milli <= s.CPU*1000 {
			return customtype.Memory(s.MinMemory)
		}
	}
	return customtype.Memory(sizes[len(sizes)-1].MinMemory)
}

func smallestCPU(memory customtype.Quantity, sizes []gpu.Size) customtype.Quantity {
	if memory.IsUnknown() {
		return customtype.QuantityUnknown()
	}
	bytes, _ := memory.Bytes()
	for _, s := range sizes {
		if bytes <= s.MaxMemory {
			return customtype.CPU(s.CPU)
		}
	}
	return customtype.CPU(sizes[len(sizes)-1].CPU)
}

// sizesOf are the sizes from which container i may choose: those of the GPU type for the container that holds the GPU,
// else those of a task without one. False where that cannot be known yet.
func sizesOf(i int, containers []Container, g GPU, hasGPU bool, catalogue *gpu.Catalogue) ([]gpu.Size, bool) {
	if !hasGPU {
		return catalogue.Sizes(), true
	}
	holder, ok := g.holder(containers)
	if !ok {
		return nil, false
	}
	if i != holder {
		return catalogue.Sizes(), true
	}
	if g.Type.IsUnknown() || catalogue.IsUndecided() {
		return nil, false
	}
	t, ok := catalogue.Type(g.Type.ValueString())
	if !ok {
		return nil, false // the type is wrong; that has an error of its own
	}
	return t.Sizes, true
}

// fillResources sets the resources of every container. Unknown ones stay unknown where what decides them is.
func fillResources(containers []Container, written []Container, g GPU, hasGPU bool, catalogue *gpu.Catalogue) []Container {
	out := slices.Clone(containers)
	for i := range out {
		sizes, ok := sizesOf(i, written, g, hasGPU, catalogue)
		if !ok || written[i].Resources.IsUnknown() {
			continue
		}
		planned := plannedResources(written[i].resources(), sizes)
		out[i].Resources = keepSpelling(planned, containers[i].resources()).object()
	}
	return out
}

// keepSpelling prefers the spelling that the plan already carries where it is the same amount.
func keepSpelling(wanted, carried Resources) Resources {
	if same(wanted.CPU, carried.CPU) {
		wanted.CPU = carried.CPU
	}
	if same(wanted.Memory, carried.Memory) {
		wanted.Memory = carried.Memory
	}
	return wanted
}

// same is true of two known quantities of the same amount.
func same(a, b customtype.Quantity) bool {
	x, xOK := a.Amount()
	y, yOK := b.Amount()
	return xOK && yOK && x.Cmp(y) == 0
}
