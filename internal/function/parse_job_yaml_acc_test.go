package function_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/acctest"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/emulator"
)

// start is a stage on which the quotas stop nobody, with the job of a YAML file.
func start(t *testing.T, yaml string) *acctest.CLI {
	t.Helper()
	stage := acctest.Start(t, emulator.WithQuota("nvidia-l4@*", 10), emulator.WithQuota("cpu@*", emulator.Unlimited), emulator.WithQuota("memory@*", emulator.Unlimited))
	stage.EmulatorOnly()
	return stage.CLI(map[string]string{"main.tf": read(t, "../../examples/functions/parse_job_yaml/function.tf"), "job.yaml": yaml})
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.FromSlash(path))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A job made from the YAML is the job of the YAML: nothing is left to change, also where Terraform forgets it and takes it in again.
func TestAccJobOfYAML(t *testing.T) {
	t.Parallel()
	for name, yaml := range map[string]string{
		"of the example":               read(t, "../../examples/functions/parse_job_yaml/job.yaml"),
		"with everything a job can be": read(t, "../jobyaml/testdata/full.yaml"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cli := start(t, yaml)
			cli.Must("apply", "-auto-approve", "-no-color")
			cli.Must("plan", "-detailed-exitcode", "-no-color")
			cli.Must("state", "rm", "cloudrungpu_job.finetune")
			cli.Must("import", "-no-color", "cloudrungpu_job.finetune", "us-central1/finetune")
			// What only Terraform knows is not in the API: an import plans to write it down, and nothing else.
			cli.Must("apply", "-auto-approve", "-no-color")
			cli.Must("plan", "-detailed-exitcode", "-no-color")
			cli.Must("destroy", "-auto-approve", "-no-color")
		})
	}
}

func TestAccFaultsOfYAML(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ yaml, says string }{
		"a service":   {"apiVersion: serving.knative.dev/v1\nkind: Service\n", `kind "Service"`},
		"a field":     {"apiVersion: run.googleapis.com/v1\nkind: Job\nspec: {suspend: true}\n", "line 3: field suspend is not one"},
		"no YAML":     {"{", "line 1"},
		"a bad value": {strings.Replace(read(t, "../jobyaml/testdata/full.yaml"), "gen2", "gen1", 1), "jobs run in gen2 only"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cli := start(t, test.yaml)
			printed, ok := cli.Run("plan", "-no-color")
			flat := strings.Join(strings.Fields(strings.NewReplacer("│", "", "╷", "", "╵", "").Replace(printed)), " ")
			if ok || !strings.Contains(flat, test.says) || !strings.Contains(flat, "parse_job_yaml") {
				t.Errorf("%q is not said in %s", test.says, printed)
			}
		})
	}
}
