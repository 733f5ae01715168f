package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// steps are what is done with a fleet, in order.
var steps = []string{"plan", "create", "no change", "update", "destroy"}

// result is one step of one subject.
type result struct {
	subject, step string
	wall          time.Duration
	provider      usage
	calls         map[string]int
	state         int64 // bytes of the state file after the step
}

// measure walks a subject through all steps in a folder of its own.
func measure(ctx context.Context, set settings, cloud *cloud, subject subject, parent string) ([]result, error) {
	dir, err := os.MkdirTemp(parent, subject.name())
	if err != nil {
		return nil, fmt.Errorf("making a folder to work in: %w", err)
	}
	terraform, err := newCLI(set, dir, cloud.addr)
	if err != nil {
		return nil, err
	}
	if err := terraform.write(subject.config(set.jobs, false)); err != nil {
		return nil, err
	}
	if err := terraform.run(ctx, "init"); err != nil {
		return nil, err
	}
	var all []result
	for _, step := range steps {
		if step == "update" {
			if err := terraform.write(subject.config(set.jobs, true)); err != nil {
				return nil, err
			}
		}
		r, err := terraform.measure(ctx, cloud, commandOf(step, set.parallelism))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", step, err)
		}
		r.subject, r.step = subject.name(), step
		all = append(all, r)
	}
	return all, nil
}

func commandOf(step string, parallelism int) []string {
	p := fmt.Sprintf("-parallelism=%d", parallelism)
	switch step {
	case "plan":
		return []string{"plan", p}
	case "no change":
		return []string{"plan", "-detailed-exitcode", p} // fails where there is a change
	case "destroy":
		return []string{"destroy", "-auto-approve", p}
	default:
		return []string{"apply", "-auto-approve", p}
	}
}

// cli is Terraform in a folder, with this program in the place of the provider.
type cli struct {
	path, dir, usage string
	env              []string
}

func newCLI(set settings, dir, emulator string) (*cli, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("finding this program: %w", err)
	}
	for _, host := range []string{"registry.terraform.io", "registry.opentofu.org"} {
		at := filepath.Join(dir, "mirror", host, "cloudrungpu", "cloudrungpu", "0.0.1", runtime.GOOS+"_"+runtime.GOARCH)
		if err := os.MkdirAll(at, 0o750); err != nil {
			return nil, fmt.Errorf("making the provider mirror: %w", err)
		}
		if err := os.Symlink(self, filepath.Join(at, providerName+"_v0.0.1")); err != nil {
			return nil, fmt.Errorf("making the provider mirror: %w", err)
		}
	}
	config := filepath.Join(dir, "cli.tfrc")
	text := fmt.Sprintf("disable_checkpoint = true\nprovider_installation {\n  filesystem_mirror {\n    path = %q\n  }\n}\n", filepath.Join(dir, "mirror"))
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		return nil, fmt.Errorf("writing the CLI configuration: %w", err)
	}
	c := &cli{path: set.cli, dir: dir, usage: filepath.Join(dir, "usage")}
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "TF_") && !strings.HasPrefix(v, "GOOGLE_") && !strings.HasPrefix(v, "CLOUDSDK_") {
			c.env = append(c.env, v)
		}
	}
	c.env = append(c.env, "TF_CLI_CONFIG_FILE="+config, "TF_IN_AUTOMATION=1", "CLOUDRUNGPU_EMULATOR_HOST="+emulator,
		providerPath+"="+filepath.Join(set.bin, providerName), usagePath+"="+c.usage)
	return c, nil
}

func (c *cli) write(config string) error {
	if err := os.WriteFile(filepath.Join(c.dir, "main.tf"), []byte(config), 0o600); err != nil {
		return fmt.Errorf("writing the configuration: %w", err)
	}
	return nil
}

func (c *cli) run(ctx context.Context, args ...string) error {
	cmd := exec.CommandContext(ctx, c.path, append(args, "-no-color", "-input=false")...) //nolint:gosec // the reader chose the CLI
	cmd.Dir, cmd.Env = c.dir, c.env
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(args, " "), err, out[max(0, len(out)-2000):])
	}
	return nil
}

// measure runs one command. The calls before it are not counted.
func (c *cli) measure(ctx context.Context, cloud *cloud, args []string) (r result, err error) {
	if err := os.RemoveAll(c.usage); err != nil {
		return r, fmt.Errorf("emptying the folder for what the provider used: %w", err)
	}
	if err := os.MkdirAll(c.usage, 0o750); err != nil {
		return r, fmt.Errorf("making a folder for what the provider used: %w", err)
	}
	if _, err := cloud.calls(ctx); err != nil {
		return r, err
	}
	start := time.Now()
	if err := c.run(ctx, args...); err != nil {
		return r, err
	}
	r.wall = time.Since(start)
	if r.calls, err = cloud.calls(ctx); err != nil {
		return r, err
	}
	if info, err := os.Stat(filepath.Join(c.dir, "terraform.tfstate")); err == nil { // there is none before the first apply
		r.state = info.Size()
	}
	r.provider, err = usageIn(c.usage)
	return r, err
}
