package gpu

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"time"
)

// Parse reads a whole catalogue. A key that it has no place for, a value that is missing or makes no sense, and a value
// without a source or a date are errors; those of the YAML itself name the line.
func Parse(data []byte) (*Catalogue, error) {
	doc, err := decode(data)
	if err != nil {
		return nil, fmt.Errorf("reading the GPU catalogue: %w", err)
	}
	return build(doc, "")
}

// build checks a document and turns it into a catalogue. It reports all faults at once. A value without a source is one,
// unless there is a source to assume for it.
func build(doc *document, assumed string) (*Catalogue, error) {
	b := builder{sources: doc.Sources, assumed: assumed}
	c := &Catalogue{doc: doc}
	b.task(c, doc.Task)
	b.allocation(c, doc.Allocation)
	for _, name := range slices.Sorted(maps.Keys(doc.Types)) {
		b.at = "types." + name
		c.types = append(c.types, b.gpuType(name, doc.Types[name], doc.Regions))
	}
	b.at = "regions"
	for _, name := range slices.Sorted(maps.Keys(doc.Regions)) {
		if region, offered := b.region(name, doc.Regions[name], c.types); offered {
			c.regions = append(c.regions, region)
		}
	}
	b.at = "types"
	c.spellings = b.spellings(doc.Types)
	if len(b.faults) > 0 {
		return nil, fmt.Errorf("the GPU catalogue is not right: %w", errors.Join(b.faults...))
	}
	return c, nil
}

// builder collects the faults of a document; at says in which part of it the builder is.
type builder struct {
	sources map[string]string
	assumed string
	at      string
	faults  []error
}

func (b *builder) fault(format string, args ...any) {
	b.faults = append(b.faults, fmt.Errorf(b.at+": "+format, args...))
}

// origin checks where a value comes from and spells out its source.
func (b *builder) origin(name string, p provenance) Fact {
	if b.assumed == "" && (p.Source == "" || p.Date == "") {
		b.fault("%s needs a source and a date", name)
	}
	certainty := cmp.Or(p.Certainty, Certain)
	if certainty != Certain && certainty != Likely && certainty != Unknown {
		b.fault("%s has the certainty %q, which is none of certain, likely, unknown", name, certainty)
	}
	source, listed := b.sources[p.Source]
	if !listed {
		source = cmp.Or(p.Source, b.assumed)
	}
	return Fact{Name: name, Source: source, Date: string(p.Date), Certainty: certainty}
}

// take returns a value that must be there, and adds the fact about it; words may be nil for a value that prints well.
func take[T any](b *builder, facts *[]Fact, name string, k *known[T], words func(T) string) T {
	if k == nil {
		var zero T
		b.fault("%s is missing", name)
		return zero
	}
	fact := b.origin(name, k.provenance)
	fact.Value = fmt.Sprint(k.Value)
	if words != nil {
		fact.Value = words(k.Value)
	}
	*facts = append(*facts, fact)
	return k.Value
}

// given is a value that only a catalogue of Google's own must have: a user may not know it, and no job depends on it.
func given[T any](b *builder, facts *[]Fact, name string, k *known[T], words func(T) string) T {
	if k == nil && b.assumed != "" {
		var zero T
		return zero
	}
	return take(b, facts, name, k, words)
}

func (b *builder) task(c *Catalogue, e *taskEntry) {
	b.at = "task"
	if e == nil {
		e = new(taskEntry)
	}
	var facts []Fact
	c.longest = time.Duration(take(b, &facts, "longest", e.Longest, nil))
	c.sizes = b.sizes(take(b, &facts, "sizes", e.Sizes, sizesInWords))
}

func (b *builder) sizes(entries []sizeEntry) []Size {
	if len(entries) == 0 {
		b.fault("sizes is empty")
	}
	sizes := make([]Size, 0, len(entries))
	var last int64
	for _, e := range entries {
		if e.CPU <= last {
			b.fault("sizes must have a cpu of 1 or more and ascend by it, %d follows %d", e.CPU, last)
		}
		if e.MinMemory <= 0 || e.MaxMemory < e.MinMemory {
			b.fault("sizes with cpu %d needs a min_memory, and a max_memory that is not below it", e.CPU)
		}
		last = e.CPU
		sizes = append(sizes, Size{CPU: e.CPU, MinMemory: int64(e.MinMemory), MaxMemory: int64(e.MaxMemory)})
	}
	return sizes
}

var decimal = regexp.MustCompile(`^[0-9]+(\.[0-9]+)?$`)

func (b *builder) prices(entries []priceEntry) []Price {
	if len(entries) == 0 && b.assumed == "" {
		b.fault("prices is empty")
	}
	prices := make([]Price, 0, len(entries))
	for _, e := range entries {
		name := fmt.Sprintf("prices of tier %d", e.Tier)
		if e.Tier != 1 && e.Tier != 2 {
			b.fault("%s: there are only the tiers 1 and 2", name)
		}
		if !decimal.MatchString(e.PerSecondUSD) {
			b.fault("%s: per_second_usd %q is no decimal number", name, e.PerSecondUSD)
		}
		origin := b.origin(name, e.provenance)
		prices = append(prices, Price{
			Tier: e.Tier, PerSecondUSD: e.PerSecondUSD, ZonalRedundancy: e.ZonalRedundancy,
			Source: origin.Source, Date: origin.Date, Certainty: origin.Certainty,
		})
	}
	return prices
}

func (b *builder) allocation(c *Catalogue, e *allocationEntry) {
	if e == nil {
		e = new(allocationEntry)
	}
	b.at = "allocation.cpu"
	c.allocations.CPU = b.resource(e.CPU)
	b.at = "allocation.memory"
	c.allocations.Memory = b.resource(e.Memory)
}

func (b *builder) resource(e *resourceEntry) Allocation {
	if e == nil {
		e = new(resourceEntry)
	}
	var facts []Fact
	q := b.quota("quota", &facts, e.Quota)
	return Allocation{
		ID: q.ID, Metric: q.Metric, DisplayName: q.DisplayName, Unit: q.PerGPU,
		Default: b.atLeast(1, "default", take(b, &facts, "default", e.Default, nil)),
		Prices:  b.prices(e.Prices),
	}
}

func (b *builder) quota(name string, facts *[]Fact, k *known[quotaEntry]) Quota {
	e := given(b, facts, name, k, func(e quotaEntry) string {
		return fmt.Sprintf("%s, %d for a whole one", e.ID, e.PerWhole)
	})
	if k != nil && (e.ID == "" || e.Metric == "" || e.DisplayName == "" || e.PerWhole < 1) {
		b.fault("%s needs id, metric, display_name and a per_whole of 1 or more", name)
	}
	return Quota{ID: e.ID, Metric: e.Metric, DisplayName: e.DisplayName, PerGPU: e.PerWhole}
}

func (b *builder) atLeast(least int64, name string, value int64) int64 {
	if value < least {
		b.fault("%s is %d, it cannot be below %d", name, value, least)
	}
	return value
}
