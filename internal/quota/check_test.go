package quota

import (
	"context"
	"errors"
	"math"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

const gib = 1 << 30

var (
	l4     = Need{Kind: GPU, QuotaID: "l4", Label: "nvidia-l4 GPU", PerTask: 1, Unit: 1, Grant: 3}
	rtx    = Need{Kind: GPU, QuotaID: "rtx", Label: "nvidia-rtx-pro-6000 GPU", PerTask: 1000, Unit: 1000, Grant: 3000}
	cpu    = Need{Kind: CPU, QuotaID: "cpu", Label: "vCPU", PerTask: 8000, Unit: 1000}
	memory = Need{Kind: Memory, QuotaID: "memory", Label: "GiB of memory", PerTask: 16 * gib, Unit: gib}
)

// limits is a Source that knows what it is given; a quota that is not in it has no entry.
type limits map[string]int64

func (l limits) Limit(_ context.Context, _, quotaID, _ string) (Limit, error) {
	if value, found := l[quotaID]; found {
		return Limit{State: Known, Value: value}, nil
	}
	return Limit{State: Absent}, nil
}

func TestCheck(t *testing.T) {
	for _, tc := range []struct {
		name               string
		need               Need
		parallelism, tasks int64
		limits             limits
		outcome            Outcome
		requested, largest int64
	}{
		{"below the limit", l4, 3, 12, limits{"l4": 10}, Fits, 3, 10},
		{"equal to the limit", l4, 10, 10, limits{"l4": 10}, Fits, 10, 10},
		{"one above the limit", l4, 11, 20, limits{"l4": 10}, Exceeds, 11, 10},
		{"parallelism counts as written, above the task count", l4, 4, 1, limits{"l4": 3}, Exceeds, 4, 3},
		{"unlimited", l4, 10000, 10000, limits{"l4": Unlimited}, Fits, 10000, Unlimited},
		{"no parallelism, all tasks fit", l4, 0, 3, limits{"l4": 3}, Fits, 3, 3},
		{"no parallelism, all tasks do not fit", l4, 0, 20, limits{"l4": 3}, MayExceed, 20, 3},
		{"no parallelism, no task count", l4, 0, 0, limits{"l4": 1}, Fits, 1, 1},
		{"no quota yet, within the grant", l4, 3, 3, limits{"l4": 0}, GrantAssumed, 3, 3},
		{"no quota yet, above the grant", l4, 4, 4, limits{"l4": 0}, Exceeds, 4, 3},
		{"no quota yet, no parallelism, above the grant", l4, 0, 20, limits{"l4": 0}, MayExceed, 20, 3},
		{"no entry, within the grant", l4, 1, 1, nil, GrantAssumed, 1, 3},
		{"no entry, above the grant", l4, 4, 4, nil, Exceeds, 4, 3},
		{"thousandths, equal", rtx, 3, 3, limits{"rtx": 3000}, Fits, 3000, 3},
		{"thousandths, above", rtx, 2, 2, limits{"rtx": 1000}, Exceeds, 2000, 1},
		{"thousandths, half a GPU left over", rtx, 1, 1, limits{"rtx": 1500}, Fits, 1000, 1},
		{"thousandths, grant", rtx, 3, 3, limits{"rtx": 0}, GrantAssumed, 3000, 3},
		{"CPU of new projects", cpu, 3, 3, limits{"cpu": 20000}, Exceeds, 24000, 2},
		{"memory of new projects", memory, 3, 3, limits{"memory": 40 * gib}, Exceeds, 48 * gib, 2},
		{"not even one task", Need{Kind: Memory, QuotaID: "memory", PerTask: 80 * gib, Unit: gib}, 0, 0,
			limits{"memory": 40 * gib}, Exceeds, 80 * gib, 0},
		{"no CPU at all", cpu, 1, 1, limits{"cpu": 0}, Exceeds, 8000, 0},
		{"no entry for CPU says nothing", cpu, 100, 100, nil, Unknown, 800000, Unlimited},
		{"needs nothing", Need{Kind: GPU, QuotaID: "l4", Unit: 1}, 5, 5, limits{"l4": 0}, Fits, 0, Unlimited},
		{"more than there are numbers", memory, math.MaxInt64 / 2, 0, limits{"memory": 40 * gib}, Exceeds, math.MaxInt64, 2},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := Demand{Project: "p", Region: "r", Parallelism: tc.parallelism, TaskCount: tc.tasks, Needs: []Need{tc.need}}
			v := Check(t.Context(), d, tc.limits)[0]
			if v.Outcome != tc.outcome || v.Requested != tc.requested || v.Largest != tc.largest || v.Err != nil {
				t.Errorf("%s, requested %d, largest %d, error %v; want %s, %d, %d",
					v.Outcome, v.Requested, v.Largest, v.Err, tc.outcome, tc.requested, tc.largest)
			}
			if v.Need != tc.need || v.Demand.Region != "r" {
				t.Errorf("the verdict is about %+v in %q", v.Need, v.Demand.Region)
			}
		})
	}
}

// slow answers after a minute, or when nobody waits any more.
type slow struct{ asked atomic.Int32 }

func (s *slow) Limit(ctx context.Context, project, quotaID, region string) (Limit, error) {
	s.asked.Add(1)
	select {
	case <-time.After(time.Minute):
		return limits{"l4": 3}.Limit(ctx, project, quotaID, region)
	case <-ctx.Done():
		return Limit{}, ctx.Err()
	}
}

