package datasource

import (
	"context"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/diagnose"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/runapi"
)

var _ datasource.DataSourceWithConfigure = (*oneExecution)(nil)

// oneExecution is the data source cloudrungpu_execution: one run of a job, with its tasks.
type oneExecution struct{ configured }

// NewExecution returns the data source cloudrungpu_execution, not yet configured.
func NewExecution() datasource.DataSource { return &oneExecution{} }

type executionWhere struct {
	Job      types.String `tfsdk:"job"`
	Location types.String `tfsdk:"location"`
	Project  types.String `tfsdk:"project"`
}

type oneExecutionModel struct {
	executionWhere
	executionModel
	Tasks []taskModel `tfsdk:"tasks"`
}

// Metadata names the data source.
func (d *oneExecution) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_execution"
}

// Schema describes the data source.
func (d *oneExecution) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	attributes := executionAttributes()
	maps.Copy(attributes, whereAttributes())
	attributes["name"] = schema.StringAttribute{
		Required: true, MarkdownDescription: "Name of the execution, such as `finetune-x7k2p`; `last_run.execution` of a `cloudrungpu_job` is one.",
	}
	attributes["tasks"] = schema.ListNestedAttribute{
		Computed: true, MarkdownDescription: "The tasks, by their index.", NestedObject: schema.NestedAttributeObject{Attributes: taskAttributes()},
	}
	resp.Schema = schema.Schema{
		MarkdownDescription: "One execution of a Cloud Run job with its tasks, whoever started it: which of them failed, with what, and where their logs are.",
		Attributes:          attributes,
	}
}

// Read looks at the execution and its tasks.
func (d *oneExecution) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var m struct {
		executionWhere
		Name types.String
	}
	for attribute, value := range map[string]*types.String{"job": &m.Job, "location": &m.Location, "project": &m.Project, "name": &m.Name} {
		resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root(attribute), value)...)
	}
	if resp.Diagnostics.HasError() {
		return
	}
	where, diags := d.place(m.Project, m.Location)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	where.Job = m.Job.ValueString()
	name := runapi.ExecutionName{JobName: where, Execution: m.Name.ValueString()}
	found, err := d.data.Run.GetExecution(ctx, name)
	if err != nil {
		resp.Diagnostics.Append(diagnose.ExecutionUnread(name, err)...)
		return
	}
	tasks, err := d.tasksOf(ctx, name)
	if err != nil {
		resp.Diagnostics.Append(diagnose.ExecutionUnread(name, err)...)
		return
	}
	out := oneExecutionModel{executionWhere: m.executionWhere, executionModel: executionOf(found, gpuSeconds(tasks)), Tasks: []taskModel{}}
	for _, t := range tasks {
		out.Tasks = append(out.Tasks, taskOf(t))
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, out)...)
}
