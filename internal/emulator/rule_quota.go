package emulator

import (
	"fmt"
	"strconv"
	"strings"

	"cloud.google.com/go/run/apiv2/runpb"
)

const (
	quotaField   = "template.parallelism"
	quotaRequest = "To request quota: g.co/cloudrun/gpu-quota"
)

// demand is what a job holds of one quota at once.
type demand struct {
	quota   Quota
	what    string // what could not be set, in the refusal
	perTask int64  // in the units that a refusal counts in
	unit    int64  // how many of those make one GPU, vCPU or GiB
}

// wire is the demand of some tasks in the quota's own units.
func (d demand) wire(tasks int64) int64 {
	return d.perTask * tasks * (d.quota.Units / d.unit)
}

// demands are what one task takes, GPUs first.
func demands(task *runpb.TaskTemplate) []demand {
	var cpu, memory int64
	for _, container := range task.GetContainers() {
		size := sizeOf(container)
		cpu += size.milliCPU
		memory += size.memory
	}
	var all []demand
	// Cloud Quotas may count thousandths of a GPU, a refusal counts whole ones.
	if gpu, known := findGPU(task.GetNodeSelector().GetAccelerator()); known && gpuCount(task) > 0 {
		all = append(all, demand{quota: gpu.Quota, what: "in order to set GPU requirements", perTask: gpuCount(task), unit: 1})
	}
	return append(all,
		demand{quota: quotaOf(keyCPU), what: "to set the requested total CPU", perTask: cpu, unit: quotaOf(keyCPU).Units},
		demand{quota: quotaOf(keyMemory), what: "to set the requested total memory", perTask: memory, unit: quotaOf(keyMemory).Units},
	)
}

// gpuCount is how many GPUs one task asks for, over all its containers.
func gpuCount(task *runpb.TaskTemplate) int64 {
	var count int64
	for _, container := range task.GetContainers() {
		if number, err := strconv.ParseInt(container.GetResources().GetLimits()[limitGPU], 10, 64); err == nil {
			count += number
		}
	}
	return count
}

// tasksAtOnce is the number of tasks that the quota is checked for: the parallelism as written, whatever the number of tasks leaves
// of it. What the service takes for a parallelism that is not set is not known, but that it refuses a single task without any
// quota is: one is the least that a job needs.
func tasksAtOnce(job *runpb.Job) int64 {
	return max(int64(job.GetTemplate().GetParallelism()), 1)
}

// checkQuota refuses a job that asks for more at once than the quotas of its region allow. The texts for a limit of 0 are the
// service's for jobs; those for a limit that is exceeded are its texts for services, with parallelism in place of max instances.
func (c *checker) checkQuota() {
	if c.previous != nil && !needsMore(c.previous, c.job) {
		return // an update that asks for no more is not checked again, as reported of the service
	}
	tasks := tasksAtOnce(c.job)
	var violated []string
	var first demand
	fits := tasks
	for _, d := range demands(c.task()) {
		limit := c.granted(d)
		if limit == Unlimited || d.perTask*tasks <= limit*d.unit {
			continue
		}
		if d.quota.gpu && limit == 0 {
			c.template(quotaField, "You do not have quota for using GPUs without zonal redundancy.\n\n%s", quotaRequest)
			return
		}
		if len(violated) == 0 {
			first = d
		}
		fits = min(fits, limit*d.unit/d.perTask)
		violated = append(violated, fmt.Sprintf("%s requested: %d allowed: %d", d.quota.ID, d.perTask*tasks, limit*d.unit))
	}
	if len(violated) == 0 {
		return
	}
	lines := []string{fmt.Sprintf("Parallelism must be set to %d or fewer %s.", fits, first.what)}
	if first.quota.gpu {
		lines = append(lines, quotaRequest)
	}
	lines = append(append(lines, "Quota violated:"), violated...)
	c.template(quotaField, "%s", strings.Join(lines, "\n"))
}

// granted is the limit of a demand. Where there is no entry, the first deployment brings its GPUs along, and CPU and memory are
// not limited.
func (c *checker) granted(d demand) int64 {
	limit := c.quotas.limit(d.quota, c.location)
	switch {
	case limit != NoEntry:
		return limit
	case d.quota.gpu:
		return firstUseGrant
	default:
		return Unlimited
	}
}

func needsMore(before, after *runpb.Job) bool {
	old := map[string]int64{}
	for _, d := range demands(before.GetTemplate().GetTemplate()) {
		old[d.quota.ID] = d.perTask * tasksAtOnce(before)
	}
	for _, d := range demands(after.GetTemplate().GetTemplate()) {
		if d.perTask*tasksAtOnce(after) > old[d.quota.ID] {
			return true
		}
	}
	return false
}

// grantFirstUse gives a region without an entry the GPUs that come with the first deployment.
func (s *state) grantFirstUse(job *runpb.Job, location string) {
	gpu, known := findGPU(job.GetTemplate().GetTemplate().GetNodeSelector().GetAccelerator())
	if known && s.quotas.limit(gpu.Quota, location) == NoEntry {
		s.quotas.set(quotaSetting{key: gpu.Quota.key, region: location, value: firstUseGrant})
	}
}
