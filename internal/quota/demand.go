// Package quota compares what a Cloud Run job would hold at once with what its project may hold. It knows the rule and
// the arithmetic; the limits come from a Source, and what a verdict means to a user is said elsewhere.
package quota

import "math"

// Kind is the kind of thing that a quota counts.
type Kind string

// What a task holds.
const (
	GPU    Kind = "GPU"
	CPU    Kind = "CPU"
	Memory Kind = "Memory"
)

// Need is what one task of a job draws from one quota.
type Need struct {
	Kind    Kind
	QuotaID string // of the Cloud Quotas API: "NvidiaL4GpuAllocNoZonalRedundancyPerProjectRegion"
	Label   string // of a whole unit, for messages: "nvidia-l4 GPU", "vCPU", "GiB of memory"
	PerTask int64  // in quota units
	Unit    int64  // quota units in one whole: 1 or 1000 for a GPU, 1000 for a vCPU, 1<<30 for a GiB
	Grant   int64  // in quota units: granted on the first use of a region; 0 when nothing is
}

// Demand is what a job would hold at once, in one project and region.
type Demand struct {
	Project, Region string
	Parallelism     int64 // 0 when absent: as many tasks at once as possible
	TaskCount       int64 // 0 when absent: one task
	Needs           []Need
}

// Requested returns the quota units that the API counts for a need. It multiplies by the parallelism as written, also
// where that is above the task count: the check at deployment does so. Without a parallelism all tasks may run at once.
func (d Demand) Requested(n Need) int64 {
	if d.Parallelism > 0 {
		return multiply(n.PerTask, d.Parallelism)
	}
	return multiply(n.PerTask, max(d.TaskCount, 1))
}

// Raises reports whether d needs more of any quota than prior did, so that it is worth asking for the limits at all. A
// job that is made (prior is zero), or that moves to another project or region, raises whatever it needs.
func (d Demand) Raises(prior Demand) bool {
	for _, n := range d.Needs {
		if n.PerTask > 0 && d.raises(n, prior) {
			return true
		}
	}
	return false
}

func (d Demand) raises(n Need, prior Demand) bool {
	if d.Project != prior.Project || d.Region != prior.Region {
		return true
	}
	for _, p := range prior.Needs {
		if p.QuotaID == n.QuotaID {
			return d.Requested(n) > prior.accepted(p, d)
		}
	}
	return true
}

// accepted returns the quota units that the API has let pass for certain when it took prior. What it counts for a job
// without a parallelism is not documented: one task at the least. So a parallelism that is written down for the first
// time is compared with that one task, and absent with absent like any other.
func (d Demand) accepted(n Need, next Demand) int64 {
	if d.Parallelism == 0 && next.Parallelism > 0 {
		return n.PerTask
	}
	return d.Requested(n)
}

// multiply returns a*b for non-negative numbers, or the largest number there is.
func multiply(a, b int64) int64 {
	if a > 0 && b > math.MaxInt64/a {
		return math.MaxInt64
	}
	return a * b
}
