package gpu

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

func (b *builder) gpuType(name string, e *typeEntry, regions map[string]*regionEntry) *Type {
	if e == nil {
		e = new(typeEntry)
	}
	t := &Type{Name: name}
	t.MemoryGB = given(b, &t.Facts, "memory_gb", e.MemoryGB, nil)
	if e.MemoryGB != nil {
		b.atLeast(1, "memory_gb", t.MemoryGB)
	}
	t.Architecture = given(b, &t.Facts, "architecture", e.Architecture, nil)
	t.Driver = given(b, &t.Facts, "driver", e.Driver, nil)
	t.CUDA = given(b, &t.Facts, "cuda", e.CUDA, nil)
	t.Stage = b.stage("stage", take(b, &t.Facts, "stage", e.Stage, nil))
	t.PerTask = b.perTask(take(b, &t.Facts, "per_task", e.PerTask, numbersInWords))
	t.Sizes = b.sizes(take(b, &t.Facts, "sizes", e.Sizes, sizesInWords))
	t.Tasks = b.taskLimits(&t.Facts, e.LongestTask)
	t.Quota = b.quota("quota", &t.Facts, e.Quota)
	t.ZonalQuota = b.quota("zonal_quota", &t.Facts, e.ZonalQuota)
	t.FirstUseGrant = b.atLeast(0, "first_use_grant", take(b, &t.Facts, "first_use_grant", e.FirstUseGrant, nil))
	t.Prices = b.prices(e.Prices)
	for _, p := range t.Prices {
		t.Facts = append(t.Facts, priceFact(p))
	}
	t.Offers = b.offers(&t.Facts, e.Regions, regions)
	slices.SortFunc(t.Facts, func(a, b Fact) int { return cmp.Compare(a.Name, b.Name) })
	return t
}

func (b *builder) stage(name, stage string) string {
	if !slices.Contains(launchStages, stage) {
		b.fault("%s is %q, which is none of %s", name, stage, strings.Join(launchStages, ", "))
	}
	return stage
}

func (b *builder) perTask(counts []int64) []int64 {
	if len(counts) == 0 || counts[0] < 1 || !slices.IsSorted(counts) {
		b.fault("per_task must list the allowed numbers of GPUs, ascending, from 1")
	}
	return slices.Clone(counts)
}

func (b *builder) taskLimits(facts *[]Fact, entries map[string]*known[duration]) []TaskLimit {
	if entries["GA"] == nil {
		b.fault("longest_task needs a value for GA")
	}
	for _, stage := range slices.Sorted(maps.Keys(entries)) {
		b.stage("longest_task", stage)
	}
	var limits []TaskLimit
	for _, stage := range launchStages {
		if k, there := entries[stage]; there {
			longest := take(b, facts, "longest_task."+stage, k, durationInWords)
			limits = append(limits, TaskLimit{Stage: stage, Longest: time.Duration(longest)})
		}
	}
	return limits
}

func (b *builder) offers(facts *[]Fact, entries map[string]*offerEntry, regions map[string]*regionEntry) []Offer {
	if len(entries) == 0 {
		b.fault("regions is empty")
	}
	var offers []Offer
	for _, region := range slices.Sorted(maps.Keys(entries)) {
		e := entries[region]
		if e == nil || regions[region] == nil {
			b.fault("regions.%s needs an entry here and one of its own under regions", region)
			continue
		}
		fact := b.origin("regions."+region, e.provenance)
		fact.Value = offerInWords(e)
		*facts = append(*facts, fact)
		offers = append(offers, Offer{
			Region: region, InvitationOnly: e.InvitationOnly, Note: e.Note,
			Source: fact.Source, Date: fact.Date, Certainty: fact.Certainty,
		})
	}
	return offers
}

// region puts together what the region itself and the GPU types say of it; false when no type is offered there.
func (b *builder) region(name string, e *regionEntry, types []*Type) (Region, bool) {
	if e == nil {
		b.fault("%s is empty", name)
		return Region{}, false
	}
	// Tier 0 is a region of the user's of which nobody has said what it costs.
	if e.PriceTier != 1 && e.PriceTier != 2 && (e.PriceTier != 0 || b.assumed == "") {
		b.fault("%s needs a price_tier of 1 or 2", name)
	}
	origin := b.origin(name, e.provenance)
	region := Region{
		Name: name, LowCO2: e.LowCO2, PriceTier: e.PriceTier,
		Source: origin.Source, Date: origin.Date, Certainty: origin.Certainty,
	}
	for _, t := range types {
		offer, offered := t.Offer(name)
		if !offered {
			continue
		}
		region.Types = append(region.Types, t.Name)
		if offer.InvitationOnly {
			region.InvitationOnly = append(region.InvitationOnly, t.Name)
		}
		if offer.Note != "" {
			region.Notes = append(region.Notes, t.Name+": "+offer.Note)
		}
	}
	return region, len(region.Types) > 0
}

func priceFact(p Price) Fact {
	name := fmt.Sprintf("prices.tier%d", p.Tier)
	if p.ZonalRedundancy {
		name += ".zonal_redundancy"
	}
	return Fact{
		Name: name, Value: p.PerSecondUSD + " USD per GPU and second",
		Source: p.Source, Date: p.Date, Certainty: p.Certainty,
	}
}

func offerInWords(e *offerEntry) string {
	words := "offered"
	if e.InvitationOnly {
		words = "by invitation only"
	}
	if e.Note != "" {
		words += "; " + e.Note
	}
	return words
}

func sizesInWords(sizes []sizeEntry) string {
	words := make([]string, len(sizes))
	for i, s := range sizes {
		words[i] = fmt.Sprintf("%d vCPU with %s", s.CPU, s.MinMemory)
		if s.MaxMemory != s.MinMemory {
			words[i] += fmt.Sprintf(" to %s", s.MaxMemory)
		}
	}
	return strings.Join(words, ", ")
}

func numbersInWords(numbers []int64) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(numbers), " ", ", "), "[]")
}

func durationInWords(d duration) string {
	if whole := time.Duration(d); whole%time.Hour == 0 {
		return fmt.Sprintf("%dh", whole/time.Hour)
	}
	return time.Duration(d).String()
}

// String writes the quantity as the catalogue does.
func (q quantity) String() string {
	if q%(1<<30) == 0 {
		return fmt.Sprintf("%dGi", q>>30)
	}
	return fmt.Sprintf("%dMi", q>>20)
}
