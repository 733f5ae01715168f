package main

import (
	"strings"
	"testing"
	"time"
)

func TestReportShowsTheMedianRound(t *testing.T) {
	results := map[string][]result{}
	for _, subject := range []subject{cloudrungpu{}, terraformData{}} {
		for _, step := range steps {
			for _, seconds := range []int{9, 1, 4} {
				results[subject.name()+" "+step] = append(results[subject.name()+" "+step], result{
					subject: subject.name(), step: step, wall: time.Duration(seconds) * time.Second, state: 3000,
					calls: map[string]int{"Jobs.GetJob": seconds},
				})
			}
		}
	}
	var out strings.Builder
	if err := report(&out, settings{jobs: 2, rounds: 3}, results); err != nil {
		t.Fatal(err)
	}
	rows := strings.Count(out.String(), "4.00")
	if rows != 2*len(steps) || !strings.Contains(out.String(), "1500") || !strings.Contains(out.String(), "Jobs.GetJob 4") {
		t.Errorf("%d rows with the median, want %d:\n%s", rows, 2*len(steps), &out)
	}
}
