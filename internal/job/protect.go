package job

import (
	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/diagnose"
)

// protect refuses to destroy or replace a protected job. It speaks at plan where the plan shows what will happen; a
// replacement that the user asks for by taint or -replace shows only when the job is about to be deleted.
func protect(prior *Model, verb string) diag.Diagnostics {
	if prior == nil || !prior.DeletionProtection.ValueBool() {
		return nil
	}
	return diag.Diagnostics{diagnose.Protected(prior.jobName().String(), verb)}
}
