package datasource

import (
	"context"
	"maps"
	"path"
	"slices"

	"cloud.google.com/go/run/apiv2/runpb"
	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/diagnose"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/runapi"
)

var _ datasource.DataSourceWithConfigure = (*executions)(nil)

// usualExecutions is the default of limit.
const usualExecutions = 10

// executions is the data source cloudrungpu_executions: the latest runs of a job.
type executions struct{ configured }

// NewExecutions returns the data source cloudrungpu_executions, not yet configured.
func NewExecutions() datasource.DataSource { return &executions{} }

type executionsModel struct {
	Job        types.String     `tfsdk:"job"`
	Location   types.String     `tfsdk:"location"`
	Project    types.String     `tfsdk:"project"`
	Limit      types.Int64      `tfsdk:"limit"`
	Executions []executionModel `tfsdk:"executions"`
}

// Metadata names the data source.
func (d *executions) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_executions"
}

// Schema describes the data source.
func (d *executions) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	attributes := whereAttributes()
	maps.Copy(attributes, map[string]schema.Attribute{
		"limit": schema.Int64Attribute{
			Optional: true, MarkdownDescription: "How many executions to show at most, the newest: 1 to 1000. Default: `10`.",
			Validators: []validator.Int64{int64validator.Between(1, 1000)},
		},
		"executions": schema.ListNestedAttribute{
			Computed: true, MarkdownDescription: "The executions, the newest first.",
			NestedObject: schema.NestedAttributeObject{Attributes: executionAttributes()},
		},
	})
	resp.Schema = schema.Schema{
		MarkdownDescription: "The latest executions of a Cloud Run job, whoever started them: how they ended, how long they took and how many GPU seconds they used. The API keeps " +
			"an execution for a week, and at most a thousand of each job.",
		Attributes: attributes,
	}
}

// Read lists the executions, and for those with GPUs their tasks: only these tell how long the GPUs were held.
func (d *executions) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var m executionsModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	if resp.Diagnostics.HasError() {
		return
	}
	where, diags := d.place(m.Project, m.Location)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	where.Job = m.Job.ValueString()
	latest, err := d.latest(ctx, where, m.Limit)
	if err != nil {
		resp.Diagnostics.Append(diagnose.Call(diagnose.ReadFailed, where, err)...)
		return
	}
	m.Executions = []executionModel{}
	for _, e := range latest {
		used, err := d.used(ctx, runapi.ExecutionName{JobName: where, Execution: path.Base(e.GetName())}, e)
		if err != nil {
			resp.Diagnostics.Append(diagnose.Call(diagnose.ReadFailed, where, err)...)
			return
		}
		m.Executions = append(m.Executions, executionOf(e, used))
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, m)...)
}

// latest are the newest executions. The order of the API's list is not documented, so the whole of it is looked at.
func (d *executions) latest(ctx context.Context, job runapi.JobName, limit types.Int64) ([]*runpb.Execution, error) {
	var all []*runpb.Execution
	for e, err := range d.data.Run.ListExecutions(ctx, job) {
		if err != nil {
			return nil, err
		}
		all = append(all, e)
	}
	slices.SortStableFunc(all, func(a, b *runpb.Execution) int {
		return b.GetCreateTime().AsTime().Compare(a.GetCreateTime().AsTime())
	})
	most := usualExecutions
	if !limit.IsNull() {
		most = int(limit.ValueInt64())
	}
	return all[:min(most, len(all))], nil
}

func (c *configured) used(ctx context.Context, name runapi.ExecutionName, e *runpb.Execution) (float64, error) {
	if !hasGPU(e) {
		return 0, nil
	}
	tasks, err := c.tasksOf(ctx, name)
	return gpuSeconds(tasks), err
}
