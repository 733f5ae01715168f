package action_test

import (
	"fmt"
	"strings"
	"testing"

	"cloud.google.com/go/run/apiv2/runpb"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/acctest"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/emulator"
)

// An action that a resource triggers. Terraform 1.14 brought actions; on an older one this test is skipped, and says so.
func TestAccActionAfterCreate(t *testing.T) {
	stage := acctest.Start(t, emulator.WithQuota("cpu@*", emulator.Unlimited), emulator.WithQuota("memory@*", emulator.Unlimited))
	triggered := strings.Replace(job, "max_retries = 0", `max_retries = 0
	lifecycle {
		action_trigger {
			events  = [after_create]
			actions = [action.cloudrungpu_job_run.now]
		}
	}`, 1)
	stage.Play(resource.TestCase{
		TerraformVersionChecks: []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_14_0)},
		Steps: []resource.TestStep{{
			Config: triggered + `
				action "cloudrungpu_job_run" "now" {
					config {
						job = "case"
					}
				}`,
			Check: stage.Saw("case", func(j *runpb.Job) error {
				if j.GetExecutionCount() != 1 {
					return fmt.Errorf("the job ran %d times, want once", j.GetExecutionCount())
				}
				return nil
			}),
		}},
	})
}
