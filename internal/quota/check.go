package quota

import (
	"context"
	"math"
	"strconv"
	"strings"
	"sync"
)

// Outcome is what a comparison came to.
type Outcome string

// The outcomes of a Check.
const (
	Fits         Outcome = "fits"          // the limit is not exceeded; others may use a part of it
	Exceeds      Outcome = "exceeds"       // the API will refuse the job
	MayExceed    Outcome = "may exceed"    // no parallelism is given, and all tasks at once would exceed the limit
	GrantAssumed Outcome = "grant assumed" // no quota yet, and no more needed than the grant on first use
	Unknown      Outcome = "unknown"       // there is nothing to compare with
)

// Verdict is the outcome for one need of a demand.
type Verdict struct {
	Outcome   Outcome
	Demand    Demand
	Need      Need
	Requested int64 // quota units, see Demand.Requested
	Limit     Limit
	// Largest is the largest parallelism that fits the limit, or the grant where there is no quota yet; 0 when not even
	// one task fits, Unlimited when there is no bound or none is known.
	Largest int64
	Err     error // why the limit is not known; nil for an Unknown whose quota has no entry for the region
}

// Check compares every need of a demand with its limit and returns one verdict each, in order. It asks for all limits at
// once and is bounded by ctx; a limit that cannot be had makes the verdict Unknown, never the check fail.
func Check(ctx context.Context, d Demand, src Source) []Verdict {
	verdicts := make([]Verdict, len(d.Needs))
	var asking sync.WaitGroup
	for i, n := range d.Needs {
		asking.Go(func() { verdicts[i] = check(ctx, d, n, src) })
	}
	asking.Wait()
	return verdicts
}

func check(ctx context.Context, d Demand, n Need, src Source) Verdict {
	v := Verdict{Outcome: Fits, Demand: d, Need: n, Requested: d.Requested(n), Largest: Unlimited}
	if v.Requested == 0 {
		return v
	}
	v.Limit, v.Err = src.Limit(ctx, d.Project, n.QuotaID, d.Region)
	if v.Err != nil {
		v.Outcome = Unknown
		return v
	}
	v.Outcome, v.Largest = compare(d, n, v.Requested, v.Limit)
	return v
}

// compare holds the rule. Equal to the limit is allowed. No entry for the region, and a limit of 0, both mean "not used
// yet" for what is granted on first use; without a grant, an absent entry says nothing and 0 means none.
func compare(d Demand, n Need, requested int64, l Limit) (outcome Outcome, largest int64) {
	allowed, within := l.Value, Fits
	switch {
	case l.State == Absent && n.Grant == 0:
		return Unknown, Unlimited
	case l.State == Absent || l.Value == 0:
		allowed, within = n.Grant, GrantAssumed
	case l.Value < 0:
		return Fits, Unlimited
	}
	largest = allowed / n.PerTask
	switch {
	case requested <= allowed:
		return within, largest
	case d.Parallelism == 0 && largest > 0:
		return MayExceed, largest
	default:
		return Exceeds, largest
	}
}

// Whole writes quota units in whole GPUs, vCPU or GiB, with at most three decimals: "3", "0.5", "79.2", "unlimited".
func (v Verdict) Whole(units int64) string {
	if units == Unlimited {
		return "unlimited"
	}
	whole := strconv.FormatFloat(float64(units)/math.Max(float64(v.Need.Unit), 1), 'f', 3, 64)
	return strings.TrimRight(strings.TrimRight(whole, "0"), ".")
}
