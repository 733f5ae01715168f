package job

import (
	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/customtype"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/runapi"
)

// Model is cloudrungpu_job as Terraform holds it: in a configuration, a plan or the state. What is nested stays in the
// framework's own collections, because each of them may be unknown; the types beside this one read and write them.
type Model struct {
	ID                   types.String        `tfsdk:"id"`
	Name                 types.String        `tfsdk:"name"`
	Location             types.String        `tfsdk:"location"`
	Project              types.String        `tfsdk:"project"`
	Labels               types.Map           `tfsdk:"labels"`
	EffectiveLabels      types.Map           `tfsdk:"effective_labels"`
	Annotations          types.Map           `tfsdk:"annotations"`
	ExecutionLabels      types.Map           `tfsdk:"execution_labels"`
	ExecutionAnnotations types.Map           `tfsdk:"execution_annotations"`
	GPU                  types.Object        `tfsdk:"gpu"`
	TaskCount            types.Int64         `tfsdk:"task_count"`
	Parallelism          types.Int64         `tfsdk:"parallelism"`
	MaxRetries           types.Int64         `tfsdk:"max_retries"`
	TaskTimeout          customtype.Duration `tfsdk:"task_timeout"`
	Containers           types.List          `tfsdk:"containers"`
	Volumes              types.Map           `tfsdk:"volumes"`
	VPCAccess            types.Object        `tfsdk:"vpc_access"`
	ServiceAccount       types.String        `tfsdk:"service_account"`
	EncryptionKey        types.String        `tfsdk:"encryption_key"`
	BinaryAuthorization  types.Object        `tfsdk:"binary_authorization"`
	LaunchStage          types.String        `tfsdk:"launch_stage"`
	DeletionProtection   types.Bool          `tfsdk:"deletion_protection"`
	Run                  types.Object        `tfsdk:"run"`
	LastRun              types.Object        `tfsdk:"last_run"`
	Timeouts             timeouts.Value      `tfsdk:"timeouts"`
	UID                  types.String        `tfsdk:"uid"`
	CreateTime           types.String        `tfsdk:"create_time"`
	PeakGPUs             types.Int64         `tfsdk:"peak_gpus"`
	PeakCPU              types.Float64       `tfsdk:"peak_cpu"`
	PeakMemoryGiB        types.Float64       `tfsdk:"peak_memory_gib"`
}

// jobName is the full name of the job; its parts are empty where they are not known.
func (m Model) jobName() runapi.JobName {
	return runapi.JobName{
		Project:  m.Project.ValueString(),
		Location: m.Location.ValueString(),
		Job:      m.Name.ValueString(),
	}
}
