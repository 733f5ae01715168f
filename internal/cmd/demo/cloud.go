package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

const jobPath = "/v2/projects/demo/locations/us-central1/jobs/finetune"

// cloud is the emulator, as a process of its own.
type cloud struct {
	cmd  *exec.Cmd
	addr string
}

func startEmulator(ctx context.Context, bin string) (*cloud, error) {
	args := []string{"-addr", "127.0.0.1:0", "-quota", "nvidia-l4@us-central1=3", "-quota", "cpu@*=200", "-quota", "memory@*=400"}
	cmd := exec.CommandContext(ctx, filepath.Join(bin, "cloudrun-emulator"), args...) //nolint:gosec // our own binary
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("starting the emulator: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting the emulator: %w", err)
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if _, addr, ok := strings.Cut(lines.Text(), "listening on "); ok {
			go func() { _, _ = io.Copy(io.Discard, out) }() // nothing more is expected, and a full pipe would block it
			return &cloud{cmd: cmd, addr: strings.TrimSpace(addr)}, nil
		}
	}
	return nil, fmt.Errorf("the emulator did not start: %s", strings.TrimSpace(complaint.String()))
}

func (c *cloud) stop() error {
	if err := c.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return fmt.Errorf("stopping the emulator: %w", err)
	}
	if err := c.cmd.Wait(); err != nil {
		return fmt.Errorf("stopping the emulator: %w", err)
	}
	return nil
}

// job reads the job through the REST door, as any outsider would; nil when there is none.
func (c *cloud) job(ctx context.Context) (map[string]any, error) {
	return c.call(ctx, http.MethodGet, jobPath, nil)
}

// edit changes the job behind Terraform's back.
func (c *cloud) edit(ctx context.Context, change func(job map[string]any)) error {
	job, err := c.job(ctx)
	if err != nil {
		return err
	}
	job["client"], job["clientVersion"] = "cloud-console", "" // as the console leaves them
	change(job)
	_, err = c.call(ctx, http.MethodPatch, jobPath, job)
	return err
}

func (c *cloud) call(ctx context.Context, method, path string, body any) (map[string]any, error) {
	raw, err := json.Marshal(body)
	if err != nil {
		return nil, fmt.Errorf("writing a request: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, method, "http://"+c.addr+path, bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("making a request: %w", err)
	}
	if body == nil {
		req.Body, req.ContentLength = nil, 0
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, fmt.Errorf("calling the emulator: %w", err)
	}
	defer func() { _ = resp.Body.Close() }() // read to the end below
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, fmt.Errorf("reading the emulator's answer: %w", err)
	}
	if resp.StatusCode == http.StatusNotFound {
		return nil, nil //nolint:nilnil // nothing there is an answer too
	}
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s %s: %s: %s", method, path, resp.Status, answer)
	}
	var out map[string]any
	if err := json.Unmarshal(answer, &out); err != nil {
		return nil, fmt.Errorf("reading the emulator's answer: %w", err)
	}
	return out, nil
}

// at walks into nested JSON: at(job, "template", "template", "nodeSelector").
func at(job map[string]any, keys ...string) any {
	var here any = job
	for _, key := range keys {
		object, ok := here.(map[string]any)
		if !ok {
			return nil
		}
		here = object[key]
	}
	return here
}
