package gpu

import (
	"cmp"
	"fmt"
	"maps"
)

// overSource stands where the writer of an override did not say whence a value is known: it is theirs.
const overSource = "set by the user of the provider"

// With returns a catalogue in which the values of over, a file of the same shape, take the place of those of c. Over
// names only what differs: a type or region that c has can change single values; a type that c does not have needs its
// sizes and regions, see complete; and a type, or a region of a type, that is set to null is no longer offered. Values in
// over need no source and no date.
func (c *Catalogue) With(over []byte) (*Catalogue, error) {
	doc, err := decode(over)
	if err != nil {
		return nil, fmt.Errorf("reading the values that override the GPU catalogue: %w", err)
	}
	merged, err := build(merge(c.doc, complete(doc, c.doc)), overSource)
	if err != nil {
		return nil, err
	}
	merged.extended = true
	return merged, nil
}

// merge lays over on base without changing either.
func merge(base, over *document) *document {
	merged := *base
	merged.Sources = mergeMaps(base.Sources, over.Sources)
	merged.Regions = mergeMaps(base.Regions, over.Regions)
	if over.Task != nil {
		merged.Task = &taskEntry{
			Longest: cmp.Or(over.Task.Longest, base.Task.Longest),
			Sizes:   cmp.Or(over.Task.Sizes, base.Task.Sizes),
		}
	}
	if over.Allocation != nil {
		merged.Allocation = &allocationEntry{
			CPU:    mergeResources(base.Allocation.CPU, over.Allocation.CPU),
			Memory: mergeResources(base.Allocation.Memory, over.Allocation.Memory),
		}
	}
	merged.Types = maps.Clone(base.Types)
	for name, t := range over.Types {
		merged.Types[name] = mergeTypes(base.Types[name], t)
	}
	maps.DeleteFunc(merged.Types, func(_ string, t *typeEntry) bool { return t == nil })
	return &merged
}

func mergeMaps[V any](base, over map[string]V) map[string]V {
	merged := make(map[string]V, len(base)+len(over))
	maps.Copy(merged, base)
	maps.Copy(merged, over)
	return merged
}

func mergeResources(base, over *resourceEntry) *resourceEntry {
	if over == nil {
		return base
	}
	merged := &resourceEntry{
		Quota:   cmp.Or(over.Quota, base.Quota),
		Default: cmp.Or(over.Default, base.Default),
		Prices:  over.Prices,
	}
	if len(over.Prices) == 0 {
		merged.Prices = base.Prices
	}
	return merged
}

func mergeTypes(base, over *typeEntry) *typeEntry {
	if base == nil || over == nil {
		return over
	}
	merged := &typeEntry{
		Aliases:       append(append([]string(nil), base.Aliases...), over.Aliases...),
		MemoryGB:      cmp.Or(over.MemoryGB, base.MemoryGB),
		Architecture:  cmp.Or(over.Architecture, base.Architecture),
		Driver:        cmp.Or(over.Driver, base.Driver),
		CUDA:          cmp.Or(over.CUDA, base.CUDA),
		Stage:         cmp.Or(over.Stage, base.Stage),
		PerTask:       cmp.Or(over.PerTask, base.PerTask),
		Sizes:         cmp.Or(over.Sizes, base.Sizes),
		LongestTask:   mergeMaps(base.LongestTask, over.LongestTask),
		Quota:         cmp.Or(over.Quota, base.Quota),
		ZonalQuota:    cmp.Or(over.ZonalQuota, base.ZonalQuota),
		FirstUseGrant: cmp.Or(over.FirstUseGrant, base.FirstUseGrant),
		Prices:        over.Prices,
		Regions:       mergeMaps(base.Regions, over.Regions),
	}
	if len(over.Prices) == 0 {
		merged.Prices = base.Prices
	}
	maps.DeleteFunc(merged.Regions, func(_ string, o *offerEntry) bool { return o == nil })
	return merged
}
