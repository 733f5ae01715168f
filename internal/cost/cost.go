// Package cost is the arithmetic of what an execution of a job costs, exact in decimals. It knows no prices: they are given.
package cost

import (
	"fmt"
	"math/big"
	"strings"
	"time"
)

// ShortestBilled is what an attempt of a task is billed for at least. It is counted for each attempt: whether Google joins the
// attempts of a task into one instance, only a real bill can tell, and more is the safer guess.
const ShortestBilled = time.Minute

// shown is the number of decimals of an amount: nano-dollars, the smallest unit in which Cloud Billing has prices.
const shown = 9

// Job is what is paid for.
type Job struct {
	GPUs        int64         // of each task
	MilliCPU    int64         // of each task
	MemoryBytes int64         // of each task
	Tasks       int64         // of an execution
	Retries     int64         // of each task at most, after the first attempt
	Attempt     time.Duration // how long an attempt runs
}

// Rates are the prices of one GPU, one vCPU and one GiB of memory for one second. A nil one is not known.
type Rates struct{ GPU, CPU, Memory *Amount }

// Part is what one of GPU, CPU and memory costs in an execution; both amounts are nil where its price is not known.
type Part struct {
	Once  *Amount // every task succeeds at its first attempt
	Bound *Amount // every task uses up its retries and every attempt runs as long
}

// Estimate is what an execution costs. Total is nil in both amounts where a part that is used has no price.
type Estimate struct {
	Billed                  time.Duration // of one attempt
	GPU, CPU, Memory, Total Part
}

// Of returns what one execution costs. What a job has none of costs nothing, whatever its price.
func Of(job Job, rates Rates) Estimate {
	billed := max(job.Attempt, ShortestBilled)
	seconds := big.NewRat(int64(billed), int64(time.Second))
	once := new(big.Rat).Mul(seconds, whole(job.Tasks))
	bound := new(big.Rat).Mul(once, whole(1+job.Retries))
	part := func(rate *Amount, held *big.Rat) Part {
		switch {
		case held.Sign() == 0:
			return Part{Once: new(Amount), Bound: new(Amount)}
		case rate == nil:
			return Part{}
		}
		a := new(big.Rat).Mul(&rate.usd, held)
		return Part{Once: rounded(new(big.Rat).Mul(a, once)), Bound: rounded(new(big.Rat).Mul(a, bound))}
	}
	e := Estimate{
		Billed: billed,
		GPU:    part(rates.GPU, whole(job.GPUs)),
		CPU:    part(rates.CPU, big.NewRat(job.MilliCPU, 1000)),
		Memory: part(rates.Memory, big.NewRat(job.MemoryBytes, 1<<30)),
	}
	e.Total = sum(e.GPU, e.CPU, e.Memory)
	return e
}

func whole(n int64) *big.Rat { return new(big.Rat).SetInt64(n) }

// sum adds what is shown of the parts, so that a reader who adds them comes to the same.
func sum(parts ...Part) Part {
	total := Part{Once: new(Amount), Bound: new(Amount)}
	for _, p := range parts {
		if p.Once == nil {
			return Part{}
		}
		total.Once.usd.Add(&total.Once.usd, &p.Once.usd)
		total.Bound.usd.Add(&total.Bound.usd, &p.Bound.usd)
	}
	return total
}

// Amount is a number of US dollars, exact. The zero Amount is nothing.
type Amount struct{ usd big.Rat }

// Parse reads a decimal number of US dollars that is not negative, such as "0.0001867".
func Parse(decimal string) (*Amount, error) {
	a := new(Amount)
	if _, ok := a.usd.SetString(decimal); !ok || a.usd.Sign() < 0 || !isDecimal(decimal) {
		return nil, fmt.Errorf("%q is no price: a decimal number is wanted", decimal)
	}
	return a, nil
}

func isDecimal(s string) bool {
	for _, c := range s {
		if c != '.' && (c < '0' || c > '9') {
			return false
		}
	}
	return true
}

// Nanos returns an amount of whole US dollars and billionths of one, divided by per.
func Nanos(units int64, nanos int32, per int64) *Amount {
	a := new(Amount)
	a.usd.Add(whole(units), big.NewRat(int64(nanos), 1_000_000_000))
	a.usd.Quo(&a.usd, whole(per))
	return a
}

// IsZero reports whether the amount is nothing.
func (a *Amount) IsZero() bool { return a.usd.Sign() == 0 }

// Equal reports whether two amounts are the same.
func (a *Amount) Equal(b *Amount) bool { return a.usd.Cmp(&b.usd) == 0 }

// String is the amount as a decimal without needless zeros: "0.0001867". What no decimal can say in 20 places is rounded there.
func (a *Amount) String() string {
	text := a.usd.FloatString(20)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

func rounded(r *big.Rat) *Amount {
	a := new(Amount)
	a.usd.SetString(r.FloatString(shown)) // it is a decimal number, which Rat reads
	return a
}
