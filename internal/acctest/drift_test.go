package acctest

import (
	"bytes"
	"errors"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cloud.google.com/go/run/apiv2/runpb"
	"google.golang.org/grpc/codes"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/emulator"
)

const driftFolder = examples + "/drift-detection"

// The drift check raises no alarm after executions, one after a change, and calls a failure by its name.
func TestDriftDetection(t *testing.T) {
	needPrograms(t, "bash", "jq")
	t.Parallel()
	stage := Start(t)
	stage.EmulatorOnly()
	cli := stage.CLI(treeOf(t, driftFolder))
	main := treeOf(t, driftFolder)["main.tf"]
	cli.Write("main.tf", strings.Replace(main, "env   = {", "args  = [sensitive(\"--seed=one\"), \"--epochs=3\"]\n    env   = {", 1))
	cli.Must("apply", "-auto-approve", "-no-color")

	stage.RunJob("embed")
	stage.RunJob("embed")
	report := cli.checkDrift(t, 0)
	reportSays(t, report, "No drift")

	stage.Edit("embed", func(job *runpb.Job) {
		task := job.GetTemplate().GetTemplate()
		task.Retries = &runpb.TaskTemplate_MaxRetries{MaxRetries: 0}
		task.GetContainers()[0].Env[0].Values = &runpb.EnvVar_Value{Value: "not for everybody"}
		task.GetContainers()[0].Args = []string{"--seed=two", "--epochs=|`4`"}
		job.Template.Parallelism = 1
	})
	stage.RunJob("embed")
	report = cli.checkDrift(t, 2)
	reportSays(t, report,
		"## Drift: 1 changed outside Terraform",
		"### `cloudrungpu_job.embed`",
		"developer@example.com changed the job projects/acme-ml/locations/us-central1/jobs/embed at ",
		"with cloud-console",
		"| `max_retries` | `3` | `0` |",
		"| `parallelism` | `2` | `1` |",
		"| `containers[0].env.MODEL` | (not shown) | (not shown) |",
		"| `containers[0].args[0]` | (not shown) | (not shown) |",
		"| `containers[0].args[1]` | `--epochs=3` | `--epochs=  4 ` |",
	)
	for _, secret := range []string{"not for everybody", "gemma", "seed"} {
		if strings.Contains(report, secret) {
			t.Errorf("the report repeats %q:\n%s", secret, report)
		}
	}
	if report != cli.checkDrift(t, 2) {
		t.Error("a second look says something else: the first one changed the state")
	}

	stage.Remove("embed")
	reportSays(t, cli.checkDrift(t, 2), "### `cloudrungpu_job.embed`", "It is gone.")

	cli.Must("apply", "-auto-approve", "-no-color")
	cli.checkDrift(t, 0)
	if err := stage.Emulator.InjectFault(emulator.Fault{Method: "Jobs.GetJob", Code: codes.PermissionDenied, Message: "no", Times: 1}); err != nil {
		t.Fatal(err)
	}
	reportSays(t, cli.checkDrift(t, 1), "## The drift check failed", "**Job could not be read**", "roles/run.developer")

	cli.Write("main.tf", "resource {")
	reportSays(t, cli.checkDrift(t, 1), "## The drift check failed")
}

// checkDrift runs the script and returns its report.
func (c *CLI) checkDrift(t *testing.T, want int) string {
	t.Helper()
	script, err := filepath.Abs(filepath.Join(driftFolder, "drift.sh"))
	if err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), "bash", script, c.dir)
	command.Env = append(slices.Clone(c.env), "TERRAFORM="+terraformPath())
	var out, complaint bytes.Buffer
	command.Stdout, command.Stderr = &out, &complaint
	err = command.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if got := command.ProcessState.ExitCode(); got != want {
		t.Fatalf("the script ended with %d, want %d:\n%s%s", got, want, out.String(), complaint.String())
	}
	t.Log(out.String())
	return out.String()
}

func reportSays(t *testing.T, report string, words ...string) {
	t.Helper()
	for _, w := range words {
		if !strings.Contains(report, w) {
			t.Errorf("the report does not say %q:\n%s", w, report)
		}
	}
}

func needPrograms(t *testing.T, names ...string) {
	t.Helper()
	for _, name := range names {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip("needs " + name)
		}
	}
}
