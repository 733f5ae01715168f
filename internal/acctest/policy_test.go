package acctest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/emulator"
)

const (
	policies = examples + "/policy/conftest"
	conftest = "../../.cache/bin/conftest"
)

// goodJob breaks no rule. Cases replace some of its lines.
const goodJob = `
resource "cloudrungpu_job" "a" {
  name                = "a"
  location            = "us-central1"
  gpu                 = { type = "nvidia-l4" }
  task_count          = 8
  parallelism         = 8
  service_account     = "batch@acme-ml.iam.gserviceaccount.com"
  labels              = { env = "production" }
  deletion_protection = true

  containers = [{
    image = "us-docker.pkg.dev/cloudrun/container/job:latest"
    args  = ["--epochs=3"]
    env   = { MODEL = "gemma-2b", MAX_TOKENS = "512", EOS_TOKEN = "</s>" }
  }]
}
`

// estimates price whatever the cases ask for.
const estimates = `
data "cloudrungpu_cost_estimate" "prices" {
  for_each = {
    a = { region = "us-central1", type = "nvidia-l4" }
    b = { region = "europe-west4", type = "nvidia-l4" }
    c = { region = "asia-southeast1", type = "nvidia-l4" }
    d = { region = "us-central1", type = "nvidia-rtx-pro-6000" }
  }

  region        = each.value.region
  gpu_type      = each.value.type
  task_duration = "1s"
  live_prices   = false
}
`

