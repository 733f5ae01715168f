package job

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/customtype"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/diagnose"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/gpu"
)

// smallestShare is the smallest part of a vCPU, in thousandths, that one of several containers may ask for.
const smallestShare = 80

// checkSizes compares CPU and memory of each container with what its GPU type, or a task without a GPU, may have.
func checkSizes(c configuration) (diags diag.Diagnostics) {
	for i, container := range c.containers {
		sizes, ok := sizesOf(i, c.containers, c.gpu, c.hasGPU, c.catalogue)
		if !ok || container.Resources.IsUnknown() {
			continue
		}
		s := sizeCheck{
			at:      containerPath(i).AtName("resources"),
			written: container.resources(),
			sizes:   sizes,
			owner:   "A container without a GPU",
			shares:  true,
			several: len(c.containers) > 1,
		}
		if holder, _ := c.gpu.holder(c.containers); c.hasGPU && holder == i {
			s.owner, s.shares = "A container with an "+c.gpu.Type.ValueString()+" GPU", false
		}
		diags.Append(s.run()...)
	}
	return diags
}

// sizeCheck is the check of one container.
type sizeCheck struct {
	at      path.Path
	written Resources
	sizes   []gpu.Size
	owner   string
	shares  bool // parts of a vCPU are possible
	several bool // the task has other containers
}

func (s sizeCheck) run() (diags diag.Diagnostics) {
	planned := plannedResources(s.written, s.sizes)
	size, fits := s.sizeFor(planned.CPU)
	if known(s.written.CPU) && !fits {
		if _, ok := s.written.CPU.MilliCPU(); ok {
			diags.Append(s.badCPU())
		}
	}
	if memory, ok := s.written.Memory.Bytes(); ok && !planned.CPU.IsUnknown() {
		if !fits {
			// The CPU is wrong already; the memory is judged by what any size allows.
			size = gpu.Size{MinMemory: s.sizes[0].MinMemory, MaxMemory: s.sizes[len(s.sizes)-1].MaxMemory}
		}
		if memory < size.MinMemory || memory > size.MaxMemory {
			diags.Append(s.badMemory(size, fits))
		}
	}
	return diags
}

// sizeFor is the size with exactly this CPU. A share of a vCPU has up to 1Gi, less than half of one up to 512Mi; only all
// containers together have a lower bound.
func (s sizeCheck) sizeFor(cpu customtype.Quantity) (gpu.Size, bool) {
	amount, ok := cpu.MilliCPU()
	if !ok {
		return gpu.Size{}, false
	}
	for _, size := range s.sizes {
		if size.CPU*milli == amount {
			if s.several && size.MinMemory == s.sizes[0].MinMemory && s.shares {
				size.MinMemory = 0 // the smallest memory is asked of all containers together
			}
			return size, true
		}
	}
	if !s.shares || amount < smallestShare || amount >= milli {
		return gpu.Size{}, false
	}
	if amount < milli/2 {
		return gpu.Size{MaxMemory: gib / 2}, true
	}
	return gpu.Size{MaxMemory: gib}, true
}

func (s sizeCheck) badCPU() diag.Diagnostic {
	choices := make([]string, len(s.sizes))
	for i, size := range s.sizes {
		choices[i] = fmt.Sprint(size.CPU)
	}
	why := fmt.Sprintf("%s can have %s vCPU.", s.owner, strings.Join(choices, ", "))
	if s.shares {
		why = fmt.Sprintf("%s can have %s vCPU; one of several containers also 0.08 to 1.", s.owner, strings.Join(choices, ", "))
	}
	return diagnose.Invalid(s.at.AtName("cpu"), diagnose.Message{
		What: fmt.Sprintf("%s cannot have %q vCPU.", s.owner, s.written.CPU.ValueString()),
		Why:  why,
		Do:   fmt.Sprintf("Set %s to one of these, or leave it out to get the smallest that fits.", s.at.AtName("cpu")),
	})
}

func (s sizeCheck) badMemory(size gpu.Size, exact bool) diag.Diagnostic {
	low, high := customtype.Memory(size.MinMemory).ValueString(), customtype.Memory(size.MaxMemory).ValueString()
	subject := s.owner
	if exact {
		subject = fmt.Sprintf("%s and %s vCPU", s.owner, plannedResources(s.written, s.sizes).CPU.ValueString())
	}
	m := diagnose.Message{
		What: fmt.Sprintf("%s cannot have %q of memory.", subject, s.written.Memory.ValueString()),
		Why:  fmt.Sprintf("%s can have %s to %s.", subject, low, high),
		Do:   fmt.Sprintf("Set %s to a value in that range.", s.at.AtName("memory")),
	}
	switch memory, _ := s.written.Memory.Bytes(); {
	case low == high:
		m.Why = fmt.Sprintf("%s has exactly %s.", subject, low)
		m.Do = fmt.Sprintf("Set %s to %q, or leave it out.", s.at.AtName("memory"), low)
		fallthrough
	case exact:
		if larger := smallestCPU(s.written.Memory, s.sizes); memory > size.MaxMemory && !same(larger, s.written.CPU) {
			if milli, _ := larger.MilliCPU(); milli > size.CPU*1000 {
				m.Do += fmt.Sprintf(" For more memory, raise %s: %s vCPU can have up to %s.", s.at.AtName("cpu"),
					larger.ValueString(), customtype.Memory(s.sizes[len(s.sizes)-1].MaxMemory).ValueString())
			}
		}
	}
	return diagnose.Invalid(s.at.AtName("memory"), m)
}

// checkTotals refuses a task that has less than the smallest one all together.
func checkTotals(c configuration) (diags diag.Diagnostics) {
	if c.hasGPU || len(c.containers) == 0 {
		return nil // with a GPU one container alone has more than that
	}
	var cpu, memory int64
	for i, container := range c.containers {
		sizes, ok := sizesOf(i, c.containers, c.gpu, c.hasGPU, c.catalogue)
		if !ok || container.Resources.IsUnknown() {
			return nil
		}
		planned := plannedResources(container.resources(), sizes)
		containerCPU, cpuOK := planned.CPU.MilliCPU()
		containerMemory, memoryOK := planned.Memory.Bytes()
		if !cpuOK || !memoryOK {
			return nil
		}
		cpu += containerCPU
		memory += containerMemory
	}
	least := c.catalogue.Sizes()[0]
	if cpu < least.CPU*milli {
		diags.Append(diagnose.Invalid(path.Root("containers"), diagnose.Message{
			What: fmt.Sprintf("All containers together have %s vCPU.", thousandths(cpu)),
			Why:  fmt.Sprintf("A task of a job needs at least %d vCPU in all.", least.CPU),
			Do:   "Raise resources.cpu of a container, or leave it out.",
		}))
	}
	if memory < least.MinMemory && len(c.containers) > 1 {
		diags.Append(diagnose.Invalid(path.Root("containers"), diagnose.Message{
			What: fmt.Sprintf("All containers together have %s of memory.", customtype.Memory(memory).ValueString()),
			Why:  fmt.Sprintf("A task of a job needs at least %s in all.", customtype.Memory(least.MinMemory).ValueString()),
			Do:   "Raise resources.memory of a container, or leave it out.",
		}))
	}
	return diags
}

func thousandths(n int64) string { return fmt.Sprintf("%g", float64(n)/milli) }
