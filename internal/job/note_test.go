package job

import (
	"context"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// memory is private state.
type memory map[string][]byte

func (m memory) GetKey(_ context.Context, key string) ([]byte, diag.Diagnostics) { return m[key], nil }

func (m memory) SetKey(_ context.Context, key string, value []byte) diag.Diagnostics {
	m[key] = value
	return nil
}

func TestANoteIsReadAsWritten(t *testing.T) {
	t.Parallel()
	for _, want := range []note{{}, {Generation: 7}, {Imported: true}} {
		private := memory{}
		writeNote(t.Context(), private, want)
		if got, _ := readNote(t.Context(), private); got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
}

// A note that cannot be read must not make the job unmanageable.
func TestANoteThatCannotBeReadIsNone(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{"", "{", `{"generation": "seven"}`, `{"generation": 7, "imported": 8}`, "null"} {
		got, diags := readNote(t.Context(), memory{noteKey: []byte(raw)})
		if got != (note{}) || len(diags) > 0 {
			t.Errorf("%q is read as %+v (%v)", raw, got, diags)
		}
	}
}
