package job_test

import (
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/acctest"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/emulator"
)

// The quota check is off, so that only the API itself can object; the test would fail if the plan did not ask.
func TestAccTheAPIIsAskedAtPlan(t *testing.T) {
	stage := acctest.Start(t, emulator.WithQuota("nvidia-l4@us-central1", 3), emulator.WithQuota("cpu@*", emulator.Unlimited), emulator.WithQuota("memory@*", emulator.Unlimited))
	stage.EmulatorOnly()
	config := func(parallelism, project string) string {
		return `
			provider "cloudrungpu" {
				quota_check   = "off"
				validate_only = true
			}
			resource "terraform_data" "project" { input = "acme-ml" }
			resource "cloudrungpu_job" "asked" {
				name        = "asked"
				project     = ` + project + `
				gpu         = { type = "nvidia-l4" }
				task_count  = 4
				parallelism = ` + parallelism + `
				containers  = [{ image = "us-docker.pkg.dev/cloudrun/container/job:latest" }]
			}`
	}
	const knownNow, knownLater = `"acme-ml"`, `terraform_data.project.output`
	refused := regexp.MustCompile(`(?s)Plan refused by the API.*Set\s+parallelism\s+to\s+at\s+most\s+3`)
	stage.Run(
		resource.TestStep{Config: config("4", knownNow), PlanOnly: true, ExpectError: refused},
		resource.TestStep{Config: config("3", knownLater)}, // unknown at plan: nothing to ask about, and no error
		resource.TestStep{Config: config("4", knownNow), PlanOnly: true, ExpectError: refused},
		resource.TestStep{Config: config("2", knownNow)},
	)
}
