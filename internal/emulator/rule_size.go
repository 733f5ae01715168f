package emulator

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"cloud.google.com/go/run/apiv2/runpb"
)

const (
	minFraction      = 80 // milli-vCPU
	minTotalCPU      = 1000
	minTotalMemory   = gib / 2
	minMemory        = gib / 8
	maxMemoryUnder1  = gib     // of a container with less than 1 CPU
	maxMemoryUnder05 = gib / 2 // of a container with less than half a CPU
)

var knownLimits = []string{limitCPU, limitMemory, limitGPU}

// containerSize is what a container asks for.
type containerSize struct {
	milliCPU int64
	memory   int64 // bytes
}

// sizeOf reads the limits of a container; checkQuantities has seen that they can be read.
func sizeOf(container *runpb.Container) containerSize {
	limits := container.GetResources().GetLimits()
	var size containerSize
	if cpu, err := parseQuantity(limits[limitCPU]); err == nil {
		size.milliCPU = cpu.MilliValue()
	}
	if memory, err := parseQuantity(limits[limitMemory]); err == nil {
		size.memory = memory.Value()
	}
	return size
}

// checkQuantities is about limits that cannot be read.
func (c *checker) checkQuantities() {
	for i, container := range c.task().GetContainers() {
		limits := container.GetResources().GetLimits()
		for _, key := range slices.Sorted(maps.Keys(limits)) {
			if !slices.Contains(knownLimits, key) {
				c.template(containerField(i, ".limits"), "Only %s limits are supported, got '%s'.", strings.Join(knownLimits, ", "), key)
				continue
			}
			quantity, err := parseQuantity(limits[key])
			if err != nil || quantity.Sign() < 0 {
				c.template(containerField(i, ".limits."+key), "Could not parse Quantity '%s'.", limits[key])
			}
		}
	}
}

// checkSizes is about how much CPU and memory a container may have, and what all must have together.
func (c *checker) checkSizes() {
	gpu, hasGPU := findGPU(c.accelerator())
	var total containerSize
	for i, container := range c.task().GetContainers() {
		size := sizeOf(container)
		total.milliCPU += size.milliCPU
		total.memory += size.memory
		if hasGPU && asksForGPU(container) && !gpu.sharesSizes() {
			c.checkSize(i, size, gpu.Sizes)
		} else {
			c.checkSize(i, size, plainSizes)
		}
	}
	if len(c.violations) > 0 {
		return
	}
	// The words about memory are the service's, those about CPU are made after them.
	if total.milliCPU < minTotalCPU {
		c.template(containerField(0, ".limits.cpu"),
			"Invalid value specified for cpu. Total cpu < 1 is not supported with cpu always allocated (unthrottled).")
	}
	if total.memory < minTotalMemory {
		c.template(containerField(0, ".limits.memory"), "Invalid value specified for memory. Total memory < 512 Mi is not supported "+
			"with gen2 execution environment with cpu always allocated (unthrottled).")
	}
}

func (c *checker) checkSize(i int, asked containerSize, sizes []Size) {
	fraction := sizes[0] == plainSizes[0] && asked.milliCPU >= minFraction && asked.milliCPU < 1000
	size, offered := findSize(sizes, asked.milliCPU)
	switch {
	case fraction:
		limit := maxMemoryUnder1
		if asked.milliCPU < 500 {
			limit = maxMemoryUnder05
		}
		size = Size{MinMemory: minMemory, MaxMemory: limit}
	case !offered:
		c.template(containerField(i, ".limits.cpu"), "Invalid value specified for container cpu. Must be equal to one of %s", cpuTexts(sizes))
		return
	}
	// Below half a GiB it is the total that counts, and a total has words of its own.
	low := size.MinMemory
	if low <= minTotalMemory {
		low = 0
	}
	if asked.memory < low || asked.memory > size.MaxMemory {
		c.template(containerField(i, ".limits.memory"),
			"Invalid value specified for container memory. For %s CPU, memory must be between %s and %s inclusive.",
			cpuText(asked.milliCPU), memoryText(size.MinMemory), memoryText(size.MaxMemory))
	}
}

// cpuTexts is the list of sizes as the service writes it: [.08-1], 1.0, 2.0, 4.0, 6.0, 8.0.
func cpuTexts(sizes []Size) string {
	var texts []string
	if sizes[0] == plainSizes[0] {
		texts = append(texts, "[.08-1]")
	}
	for _, size := range sizes {
		texts = append(texts, cpuText(size.CPU*1000))
	}
	return strings.Join(texts, ", ")
}

func cpuText(milli int64) string {
	text := strconv.FormatFloat(float64(milli)/1000, 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}

func memoryText(bytes int64) string {
	if bytes%gib == 0 {
		return fmt.Sprintf("%dGi", bytes/gib)
	}
	return fmt.Sprintf("%dMi", bytes*1024/gib)
}
