package quota

import "testing"

func TestTightest(t *testing.T) {
	t.Parallel()
	gpus := func(limit int64) Allowance { return Allowance{Kind: GPU, PerTask: 1000, Known: true, Limit: limit} }
	cpu := func(limit int64) Allowance { return Allowance{Kind: CPU, PerTask: 8000, Known: true, Limit: limit} }
	for name, c := range map[string]struct {
		given []Allowance
		want  Bound
	}{
		"the GPUs":           {[]Allowance{gpus(2000), cpu(24000)}, Bound{true, 2, GPU}},
		"the CPU":            {[]Allowance{gpus(3000), cpu(20000)}, Bound{true, 2, CPU}},
		"the first of two":   {[]Allowance{gpus(2999), cpu(16000)}, Bound{true, 2, GPU}},
		"one has no bound":   {[]Allowance{gpus(Unlimited), cpu(8000)}, Bound{true, 1, CPU}},
		"nothing bounds":     {[]Allowance{gpus(Unlimited), cpu(Unlimited)}, Bound{Known: true, Largest: Unlimited}},
		"not even one":       {[]Allowance{gpus(0), cpu(7999)}, Bound{true, 0, GPU}},
		"one is not known":   {[]Allowance{gpus(3000), {Kind: CPU, PerTask: 1}}, Bound{}},
		"nothing is drawn":   {[]Allowance{gpus(1000), {Kind: Memory, Known: true, Limit: 0}}, Bound{true, 1, GPU}},
		"nothing to go by":   {nil, Bound{Known: true, Largest: Unlimited}},
		"unknown comes last": {[]Allowance{{Kind: GPU, PerTask: 1}, cpu(8000)}, Bound{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := Tightest(c.given...); got != c.want {
				t.Errorf("%+v, want %+v", got, c.want)
			}
		})
	}
}
