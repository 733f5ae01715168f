package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
)

// report writes the round of median wall time of every step, in seconds, megabytes and bytes of state a resource.
func report(to io.Writer, set settings, results map[string][]result) error {
	out := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	lines := []string{fmt.Sprintf("%d jobs, %s a call, %s an operation, parallelism %d, median of %d",
		set.jobs, set.latency, set.operation, set.parallelism, set.rounds),
		"subject\tstep\twall s\tprovider CPU s\tprovider MB\tstate B a job\tcalls"}
	for _, subject := range []subject{cloudrungpu{}, terraformData{}} {
		for _, step := range steps {
			r := median(results[subject.name()+" "+step])
			lines = append(lines, fmt.Sprintf("%s\t%s\t%.2f\t%.2f\t%d\t%d\t%s", r.subject, r.step, r.wall.Seconds(), r.provider.CPU.Seconds(),
				r.provider.Memory/1e6, r.state/int64(set.jobs), callsOf(r)))
		}
	}
	if _, err := fmt.Fprintln(out, strings.Join(lines, "\n")); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}

// median is the round of median wall time, the lower one of two; rounds has at least one.
func median(rounds []result) result {
	sorted := slices.SortedFunc(slices.Values(rounds), func(a, b result) int { return cmp.Compare(a.wall, b.wall) })
	return sorted[(len(sorted)-1)/2]
}

func callsOf(r result) string {
	var all []string
	for _, method := range slices.Sorted(maps.Keys(r.calls)) {
		all = append(all, fmt.Sprintf("%s %d", method, r.calls[method]))
	}
	return strings.Join(all, ", ")
}
