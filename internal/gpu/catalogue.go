// Package gpu is the catalogue of GPU types for Cloud Run jobs: what they are, where they can be had, which CPU and
// memory go with them, how long a task may run, which quota counts them and what they cost. All of it is data, in
// catalogue.yaml, where each value names its source and the day it was known to be true. The package asks nobody.
package gpu

import (
	_ "embed"
	"fmt"
	"slices"
	"sync"
	"time"
)

//go:embed catalogue.yaml
var embedded []byte

// Catalogue is what is known of GPU types, regions and task sizes. It is immutable and safe for concurrent use.
type Catalogue struct {
	doc         *document // what With starts from
	types       []*Type   // sorted by name
	regions     []Region  // sorted by name
	sizes       []Size
	longest     time.Duration
	allocations AllocationQuotas
	spellings   map[string]string // squeezed name or alias -> type name, see Nearest
	extended    bool
	undecided   bool
}

// Region is a region of Google Cloud that offers at least one GPU type to jobs.
type Region struct {
	Name           string
	Types          []string // names of the GPU types, sorted
	InvitationOnly []string // those of Types that need an invitation
	Notes          []string // what is known of capacity: "nvidia-l4: many GPUs may need a quota request"
	LowCO2         bool     // Google marks the region as low in carbon emissions
	PriceTier      int      // 1 or 2; 0 where a user's file adds a region and does not say
	Source         string
	Date           string // "2006-01-02"
	Certainty      Certainty
}

// AllocationQuotas are the quotas on what all jobs and services of a project hold at once in one region, besides GPUs.
type AllocationQuotas struct {
	CPU    Allocation // whole unit: one vCPU
	Memory Allocation // whole unit: one GiB
}

// Allocation is the quota and the price of CPU or memory.
type Allocation struct {
	ID          string // "CpuAllocPerProjectRegion"
	Metric      string
	DisplayName string
	Unit        int64   // quota units in one whole unit: 1000 for a vCPU, 1<<30 for a GiB
	Default     int64   // what a new project gets, in whole units
	Prices      []Price // of one whole unit
}

var parseEmbedded = sync.OnceValue(func() *Catalogue {
	c, err := Parse(embedded)
	if err != nil {
		panic(fmt.Sprintf("gpu: the embedded catalogue is broken: %v", err)) // a test keeps this from ever being released
	}
	return c
})

// Default returns the catalogue that comes with the provider. It is read on the first call.
func Default() *Catalogue { return parseEmbedded() }

// Extended reports whether a user's own values are part of the catalogue: that of a user who may be ahead of it.
func (c *Catalogue) Extended() bool { return c.extended }

// Undecided returns a catalogue of which it is not known yet what a user's file will make of it.
func (c *Catalogue) Undecided() *Catalogue {
	open := *c
	open.extended, open.undecided = true, true
	return &open
}

// IsUndecided reports whether what the catalogue says of GPU types and regions may still change: judge by it later.
func (c *Catalogue) IsUndecided() bool { return c.undecided }

// Type returns the GPU type of exactly this name.
func (c *Catalogue) Type(name string) (*Type, bool) {
	for _, t := range c.types {
		if t.Name == name {
			return t, true
		}
	}
	return nil, false
}

// Types returns all GPU types, sorted by name.
func (c *Catalogue) Types() []*Type { return slices.Clone(c.types) }

// Regions returns the regions that offer at least one GPU type, sorted by name.
func (c *Catalogue) Regions() []Region { return slices.Clone(c.regions) }

// Region returns the region of this name; false when it offers no GPU to jobs or is no region at all.
func (c *Catalogue) Region(name string) (Region, bool) {
	for i := range c.regions {
		if c.regions[i].Name == name {
			return c.regions[i], true
		}
	}
	return Region{}, false
}

// RegionsOf returns the names of the regions that offer the GPU type, sorted; nil for a type that is not known.
func (c *Catalogue) RegionsOf(typeName string) []string {
	t, found := c.Type(typeName)
	if !found {
		return nil
	}
	names := make([]string, len(t.Offers))
	for i, o := range t.Offers {
		names[i] = o.Region
	}
	return names
}

// Sizes returns the CPU and memory that a task without a GPU may have, ascending by CPU.
func (c *Catalogue) Sizes() []Size { return slices.Clone(c.sizes) }

// LongestTask returns how long a task without a GPU may run.
func (c *Catalogue) LongestTask() time.Duration { return c.longest }

// AllocationQuotas returns the quotas and prices of CPU and memory.
func (c *Catalogue) AllocationQuotas() AllocationQuotas { return c.allocations }
