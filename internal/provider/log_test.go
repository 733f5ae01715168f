package provider

import (
	"bytes"
	"testing"

	"github.com/hashicorp/terraform-plugin-log/tflog"
	"github.com/hashicorp/terraform-plugin-log/tflogtest"
)

// Calls are in a subsystem of their own, with the fields that tell whose they are; its level can be set apart.
func TestCallsAreLogged(t *testing.T) {
	for level, lines := range map[string]int{"": 1, "debug": 1, "warn": 0, "off": 0} {
		t.Run(level, func(t *testing.T) {
			t.Setenv(callsLogLevel, level)
			var out bytes.Buffer
			ctx := tflog.SetField(tflogtest.RootLogger(t.Context(), &out), "tf_req_id", "1")
			logCall(ctx, "called the API", map[string]any{"method": "Jobs.GetJob"})
			got, err := tflogtest.MultilineJSONDecode(&out)
			if err != nil {
				t.Fatal(err)
			}
			if len(got) != lines {
				t.Fatalf("%d lines, want %d: %v", len(got), lines, got)
			}
			for _, line := range got {
				if line["@module"] != "provider.api" || line["tf_req_id"] != "1" || line["method"] != "Jobs.GetJob" {
					t.Errorf("the line is %v", line)
				}
			}
		})
	}
}
