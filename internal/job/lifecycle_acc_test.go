package job_test

import (
	"fmt"
	"maps"
	"regexp"
	"strings"
	"testing"

	"cloud.google.com/go/run/apiv2/runpb"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/acctest"
)

const (
	image   = `[{ image = "us-docker.pkg.dev/cloudrun/container/job:latest" }]`
	address = "cloudrungpu_job.case"
)

// aJob is a job called case with these lines in its block.
func aJob(lines string) string {
	return "resource \"cloudrungpu_job\" \"case\" {\n  name = \"case\"\n" + lines + "\n  containers = " + image + "\n}\n"
}

func planned(attribute string, want knownvalue.Check) plancheck.PlanCheck {
	return plancheck.ExpectKnownValue(address, tfjsonpath.New(attribute), want)
}

func action(want plancheck.ResourceActionType) plancheck.PlanCheck {
	return plancheck.ExpectResourceAction(address, want)
}

func TestAccLifecycle(t *testing.T) {
	stage := acctest.Start(t, plenty...)
	sizes := tfjsonpath.New("containers").AtSliceIndex(0).AtMapKey("resources")
	size := func(cpu, memory string) knownvalue.Check {
		return knownvalue.ObjectExact(map[string]knownvalue.Check{"cpu": knownvalue.StringExact(cpu), "memory": knownvalue.StringExact(memory)})
	}
	stage.Run(
		resource.TestStep{ // everything that can be known is known at plan
			Config: aJob(`gpu = { type = "nvidia-rtx-pro-6000" }
				labels      = { team = "ml" }
				task_count  = 4
				parallelism = 2`),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				action(plancheck.ResourceActionCreate),
				planned("id", knownvalue.StringRegexp(regexp.MustCompile(`^projects/[^/]+/locations/us-central1/jobs/case$`))),
				planned("effective_labels", knownvalue.MapExact(map[string]knownvalue.Check{"team": knownvalue.StringExact("ml")})),
				planned("peak_gpus", knownvalue.Int64Exact(2)),
				planned("peak_cpu", knownvalue.Float64Exact(40)),
				planned("peak_memory_gib", knownvalue.Float64Exact(160)),
				plancheck.ExpectKnownValue(address, sizes, size("20", "80Gi")),
				plancheck.ExpectUnknownValue(address, tfjsonpath.New("uid")),
			}},
			ConfigStateChecks: []statecheck.StateCheck{statecheck.ExpectKnownValue(address, tfjsonpath.New("uid"), knownvalue.NotNull())},
		},
		acctest.Import(address),
		resource.TestStep{ // another GPU, in place
			Config: aJob(`gpu = { type = "nvidia-l4" }`),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				action(plancheck.ResourceActionUpdate), plancheck.ExpectKnownValue(address, sizes, size("4", "16Gi")),
			}},
		},
		resource.TestStep{ // no GPU, in place, in one apply: all three of its fields go
			Config:           aJob(""),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{action(plancheck.ResourceActionUpdate)}},
			Check: stage.Saw("case", func(j *runpb.Job) error {
				if task(j).GetNodeSelector() != nil || task(j).GpuZonalRedundancyDisabled != nil || trainer(j).GetResources().GetLimits()["nvidia.com/gpu"] != "" {
					return fmt.Errorf("something of the GPU is left: %v", task(j))
				}
				return nil
			}),
		},
		resource.TestStep{ // another region is another job
			Config: aJob(`location = "europe-west4"`),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				action(plancheck.ResourceActionReplace), plancheck.ExpectUnknownValue(address, tfjsonpath.New("uid")),
			}},
		},
		acctest.Import(address),
	)
}

