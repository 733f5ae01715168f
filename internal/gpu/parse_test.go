package gpu

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestEverythingIsKnownFromSomewhere walks the embedded catalogue: no value without a source and a date, no type without
// prices, quota and regions, and no region or price tier that the rest does not know.
func TestEverythingIsKnownFromSomewhere(t *testing.T) {
	consistent(t, Default())
	web := regexp.MustCompile(`^https://|^answers of `)
	for _, typ := range Default().Types() {
		for _, f := range typ.Facts {
			if !web.MatchString(f.Source) {
				t.Errorf("%s: the source of %s is %q, which is not in the list of sources", typ.Name, f.Name, f.Source)
			}
			if f.Date == "" {
				t.Errorf("%s: %s has no date", typ.Name, f.Name)
			}
		}
		for _, name := range []string{
			"memory_gb", "architecture", "driver", "cuda", "stage", "per_task", "sizes", "longest_task.GA", "longest_task.BETA",
			"quota", "zonal_quota", "first_use_grant", "prices.tier1", "prices.tier1.zonal_redundancy", "regions.us-central1",
		} {
			if !slices.ContainsFunc(typ.Facts, func(f Fact) bool { return f.Name == name }) {
				t.Errorf("%s has no fact %s", typ.Name, name)
			}
		}
	}
	for _, r := range Default().Regions() {
		if r.Source == "" || r.Date == "" {
			t.Errorf("region %s: source %q, date %q", r.Name, r.Source, r.Date)
		}
	}
	q := Default().AllocationQuotas()
	for _, p := range slices.Concat(q.CPU.Prices, q.Memory.Prices) {
		if p.Source == "" || p.Date == "" {
			t.Errorf("price %+v has no source or date", p)
		}
	}
}

// consistent checks what must hold of any catalogue that Parse or With lets through.
func consistent(t *testing.T, c *Catalogue) {
	t.Helper()
	for _, typ := range c.Types() {
		if len(typ.Offers) == 0 || typ.Quota.ID == "" || typ.Quota.PerGPU < 1 {
			t.Errorf("%s lacks regions or a quota: %+v", typ.Name, typ)
		}
		if !c.Extended() && (len(typ.Prices) == 0 || typ.ZonalQuota.ID == "") {
			t.Errorf("%s lacks prices or a quota: %+v", typ.Name, typ)
		}
		if len(typ.PerTask) == 0 || len(typ.Sizes) == 0 || typ.LongestTask("") <= 0 {
			t.Errorf("%s lacks a size, a GPU count or a longest task: %+v", typ.Name, typ)
		}
		if !slices.IsSortedFunc(typ.Facts, func(a, b Fact) int { return strings.Compare(a.Name, b.Name) }) {
			t.Errorf("the facts of %s are not sorted", typ.Name)
		}
		for _, f := range typ.Facts {
			if f.Name == "" || f.Value == "" || f.Source == "" || f.Certainty == "" {
				t.Errorf("%s: fact %+v is not whole", typ.Name, f)
			}
		}
		for _, o := range typ.Offers {
			region, found := c.Region(o.Region)
			if !found || !slices.Contains(region.Types, typ.Name) {
				t.Errorf("%s is offered in %s, which does not know of it", typ.Name, o.Region)
			}
		}
		if c.Nearest(typ.Name) != typ.Name {
			t.Errorf("Nearest(%q) = %q", typ.Name, c.Nearest(typ.Name))
		}
	}
}

