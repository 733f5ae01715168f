package datasource

import (
	"cmp"
	"context"
	"slices"

	"cloud.google.com/go/run/apiv2/runpb"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/diagnose"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/job"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/runapi"
)

var _ datasource.DataSourceWithConfigure = (*jobs)(nil)

// jobs is the data source cloudrungpu_jobs: the jobs of a project, for audits.
type jobs struct{ configured }

// NewJobs returns the data source cloudrungpu_jobs, not yet configured.
func NewJobs() datasource.DataSource { return &jobs{} }

type jobsModel struct {
	Project  types.String `tfsdk:"project"`
	Location types.String `tfsdk:"location"`
	GPUType  types.String `tfsdk:"gpu_type"`
	Jobs     []jobSummary `tfsdk:"jobs"`
}

type jobSummary struct {
	ID             string        `tfsdk:"id"`
	Name           string        `tfsdk:"name"`
	Location       string        `tfsdk:"location"`
	Labels         types.Map     `tfsdk:"labels"`
	GPUType        types.String  `tfsdk:"gpu_type"`
	TaskCount      types.Int64   `tfsdk:"task_count"`
	Parallelism    types.Int64   `tfsdk:"parallelism"`
	PeakGPUs       types.Int64   `tfsdk:"peak_gpus"`
	PeakCPU        types.Float64 `tfsdk:"peak_cpu"`
	PeakMemoryGiB  types.Float64 `tfsdk:"peak_memory_gib"`
	ServiceAccount types.String  `tfsdk:"service_account"`
	Ready          types.Bool    `tfsdk:"ready"`
	LastModifier   types.String  `tfsdk:"last_modifier"`
	UpdateTime     types.String  `tfsdk:"update_time"`
}

// Metadata names the data source.
func (d *jobs) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_jobs"
}

// Schema describes the data source.
func (d *jobs) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	of := job.ComputedAttributes()
	resp.Schema = schema.Schema{
		MarkdownDescription: "The Cloud Run jobs of a project, whoever made them, for audits and policies: what each can hold at once, and who changed it last.",
		Attributes: map[string]schema.Attribute{
			"project": schema.StringAttribute{
				Optional: true, MarkdownDescription: "Id of the project. Default: the `project` of the provider.",
			},
			"location": schema.StringAttribute{
				Optional: true, MarkdownDescription: "Region, or `-` for all regions. Default: the `region` of the provider.",
			},
			"gpu_type": schema.StringAttribute{
				Optional: true, MarkdownDescription: "Only jobs with this GPU type, such as `nvidia-l4`; `*` for any GPU. Default: all jobs, with a GPU or without.",
			},
			"jobs": schema.ListNestedAttribute{
				Computed: true, MarkdownDescription: "The jobs, sorted by `id`.",
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"id": of["id"], "name": of["name"], "location": of["location"], "task_count": of["task_count"], "parallelism": of["parallelism"],
					"peak_gpus": of["peak_gpus"], "peak_cpu": of["peak_cpu"], "peak_memory_gib": of["peak_memory_gib"], "service_account": of["service_account"],
					"labels": schema.MapAttribute{
						Computed: true, ElementType: types.StringType, MarkdownDescription: "Labels of the job, without those of Google's own systems.",
					},
					"gpu_type": schema.StringAttribute{Computed: true, MarkdownDescription: "Type of the GPU of each task; null without a GPU."},
					"ready":    jobLifeAttributes()["ready"], "last_modifier": jobLifeAttributes()["last_modifier"], "update_time": jobLifeAttributes()["update_time"],
				}},
			},
		},
	}
}

// Read lists the jobs.
func (d *jobs) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var m jobsModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	if resp.Diagnostics.HasError() {
		return
	}
	where, diags := d.place(m.Project, m.Location)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	m.Jobs = []jobSummary{}
	for found, err := range d.data.Run.ListJobs(ctx, where.Project, where.Location) {
		if err != nil {
			resp.Diagnostics.Append(diagnose.ListFailed(where.Project, where.Location, err)...)
			return
		}
		if name, err := runapi.ParseJobName(found.GetName()); err == nil && job.HasGPU(found, m.GPUType.ValueString()) {
			m.Jobs = append(m.Jobs, summaryOf(found, name))
		}
	}
	slices.SortFunc(m.Jobs, func(a, b jobSummary) int { return cmp.Compare(a.ID, b.ID) })
	resp.Diagnostics.Append(resp.State.Set(ctx, m)...)
}

func summaryOf(found *runpb.Job, name runapi.JobName) jobSummary {
	m, life := job.Read(found, name), lifeOf(found)
	return jobSummary{
		ID: name.String(), Name: name.Job, Location: name.Location, Labels: m.Labels,
		GPUType:   textOrNull(found.GetTemplate().GetTemplate().GetNodeSelector().GetAccelerator()),
		TaskCount: m.TaskCount, Parallelism: m.Parallelism, PeakGPUs: m.PeakGPUs, PeakCPU: m.PeakCPU, PeakMemoryGiB: m.PeakMemoryGiB,
		ServiceAccount: m.ServiceAccount, Ready: life.Ready, LastModifier: life.LastModifier, UpdateTime: life.UpdateTime,
	}
}
