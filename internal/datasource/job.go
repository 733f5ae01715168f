package datasource

import (
	"context"
	"maps"
	"time"

	"cloud.google.com/go/run/apiv2/runpb"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/diagnose"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/job"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/runapi"
)

var _ datasource.DataSourceWithConfigure = (*oneJob)(nil)

// oneJob is the data source cloudrungpu_job: a job with everything that the resource leaves out of the state.
type oneJob struct{ configured }

// NewJob returns the data source cloudrungpu_job, not yet configured.
func NewJob() datasource.DataSource { return &oneJob{} }

// Metadata names the data source.
func (d *oneJob) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_job"
}

// Schema describes the data source: the attributes of the resource, and how the job fares.
func (d *oneJob) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	attributes := job.ComputedAttributes()
	maps.Copy(attributes, jobLifeAttributes())
	attributes["name"] = schema.StringAttribute{Required: true, MarkdownDescription: "Name of the job."}
	attributes["location"] = schema.StringAttribute{
		Optional: true, Computed: true, MarkdownDescription: "Region of the job. Default: the `region` of the provider.",
	}
	attributes["project"] = schema.StringAttribute{
		Optional: true, Computed: true, MarkdownDescription: "Id of the project of the job. Default: the `project` of the provider.",
	}
	resp.Schema = schema.Schema{
		MarkdownDescription: "A Cloud Run job as it is now: its configuration in the shape of the resource `cloudrungpu_job`, whoever made it, and what " +
			"the resource leaves out because it changes when the job runs.",
		Attributes: attributes,
	}
}

// jobLife is what changes while a job lives.
type jobLife struct {
	Generation      types.Int64
	Etag            types.String
	UpdateTime      types.String
	Creator         types.String
	LastModifier    types.String
	Client          types.String
	ClientVersion   types.String
	Ready           types.Bool
	Reconciling     types.Bool
	ExecutionCount  types.Int64
	LatestExecution *latestExecution
	Conditions      []condition
}

type latestExecution struct {
	Name           string       `tfsdk:"name"`
	CreateTime     types.String `tfsdk:"create_time"`
	CompletionTime types.String `tfsdk:"completion_time"`
	Status         types.String `tfsdk:"status"`
}

type condition struct {
	Type               string       `tfsdk:"type"`
	State              string       `tfsdk:"state"`
	Message            types.String `tfsdk:"message"`
	Reason             types.String `tfsdk:"reason"`
	Severity           types.String `tfsdk:"severity"`
	LastTransitionTime types.String `tfsdk:"last_transition_time"`
}

// Read looks at the job.
func (d *oneJob) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var name, project, location types.String
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("name"), &name)...)
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("project"), &project)...)
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("location"), &location)...)
	where, diags := d.place(project, location)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	where.Job = name.ValueString()
	found, err := d.data.Run.GetJob(ctx, where)
	if err != nil {
		resp.Diagnostics.Append(diagnose.Call(diagnose.ReadFailed, where, err)...)
		return
	}
	values := map[string]any{}
	for attribute, value := range job.Describe(found, where) {
		values[attribute] = value
	}
	maps.Copy(values, lifeOf(found).attributes())
	for attribute, value := range values {
		resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root(attribute), value)...)
	}
}

// place is the project and the region to look in: what is written, else what the provider has.
func (c *configured) place(project, location types.String) (runapi.JobName, diag.Diagnostics) {
	var diags diag.Diagnostics
	if project.IsNull() {
		project = c.data.Project
	}
	if location.IsNull() {
		location = c.data.Region
	}
	if project.ValueString() == "" {
		diags.Append(diagnose.NoProject(path.Root("project")))
	}
	if location.ValueString() == "" {
		diags.Append(diagnose.NoLocation(path.Root("location")))
	}
	return runapi.JobName{Project: project.ValueString(), Location: location.ValueString()}, diags
}

func lifeOf(j *runpb.Job) jobLife {
	life := jobLife{
		Generation: types.Int64Value(j.GetGeneration()), Etag: textOrNull(j.GetEtag()), UpdateTime: moment(j.GetUpdateTime()),
		Creator: textOrNull(j.GetCreator()), LastModifier: textOrNull(j.GetLastModifier()),
		Client: textOrNull(j.GetClient()), ClientVersion: textOrNull(j.GetClientVersion()),
		Ready:          types.BoolValue(j.GetTerminalCondition().GetState() == runpb.Condition_CONDITION_SUCCEEDED),
		Reconciling:    types.BoolValue(j.GetReconciling()),
		ExecutionCount: types.Int64Value(int64(j.GetExecutionCount())),
		Conditions:     []condition{},
	}
	if latest := j.GetLatestCreatedExecution(); latest.GetName() != "" {
		life.LatestExecution = &latestExecution{
			Name: latest.GetName(), CreateTime: moment(latest.GetCreateTime()), CompletionTime: moment(latest.GetCompletionTime()),
			Status: textOrNull(latest.GetCompletionStatus().String()),
		}
	}
	if c := j.GetTerminalCondition(); c != nil {
		life.Conditions = append(life.Conditions, conditionOf(c))
	}
	for _, c := range j.GetConditions() {
		life.Conditions = append(life.Conditions, conditionOf(c))
	}
	return life
}

func conditionOf(c *runpb.Condition) condition {
	out := condition{
		Type: c.GetType(), State: c.GetState().String(), Message: textOrNull(c.GetMessage()),
		Severity: types.StringNull(), Reason: types.StringNull(), LastTransitionTime: moment(c.GetLastTransitionTime()),
	}
	if c.GetSeverity() != runpb.Condition_SEVERITY_UNSPECIFIED {
		out.Severity = types.StringValue(c.GetSeverity().String())
	}
	switch reason := c.GetReasons().(type) {
	case *runpb.Condition_Reason:
		out.Reason = types.StringValue(reason.Reason.String())
	case *runpb.Condition_ExecutionReason_:
		out.Reason = types.StringValue(reason.ExecutionReason.String())
	}
	return out
}

// moment is a time in RFC 3339 form, UTC; null where there is none.
func moment(t *timestamppb.Timestamp) types.String {
	if t == nil || !t.IsValid() {
		return types.StringNull()
	}
	return types.StringValue(t.AsTime().UTC().Format(time.RFC3339Nano))
}

func (l jobLife) attributes() map[string]any {
	return map[string]any{
		"generation": l.Generation, "etag": l.Etag, "update_time": l.UpdateTime, "creator": l.Creator, "last_modifier": l.LastModifier,
		"client": l.Client, "client_version": l.ClientVersion, "ready": l.Ready, "reconciling": l.Reconciling,
		"execution_count": l.ExecutionCount, "latest_execution": l.LatestExecution, "conditions": l.Conditions,
	}
}
