package job

import (
	"context"
	"encoding/json"

	"cloud.google.com/go/run/apiv2/runpb"
	"github.com/hashicorp/terraform-plugin-framework/diag"
)

const noteKey = "job"

// note is what the provider remembers of a job beside the state. It changes when a job runs, so it must not be an
// attribute: every run would look like drift.
type note struct {
	// Generation is that of the configuration in the state: of the last write, or of the read that last found a change.
	Generation int64 `json:"generation"`
	// Imported is set between an import and the read that follows it.
	Imported bool `json:"imported"`
	// Run is what came of the runs so far.
	Run runNote `json:"run,omitzero"`
}

// runNote is what the provider must know to run a job once for each change, and not twice.
type runNote struct {
	// Due is set from the moment that a change is applied until its run has succeeded.
	Due bool `json:"due,omitempty"`
	// Current is the execution that was started for that change and has not been seen to end; "" where none is known of.
	Current string `json:"current,omitempty"`
	// Last is the execution that Terraform started before that. It tells a run from all earlier ones with the same configuration.
	Last string `json:"last,omitempty"`
}

// noteOf is the note of a job that was read or written just now; what is known of its runs stays as it was.
func noteOf(job *runpb.Job, before note) note {
	return note{Generation: job.GetGeneration(), Run: before.Run}
}

// privateReader and privateWriter are the framework's private state, whose type it does not export.
type (
	privateReader interface {
		GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
	}
	privateWriter interface {
		SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
	}
)

// readNote takes a note in a form that it does not know, of another version of the provider, for none: whatever it says is only
// there to warn.
func readNote(ctx context.Context, private privateReader) (note, diag.Diagnostics) {
	raw, diags := private.GetKey(ctx, noteKey)
	var n note
	if json.Unmarshal(raw, &n) != nil {
		n = note{}
	}
	return n, diags
}

func writeNote(ctx context.Context, private privateWriter, n note) diag.Diagnostics {
	raw, _ := json.Marshal(n) // plain values only: there is nothing to go wrong
	return private.SetKey(ctx, noteKey, raw)
}
