package emulator

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"cloud.google.com/go/run/apiv2/runpb"
	"google.golang.org/genproto/googleapis/api"
	"google.golang.org/protobuf/types/known/durationpb"
)

const (
	limitCPU    = "cpu"
	limitMemory = "memory"
	limitGPU    = "nvidia.com/gpu"

	defaultTimeout   = 600 * time.Second
	defaultRetries   = 3
	defaultProbePort = 8080
)

// fillDefaults sets what the service sets where a job leaves it out. It does so before the rules are checked, as the rules are about
// the job that would run.
func (s *state) fillDefaults(job *runpb.Job) {
	template := job.GetTemplate()
	if template == nil {
		return
	}
	if template.GetTaskCount() == 0 {
		template.TaskCount = 1
	}
	task := template.GetTemplate()
	if task == nil {
		return
	}
	s.fillTaskDefaults(task)
	job.LaunchStage = effectiveStage(job)
}

func (s *state) fillTaskDefaults(task *runpb.TaskTemplate) {
	if task.GetRetries() == nil {
		task.Retries = &runpb.TaskTemplate_MaxRetries{MaxRetries: defaultRetries}
	}
	if task.GetTimeout() == nil {
		task.Timeout = durationpb.New(defaultTimeout)
	}
	if task.GetServiceAccount() == "" {
		task.ServiceAccount = fmt.Sprintf("%s-compute@developer.gserviceaccount.com", s.set.projectNumber)
	}
	if task.GetExecutionEnvironment() == runpb.ExecutionEnvironment_EXECUTION_ENVIRONMENT_UNSPECIFIED {
		task.ExecutionEnvironment = runpb.ExecutionEnvironment_EXECUTION_ENVIRONMENT_GEN2
	}
	if vpc := task.GetVpcAccess(); vpc != nil && vpc.GetEgress() == runpb.VpcAccess_VPC_EGRESS_UNSPECIFIED {
		vpc.Egress = runpb.VpcAccess_PRIVATE_RANGES_ONLY
	}
	fillLimits(task)
	for _, container := range task.GetContainers() {
		fillProbeDefaults(container.GetStartupProbe())
	}
	// The service returns Cloud SQL volumes last.
	slices.SortStableFunc(task.GetVolumes(), func(a, b *runpb.Volume) int {
		return btoi(a.GetCloudSqlInstance() != nil) - btoi(b.GetCloudSqlInstance() != nil)
	})
}

// fillLimits gives every container CPU and memory, and the GPU to the first container where a type is chosen and no container asks for
// one. How much the service gives next to a GPU is not known: here it is the least that the type allows.
func fillLimits(task *runpb.TaskTemplate) {
	accelerator := task.GetNodeSelector().GetAccelerator()
	if accelerator != "" && gpuContainer(task) < 0 && len(task.GetContainers()) > 0 {
		setLimit(task.GetContainers()[0], limitGPU, "1")
	}
	gpu, known := findGPU(accelerator)
	for _, container := range task.GetContainers() {
		cpu, memory := "1000m", "512Mi"
		if known && asksForGPU(container) {
			cpu = strconv.FormatInt(gpu.Sizes[0].CPU*1000, 10) + "m"
			memory = memoryText(gpu.Sizes[0].MinMemory)
		}
		setLimit(container, limitCPU, cpu)
		setLimit(container, limitMemory, memory)
	}
}

// gpuContainer is the index of the first container that asks for a GPU, or -1.
func gpuContainer(task *runpb.TaskTemplate) int {
	return slices.IndexFunc(task.GetContainers(), asksForGPU)
}

func asksForGPU(container *runpb.Container) bool {
	_, set := container.GetResources().GetLimits()[limitGPU]
	return set
}

func setLimit(container *runpb.Container, key, value string) {
	if container.Resources == nil {
		container.Resources = &runpb.ResourceRequirements{}
	}
	if container.Resources.Limits == nil {
		container.Resources.Limits = map[string]string{}
	}
	if _, set := container.Resources.Limits[key]; !set {
		container.Resources.Limits[key] = value
	}
}

func fillProbeDefaults(probe *runpb.Probe) {
	if probe == nil {
		return
	}
	fill := func(field *int32, value int32) {
		if *field == 0 {
			*field = value
		}
	}
	fill(&probe.TimeoutSeconds, 1)
	fill(&probe.PeriodSeconds, 10)
	fill(&probe.FailureThreshold, 3)
	switch action := probe.GetProbeType().(type) {
	case *runpb.Probe_HttpGet:
		if action.HttpGet.GetPath() == "" {
			action.HttpGet.Path = "/"
		}
		fill(&action.HttpGet.Port, defaultProbePort)
	case *runpb.Probe_TcpSocket:
		fill(&action.TcpSocket.Port, defaultProbePort)
	case *runpb.Probe_Grpc:
		fill(&action.Grpc.Port, defaultProbePort)
	}
}

// effectiveStage is the stage of the least stable feature that the job really uses, whatever stage it declares. A stage that
// cannot be declared, or that is too stable for what is used, is left for the rules to refuse.
func effectiveStage(job *runpb.Job) api.LaunchStage {
	declared := job.GetLaunchStage()
	switch {
	case declared == api.LaunchStage_LAUNCH_STAGE_UNSPECIFIED:
		return api.LaunchStage_GA
	case declared != api.LaunchStage_ALPHA && declared != api.LaunchStage_BETA:
		return declared
	case len(previewFeatures(job)) == 0:
		return api.LaunchStage_GA
	default:
		return api.LaunchStage_BETA
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
