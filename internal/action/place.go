// Package action holds the actions of the provider (Terraform 1.14 and newer): they run a job and cancel an execution, and keep nothing in
// the state.
package action

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/diagnose"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/providerdata"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/runapi"
)

// configured is what the actions have in common: the provider that Terraform gives them.
type configured struct {
	data *providerdata.Data // nil until Terraform has configured the provider
}

// Configure takes the clients and defaults of the provider.
func (c *configured) Configure(_ context.Context, req action.ConfigureRequest, resp *action.ConfigureResponse) {
	data, diags := providerdata.From(req.ProviderData)
	resp.Diagnostics.Append(diags...)
	c.data = data
}

// where says which job is meant.
type where struct {
	Job      types.String `tfsdk:"job"`
	Location types.String `tfsdk:"location"`
	Project  types.String `tfsdk:"project"`
}

func whereAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"job": schema.StringAttribute{Required: true, MarkdownDescription: "Name of the job."},
		"location": schema.StringAttribute{
			Optional: true, MarkdownDescription: "Region of the job. Default: the `region` of the provider.",
		},
		"project": schema.StringAttribute{
			Optional: true, MarkdownDescription: "Id of the project of the job. Default: the `project` of the provider.",
		},
	}
}

// name is the job that is meant: what is written, else what the provider has.
func (c *configured) name(w where) (runapi.JobName, diag.Diagnostics) {
	var diags diag.Diagnostics
	if w.Project.IsNull() {
		w.Project = c.data.Project
	}
	if w.Location.IsNull() {
		w.Location = c.data.Region
	}
	if w.Project.ValueString() == "" {
		diags.Append(diagnose.NoProject(path.Root("project")))
	}
	if w.Location.ValueString() == "" {
		diags.Append(diagnose.NoLocation(path.Root("location")))
	}
	return runapi.JobName{Project: w.Project.ValueString(), Location: w.Location.ValueString(), Job: w.Job.ValueString()}, diags
}
