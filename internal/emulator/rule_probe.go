package emulator

import (
	"time"

	"cloud.google.com/go/run/apiv2/runpb"
)

const (
	maxProbeSeconds = 240
	// A start may take this long in all, by period and number of failures.
	maxStart        = 600 * time.Second
	maxStartWithGPU = 1800 * time.Second
)

// checkProbes is about startup probes, the only ones that a job has. That a probe must time out within its period is written
// in the definition of the API, but public tests against the real service pass with a longer timeout, so it is no rule here.
func (c *checker) checkProbes() {
	longest := maxStart
	if gpuContainer(c.task()) >= 0 {
		longest = maxStartWithGPU
	}
	for i, container := range c.task().GetContainers() {
		if probe := container.GetStartupProbe(); probe != nil {
			c.checkProbe(containerField(i, ".startup_probe"), probe, longest)
		}
	}
}

func (c *checker) checkProbe(field string, probe *runpb.Probe, longest time.Duration) {
	if probe.GetProbeType() == nil {
		c.template(field, "Exactly one probe action must be set.")
	}
	for _, rule := range []struct {
		field    string
		value    int32
		min, max int32
	}{
		{"initial_delay_seconds", probe.GetInitialDelaySeconds(), 0, maxProbeSeconds},
		{"period_seconds", probe.GetPeriodSeconds(), 1, maxProbeSeconds},
		{"timeout_seconds", probe.GetTimeoutSeconds(), 1, 3600},
		{"failure_threshold", probe.GetFailureThreshold(), 1, 1<<31 - 1},
	} {
		if rule.value < rule.min || rule.value > rule.max {
			c.request(field+"."+rule.field, "must be a number between %d and %d", rule.min, rule.max)
		}
	}
	start := time.Duration(probe.GetPeriodSeconds()) * time.Duration(probe.GetFailureThreshold()) * time.Second
	if start > longest {
		c.template(field, "The product of failure_threshold and period_seconds must not exceed %d.", int(longest.Seconds()))
	}
}
