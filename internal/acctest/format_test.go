package acctest

import (
	"os/exec"
	"strings"
	"testing"
)

// The examples are as terraform fmt writes them; what a reader copies must not be changed by the reader's own fmt.
func TestExamplesAreFormatted(t *testing.T) {
	t.Parallel()
	command := exec.CommandContext(t.Context(), terraformPath(), "fmt", "-check", "-diff", "-recursive", "-no-color", examples)
	command.Env = quietEnvironment()
	if diff, err := command.CombinedOutput(); err != nil {
		t.Errorf("%v:\n%s", err, diff)
	}
}

// What terraform console shows of a job.
func TestConsole(t *testing.T) {
	t.Parallel()
	stage := Start(t)
	stage.EmulatorOnly()
	cli := stage.CLI(map[string]string{"main.tf": requirement + `
resource "cloudrungpu_job" "a" {
  name       = "a"
  gpu        = { type = "nvidia-l4" }
  containers = [{ image = "us-docker.pkg.dev/cloudrun/container/job:latest" }]
}
`})
	cli.Must("apply", "-auto-approve")
	for expression, want := range map[string]string{
		"cloudrungpu_job.a.peak_gpus":                             "1",
		"cloudrungpu_job.a.containers[0].resources.memory":        `"16Gi"`,
		"sum([for j in [cloudrungpu_job.a] : j.peak_memory_gib])": "16",
	} {
		if got := cli.console(expression); got != want {
			t.Errorf("%s is %s, want %s", expression, got, want)
		}
	}
}

// console evaluates an expression.
func (c *CLI) console(expression string) string {
	c.t.Helper()
	command := exec.CommandContext(c.t.Context(), terraformPath(), "console")
	command.Dir, command.Env, command.Stdin = c.dir, c.env, strings.NewReader(expression)
	out, err := command.CombinedOutput()
	if err != nil {
		c.t.Fatalf("%v:\n%s", err, out)
	}
	return strings.TrimSpace(string(out))
}
