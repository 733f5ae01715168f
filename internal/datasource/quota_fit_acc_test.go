package datasource_test

import (
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/acctest"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/emulator"
)

func TestQuotaThatFitsAJob(t *testing.T) {
	stage := acctest.Start(t,
		emulator.WithQuota("nvidia-l4@*", 5), emulator.WithQuota("nvidia-l4@us-east4", 0), emulator.WithQuota("cpu@*", 100),
		emulator.WithQuota("memory@*", 100), emulator.WithQuota("cpu@europe-west4", emulator.NoEntry),
		emulator.WithQuota("nvidia-l4@europe-west1", emulator.Unlimited), emulator.WithQuota("cpu@europe-west1", emulator.Unlimited),
		emulator.WithQuota("memory@europe-west1", emulator.Unlimited))
	stage.EmulatorOnly()
	const address = "data.cloudrungpu_quota."
	stage.Run(resource.TestStep{
		Config: `
			data "cloudrungpu_quota" "gpu" { gpu_type = "nvidia-l4" }
			data "cloudrungpu_quota" "memory" {
				gpu_type    = "nvidia-l4"
				task_cpu    = "8"
				task_memory = "32Gi"
			}
			data "cloudrungpu_quota" "grant" {
				gpu_type = "nvidia-l4"
				region   = "us-east4"
			}
			data "cloudrungpu_quota" "unknown" {
				gpu_type = "nvidia-l4"
				region   = "europe-west4"
			}
			data "cloudrungpu_quota" "unlimited" {
				gpu_type = "nvidia-l4"
				region   = "europe-west1"
			}
			data "cloudrungpu_quota" "rtx" { gpu_type = "nvidia-rtx-pro-6000" }
		`,
		ConfigStateChecks: []statecheck.StateCheck{
			expect(address+"gpu", whole(5), "largest_parallelism"),
			expect(address+"gpu", text("gpu"), "bound_by"),
			expect(address+"gpu", text("4"), "task_cpu"),
			expect(address+"gpu", text("16Gi"), "task_memory"),
			expect(address+"gpu", knownvalue.Null(), "left"),
			expect(address+"memory", whole(3), "largest_parallelism"),
			expect(address+"memory", text("memory"), "bound_by"),
			expect(address+"grant", whole(3), "largest_parallelism"),
			expect(address+"grant", text("gpu"), "bound_by"),
			expect(address+"unknown", knownvalue.Null(), "largest_parallelism"),
			expect(address+"unknown", knownvalue.Null(), "bound_by"),
			expect(address+"unlimited", knownvalue.Null(), "largest_parallelism"),
			expect(address+"unlimited", text("nothing"), "bound_by"),
			expect(address+"rtx", whole(1), "largest_parallelism"), // 80Gi of 100 GiB
			expect(address+"rtx", text("memory"), "bound_by"),
		},
	})
}

func TestQuotaOfATaskThatCannotBe(t *testing.T) {
	acctest.Start(t).Run(resource.TestStep{
		Config: `
			data "cloudrungpu_quota" "two" {
				gpu_type  = "nvidia-l4"
				gpu_count = 2
			}
		`,
		ExpectError: regexp.MustCompile(`cannot have 2 GPUs`),
	})
}

// What is in use is that of tasks that run; a job that was never run holds nothing.
func TestQuotaLeft(t *testing.T) {
	stage := acctest.Start(t, emulator.WithQuota("cpu@*", 20))
	stage.EmulatorOnly()
	stage.Run(resource.TestStep{
		Config: `
			resource "cloudrungpu_job" "idle" {
				name        = "idle"
				gpu         = { type = "nvidia-l4" }
				parallelism = 1
				containers  = [{ image = "us-docker.pkg.dev/cloudrun/container/job:latest" }]
			}
			data "cloudrungpu_quota" "after" {
				gpu_type   = "nvidia-l4"
				depends_on = [cloudrungpu_job.idle]
			}
		`,
		ConfigStateChecks: []statecheck.StateCheck{
			expect("data.cloudrungpu_quota.after", knownvalue.Float64Exact(3), "left"),
			expect("data.cloudrungpu_quota.after", knownvalue.Float64Exact(20), "cpu", "left"),
			expect("data.cloudrungpu_quota.after", knownvalue.Float64Exact(40), "memory", "left"),
		},
	})
}
