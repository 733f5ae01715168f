package job

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/diagnose"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/runapi"
)

// ImportState takes projects/P/locations/L/jobs/N, P/L/N, L/N or N, or an identity; what is left out comes from the
// provider. The read that follows fills in the rest.
func (r *Resource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	name, diags := importedName(ctx, req)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	if name.Project == "" {
		name.Project = r.data.Project.ValueString()
	}
	if name.Location == "" {
		name.Location = r.data.Region.ValueString()
	}
	if name.Project == "" || name.Location == "" {
		resp.Diagnostics.Append(diagnose.ImportIncomplete(name))
		return
	}
	set := func(attribute, value string) {
		resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root(attribute), value)...)
	}
	set("id", name.String())
	set("project", name.Project)
	set("location", name.Location)
	set("name", name.Job)
	resp.Diagnostics.Append(setIdentity(ctx, resp.Identity, name)...)
	resp.Diagnostics.Append(writeNote(ctx, resp.Private, note{Imported: true})...)
}

// importedName is the job that an import names, as far as it names it.
func importedName(ctx context.Context, req resource.ImportStateRequest) (runapi.JobName, diag.Diagnostics) {
	if req.ID == "" && req.Identity != nil {
		var by identity
		diags := req.Identity.Get(ctx, &by)
		return runapi.JobName{Project: by.Project.ValueString(), Location: by.Location.ValueString(), Job: by.Name.ValueString()}, diags
	}
	name, err := runapi.ParseJobName(req.ID)
	if err != nil {
		return name, diag.Diagnostics{diagnose.ImportID(req.ID)}
	}
	return name, nil
}
