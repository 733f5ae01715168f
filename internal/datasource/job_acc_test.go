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

const threeJobs = `
	locals { containers = [{ image = "us-docker.pkg.dev/cloudrun/container/job:latest" }] }
	resource "cloudrungpu_job" "b" {
		name       = "b"
		labels     = { team = "ml" }
		gpu        = { type = "nvidia-l4" }
		task_count = 4
		containers = local.containers
	}
	resource "cloudrungpu_job" "a" {
		name       = "a"
		location   = "europe-west4"
		gpu        = { type = "nvidia-rtx-pro-6000" }
		containers = local.containers
	}
	resource "cloudrungpu_job" "c" {
		name       = "c"
		containers = local.containers
	}
`

func plenty() []emulator.Option {
	var out []emulator.Option
	for _, key := range []string{"nvidia-l4@*", "nvidia-rtx-pro-6000@*", "cpu@*", "memory@*"} {
		out = append(out, emulator.WithQuota(key, emulator.Unlimited))
	}
	return out
}

func TestAccJob(t *testing.T) {
	stage := acctest.Start(t, plenty()...)
	stage.EmulatorOnly()
	const b = "data.cloudrungpu_job.b"
	config := threeJobs + `data "cloudrungpu_job" "b" { name = cloudrungpu_job.b.name }`
	stage.Run(
		resource.TestStep{
			Config: config,
			ConfigStateChecks: []statecheck.StateCheck{
				expect(b, text("projects/acme-ml/locations/us-central1/jobs/b"), "id"),
				expect(b, text("nvidia-l4"), "gpu", "type"),
				expect(b, whole(4), "peak_gpus"),
				expect(b, text("16Gi"), "containers", 0, "resources", "memory"),
				expect(b, text("terraform-provider-cloudrungpu"), "client"),
				expect(b, knownvalue.Bool(true), "ready"),
				expect(b, text("Ready"), "conditions", 0, "type"),
				expect(b, whole(0), "execution_count"),
				expect(b, knownvalue.Null(), "latest_execution"),
			},
		},
		resource.TestStep{
			PreConfig: func() { stage.RunJob("b") },
			Config:    config,
			ConfigStateChecks: []statecheck.StateCheck{
				expect(b, whole(1), "execution_count"),
				expect(b, text("EXECUTION_SUCCEEDED"), "latest_execution", "status"),
			},
		},
	)
}

func TestAccJobThatIsNotThere(t *testing.T) {
	stage := acctest.Start(t)
	stage.EmulatorOnly()
	stage.Run(resource.TestStep{
		Config:      `data "cloudrungpu_job" "gone" { name = "gone" }`,
		ExpectError: regexp.MustCompile(`(?s)Job could not be read.*jobs/gone`),
	})
}

func TestAccJobs(t *testing.T) {
	stage := acctest.Start(t, plenty()...)
	stage.EmulatorOnly()
	here, everywhere, rtx := "data.cloudrungpu_jobs.here", "data.cloudrungpu_jobs.everywhere", "data.cloudrungpu_jobs.rtx"
	stage.Run(resource.TestStep{
		Config: threeJobs + `
			locals { all = [cloudrungpu_job.a, cloudrungpu_job.b, cloudrungpu_job.c] }
			data "cloudrungpu_jobs" "here" { depends_on = [cloudrungpu_job.a, cloudrungpu_job.b, cloudrungpu_job.c] }
			data "cloudrungpu_jobs" "everywhere" {
				location   = "-"
				gpu_type   = "*"
				depends_on = [cloudrungpu_job.a, cloudrungpu_job.b, cloudrungpu_job.c]
			}
			data "cloudrungpu_jobs" "rtx" {
				location   = "-"
				gpu_type   = "nvidia-rtx-pro-6000"
				depends_on = [cloudrungpu_job.a, cloudrungpu_job.b, cloudrungpu_job.c]
			}`,
		ConfigStateChecks: []statecheck.StateCheck{
			expect(here, knownvalue.ListSizeExact(2), "jobs"),
			expect(here, text("b"), "jobs", 0, "name"),
			expect(here, whole(4), "jobs", 0, "peak_gpus"),
			expect(here, text("ml"), "jobs", 0, "labels", "team"),
			expect(here, knownvalue.Null(), "jobs", 1, "gpu_type"),
			expect(everywhere, knownvalue.ListSizeExact(2), "jobs"),
			expect(everywhere, text("europe-west4"), "jobs", 0, "location"),
			expect(rtx, knownvalue.ListSizeExact(1), "jobs"),
			expect(rtx, text("nvidia-rtx-pro-6000"), "jobs", 0, "gpu_type"),
		},
	})
}