func TestParseRefuses(t *testing.T) {
	replace := func(old, with string) string {
		text := string(embedded)
		if !strings.Contains(text, old) {
			t.Fatalf("the catalogue has no %q", old)
		}
		return strings.Replace(text, old, with, 1)
	}
	for _, tc := range []struct{ name, yaml, says string }{
		{"nothing", "", `task: longest is missing`},
		{"a list", "- 1", `line 1: a list does not belong here`},
		{"an unknown key", "sources: {}\ntypes:\n  nvidia-l4:\n    vram: 24\n", `line 4: field vram not found`},
		{"an unknown key of a value", replace("value: 24, source", "worth: 24, source"), `line \d+: field worth not found$`},
		{"two documents", string(embedded) + "\n---\ntypes: {}\n", `one YAML document`},
		{"a memory without unit", replace("min_memory: 512Mi", "min_memory: 512"), `line \d+: "512" is no memory size, write it as`},
		{"a negative memory", replace("min_memory: 512Mi", "min_memory: -1Gi"), `is no memory size`},
		{"memory upside down", replace("min_memory: 512Mi, max_memory: 4Gi", "min_memory: 8Gi, max_memory: 4Gi"), `task: sizes with cpu 1`},
		{"CPUs out of order", replace("{cpu: 6, min_memory: 16Gi", "{cpu: 3, min_memory: 16Gi"), `types.nvidia-l4: sizes must .* ascend`},
		{"a duration without unit", replace("value: 168h", "value: 168"), `line \d+: "168" is no duration`},
		{"no date", replace("value: 24, source: gpu, date: 2026-04-13", "value: 24, source: gpu"), `memory_gb needs a source and a date`},
		{"a date of another form", replace("date: 2026-10-09", "date: 9.10.2026"), `line \d+: "9.10.2026" is no date`},
		{"a certainty", replace("certainty: likely", "certainty: perhaps"), `certainty "perhaps", which is none of`},
		{"a launch stage", replace("BETA: {value: 12h", "PREVIEW: {value: 12h"), `longest_task is "PREVIEW"`},
		{"no GA limit", replace("GA: {value: 1h", "ALPHA: {value: 1h"), `longest_task needs a value for GA`},
		{"no GPU per task", replace("per_task: {value: [1]", "per_task: {value: []"), `per_task must list`},
		{"a price", replace(`per_second_usd: "0.0001867"`, `per_second_usd: "0,0001867"`), `"0,0001867" is no decimal`},
		{"a tier", replace("price_tier: 2", "price_tier: 3"), `regions: asia-south1 needs a price_tier`},
		{"an empty region", replace("us-east4: {low_co2: false, price_tier: 1, source: locations, date: 2026-04-13, certainty: likely}", "us-east4:"),
			`types.nvidia-l4: regions.us-east4 needs an entry here and one of its own`},
		{"a quota without unit", replace("per_whole: 1000", "per_whole: 0"), `allocation.cpu: quota needs`},
		{"an alias of two types", replace("aliases: [l4-gpu", "aliases: [rtx-pro-6000"), `cannot both be spelt "nvidia-rtx-pro-6000"`},
		{"an empty type", "types:\n  nvidia-l5:\n", `types.nvidia-l5: memory_gb is missing`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := Parse([]byte(tc.yaml))
			if err == nil {
				t.Fatal("Parse let it through")
			}
			if !regexp.MustCompile(`(?m)` + tc.says).MatchString(err.Error()) {
				t.Errorf("%v\nwant it to say %s", err, tc.says)
			}
		})
	}
}

func TestWithOverridesSingleValues(t *testing.T) {
	over := `
types:
  nvidia-l4:
    longest_task: {BETA: {value: 24h}}
    prices: [{tier: 1, per_second_usd: "0.0002"}]
    regions:
      us-west1: {note: new}
      asia-south1: null
  nvidia-rtx-pro-6000: null
regions:
  us-west1: {low_co2: true, price_tier: 1}
task: {longest: {value: 200h}}
allocation: {cpu: {default: {value: 100, source: our contract, date: 2026-11-30}}}
`
	c, err := Default().With([]byte(over))
	if err != nil {
		t.Fatal(err)
	}
	consistent(t, c)
	l4 := mustType(t, c, "nvidia-l4")
	if l4.LongestTask("BETA") != 24*time.Hour || l4.LongestTask("") != time.Hour || l4.Prices[0].PerSecondUSD != "0.0002" || len(l4.Prices) != 1 {
		t.Errorf("the overriding values are not there: %+v", l4)
	}
	if !l4.InRegion("us-west1") || l4.InRegion("asia-south1") || !l4.InRegion("us-central1") || l4.MemoryGB != 24 {
		t.Errorf("regions %v, memory %d", c.RegionsOf("nvidia-l4"), l4.MemoryGB)
	}
	if west, found := c.Region("us-west1"); !found || !west.LowCO2 || west.Source != overSource {
		t.Errorf("us-west1 = %+v, %v", west, found)
	}
	if _, found := c.Region("asia-south2"); found {
		t.Error("asia-south2 has no GPU left")
	}
	if c.LongestTask() != 200*time.Hour || c.AllocationQuotas().CPU.Default != 100 || c.AllocationQuotas().CPU.ID == "" {
		t.Errorf("longest %s, CPU %+v", c.LongestTask(), c.AllocationQuotas().CPU)
	}
	if before := mustType(t, Default(), "nvidia-l4"); before.LongestTask("BETA") != 12*time.Hour || !before.InRegion("asia-south1") {
		t.Error("With changed the catalogue it started from")
	}
	if again, err := c.With([]byte("types: {nvidia-l4: {driver: {value: 590.x}}}")); err != nil || mustType(t, again, "nvidia-l4").Driver != "590.x" {
		t.Errorf("a second override: %v", err)
	}
	if _, err := c.With([]byte("types: {nvidia-b200: {memory_gb: {value: 192}}}")); err == nil || !strings.Contains(err.Error(), "types.nvidia-b200: sizes is missing") {
		t.Errorf("a new type must be whole: %v", err)
	}
	if _, err := c.With([]byte("just words")); err == nil || !strings.Contains(err.Error(), "line 1: a text does not belong here: `just") {
		t.Errorf("a text: %v", err)
	}
	if _, err := c.With([]byte("typos: {}")); err == nil || !strings.Contains(err.Error(), "line 1: field typos not found") {
		t.Errorf("a wrong key: %v", err)
	}
}

