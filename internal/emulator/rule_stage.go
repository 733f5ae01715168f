package emulator

import (
	"slices"

	"cloud.google.com/go/run/apiv2/runpb"
	"google.golang.org/genproto/googleapis/api"
	"google.golang.org/grpc/codes"
)

// previewFeature is a feature that needs launch stage BETA.
type previewFeature struct {
	name string
	used func(job *runpb.Job) bool
}

// In preview by the release notes of 2026. The last name is the service's; the others are guesses in its manner.
var features = []previewFeature{
	{"Long running GPU jobs", func(job *runpb.Job) bool {
		gpu, known := findGPU(job.GetTemplate().GetTemplate().GetNodeSelector().GetAccelerator())
		return known && job.GetTemplate().GetTemplate().GetTimeout().AsDuration() > gpu.MaxTimeout
	}},
	{"Delayed execution", func(job *runpb.Job) bool { return job.GetTemplate().GetDelayExecution() }},
	{"Ephemeral disk", func(job *runpb.Job) bool {
		return slices.ContainsFunc(job.GetTemplate().GetTemplate().GetVolumes(), func(volume *runpb.Volume) bool {
			return volume.GetEmptyDir().GetMedium() == runpb.EmptyDirVolumeSource_DISK
		})
	}},
	{"Instant sandboxes", func(job *runpb.Job) bool {
		return slices.ContainsFunc(job.GetTemplate().GetTemplate().GetContainers(), func(container *runpb.Container) bool {
			return container.GetSandboxLauncher()
		})
	}},
}

func previewFeatures(job *runpb.Job) []string {
	var names []string
	for _, feature := range features {
		if feature.used(job) {
			names = append(names, feature.name)
		}
	}
	return names
}

func (c *checker) checkStage() {
	switch c.job.GetLaunchStage() {
	case api.LaunchStage_ALPHA, api.LaunchStage_BETA, api.LaunchStage_GA:
	default:
		c.request("launch_stage", "only ALPHA, BETA, GA, or unspecified are supported")
	}
}

// checkFeatures comes after the rules about what a feature may be set to: a GPU task of two hours at stage GA is refused as too long.
func (c *checker) checkFeatures() {
	if c.job.GetLaunchStage() != api.LaunchStage_GA {
		return
	}
	for _, name := range previewFeatures(c.job) {
		c.code = codes.FailedPrecondition
		c.template("launch_stage", "The feature '%s' is not supported in the declared launch stage of %s.", name, c.name.id())
	}
}
