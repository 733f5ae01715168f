package gpu

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// overDefault stands where a value of a type that only the user knows was not written.
const overDefault = "assumed: not set by the user of the provider"

// complete fills in what a user may leave out of a type that base does not have, and of a region that only such a type
// names: one GPU per task, launch stage GA, the time limits that all other types have, the quota id that Google would
// give the type by its own custom, no grant on first use. What the GPU is made of and what it costs may stay open.
func complete(over, base *document) *document {
	full := *over
	full.Types, full.Regions = maps.Clone(over.Types), maps.Clone(over.Regions)
	if full.Regions == nil {
		full.Regions = map[string]*regionEntry{}
	}
	for name, t := range over.Types {
		if t == nil {
			continue
		}
		if base.Types[name] == nil {
			full.Types[name] = completeType(name, *t, base)
		}
		for region, offer := range t.Regions {
			if offer != nil && base.Regions[region] == nil && full.Regions[region] == nil {
				full.Regions[region] = &regionEntry{provenance: assumed}
			}
		}
	}
	return &full
}

var assumed = provenance{Source: overDefault, Certainty: Unknown}

func completeType(name string, t typeEntry, base *document) *typeEntry {
	fill(&t.PerTask, []int64{1})
	fill(&t.Stage, launchStages[0])
	fill(&t.FirstUseGrant, 0)
	if len(t.LongestTask) == 0 {
		t.LongestTask = shortestLimits(base.Types)
	}
	fill(&t.Quota, quotaEntry{})
	q := *t.Quota
	if q.Value.ID == "" {
		q.Value.ID = QuotaID(name)
	}
	if q.Value.Metric == "" {
		q.Value.Metric = "run.googleapis.com/" + strings.ReplaceAll(name, "-", "_") + "_gpu_allocation_no_zonal_redundancy"
	}
	if q.Value.DisplayName == "" {
		q.Value.DisplayName = name + " GPU allocation without zonal redundancy, per project per region"
	}
	q.Value.PerWhole = max(q.Value.PerWhole, 1)
	t.Quota = &q
	return &t
}

func fill[T any](k **known[T], value T) {
	if *k == nil {
		*k = &known[T]{Value: value, provenance: assumed}
	}
}

// shortestLimits is how long a task may run with any GPU, by launch stage.
func shortestLimits(types map[string]*typeEntry) map[string]*known[duration] {
	limits := map[string]*known[duration]{}
	for _, name := range slices.Sorted(maps.Keys(types)) {
		for stage, limit := range types[name].LongestTask {
			if limits[stage] == nil || limit.Value < limits[stage].Value {
				limits[stage] = &known[duration]{Value: limit.Value, provenance: assumed}
			}
		}
	}
	return limits
}

// QuotaID is the id of the quota that jobs with a GPU type draw on, as Google makes it from the type's name:
// NvidiaRtxPro6000GpuAllocNoZonalRedundancyPerProjectRegion for nvidia-rtx-pro-6000. A type in a catalogue names its own.
func QuotaID(typeName string) string {
	var id strings.Builder
	for _, word := range strings.FieldsFunc(typeName, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		first, size := utf8.DecodeRuneInString(word)
		id.WriteRune(unicode.ToUpper(first))
		id.WriteString(word[size:])
	}
	return id.String() + "GpuAllocNoZonalRedundancyPerProjectRegion"
}
