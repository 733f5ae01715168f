package gpu

import (
	"slices"
	"strings"
	"testing"
	"time"
)

const gib = 1 << 30

func mustType(t testing.TB, c *Catalogue, name string) *Type {
	t.Helper()
	typ, found := c.Type(name)
	if !found {
		t.Fatalf("type %s is not in the catalogue", name)
	}
	return typ
}

func TestDefaultTypes(t *testing.T) {
	for _, tc := range []struct {
		name              string
		memoryGB, perGPU  int64
		smallest, largest Size
		cpus              []int64
		regions           []string
		quotaID           string
	}{
		{
			"nvidia-l4", 24, 1,
			Size{4, 16 * gib, 16 * gib}, Size{8, 16 * gib, 32 * gib},
			[]int64{4, 6, 8},
			[]string{"asia-south1", "asia-southeast1", "europe-west1", "europe-west4", "us-central1", "us-east4"},
			"NvidiaL4GpuAllocNoZonalRedundancyPerProjectRegion",
		},
		{
			"nvidia-rtx-pro-6000", 96, 1000,
			Size{20, 80 * gib, 80 * gib}, Size{30, 80 * gib, 120 * gib},
			[]int64{20, 22, 24, 26, 28, 30},
			[]string{"asia-south2", "asia-southeast1", "europe-west4", "us-central1"},
			"NvidiaRtxPro6000GpuAllocNoZonalRedundancyPerProjectRegion",
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			typ := mustType(t, Default(), tc.name)
			if typ.MemoryGB != tc.memoryGB || typ.Quota.PerGPU != tc.perGPU || typ.Quota.ID != tc.quotaID {
				t.Errorf("memory %d, %d units per GPU, quota %s", typ.MemoryGB, typ.Quota.PerGPU, typ.Quota.ID)
			}
			if first, last := typ.Sizes[0], typ.Sizes[len(typ.Sizes)-1]; first != tc.smallest || last != tc.largest {
				t.Errorf("sizes from %v to %v, want from %v to %v", first, last, tc.smallest, tc.largest)
			}
			var cpus []int64
			for _, s := range typ.Sizes {
				cpus = append(cpus, s.CPU)
			}
			if !slices.Equal(cpus, tc.cpus) {
				t.Errorf("CPUs %v, want %v", cpus, tc.cpus)
			}
			if got := Default().RegionsOf(tc.name); !slices.Equal(got, tc.regions) {
				t.Errorf("regions %v, want %v", got, tc.regions)
			}
			if !slices.Equal(typ.PerTask, []int64{1}) || typ.FirstUseGrant != 3 || typ.Stage != "GA" {
				t.Errorf("per task %v, grant %d, stage %s", typ.PerTask, typ.FirstUseGrant, typ.Stage)
			}
		})
	}
	if _, found := Default().Type("nvidia-t4"); found {
		t.Error("nvidia-t4 is not offered to jobs")
	}
}

func TestLongestTask(t *testing.T) {
	l4 := mustType(t, Default(), "nvidia-l4")
	for stage, want := range map[string]time.Duration{
		"": time.Hour, "GA": time.Hour, "BETA": 12 * time.Hour, "ALPHA": 12 * time.Hour, "PRELAUNCH": time.Hour,
	} {
		if got := l4.LongestTask(stage); got != want {
			t.Errorf("LongestTask(%q) = %s, want %s", stage, got, want)
		}
	}
	if got := Default().LongestTask(); got != 168*time.Hour {
		t.Errorf("without a GPU: %s, want 168h", got)
	}
}

func TestTypeLookups(t *testing.T) {
	l4 := mustType(t, Default(), "nvidia-l4")
	if s, found := l4.Size(6); !found || s != (Size{6, 16 * gib, 24 * gib}) {
		t.Errorf("Size(6) = %v, %v", s, found)
	}
	if _, found := l4.Size(5); found {
		t.Error("there is no size with 5 vCPU")
	}
	if !l4.InRegion("europe-west1") || l4.InRegion("europe-west2") {
		t.Error("an L4 is offered in europe-west1 and not in europe-west2")
	}
	if offer, found := l4.Offer("asia-south1"); !found || !offer.InvitationOnly {
		t.Errorf("asia-south1 is by invitation: %+v, %v", offer, found)
	}
}

