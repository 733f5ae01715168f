package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-log/tflog"
)

const (
	// callsLog is the subsystem of the log that holds the calls to Google's APIs.
	callsLog = "api"
	// callsLogLevel is the variable that sets its level apart from that of the rest.
	callsLogLevel = "TF_LOG_PROVIDER_CLOUDRUNGPU_API"
)

// logCall writes a call, or a retry, into the log: its method, how often it was tried, how long it took, what came of it. The
// id of Terraform's own request (tf_req_id) is on every line, so that calls can be told from those of other resources.
func logCall(ctx context.Context, message string, fields map[string]any) {
	ctx = tflog.NewSubsystem(ctx, callsLog, tflog.WithLevelFromEnv(callsLogLevel), tflog.WithRootFields())
	tflog.SubsystemDebug(ctx, callsLog, message, fields)
}
