package job

import (
	"context"
	"encoding/json"
	"fmt"

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
	return private.SetKey(ctx, noteKey, fmt.Appendf(nil, `{"generation": %d, "imported": %t}`, n.Generation, n.Imported))
}