func TestRegions(t *testing.T) {
	regions := Default().Regions()
	if !slices.IsSortedFunc(regions, func(a, b Region) int { return strings.Compare(a.Name, b.Name) }) {
		t.Error("regions are not sorted")
	}
	central, found := Default().Region("us-central1")
	if !found || !central.LowCO2 || central.PriceTier != 1 ||
		!slices.Equal(central.Types, []string{"nvidia-l4", "nvidia-rtx-pro-6000"}) || len(central.Notes) != 1 {
		t.Errorf("us-central1 = %+v, %v", central, found)
	}
	if south, _ := Default().Region("asia-south2"); !slices.Equal(south.InvitationOnly, []string{"nvidia-rtx-pro-6000"}) {
		t.Errorf("asia-south2 = %+v", south)
	}
	if _, found := Default().Region("us-west4"); found {
		t.Error("us-west4 offers no GPU")
	}
	if got := Default().RegionsOf("nvidia-t4"); got != nil {
		t.Errorf("regions of an unknown type: %v", got)
	}
}

func TestAllocationQuotas(t *testing.T) {
	q := Default().AllocationQuotas()
	if q.CPU.ID != "CpuAllocPerProjectRegion" || q.CPU.Unit != 1000 || q.CPU.Default != 20 {
		t.Errorf("CPU: %+v", q.CPU)
	}
	if q.Memory.ID != "MemAllocPerProjectRegion" || q.Memory.Unit != gib || q.Memory.Default != 40 {
		t.Errorf("memory: %+v", q.Memory)
	}
}

func TestNearest(t *testing.T) {
	for name, want := range map[string]string{
		"nvidia-l4": "nvidia-l4", "nvidia-L4": "nvidia-l4", "l4": "nvidia-l4", "L4": "nvidia-l4", "nvidia_l4": "nvidia-l4",
		"NVIDIA L4": "nvidia-l4", "nvida-l4": "nvidia-l4", "nvidia-tesla-l4": "nvidia-l4", "nvidial4": "nvidia-l4",
		"nvidia-l4-24gb": "nvidia-l4", " nvidia-l4 ": "nvidia-l4",
		"rtx-pro-6000":                      "nvidia-rtx-pro-6000",
		"nvidia-rtx-pro-6000-96gb":          "nvidia-rtx-pro-6000",
		"nvidia-rtx-6000-pro":               "nvidia-rtx-pro-6000",
		"nvidia-rtxpro6000":                 "nvidia-rtx-pro-6000",
		"nvidia-rtx-pr-6000":                "nvidia-rtx-pro-6000",
		"NVIDIA RTX PRO 6000 Blackwell":     "nvidia-rtx-pro-6000",
		"nvidia-rtx-pro-4000":               "",
		"nvidia-t4":                         "",
		"nvidia-tesla-t4":                   "",
		"nvidia-l40":                        "",
		"nvidia-l40s":                       "",
		"nvidia-a100-80gb":                  "",
		"nvidia-h100-80gb":                  "",
		"":                                  "",
		"nvidia":                            "",
		"gpu":                               "",
		"projects/p/acceleratorTypes/none4": "",
	} {
		if got := Default().Nearest(name); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestLookupsDoNotAllocate(t *testing.T) {
	c := Default()
	l4 := mustType(t, c, "nvidia-l4")
	if n := testing.AllocsPerRun(100, func() {
		if _, found := c.Type("nvidia-rtx-pro-6000"); !found {
			t.Error("no RTX PRO 6000")
		}
		if region, found := c.Region("us-central1"); !found || region.PriceTier != 1 {
			t.Error("no us-central1")
		}
		if _, found := l4.Size(8); !found || !l4.InRegion("us-east4") || l4.LongestTask("BETA") != 12*time.Hour {
			t.Error("the L4 has changed")
		}
	}); n != 0 {
		t.Errorf("%v allocations in a round of look-ups", n)
	}
}

// Callers get their own lists: sorting one of them must not disturb the catalogue.
func TestListsAreCopies(t *testing.T) {
	slices.Reverse(Default().Types())
	slices.Reverse(Default().Regions())
	slices.Reverse(Default().Sizes())
	if Default().Types()[0].Name != "nvidia-l4" || Default().Regions()[0].Name != "asia-south1" || Default().Sizes()[0].CPU != 1 {
		t.Error("a caller changed the catalogue")
	}
}

func BenchmarkType(b *testing.B) {
	c := Default()
	b.ReportAllocs()
	for b.Loop() {
		if _, found := c.Type("nvidia-rtx-pro-6000"); !found {
			b.Fatal("not found")
		}
	}
}

func BenchmarkRegion(b *testing.B) {
	c := Default()
	b.ReportAllocs()
	for b.Loop() {
		if _, found := c.Region("us-east4"); !found {
			b.Fatal("not found")
		}
	}
}

func BenchmarkNearest(b *testing.B) {
	c := Default()
	b.ReportAllocs()
	for b.Loop() {
		if c.Nearest("nvidia-rtx-pr-6000") == "" {
			b.Fatal("nothing near")
		}
	}
}

func BenchmarkParse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(embedded); err != nil {
			b.Fatal(err)
		}
	}
}
