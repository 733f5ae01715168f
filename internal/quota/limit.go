package quota

import "context"

// Unlimited is the Value of a Limit that has no bound, and the Largest of a verdict that knows none.
const Unlimited = -1

// LimitState says whether there is a limit to compare with.
type LimitState string

// A quota either has an entry for the region or it has none.
const (
	Known  LimitState = "known"
	Absent LimitState = "absent"
)

// Limit is what a project may hold of a quota in one region.
type Limit struct {
	State       LimitState
	Value       int64 // in quota units; Unlimited, and 0 when State is Absent
	Eligibility Eligibility
	Locations   []string // the regions that share this entry's value, where the API says so
}

// Eligibility says whether the project may ask for an increase of the quota.
type Eligibility struct {
	Known    bool // false: the API did not say
	Eligible bool
	Reason   string // why it is not eligible, as the API spells it: "NOT_ENOUGH_USAGE_HISTORY"; "" otherwise
}

// Source knows the limits. It is safe for concurrent use; an error means that nobody knows, not that there is no quota.
type Source interface {
	Limit(ctx context.Context, project, quotaID, region string) (Limit, error)
}
