package emulator

import (
	"strconv"

	"cloud.google.com/go/run/apiv2/runpb"
)

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

// grantFirstUse gives a region without an entry the GPUs that come with the first deployment.
func (s *state) grantFirstUse(job *runpb.Job, location string) {
	gpu, known := findGPU(job.GetTemplate().GetTemplate().GetNodeSelector().GetAccelerator())
	if known && s.quotas.limit(gpu.Quota, location) == NoEntry {
		s.quotas.set(quotaSetting{key: gpu.Quota.key, region: location, value: firstUseGrant})
	}
}
