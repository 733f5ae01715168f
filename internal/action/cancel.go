package action

import (
	"context"
	"fmt"
	"time"

	"cloud.google.com/go/run/apiv2/runpb"
	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/diagnose"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/runapi"
)

// cancelTimeout is how long the end of a cancelled execution is waited for: its containers get a moment to save their work.
const cancelTimeout = 5 * time.Minute

var _ action.ActionWithConfigure = (*executionCancel)(nil)

// executionCancel is the action cloudrungpu_execution_cancel.
type executionCancel struct{ configured }

// NewExecutionCancel returns the action cloudrungpu_execution_cancel, not yet configured.
func NewExecutionCancel() action.Action { return &executionCancel{} }

type executionCancelModel struct {
	where
	Execution types.String `tfsdk:"execution"`
}

// Metadata names the action.
func (a *executionCancel) Metadata(_ context.Context, req action.MetadataRequest, resp *action.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_execution_cancel"
}

// Schema describes the action.
func (a *executionCancel) Schema(_ context.Context, _ action.SchemaRequest, resp *action.SchemaResponse) {
	attributes := whereAttributes()
	attributes["execution"] = schema.StringAttribute{
		Required: true, MarkdownDescription: "Name of the execution, such as `finetune-x7k2p`.",
	}
	resp.Schema = schema.Schema{
		MarkdownDescription: "Cancels an execution of a Cloud Run job and waits until it has ended, which frees its GPUs. Needs Terraform 1.14 or newer. That the execution has ended " +
			"already is no error.",
		Attributes: attributes,
	}
}

// Invoke cancels the execution and waits for its end.
func (a *executionCancel) Invoke(ctx context.Context, req action.InvokeRequest, resp *action.InvokeResponse) {
	var m executionCancelModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	if resp.Diagnostics.HasError() {
		return
	}
	job, diags := a.name(m.where)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, cancelTimeout)
	defer cancel()
	name := runapi.ExecutionName{JobName: job, Execution: m.Execution.ValueString()}
	err := a.data.Run.CancelExecution(ctx, name)
	var last *runpb.Execution
	if err == nil {
		last, err = a.data.Run.WaitExecution(ctx, name, nil)
	}
	if err != nil {
		resp.Diagnostics.Append(diagnose.ExecutionNotCancelled(name, err)...)
		return
	}
	resp.SendProgress(action.InvokeProgressEvent{
		Message: fmt.Sprintf("The execution %s has ended (%s): %s.", name.Execution, runapi.StateOf(last), diagnose.Progress(last)),
	})
}
