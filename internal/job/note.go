package job

import (
	"context"
	"encoding/json"

	"cloud.google.com/go/run/apiv2/runpb"
	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/diagnose"
)

const noteKey = "job"

// note is what the provider remembers of a job beside the state. It changes when a job runs, so it must not be an
// attribute: every run would look like drift.
type note struct {
	// Generation is that of the configuration in the state: of the last write, or of the read that last found a change.
	Generation int64 `json:"generation,omitempty"`
	// Imported is set between an import and the read that follows it.
	Imported bool `json:"imported,omitempty"`
}

func noteOf(job *runpb.Job) note { return note{Generation: job.GetGeneration()} }

// privateReader and privateWriter are the framework's private state, whose type it does not export.
type (
	privateReader interface {
		GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
	}
	privateWriter interface {
		SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
	}
)

func readNote(ctx context.Context, private privateReader) (note, diag.Diagnostics) {
	var n note
	raw, diags := private.GetKey(ctx, noteKey)
	if len(raw) == 0 || diags.HasError() {
		return n, diags
	}
	if err := json.Unmarshal(raw, &n); err != nil {
		diags.Append(diagnose.UnreadableNote(err))
	}
	return n, diags
}

func writeNote(ctx context.Context, private privateWriter, n note) diag.Diagnostics {
	raw, err := json.Marshal(n)
	if err != nil {
		return diag.Diagnostics{diagnose.UnreadableNote(err)}
	}
	return private.SetKey(ctx, noteKey, raw)
}
