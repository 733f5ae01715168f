package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// command is terraform or tofu, run in the demo's folder with the provider that was just built.
type command struct {
	path, name, dir string
	env             []string
	only            string // show only lines that contain it
}

// version is what the demo calls the provider that was just built.
const version = "0.0.1"

// newCLI lays the provider into a mirror, so that init finds it without a network, under the host of either CLI.
func newCLI(path, dir, bin, emulator string) (*command, error) {
	mirror := filepath.Join(dir, "mirror")
	for _, host := range []string{"registry.terraform.io", "registry.opentofu.org"} {
		at := filepath.Join(mirror, host, "cloudrungpu", "cloudrungpu", version, runtime.GOOS+"_"+runtime.GOARCH)
		if err := os.MkdirAll(at, 0o750); err != nil {
			return nil, fmt.Errorf("making the provider mirror: %w", err)
		}
		provider := "terraform-provider-cloudrungpu"
		if err := os.Symlink(filepath.Join(bin, provider), filepath.Join(at, provider+"_v"+version)); err != nil {
			return nil, fmt.Errorf("making the provider mirror: %w", err)
		}
	}
	config := filepath.Join(dir, "cli.tfrc")
	text := fmt.Sprintf("disable_checkpoint = true\nprovider_installation {\n  filesystem_mirror {\n    path = %q\n  }\n}\n", mirror)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		return nil, fmt.Errorf("writing the CLI configuration: %w", err)
	}
	env := []string{"TF_CLI_CONFIG_FILE=" + config, "TF_IN_AUTOMATION=1", "CLOUDRUNGPU_EMULATOR_HOST=" + emulator}
	for _, v := range os.Environ() {
		// Whatever the reader has set for a real cloud stays out of the demo.
		if !strings.HasPrefix(v, "TF_") && !strings.HasPrefix(v, "GOOGLE_") && !strings.HasPrefix(v, "CLOUDSDK_") && !strings.HasPrefix(v, "GCLOUD_") {
			env = append(env, v)
		}
	}
	return &command{path: path, name: filepath.Base(path), dir: dir, env: env}, nil
}

// run shows the command and its output, and returns the output with the exit code.
func (c *command) run(ctx context.Context, args ...string) (output string, code int, err error) {
	fmt.Printf("$ %s %s\n", c.name, strings.Join(args, " "))
	var all bytes.Buffer
	cmd := exec.CommandContext(ctx, c.path, append(args, "-no-color")...) //nolint:gosec // the reader chose the CLI
	cmd.Dir, cmd.Env = c.dir, c.env
	cmd.Stdout = io.MultiWriter(&all, &indent{to: os.Stdout, only: c.only})
	cmd.Stderr = cmd.Stdout
	err = cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && ctx.Err() == nil {
		return all.String(), exit.ExitCode(), nil
	}
	if err != nil {
		return all.String(), 0, fmt.Errorf("running %s: %w", c.name, err)
	}
	return all.String(), 0, nil
}

// indent sets a command's output off from the story, without its blank lines, and only what contains a text.
type indent struct {
	to   io.Writer
	only string
	line []byte
}

func (w *indent) Write(p []byte) (int, error) {
	for _, b := range p {
		if b != '\n' {
			w.line = append(w.line, b)
			continue
		}
		text := string(w.line)
		w.line = w.line[:0]
		if strings.TrimSpace(text) == "" || !strings.Contains(text, w.only) {
			continue
		}
		if _, err := fmt.Fprintln(w.to, "    "+text); err != nil {
			return 0, err
		}
	}
	return len(p), nil
}
