package runapi

import (
	"context"

	run "cloud.google.com/go/run/apiv2"
	"cloud.google.com/go/run/apiv2/runpb"
	"google.golang.org/grpc/codes"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/call"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/fault"
)

// CancelExecution asks for the end of an execution: its tasks are stopped, which takes them a moment; see WaitExecution. That it
// has ended already is no error.
func (c *Client) CancelExecution(ctx context.Context, name ExecutionName) error {
	_, _, err := on(ctx, c, c.executions, "Executions.CancelExecution", call.Guarded,
		func(ctx context.Context, client *run.ExecutionsClient, opts ...gaxOption) (*run.CancelExecutionOperation, error) {
			return client.CancelExecution(ctx, &runpb.CancelExecutionRequest{Name: name.String()}, opts...)
		})
	// Only the real service can tell with which code it refuses to cancel what is over, if it does.
	if code := fault.Code(err); code == codes.FailedPrecondition || code == codes.InvalidArgument || code == codes.Aborted {
		if found, lookErr := c.GetExecution(ctx, name); lookErr == nil && Ended(found) {
			return nil
		}
	}
	return err
}