// A user who is ahead of the catalogue need not know more of a GPU than what jobs with it are checked against.
func TestWithNewType(t *testing.T) {
	c, err := Default().With([]byte(`
types:
  nvidia-b200:
    sizes:
      - {cpu: 30, min_memory: 120Gi, max_memory: 240Gi}
    regions:
      us-central1: {}
      us-north9: {invitation_only: true}
  nvidia-b300:
    memory_gb: 288
    sizes: [{cpu: 40, min_memory: 160Gi, max_memory: 320Gi}]
    per_task: {value: [1, 2], source: our contract, date: 2026-11-30}
    longest_task: {GA: 4h}
    quota: {id: Special, per_whole: 1000}
    prices: [{tier: 1, per_second_usd: "0.002"}]
    regions: {us-central1: {note: scarce}}
`))
	if err != nil {
		t.Fatal(err)
	}
	consistent(t, c)
	b200, b300 := mustType(t, c, "nvidia-b200"), mustType(t, c, "nvidia-b300")
	if b200.Quota.ID != "NvidiaB200GpuAllocNoZonalRedundancyPerProjectRegion" || b200.Quota.PerGPU != 1 || !slices.Equal(b200.PerTask, []int64{1}) {
		t.Errorf("assumed of nvidia-b200: %+v", b200)
	}
	if b200.LongestTask("") != time.Hour || b200.LongestTask("BETA") != 12*time.Hour || b200.FirstUseGrant != 0 || b200.MemoryGB != 0 {
		t.Errorf("assumed of nvidia-b200: %+v", b200)
	}
	for _, f := range b200.Facts {
		if written := f.Name == "sizes" || strings.HasPrefix(f.Name, "regions."); written != (f.Source == overSource) {
			t.Errorf("fact %+v", f)
		}
	}
	if north, found := c.Region("us-north9"); !found || north.PriceTier != 0 || !slices.Equal(north.InvitationOnly, []string{"nvidia-b200"}) {
		t.Errorf("us-north9 = %+v, %v", north, found)
	}
	if b300.Quota.ID != "Special" || b300.Quota.PerGPU != 1000 || b300.MemoryGB != 288 || b300.LongestTask("BETA") != 4*time.Hour || len(b300.PerTask) != 2 {
		t.Errorf("written of nvidia-b300: %+v", b300)
	}
	if Default().Extended() || !c.Extended() {
		t.Error("which catalogue has a user's values?")
	}
}

// The ids of the built-in types are Google's; that the custom gives them is the reason to trust it for others.
func TestQuotaIDIsGooglesOwn(t *testing.T) {
	for _, typ := range Default().Types() {
		if got := QuotaID(typ.Name); got != typ.Quota.ID {
			t.Errorf("QuotaID(%q) = %s, want %s", typ.Name, got, typ.Quota.ID)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(string(embedded))
	f.Add("types: {nvidia-l4: null}")
	f.Add("regions: {a: &x {price_tier: 1}, b: *x}")
	f.Add("task: {sizes: {value: [{cpu: 1, min_memory: 9999999999Gi}]}}")
	f.Fuzz(func(t *testing.T, text string) {
		if c, err := Parse([]byte(text)); err == nil {
			consistent(t, c)
		}
		if c, err := Default().With([]byte(text)); err == nil {
			consistent(t, c)
		}
	})
}
