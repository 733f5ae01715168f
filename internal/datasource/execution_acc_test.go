package datasource_test

import (
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/acctest"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/emulator"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/runapi"
)

const runJob = `
resource "cloudrungpu_job" "case" {
  name        = "case"
  gpu         = { type = "nvidia-l4" }
  task_count  = 3
  max_retries = 1
  run         = { wait = false }
  containers  = [{ image = "us-docker.pkg.dev/cloudrun/container/job:latest" }]
}
`

const looks = `
data "cloudrungpu_executions" "all" {
  job   = cloudrungpu_job.case.name
  limit = 2
}

data "cloudrungpu_execution" "last" {
  job  = cloudrungpu_job.case.name
  name = cloudrungpu_job.case.last_run.execution
}
`

func shows(address string, at tfjsonpath.Path, want knownvalue.Check) statecheck.StateCheck {
	return statecheck.ExpectKnownValue(address, at, want)
}

// The latest runs with the GPU seconds that they used, and one of them with its tasks.
func TestAccExecutions(t *testing.T) {
	clock := emulator.NewManualClock(time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC))
	stage := acctest.Start(t, emulator.WithClock(clock), emulator.WithTaskDuration(time.Minute), emulator.WithQuota("memory@*", emulator.Unlimited))
	stage.EmulatorOnly()
	if err := stage.Emulator.FailTasks(emulator.TaskFailure{Job: "case", Task: 1, ExitCode: 42}); err != nil {
		t.Fatal(err)
	}
	const all, last = "data.cloudrungpu_executions.all", "data.cloudrungpu_execution.last"
	first := tfjsonpath.New("executions").AtSliceIndex(0)
	task := tfjsonpath.New("tasks").AtSliceIndex(1)
	stage.Run(
		resource.TestStep{Config: runJob + looks, ConfigStateChecks: []statecheck.StateCheck{
			shows(last, tfjsonpath.New("state"), knownvalue.StringExact("EXECUTION_RUNNING")),
			shows(last, tfjsonpath.New("running_count"), knownvalue.Int64Exact(3)),
			shows(last, tfjsonpath.New("gpu_seconds"), knownvalue.Float64Exact(0)),
			shows(last, task.AtMapKey("attempts"), knownvalue.Int64Exact(1)),
			shows(last, task.AtMapKey("exit_code"), knownvalue.Null()),
		}},
		resource.TestStep{
			PreConfig: func() { clock.Advance(2 * time.Minute) },
			Config:    runJob + looks, ConfigStateChecks: []statecheck.StateCheck{
				shows(last, tfjsonpath.New("state"), knownvalue.StringExact("EXECUTION_FAILED")),
				shows(last, tfjsonpath.New("gpu_seconds"), knownvalue.Float64Exact(240)), // one task ran twice
				shows(last, task, knownvalue.ObjectPartial(map[string]knownvalue.Check{
					"state": knownvalue.StringExact("EXECUTION_FAILED"), "attempts": knownvalue.Int64Exact(2), "exit_code": knownvalue.Int64Exact(42),
					"signal": knownvalue.Null(), "message": knownvalue.StringExact("The container exited with an error."),
				})),
				shows(all, tfjsonpath.New("executions"), knownvalue.ListSizeExact(1)),
				shows(all, first.AtMapKey("failed_count"), knownvalue.Int64Exact(1)),
				shows(all, first.AtMapKey("gpu_seconds"), knownvalue.Float64Exact(240)),
			},
		},
		resource.TestStep{ // the newest first, and no more than asked for
			PreConfig: func() {
				for range 2 {
					clock.Advance(time.Minute)
					if _, err := stage.Client().RunJob(t.Context(), acctest.JobName("case"), runapi.Run{Mark: "another"}); err != nil {
						t.Fatal(err)
					}
				}
			},
			Config: runJob + looks, ConfigStateChecks: []statecheck.StateCheck{
				shows(all, tfjsonpath.New("executions"), knownvalue.ListSizeExact(2)),
				shows(all, first.AtMapKey("create_time"), knownvalue.StringExact("2026-12-01T00:04:00Z")),
				shows(all, first.AtMapKey("state"), knownvalue.StringExact("EXECUTION_RUNNING")),
				shows(all, first.AtMapKey("running_count"), knownvalue.Int64Exact(2)), // of three GPUs the run before still holds one
			},
		},
	)
}

func TestAccAnExecutionThatIsNotThere(t *testing.T) {
	t.Parallel()
	stage := acctest.Start(t)
	stage.EmulatorOnly()
	cli := stage.CLI(map[string]string{"main.tf": `
		terraform {
			required_providers {
				cloudrungpu = { source = "cloudrungpu/cloudrungpu" }
			}
		}
		data "cloudrungpu_execution" "none" {
			job  = "case"
			name = "case-none"
		}
		data "cloudrungpu_executions" "none" { job = "case" }`})
	printed, ok := cli.Run("plan", "-no-color")
	flat := strings.Join(strings.Fields(strings.ReplaceAll(printed, "│", "")), " ")
	for _, want := range []string{"Execution could not be read", "jobs/case/executions/case-none", "keeps an execution for a week", "Job could not be read"} {
		if ok || !strings.Contains(flat, want) {
			t.Errorf("it does not say %q:\n%s", want, printed)
		}
	}
}
