// Package job is the resource cloudrungpu_job. One file holds one noun or verb; data flows one way: configuration ->
// Model -> request -> answer -> Model -> state.
package job

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/gpu"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/providerdata"
)

var (
	_ resource.ResourceWithConfigure      = (*Resource)(nil)
	_ resource.ResourceWithValidateConfig = (*Resource)(nil)
	_ resource.ResourceWithModifyPlan     = (*Resource)(nil)
	_ resource.ResourceWithImportState    = (*Resource)(nil)
	_ resource.ResourceWithMoveState      = (*Resource)(nil)
	_ resource.ResourceWithIdentity       = (*Resource)(nil)
)

// Resource is the resource type cloudrungpu_job.
type Resource struct {
	data *providerdata.Data // nil until Terraform has configured the provider
}

// NewResource returns the resource type, not yet configured.
func NewResource() resource.Resource { return &Resource{} }

// Metadata names the resource type.
func (r *Resource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_job"
}

// Configure takes the clients and defaults of the provider.
func (r *Resource) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	data, diags := providerdata.From(req.ProviderData)
	resp.Diagnostics.Append(diags...)
	r.data = data
}

// catalogue is the one of the provider; while Terraform validates, before the provider is configured, the built-in one.
func (r *Resource) catalogue() *gpu.Catalogue {
	if r.data == nil {
		return gpu.Default()
	}
	return r.data.Catalogue
}
