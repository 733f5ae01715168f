package gpu

import (
	"slices"
	"time"
)

// Type is a GPU type that Cloud Run offers to jobs. It is shared: read it, do not change it.
type Type struct {
	Name         string  // as the API spells it: "nvidia-l4"
	MemoryGB     int64   // of one GPU; 0 where a user's file does not say, and so for the texts below
	Architecture string  // "Blackwell"
	Driver       string  // NVIDIA driver of the host: "580.x"
	CUDA         string  // newest CUDA version that the driver serves: "13.0"
	PerTask      []int64 // allowed GPUs per task, ascending
	Sizes        []Size  // ascending by CPU; Sizes[0].CPU with Sizes[0].MinMemory is the smallest and the default
	Stage        string  // launch stage of the GPU type: "GA"
	Tasks        []TaskLimit
	Quota        Quota // the one that jobs draw on: without zonal redundancy
	ZonalQuota   Quota // the one of services with zonal redundancy; without an ID where a user's file does not say
	// FirstUseGrant is the number of GPUs that the first deployment in a region is granted without asking.
	FirstUseGrant int64
	Offers        []Offer // sorted by region
	Prices        []Price // of one GPU
	Facts         []Fact  // sorted by name
}

// Size is a number of vCPU and the memory that goes with it, for one task.
type Size struct {
	CPU       int64 // whole vCPU
	MinMemory int64 // bytes, inclusive
	MaxMemory int64 // bytes, inclusive
}

// TaskLimit is the longest a task with a GPU may run at a launch stage of the job.
type TaskLimit struct {
	Stage   string // "GA", "BETA" or "ALPHA"
	Longest time.Duration
}

// Quota names a quota of the Cloud Quotas API and its unit.
type Quota struct {
	ID          string // "NvidiaL4GpuAllocNoZonalRedundancyPerProjectRegion"
	Metric      string // "run.googleapis.com/nvidia_l4_gpu_allocation_no_zonal_redundancy"
	DisplayName string
	PerGPU      int64 // quota units in one GPU: 1, or 1000 where the API counts thousandths
}

// Offer is a region in which a GPU type can be had.
type Offer struct {
	Region         string
	InvitationOnly bool   // Google's sales team has to let the project in
	Note           string // "" when there is nothing to say about capacity
	Source         string
	Date           string // "2006-01-02"
	Certainty      Certainty
}

// Price is the list price of one whole unit (GPU, vCPU, GiB of memory) for one second.
type Price struct {
	Tier            int    // price tier of the region, see Region.PriceTier
	PerSecondUSD    string // a decimal, as published: "0.0001867"
	ZonalRedundancy bool   // jobs never have it and pay the price without
	Source          string
	Date            string // "2006-01-02"
	Certainty       Certainty
}

// Fact says where and since when a value of the catalogue is known.
type Fact struct {
	Name      string // the key in the catalogue: "driver", "longest_task.GA", "regions.us-central1"
	Value     string // the value in words
	Source    string // a web page, or words that say who said so
	Date      string // "2006-01-02": the newest day on which the source is known to have said it
	Certainty Certainty
}

// Certainty says how well a fact is known.
type Certainty string

// The three degrees of certainty.
const (
	Certain Certainty = "certain" // read at the source
	Likely  Certainty = "likely"  // a second-hand report, or put together from certain facts
	Unknown Certainty = "unknown" // nobody has said; the value is a stand-in
)

// launchStages is ordered from the most to the least stable: a job at a later one may use all that earlier ones offer.
var launchStages = []string{"GA", "BETA", "ALPHA"}

// LongestTask returns how long a task with this GPU may run in a job of the given launch stage ("" is GA). What a more
// stable stage allows is allowed too; a stage that the API does not know counts as GA.
func (t *Type) LongestTask(stage string) time.Duration {
	reach := max(slices.Index(launchStages, stage), 0)
	var longest time.Duration
	for _, limit := range t.Tasks {
		if slices.Index(launchStages, limit.Stage) <= reach {
			longest = max(longest, limit.Longest)
		}
	}
	return longest
}

// Size returns the size that has the given number of whole vCPU.
func (t *Type) Size(cpu int64) (Size, bool) {
	for _, s := range t.Sizes {
		if s.CPU == cpu {
			return s, true
		}
	}
	return Size{}, false
}

// InRegion reports whether the region offers the type, by invitation or to everybody.
func (t *Type) InRegion(region string) bool {
	_, found := t.Offer(region)
	return found
}

// Offer returns what is known of the type in a region.
func (t *Type) Offer(region string) (Offer, bool) {
	for _, o := range t.Offers {
		if o.Region == region {
			return o, true
		}
	}
	return Offer{}, false
}
