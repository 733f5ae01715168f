package job

import (
	"context"

	"cloud.google.com/go/run/apiv2/runpb"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/diagnose"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/gpu"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/runapi"
)

var _ list.ListResourceWithConfigure = (*Lister)(nil)

// Lister lists the jobs of a project for `terraform query` (Terraform 1.14 and newer).
type Lister struct{ Resource }

// NewLister returns the list resource, not yet configured.
func NewLister(known func() *gpu.Catalogue) list.ListResource { return &Lister{Resource{known: known}} }

type listConfig struct {
	Project  types.String `tfsdk:"project"`
	Location types.String `tfsdk:"location"`
	GPUType  types.String `tfsdk:"gpu_type"`
}

// ListResourceConfigSchema describes what can be asked for.
func (l *Lister) ListResourceConfigSchema(_ context.Context, _ list.ListResourceSchemaRequest, resp *list.ListResourceSchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Lists the Cloud Run jobs of a project, for import with `terraform query`. Needs Terraform 1.14 or newer.",
		Attributes: map[string]schema.Attribute{
			"project": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "Id of the project. Default: the `project` of the provider.",
			},
			"location": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "Region, or `-` for all regions. Default: the `region` of the provider.",
			},
			"gpu_type": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "Only jobs with this GPU type, such as `nvidia-l4`; `*` for any GPU. Default: all jobs, with a GPU or without.",
			},
		},
	}
}

// List streams the jobs, page by page, as far as Terraform wants to see them.
func (l *Lister) List(ctx context.Context, req list.ListRequest, stream *list.ListResultsStream) {
	var config listConfig
	diags := req.Config.Get(ctx, &config)
	if !diags.HasError() {
		config.Project = orElse(config.Project, l.data.Project)
		config.Location = orElse(config.Location, l.data.Region)
		if !known(config.Project) {
			diags.Append(diagnose.NoProject(path.Root("project")))
		}
		if !known(config.Location) {
			diags.Append(diagnose.NoLocation(path.Root("location")))
		}
	}
	if diags.HasError() {
		stream.Results = list.ListResultsStreamDiagnostics(diags)
		return
	}
	stream.Results = func(push func(list.ListResult) bool) {
		for job, err := range l.data.Run.ListJobs(ctx, config.Project.ValueString(), config.Location.ValueString()) {
			if err != nil {
				push(list.ListResult{Diagnostics: diagnose.ListFailed(config.Project.ValueString(), config.Location.ValueString(), err)})
				return
			}
			if HasGPU(job, config.GPUType.ValueString()) && !push(l.result(ctx, req, job)) {
				return
			}
		}
	}
}

func orElse(written, fallback types.String) types.String {
	if written.IsNull() {
		return fallback
	}
	return written
}

// HasGPU reports whether a job has a GPU of the type: "*" is any GPU, "" is any job.
func HasGPU(job *runpb.Job, gpuType string) bool {
	accelerator := job.GetTemplate().GetTemplate().GetNodeSelector().GetAccelerator()
	switch gpuType {
	case "":
		return true
	case "*":
		return accelerator != "" || gpuHolder(job.GetTemplate().GetTemplate().GetContainers()) >= 0
	}
	return accelerator == gpuType
}

func (l *Lister) result(ctx context.Context, req list.ListRequest, job *runpb.Job) list.ListResult {
	result := req.NewListResult(ctx)
	name, err := runapi.ParseJobName(job.GetName())
	if err != nil {
		result.Diagnostics.Append(diagnose.ImportID(job.GetName()))
		return result
	}
	result.DisplayName = name.Location + "/" + name.Job
	result.Diagnostics.Append(setIdentity(ctx, result.Identity, name)...)
	if req.IncludeResource {
		result.Diagnostics.Append(l.resource(ctx, result, job, name)...)
	}
	return result
}

func (l *Lister) resource(ctx context.Context, result list.ListResult, job *runpb.Job, name runapi.JobName) diag.Diagnostics {
	m := flattenJob(job, name, Model{}, ownership{defaults: textMap(l.data.DefaultLabels), all: true})
	m.DeletionProtection = types.BoolValue(false)
	m.Timeouts = peerTimeouts{}.value()
	return result.Resource.Set(ctx, m)
}
