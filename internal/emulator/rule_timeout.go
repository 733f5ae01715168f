package emulator

import (
	"time"

	"google.golang.org/genproto/googleapis/api"
)

// checkTimeout is about the longest task: a week, and much less with a GPU, where launch stage BETA allows more.
func (c *checker) checkTimeout() {
	timeout := c.task().GetTimeout().AsDuration()
	longest, with := maxTimeout, ""
	if gpu, known := findGPU(c.accelerator()); known && gpuContainer(c.task()) >= 0 {
		longest, with = gpu.MaxTimeout, " when using GPU"
		if c.job.GetLaunchStage() == api.LaunchStage_BETA {
			longest = gpu.MaxTimeoutBeta
		}
	}
	// The words around "when using GPU" are not known.
	switch {
	case timeout <= 0:
		c.request("template.template.timeout", "must be greater than 0 seconds")
	case timeout > longest:
		c.request("template.template.timeout", "must not exceed %d hours (%d seconds)%s",
			int(longest/time.Hour), int(longest/time.Second), with)
	}
}
