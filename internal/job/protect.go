package job

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/diagnose"
)

// protect refuses to destroy or replace a protected job, at plan. A job whose creation failed is never protected:
// Terraform wants to replace it, and a user who is not let do that is stuck.
func (r *Resource) protect(ctx context.Context, prior *Model, private privateReader, verb string) diag.Diagnostics {
	if prior == nil || !prior.DeletionProtection.ValueBool() {
		return nil
	}
	note, diags := readNote(ctx, private)
	if diags.HasError() || note.Unfinished {
		return diags
	}
	diags.Append(diagnose.Protected(prior.jobName().String(), verb))
	return diags
}
