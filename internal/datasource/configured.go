// Package datasource holds the data sources that are no job: what is known of GPU types and regions, and the quotas of a project.
package datasource

import (
	"context"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/diagnose"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/gpu"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/providerdata"
)

// configured is what the data sources have in common: the provider that Terraform gives them.
type configured struct {
	data *providerdata.Data // nil until Terraform has configured the provider
}

// informed is what data sources about GPU types have in common: what is known of them, also while Terraform validates.
type informed struct {
	configured
	known func() *gpu.Catalogue
}

// Configure takes the clients and defaults of the provider.
func (c *configured) Configure(_ context.Context, req datasource.ConfigureRequest, resp *datasource.ConfigureResponse) {
	data, diags := providerdata.From(req.ProviderData)
	resp.Diagnostics.Append(diags...)
	c.data = data
}

func (i *informed) catalogue() *gpu.Catalogue { return i.known() }

// checkGPUType refuses a GPU type that is not in the catalogue. It is silent where the type is not written, or where the type
// or the catalogue is not known yet.
func (i *informed) checkGPUType(at path.Path, written types.String) diag.Diagnostics {
	catalogue := i.catalogue()
	if written.IsNull() || written.IsUnknown() || catalogue.IsUndecided() {
		return nil
	}
	name := written.ValueString()
	if _, found := catalogue.Type(name); found {
		return nil
	}
	var names []string
	for _, t := range catalogue.Types() {
		names = append(names, t.Name)
	}
	return diag.Diagnostics{diagnose.UnknownGPUType(at, name, catalogue.Nearest(name), names)}
}

// checkDecided refuses to read while the provider's catalogue is not known: what is read stays as it is for the whole run.
func (i *informed) checkDecided() diag.Diagnostics {
	if i.catalogue().IsUndecided() {
		return diag.Diagnostics{diagnose.CatalogueNotYetKnown()}
	}
	return nil
}

// checkGPUs refuses GPUs that do not exist (gpu_type), or that no task can have (gpu_count). It is silent on what is not known yet.
func (i *informed) checkGPUs(gpuType types.String, count types.Int64) diag.Diagnostics {
	diags := i.checkGPUType(path.Root("gpu_type"), gpuType)
	if i.catalogue().IsUndecided() || diags.HasError() || gpuType.IsUnknown() || count.IsUnknown() || count.IsNull() {
		return diags
	}
	at := path.Root("gpu_count")
	kind, found := i.catalogue().Type(gpuType.ValueString())
	switch {
	case !found:
		diags.Append(diagnose.GPUCountWithoutType(at))
	case !slices.Contains(kind.PerTask, count.ValueInt64()):
		diags.Append(diagnose.GPUCountNotAllowed(at, kind.Name, count.ValueInt64(), kind.PerTask))
	}
	return diags
}

// textOrNull is null for an empty text, which says that there is nothing to say.
func textOrNull(text string) types.String {
	if text == "" {
		return types.StringNull()
	}
	return types.StringValue(text)
}

// numberOrNull is null for a number that nobody has given.
func numberOrNull(n int64) types.Int64 {
	if n == 0 {
		return types.Int64Null()
	}
	return types.Int64Value(n)
}

// listed is text values in quotes for a description: `a`, `b`.
func listed(values ...string) string {
	return "`" + strings.Join(values, "`, `") + "`"
}
