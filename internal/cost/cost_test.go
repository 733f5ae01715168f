package cost

import (
	"testing"
	"time"
)

const gib = 1 << 30

func price(t *testing.T, decimal string) *Amount {
	t.Helper()
	a, err := Parse(decimal)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func text(a *Amount) string {
	if a == nil {
		return "unknown"
	}
	return a.String()
}

// The figures were computed by hand from the list prices of price tier 1.
func TestOf(t *testing.T) {
	t.Parallel()
	l4 := Rates{GPU: price(t, "0.0001867"), CPU: price(t, "0.000018"), Memory: price(t, "0.000002")}
	rtx := Rates{GPU: price(t, "0.00036522"), CPU: price(t, "0.000018"), Memory: price(t, "0.000002")}
	unpriced := Rates{CPU: price(t, "0.0000216"), Memory: price(t, "0.0000024")}
	type figures struct{ gpu, cpu, memory, total, bound string }
	for name, c := range map[string]struct {
		job   Job
		rates Rates
		want  figures
	}{
		"an hour of an L4": { // 3600 x (0.0001867 + 4 x 0.000018 + 16 x 0.000002)
			Job{GPUs: 1, MilliCPU: 4000, MemoryBytes: 16 * gib, Tasks: 1, Attempt: time.Hour}, l4,
			figures{"0.67212", "0.2592", "0.1152", "1.04652", "1.04652"},
		},
		"twelve tasks of an hour, each tried four times": {
			Job{GPUs: 1, MilliCPU: 8000, MemoryBytes: 32 * gib, Tasks: 12, Retries: 3, Attempt: time.Hour}, l4,
			figures{"8.06544", "6.2208", "2.7648", "17.05104", "68.20416"},
		},
		"a half hour of an RTX": { // 1800 x (0.00036522 + 20 x 0.000018 + 80 x 0.000002)
			Job{GPUs: 1, MilliCPU: 20000, MemoryBytes: 80 * gib, Tasks: 1, Retries: 1, Attempt: 30 * time.Minute}, rtx,
			figures{"0.657396", "0.648", "0.288", "1.593396", "3.186792"},
		},
		"a second is billed as a minute, each time": {
			Job{GPUs: 1, MilliCPU: 4000, MemoryBytes: 16 * gib, Tasks: 1, Retries: 1, Attempt: time.Second}, l4,
			figures{"0.011202", "0.00432", "0.00192", "0.017442", "0.034884"},
		},
		"no GPU": {
			Job{MilliCPU: 1000, MemoryBytes: gib / 2, Tasks: 10000, Attempt: time.Minute}, unpriced,
			figures{"0", "12.96", "0.72", "13.68", "13.68"},
		},
		"a GPU without a price": {
			Job{GPUs: 1, MilliCPU: 4000, MemoryBytes: 16 * gib, Tasks: 1, Attempt: time.Hour}, unpriced,
			figures{"unknown", "0.31104", "0.13824", "unknown", "unknown"},
		},
		"no task": {Job{GPUs: 1, MilliCPU: 4000, MemoryBytes: gib, Attempt: time.Hour}, l4, figures{"0", "0", "0", "0", "0"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := Of(c.job, c.rates)
			got := figures{text(e.GPU.Once), text(e.CPU.Once), text(e.Memory.Once), text(e.Total.Once), text(e.Total.Bound)}
			if got != c.want {
				t.Errorf("%+v, want %+v", got, c.want)
			}
		})
	}
}

// A thousand times a tenth is a hundred: no binary fraction comes in between. What is smaller than a nano-dollar is rounded.
func TestAmountsAreDecimals(t *testing.T) {
	t.Parallel()
	exact := Of(Job{MilliCPU: 1000, Tasks: 10000, Retries: 10, Attempt: 168 * time.Hour}, Rates{CPU: price(t, "0.1")})
	if got := text(exact.Total.Bound); got != "6652800000" {
		t.Errorf("%s, want 6652800000", got)
	}
	odd := Of(Job{MilliCPU: 1, Tasks: 1, Attempt: 61*time.Second + time.Nanosecond}, Rates{CPU: price(t, "0.000018")})
	if got := text(odd.CPU.Once); got != "0.000001098" {
		t.Errorf("%s, want 0.000001098", got)
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	for _, broken := range []string{"", "-1", "1/3", "1e9", "0x1", "one", "1.2.3", "."} {
		if a, err := Parse(broken); err == nil {
			t.Errorf("%q is taken as %s", broken, a)
		}
	}
	if got := price(t, "0.0001867").String(); got != "0.0001867" {
		t.Errorf("%s comes back", got)
	}
}

func TestNanos(t *testing.T) {
	t.Parallel()
	hourly := Nanos(0, 672_120_000, 3600)
	if !hourly.Equal(price(t, "0.0001867")) || hourly.IsZero() {
		t.Errorf("0.67212 an hour is %s a second", hourly)
	}
	if got := Nanos(2, 500_000_000, 1).String(); got != "2.5" {
		t.Errorf("%s, want 2.5", got)
	}
	if !Nanos(0, 0, 60).IsZero() {
		t.Error("nothing is something")
	}
}
