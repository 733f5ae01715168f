package job

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/runapi"
)

// identity is what tells a job from every other one: Terraform 1.12 and newer keep it beside the state and import by it.
type identity struct {
	Project  types.String `tfsdk:"project"`
	Location types.String `tfsdk:"location"`
	Name     types.String `tfsdk:"name"`
}

// IdentitySchema describes the identity of the resource.
func (r *Resource) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = identityschema.Schema{Attributes: map[string]identityschema.Attribute{
		"project": identityschema.StringAttribute{
			OptionalForImport: true,
			Description:       "Id of the project of the job. Default: the project of the provider.",
		},
		"location": identityschema.StringAttribute{
			OptionalForImport: true,
			Description:       "Region of the job. Default: the region of the provider.",
		},
		"name": identityschema.StringAttribute{
			RequiredForImport: true,
			Description:       "Name of the job.",
		},
	}}
}

// setIdentity writes the identity of a job; a CLI that knows none has nothing to write to.
func setIdentity(ctx context.Context, to *tfsdk.ResourceIdentity, name runapi.JobName) diag.Diagnostics {
	if to == nil {
		return nil
	}
	return to.Set(ctx, identity{
		Project: types.StringValue(name.Project), Location: types.StringValue(name.Location), Name: types.StringValue(name.Job),
	})
}
