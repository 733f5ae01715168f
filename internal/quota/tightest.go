package quota

// Allowance is what a task draws from a quota, and what there is of it, both in quota units.
type Allowance struct {
	Kind    Kind
	PerTask int64
	Known   bool  // whether there is a limit to reckon with
	Limit   int64 // Unlimited for no bound
}

// Bound is how many tasks fit at once.
type Bound struct {
	Known   bool  // false: a limit is missing, and any number would be a guess
	Largest int64 // Unlimited where nothing bounds it
	By      Kind  // the quota that does; "" where none does
}

// Tightest returns how many tasks fit all of the allowances at once. Of quotas that are equally tight, the first counts.
func Tightest(allowances ...Allowance) Bound {
	bound := Bound{Known: true, Largest: Unlimited}
	for _, a := range allowances {
		if !a.Known {
			return Bound{}
		}
		if a.PerTask <= 0 || a.Limit == Unlimited {
			continue
		}
		if fits := a.Limit / a.PerTask; bound.Largest == Unlimited || fits < bound.Largest {
			bound.Largest, bound.By = fits, a.Kind
		}
	}
	return bound
}