func TestCheckAsksForAllAtOnceAndKeepsTheOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		src := new(slow)
		verdicts := Check(t.Context(), Demand{Parallelism: 4, Needs: []Need{l4, cpu, memory}}, src)
		if waited := time.Since(start); waited != time.Minute {
			t.Errorf("three questions took %s, want the minute that one takes", waited)
		}
		if len(verdicts) != 3 || verdicts[0].Outcome != Exceeds || verdicts[1].Need != cpu || verdicts[2].Outcome != Unknown {
			t.Errorf("verdicts: %+v", verdicts)
		}
	})
}

func TestCheckEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		v := Check(ctx, Demand{Parallelism: 1, Needs: []Need{l4}}, new(slow))[0]
		if v.Outcome != Unknown || !errors.Is(v.Err, context.DeadlineExceeded) || v.Largest != Unlimited {
			t.Errorf("verdict: %+v", v)
		}
	})
}

func TestCheckAsksNothingForNothing(t *testing.T) {
	src := new(slow)
	if got := Check(t.Context(), Demand{Parallelism: 1}, src); len(got) != 0 {
		t.Errorf("verdicts on no needs: %v", got)
	}
	Check(t.Context(), Demand{Parallelism: 1, Needs: []Need{{Kind: GPU, QuotaID: "l4"}}}, src)
	if n := src.asked.Load(); n != 0 {
		t.Errorf("asked %d times for a need of nothing", n)
	}
}

func TestRaises(t *testing.T) {
	demand := func(parallelism, tasks int64, needs ...Need) Demand {
		return Demand{Project: "p", Region: "r", Parallelism: parallelism, TaskCount: tasks, Needs: needs}
	}
	elsewhere := demand(3, 3, l4)
	elsewhere.Region = "s"
	for _, tc := range []struct {
		name        string
		prior, next Demand
		want        bool
	}{
		{"a create", Demand{}, demand(1, 1, l4), true},
		{"a create that needs nothing", Demand{}, demand(1, 1), false},
		{"no change", demand(3, 12, l4, cpu), demand(3, 12, l4, cpu), false},
		{"more tasks at the same parallelism", demand(3, 12, l4), demand(3, 24, l4), false},
		{"more at once", demand(3, 12, l4), demand(4, 12, l4), true},
		{"fewer at once", demand(3, 12, l4), demand(2, 12, l4), false},
		{"more tasks without a parallelism", demand(0, 2, l4), demand(0, 3, l4), true},
		{"a parallelism for the first time", demand(0, 12, l4), demand(4, 12, l4), true},
		{"a parallelism of one for the first time", demand(0, 12, l4), demand(1, 12, l4), false},
		{"no parallelism any more", demand(2, 12, l4), demand(0, 12, l4), true},
		{"another GPU", demand(3, 3, l4), demand(1, 1, rtx), true},
		{"the GPU goes", demand(3, 3, l4, cpu), demand(3, 3, cpu), false},
		{"more CPU in one task", demand(3, 3, l4, Need{QuotaID: "cpu", PerTask: 4000, Unit: 1000}), demand(3, 3, l4, cpu), true},
		{"another region", demand(3, 3, l4), elsewhere, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := tc.next.Raises(tc.prior); got != tc.want {
				t.Errorf("Raises = %v, want %v", got, tc.want)
			}
		})
	}
}

func TestWhole(t *testing.T) {
	for _, tc := range []struct {
		need  Need
		units int64
		want  string
	}{
		{l4, 3, "3"}, {l4, 0, "0"}, {l4, 100, "100"}, {rtx, 3000, "3"}, {rtx, 500, "0.5"}, {cpu, 20000, "20"}, {cpu, 79200, "79.2"},
		{memory, 40 * gib, "40"}, {memory, gib / 2, "0.5"}, {memory, gib / 3, "0.333"}, {l4, Unlimited, "unlimited"}, {Need{}, 7, "7"},
	} {
		if got := (Verdict{Need: tc.need}).Whole(tc.units); got != tc.want {
			t.Errorf("%d units of %d: %q, want %q", tc.units, tc.need.Unit, got, tc.want)
		}
	}
}

func TestArithmeticDoesNotAllocate(t *testing.T) {
	prior := Demand{Project: "p", Region: "r", Parallelism: 3, Needs: []Need{l4, cpu, memory}}
	next := prior
	if n := testing.AllocsPerRun(100, func() {
		if next.Raises(prior) || next.Requested(memory) != 48*gib {
			t.Error("wrong")
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkCheck(b *testing.B) {
	src := limits{"l4": 3, "cpu": 20000, "memory": 40 * gib}
	d := Demand{Project: "p", Region: "r", Parallelism: 3, Needs: []Need{l4, cpu, memory}}
	b.ReportAllocs()
	for b.Loop() {
		if v := Check(b.Context(), d, src); v[0].Outcome != Fits {
			b.Fatal(v[0].Outcome)
		}
	}
}

func BenchmarkRaises(b *testing.B) {
	d := Demand{Project: "p", Region: "r", Parallelism: 3, Needs: []Need{l4, cpu, memory}}
	b.ReportAllocs()
	for b.Loop() {
		if d.Raises(d) {
			b.Fatal("raises itself")
		}
	}
}