// Plans of the real Terraform, judged by the real conftest.
func TestPolicy(t *testing.T) {
	needConftest(t)
	secret := "hf_" + strings.Repeat("x1", 17)
	for name, test := range map[string]struct {
		replace []string // pairs, in goodJob
		more    string   // configuration
		denied  []string
		warned  []string
	}{
		"good":              {},
		"good, without GPU": {replace: []string{`gpu                 = { type = "nvidia-l4" }`, ""}},
		"good, with nothing to look at": {
			replace: []string{`args  = ["--epochs=3"]`, "", `env   = { MODEL = "gemma-2b", MAX_TOKENS = "512", EOS_TOKEN = "</s>" }`, ""},
		},
		"too many GPUs": {
			replace: []string{"= 8", "= 9"},
			denied:  []string{"cloudrungpu_job.a may hold 9 GPUs at once, more than the 8 allowed for one job: lower parallelism."},
		},
		"too many GPUs in a region": {
			more:   strings.NewReplacer(`"a"`, `"b"`, "= 8", "= 5").Replace(goodJob),
			denied: []string{"The jobs in us-central1 may hold 13 GPUs at once, more than the 12 allowed there: cloudrungpu_job.a (8), cloudrungpu_job.b (5)."},
		},
		"as many in two regions": {
			more: strings.NewReplacer(`"a"`, `"b"`, "= 8", "= 5", "us-central1", "europe-west4").Replace(goodJob),
		},
		"another GPU": {
			replace: []string{"nvidia-l4", "nvidia-rtx-pro-6000"},
			denied:  []string{"cloudrungpu_job.a uses the GPU type nvidia-rtx-pro-6000; allowed: nvidia-l4."},
		},
		"another region": {
			replace: []string{"us-central1", "asia-southeast1"},
			denied:  []string{"cloudrungpu_job.a is in the region asia-southeast1; allowed: us-central1, europe-west4."},
		},
		"no service account": {
			replace: []string{`service_account     = "batch@acme-ml.iam.gserviceaccount.com"`, ""},
			denied:  []string{"cloudrungpu_job.a runs as the default service account: set service_account to one made for the job."},
		},
		"the default service account": {
			replace: []string{"batch@acme-ml.iam.gserviceaccount.com", "123456789012-compute@developer.gserviceaccount.com"},
			denied:  []string{"cloudrungpu_job.a runs as the default service account: set service_account to one made for the job."},
		},
		"a secret by its name": {
			replace: []string{"MODEL", "HF_TOKEN"},
			denied:  []string{`cloudrungpu_job.a has what looks like a secret in env["HF_TOKEN"]: put it into Secret Manager and use secret_env.`},
		},
		"a secret by its value": {
			replace: []string{"gemma-2b", secret},
			denied:  []string{`cloudrungpu_job.a has what looks like a secret in env["MODEL"]: put it into Secret Manager and use secret_env.`},
		},
		"a secret in an argument": {
			replace: []string{"--epochs=3", "--hub=" + secret},
			denied:  []string{"cloudrungpu_job.a has what looks like a secret in args[0]: put it into Secret Manager and use secret_env."},
		},
		"production without protection": {
			replace: []string{"deletion_protection = true", ""},
			denied:  []string{"cloudrungpu_job.a is in production: set deletion_protection = true."},
		},
		"staging without protection": {
			replace: []string{"deletion_protection = true", "", "production", "staging"},
		},
		"more tasks than money": {
			replace: []string{"task_count          = 8", "task_count          = 9000"},
			denied:  []string{"One execution of cloudrungpu_job.a may cost 6279.12 USD, more than the 100 allowed: lower task_count, task_timeout or max_retries."},
		},
		"not known yet": {
			replace: []string{"parallelism         = 8", "parallelism = length(terraform_data.later.id)", `"us-central1"`, "terraform_data.later.id"},
			more:    `resource "terraform_data" "later" {}`,
			warned: []string{
				"What an execution of cloudrungpu_job.a costs is not known: add a cloudrungpu_cost_estimate of its GPU type and region.",
				"cloudrungpu_job.a: location is known after the apply only and could not be judged.",
				"cloudrungpu_job.a: peak_gpus is known after the apply only and could not be judged.",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stage := Start(t, plenty()...)
			stage.EmulatorOnly()
			config := strings.NewReplacer(append(test.replace, "\x00", "")...).Replace(goodJob) + estimates + test.more
			cli := stage.CLI(map[string]string{"main.tf": requirement + config})
			denied, warned := cli.judged(t)
			if diff := cmp.Diff(test.denied, denied); diff != "" {
				t.Errorf("denied (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.warned, warned); diff != "" {
				t.Errorf("warned (-want +got):\n%s", diff)
			}
		})
	}
}

// The policy comes to what the provider's own estimate of the job says, whatever the job is like.
func TestPolicyAgreesWithTheEstimate(t *testing.T) {
	needConftest(t)
	t.Parallel()
	stage := Start(t, plenty()...)
	stage.EmulatorOnly()
	cli := stage.CLI(map[string]string{"main.tf": requirement + `
locals {
  jobs = {
    defaults = { type = "nvidia-l4", cpu = null, memory = null, tasks = 900, retries = 0, timeout = "1h" }
    large    = { type = "nvidia-l4", cpu = "8000m", memory = "32Gi", tasks = 300, retries = 3, timeout = "45m30s" }
    short    = { type = "nvidia-l4", cpu = "6", memory = "20480Mi", tasks = 10000, retries = 10, timeout = "20s" }
    rtx      = { type = "nvidia-rtx-pro-6000", cpu = "22", memory = "88Gi", tasks = 77, retries = 2, timeout = "3600s" }
  }
}
resource "cloudrungpu_job" "each" {
  for_each        = local.jobs
  name            = each.key
  gpu             = { type = each.value.type }
  task_count      = each.value.tasks
  parallelism     = 1
  max_retries     = each.value.retries
  task_timeout    = each.value.timeout
  service_account = "batch@acme-ml.iam.gserviceaccount.com"
  containers = [{
    image     = "us-docker.pkg.dev/cloudrun/container/job:latest"
    resources = { cpu = each.value.cpu, memory = each.value.memory }
  }]
}
data "cloudrungpu_cost_estimate" "each" {
  for_each      = local.jobs
  gpu_type      = each.value.type
  cpu           = each.value.cpu
  memory        = each.value.memory
  task_count    = each.value.tasks
  max_retries   = each.value.retries
  task_duration = each.value.timeout
  live_prices   = false
}
output "upper_bounds" {
  value = { for name, e in data.cloudrungpu_cost_estimate.each : name => e.upper_bound_usd }
}
`})
	denied, _ := cli.judged(t)
	var plan struct {
		Values struct {
			Outputs map[string]struct{ Value map[string]float64 }
		} `json:"planned_values"`
	}
	if err := json.Unmarshal([]byte(cli.Must("show", "-json", "plan")), &plan); err != nil {
		t.Fatal(err)
	}
	bounds := plan.Values.Outputs["upper_bounds"].Value
	if len(bounds) != 4 {
		t.Fatalf("the estimates are %v", bounds)
	}
	for name, usd := range bounds {
		want := fmt.Sprintf("One execution of cloudrungpu_job.each[%q] may cost %.2f USD", name, usd)
		if !slices.ContainsFunc(denied, func(said string) bool { return strings.HasPrefix(said, want) }) {
			t.Errorf("nobody says %q in\n%s", want, strings.Join(denied, "\n"))
		}
	}
}

// A job that is kept counts into the total of its region, and one that goes away does not.
func TestPolicyOfAChange(t *testing.T) {
	needConftest(t)
	t.Parallel()
	stage := Start(t, plenty()...)
	stage.EmulatorOnly()
	kept := strings.ReplaceAll(goodJob, "deletion_protection = true", "deletion_protection = false")
	kept = strings.ReplaceAll(kept, "production", "staging")
	second := strings.NewReplacer(`"a"`, `"b"`, "= 8", "= 5").Replace(kept)
	cli := stage.CLI(map[string]string{"main.tf": requirement + kept})
	cli.Must("apply", "-auto-approve", "-no-color")
	cli.Write("main.tf", requirement+kept+second)
	if denied, _ := cli.judged(t); len(denied) != 1 || !strings.Contains(denied[0], "13 GPUs at once") {
		t.Errorf("the job that is kept does not count: %q", denied)
	}
	cli.Write("main.tf", requirement+second)
	if denied, _ := cli.judged(t); len(denied) != 0 {
		t.Errorf("the job that goes away counts: %q", denied)
	}
}

// The same rules in Terraform's own words: an error stops the plan, a check warns.
func TestNativePolicy(t *testing.T) {
	t.Parallel()
	for jobs, want := range map[string]struct {
		says string
		ok   bool
	}{
		`{ a = { tasks = 8, parallelism = 8 }, b = { tasks = 4, parallelism = 4 } }`:                            {"", true},
		`{ a = { tasks = 8, parallelism = 8 }, b = { tasks = 5, parallelism = 5 } }`:                            {"not all of their tasks would get one", true},
		`{ a = { tasks = 8, parallelism = 8 }, b = { tasks = 5, parallelism = 5, location = "europe-west4" } }`: {"", true},
		`{ a = { tasks = 9, parallelism = 9 } }`:                                                                {"a may hold 9 GPUs at once, more than the 8 allowed for one job.", false},
		`{ a = { tasks = 1000 } }`:                                                                              {"One execution of a may cost more than 100 USD, or nobody knows what it costs.", false},
		`{ a = { gpu_type = "nvidia-rtx-pro-6000" } }`:                                                          {"a uses the GPU type nvidia-rtx-pro-6000; allowed: nvidia-l4.", false},
		`{ a = { location = "asia-southeast1" } }`:                                                              {"a is in the region asia-southeast1; allowed: us-central1", false},
		`{ a = { service_account = "1-compute@developer.gserviceaccount.com" } }`:                               {"a runs as the default service account.", false},
		`{ a = { env = { HF_TOKEN = "x" } } }`:                                                                  {"a has what looks like a secret in env", false},
	} {
		t.Run(jobs, func(t *testing.T) {
			t.Parallel()
			stage := Start(t, append(plenty(), emulator.WithQuota("nvidia-l4@*", 12))...)
			stage.EmulatorOnly()
			cli := stage.CLI(treeOf(t, examples+"/policy/native"))
			printed, ok := cli.Run("plan", "-no-color", "-var", "jobs="+jobs)
			said := squeezed(strings.ReplaceAll(printed, "│", ""))
			if ok != want.ok || !strings.Contains(said, want.says) || want.says == "" && strings.Contains(said, "Check block assertion") {
				t.Errorf("ok is %t, want %t and %q:\n%s", ok, want.ok, want.says, printed)
			}
		})
	}
}

// plenty is a project in which quota is no matter.
func plenty() []emulator.Option {
	var options []emulator.Option
	for _, quota := range []string{"nvidia-l4@*", "nvidia-rtx-pro-6000@*", "cpu@*", "memory@*"} {
		options = append(options, emulator.WithQuota(quota, emulator.Unlimited))
	}
	return options
}

func needConftest(t *testing.T) {
	t.Helper()
	if _, err := os.Stat(conftest); err != nil {
		t.Skip("needs conftest: make test-policy builds it")
	}
}

// judged plans and returns what the policies say, sorted.
func (c *CLI) judged(t *testing.T) (denied, warned []string) {
	t.Helper()
	c.Must("plan", "-out=plan", "-no-color")
	c.Write("plan.json", c.Must("show", "-json", "plan"))
	command := exec.CommandContext(t.Context(), conftest, "test", filepath.Join(c.dir, "plan.json"),
		"--policy", filepath.Join(policies, "policy"), "--data", filepath.Join(policies, "limits.yaml"), "--output=json")
	var out, complaint bytes.Buffer
	command.Stdout, command.Stderr = &out, &complaint
	err := command.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("running conftest: %v", err)
	}
	var results []struct {
		Successes          int
		Failures, Warnings []struct{ Msg string }
	}
	if err := json.Unmarshal(out.Bytes(), &results); err != nil || len(results) != 1 {
		t.Fatalf("%v in %s%s", err, out.String(), complaint.String())
	}
	for _, failure := range results[0].Failures {
		denied = append(denied, failure.Msg)
	}
	for _, warning := range results[0].Warnings {
		warned = append(warned, warning.Msg)
	}
	slices.Sort(denied)
	slices.Sort(warned)
	if passed := exit == nil; passed != (len(denied) == 0) {
		t.Errorf("conftest ended with %v, and denied %q", err, denied)
	}
	return denied, warned
}
