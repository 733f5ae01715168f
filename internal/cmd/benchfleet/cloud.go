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

// cloud is the emulator, as a process of its own.
type cloud struct {
	cmd  *exec.Cmd
	addr string
}

func startEmulator(ctx context.Context, set settings) (*cloud, error) {
	cmd := exec.CommandContext(ctx, filepath.Join(set.bin, "cloudrun-emulator"), "-addr", "127.0.0.1:0", //nolint:gosec // our own binary
		"-latency", set.latency.String(), "-operation-latency", set.operation.String(),
		"-quota", "nvidia-l4@us-central1=1000000", "-quota", "cpu@*=100000000", "-quota", "memory@*=100000000")
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

// calls counts the calls since the last time, by method, and forgets them.
func (c *cloud) calls(ctx context.Context) (map[string]int, error) {
	var all []struct{ Method string }
	if err := c.ask(ctx, http.MethodGet, &all); err != nil {
		return nil, err
	}
	count := map[string]int{}
	for _, one := range all {
		count[one.Method]++
	}
	return count, c.ask(ctx, http.MethodDelete, &struct{}{})
}

func (c *cloud) ask(ctx context.Context, method string, into any) error {
	req, err := http.NewRequestWithContext(ctx, method, "http://"+c.addr+"/_emulator/requests", http.NoBody)
	if err != nil {
		return fmt.Errorf("asking for the emulator's record: %w", err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return fmt.Errorf("asking for the emulator's record: %w", err)
	}
	defer func() { _ = resp.Body.Close() }() // only read
	if err := json.NewDecoder(resp.Body).Decode(into); err != nil {
		return fmt.Errorf("reading the emulator's record: %w", err)
	}
	return nil
}
