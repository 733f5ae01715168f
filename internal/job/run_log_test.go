package job

import (
	"bytes"
	"testing"

	"cloud.google.com/go/run/apiv2/runpb"
	"github.com/hashicorp/terraform-plugin-log/tflogtest"
)

// The log says how far a run is, and what keeps it from starting.
func TestTheProgressOfARunIsLogged(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	log := logProgress(tflogtest.RootLogger(t.Context(), &out))
	log(&runpb.Execution{
		Name: "projects/p/locations/l/jobs/case/executions/case-x7k2p", TaskCount: 3,
		Conditions: []*runpb.Condition{{Type: "ResourcesAvailable", State: runpb.Condition_CONDITION_RECONCILING, Message: "no GPU"}},
	})
	log(&runpb.Execution{TaskCount: 3, RunningCount: 1, SucceededCount: 1, FailedCount: 1, RetriedCount: 2})
	lines, err := tflogtest.MultilineJSONDecode(&out)
	if err != nil || len(lines) != 2 {
		t.Fatalf("logged %v, %v", lines, err)
	}
	if lines[0]["@level"] != "info" || lines[0]["execution"] != "case-x7k2p" || lines[0]["waiting_for"] != "no GPU" {
		t.Errorf("logged %v", lines[0])
	}
	for field, want := range map[string]float64{"tasks": 3, "running": 1, "succeeded": 1, "failed": 1, "retried": 2} {
		if lines[1][field] != want {
			t.Errorf("%s is %v, want %v", field, lines[1][field], want)
		}
	}
	if _, waits := lines[1]["waiting_for"]; waits {
		t.Errorf("a run at work waits: %v", lines[1])
	}
}
