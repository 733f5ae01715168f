package job

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/diagnose"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/fault"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/gpu"
)

// checkNewType is about a GPU type that neither the provider nor the user's catalogue knows, of a user who has one. What Cloud
// Quotas counts exists, and is the user's own risk; what it does not know, or what nobody could be asked about, is a mistake.
func (r *Resource) checkNewType(ctx context.Context, planned Model, prior *Model) diag.Diagnostics {
	catalogue := r.catalogue()
	g, hasGPU := planned.gpu()
	if !hasGPU || !known(g.Type) || !catalogue.Extended() || catalogue.IsUndecided() || runsOn(prior, g) {
		return nil
	}
	written := g.Type.ValueString()
	if _, known := catalogue.Type(written); known {
		return nil
	}
	if r.data.QuotaCheck == "off" {
		return unknownType(written, catalogue)
	}
	if !known(planned.Project) {
		return nil
	}
	id := gpu.QuotaID(written)
	_, err := r.data.Quotas.Info(ctx, planned.Project.ValueString(), id)
	switch {
	case fault.IsNotFound(err):
		return unknownType(written, catalogue)
	case err != nil:
		return diag.Diagnostics{diagnose.TypeNotChecked(gpuPath("type"), written, planned.Project.ValueString(), err)}
	}
	return diag.Diagnostics{diagnose.Doubtful(gpuPath("type"), diagnose.Message{
		What: fmt.Sprintf("Nothing is known of the GPU type %q but that Google counts it.", shorten(written)),
		Why:  fmt.Sprintf("Cloud Quotas has the quota %s; the catalogue has no CPU, memory, region or time limit of the type.", id),
		Do:   "Add the type to gpu_catalogue, and plan again: then the job is checked before it is created.",
		Know: "The quota was not compared with what the job needs.",
	})}
}

// runsOn is true of a job that has the GPU already: nobody need be asked whether it exists.
func runsOn(prior *Model, g GPU) bool {
	if prior == nil {
		return false
	}
	before, had := prior.gpu()
	return had && before.Type.Equal(g.Type)
}
