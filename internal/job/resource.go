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
	known func() *gpu.Catalogue
	data  *providerdata.Data // nil until Terraform has configured the provider
}

// NewResource returns the resource type, not yet configured. What is known of GPUs counts before that, too: for validation.
func NewResource(known func() *gpu.Catalogue) resource.Resource { return &Resource{known: known} }

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

// catalogue is what is known of GPUs at this moment.
func (r *Resource) catalogue() *gpu.Catalogue { return r.known() }