// Another name, region or project is another job; everything else changes the one there is.
func TestAccWhatReplacesAJob(t *testing.T) {
	t.Parallel()
	stage := acctest.Start(t, plenty...)
	stage.EmulatorOnly()
	cli := stage.CLI(map[string]string{"main.tf": required + aJob("")})
	cli.Must("apply", "-auto-approve")
	for attribute, config := range map[string]string{
		"name":     strings.Replace(aJob(""), `name = "case"`, `name = "other"`, 1),
		"location": "provider \"cloudrungpu\" { region = \"europe-west4\" }\n" + aJob(""),
		"project":  aJob(`project = "acme-other"`),
	} {
		cli.Write("main.tf", required+config)
		cli.Must("plan", "-out=plan")
		shown := cli.Must("show", "-json", "plan")
		if !strings.Contains(shown, `"actions":["delete","create"]`) || !strings.Contains(shown, `"replace_paths":[["`+attribute+`"]]`) {
			t.Errorf("another %s is not planned as another job:\n%s", attribute, shown)
		}
	}
	cli.Must("apply", "plan")
	cli.Must("plan", "-detailed-exitcode")
}

// Labels of the provider come, change and go with the provider block alone.
func TestAccDefaultLabels(t *testing.T) {
	stage := acctest.Start(t, plenty...)
	labelled := func(defaults string) string {
		return "provider \"cloudrungpu\" { default_labels = " + defaults + " }\n" + aJob(`labels = { team = "ml" }`)
	}
	has := func(want map[string]string) resource.TestCheckFunc {
		return stage.Saw("case", func(j *runpb.Job) error {
			if !maps.Equal(j.GetLabels(), want) {
				return fmt.Errorf("the labels are %v, want %v", j.GetLabels(), want)
			}
			return nil
		})
	}
	stage.Run(
		resource.TestStep{Config: labelled(`{ env = "dev", team = "all" }`), Check: has(map[string]string{"env": "dev", "team": "ml"})},
		resource.TestStep{Config: labelled(`{ env = "prod" }`), Check: has(map[string]string{"env": "prod", "team": "ml"})},
		resource.TestStep{Config: labelled(`{}`), Check: has(map[string]string{"team": "ml"})},
	)
}

func TestAccAJobThatIsGoneIsPlannedAnew(t *testing.T) {
	stage := acctest.Start(t, plenty...)
	stage.EmulatorOnly()
	config := aJob(`gpu = { type = "nvidia-l4" }`)
	stage.Run(
		resource.TestStep{Config: config},
		resource.TestStep{
			PreConfig:        func() { stage.Remove("case") },
			Config:           config,
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{action(plancheck.ResourceActionCreate)}},
		},
	)
}

// The calls of each step are counted: no more than needed, and none for what Terraform alone knows.
func TestAccCalls(t *testing.T) {
	stage := acctest.Start(t, plenty...)
	stage.EmulatorOnly()
	cli := stage.CLI(map[string]string{"main.tf": required + aJob("")})
	expect := func(step string, want map[string]int) {
		t.Helper()
		for _, method := range []string{"Jobs.CreateJob", "Jobs.GetJob", "Jobs.UpdateJob", "Jobs.DeleteJob", "CloudQuotas.*"} {
			if got := stage.Calls(method); got != want[method] {
				t.Errorf("%s: %d calls of %s, want %d", step, got, method, want[method])
			}
		}
		stage.ForgetCalls()
	}
	cli.Must("validate")
	expect("validate", nil)
	cli.Must("apply", "-auto-approve")
	expect("create", map[string]int{"Jobs.CreateJob": 1})
	cli.Must("plan", "-detailed-exitcode")
	expect("plan without a change", map[string]int{"Jobs.GetJob": 1})
	cli.Write("main.tf", required+aJob("max_retries = 0"))
	cli.Must("apply", "-auto-approve", "-refresh=false")
	expect("update", map[string]int{"Jobs.GetJob": 1, "Jobs.UpdateJob": 1})
	cli.Write("main.tf", required+aJob("max_retries = 0\n  deletion_protection = true\n  timeouts = { read = \"1m\" }"))
	cli.Must("apply", "-auto-approve", "-refresh=false")
	expect("deletion_protection and timeouts", nil)
	cli.Write("main.tf", required+aJob("max_retries = 0\n  task_timeout = \"10m\""))
	cli.Must("apply", "-auto-approve", "-refresh=false")
	expect("another spelling", nil)
	cli.Must("destroy", "-auto-approve", "-refresh=false")
	expect("destroy", map[string]int{"Jobs.DeleteJob": 1})
}
