package job_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/acctest"
)

// stateOfPeer is a state file in which the google provider holds the job.
func stateOfPeer(t *testing.T, provider string) string {
	t.Helper()
	attributes, err := os.ReadFile("testdata/moved/peer.json")
	if err != nil {
		t.Fatal(err)
	}
	state, err := json.Marshal(map[string]any{
		"version": 4, "terraform_version": "1.8.0", "serial": 1, "lineage": "3f6a0f3c-8d9b-4c57-8f0a-0d6f4f7a1c11", "outputs": map[string]any{},
		"resources": []any{map[string]any{
			"mode": "managed", "type": "google_cloud_run_v2_job", "name": "old", "provider": `provider["` + provider + `"]`,
			"instances": []any{map[string]any{"schema_version": 1, "attributes": json.RawMessage(attributes), "sensitive_attributes": []any{}}},
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(state)
}

// The job was made by the google provider and is moved here: every field arrives, nothing is planned, nothing is recreated.
func TestAccMovedFromTheGoogleProvider(t *testing.T) {
	t.Parallel()
	for _, provider := range []string{"registry.terraform.io/hashicorp/google", "registry.terraform.io/hashicorp/google-beta"} {
		t.Run(provider, func(t *testing.T) {
			t.Parallel()
			stage := acctest.Start(t, plenty...)
			stage.EmulatorOnly()
			stage.CLI(map[string]string{"main.tf": required + full()}).Must("apply", "-auto-approve")
			uid := stage.Job("case").GetUid()

			// GA, the default, is not written: a state cannot tell whether it was.
			moved := required + strings.Replace(full(), `launch_stage          = "GA"`, "", 1) + "moved {\n  from = google_cloud_run_v2_job.old\n  to   = " + address + "\n}\n"
			cli := stage.CLI(map[string]string{"main.tf": moved, "terraform.tfstate": stateOfPeer(t, provider)})
			cli.Attach(provider, strings.Replace(provider, "terraform.io", "opentofu.org", 1)) // what OpenTofu takes it for
			printed := cli.Must("plan", "-no-color")
			if !strings.Contains(printed, "has moved to "+address) || !strings.Contains(printed, "0 to add, 0 to change, 0 to destroy") {
				t.Errorf("the plan is not that of a move:\n%s", printed)
			}
			if strings.Contains(printed, "must be replaced") || strings.Contains(printed, "will be updated") {
				t.Errorf("the move changes something:\n%s", printed)
			}
			cli.Must("apply", "-auto-approve")
			cli.Must("plan", "-detailed-exitcode")
			if got := stage.Job("case").GetUid(); got != uid {
				t.Errorf("it is another job: %s, was %s", got, uid)
			}
			cli.Must("destroy", "-auto-approve")
		})
	}
}
