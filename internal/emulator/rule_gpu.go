package emulator

import (
	"fmt"
	"strings"

	"cloud.google.com/go/run/apiv2/runpb"
)

// checkRedundancy is about spreading GPUs over zones, which jobs cannot have: it is on unless it is switched off.
func (c *checker) checkRedundancy() {
	disabled := c.task().GpuZonalRedundancyDisabled
	switch {
	case gpuContainer(c.task()) < 0 && disabled != nil:
		c.template("template.template.gpu_zonal_redundancy_disabled", "GPU must be set when GPU redundancy is set.")
	case gpuContainer(c.task()) >= 0 && (disabled == nil || !*disabled):
		c.template("template.annotations",
			"Currently Cloud Run jobs are unable to offer GPU enabled instances with zonal redundancy due to capacity limitations.")
	}
}

// checkGPU is about how a GPU must be asked for.
func (c *checker) checkGPU() {
	var holders []int
	for i, container := range c.task().GetContainers() {
		if asksForGPU(container) {
			holders = append(holders, i)
		}
	}
	if len(holders) == 0 {
		return
	}
	gpu, known := findGPU(c.accelerator())
	switch {
	case len(holders) > 1:
		c.template("template.template.containers", "GPU can only be set on one container.")
	case c.task().GetContainers()[holders[0]].GetResources().GetLimits()[limitGPU] != "1":
		c.template(containerField(holders[0], ".limits"), "GPU can only be set to 1.")
	case c.task().GetExecutionEnvironment() != runpb.ExecutionEnvironment_EXECUTION_ENVIRONMENT_GEN2:
		c.template("template.template.execution_environment", "Execution environment must be set to gen2 in order to set GPU.")
	case c.accelerator() == "":
		// Whether the service would choose a type is not known: here it must be said.
		c.template("template.template.node_selector.accelerator", "GPU type must be set in order to set GPU requirements.")
	case !known:
		c.checkUnknownType()
	default:
		c.checkGPUMinimum(holders[0], gpu)
	}
}

// checkUnknownType refuses a type that there is not: with the words of a refusal of 2025, whose names are not all the public ones.
// A request that only validates was seen to pass with such a type.
func (c *checker) checkUnknownType() {
	if c.validateOnly {
		return
	}
	c.template("template.template.node_selector.accelerator",
		"GPU type '%s' is not supported: only 'nvidia-l4', 'nvidia-a100-80gb', 'nvidia-h100-80gb' and 'nvidia-rtx-pro-6000-96gb' are supported.",
		c.accelerator())
}

// checkGPUMinimum refuses a container too small for its GPU. A type with CPU sizes of its own has no such words: there the
// sizes speak.
func (c *checker) checkGPUMinimum(i int, gpu GPU) {
	if !gpu.sharesSizes() {
		return
	}
	smallest, size := gpu.Sizes[0], sizeOf(c.task().GetContainers()[i])
	var wanted []string
	if size.milliCPU < smallest.CPU*1000 {
		wanted = append(wanted, fmt.Sprintf("CPU must be at least %d", smallest.CPU))
	}
	if size.memory < smallest.MinMemory {
		wanted = append(wanted, "memory must be at least "+memoryText(smallest.MinMemory))
	}
	if len(wanted) > 0 {
		c.template(containerField(i, ".limits"), "In order to set GPU, %s.", strings.Join(wanted, "; "))
	}
}

// sharesSizes tells whether the type takes from the CPU sizes of containers without a GPU.
func (g GPU) sharesSizes() bool {
	_, common := findSize(plainSizes, g.Sizes[0].CPU*1000)
	return common
}
