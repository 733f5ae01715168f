// Command demo tells the story of one GPU job through the real provider binary, a real Terraform or OpenTofu and the
// emulator: a plan over quota is refused, the job is created, changed behind Terraform's back, mended, parted from its GPU
// and destroyed. Every step is checked; the first that does not do what it says ends the demo with exit code 1.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"
)

// limit ends a demo that hangs; a run takes seconds.
const limit = 3 * time.Minute

func main() {
	bin := flag.String("bin", "bin", "directory with terraform-provider-cloudrungpu and cloudrun-emulator")
	cli := flag.String("cli", "", "terraform or tofu to run; default: the first of the two on PATH")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	ctx, cancel := context.WithTimeout(ctx, limit)
	err := run(ctx, *bin, *cli)
	cancel()
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "demo: "+err.Error())
		os.Exit(1)
	}
}

func run(ctx context.Context, bin, cli string) (err error) {
	if cli == "" {
		if cli, err = find("terraform", "tofu"); err != nil {
			return err
		}
	}
	if bin, err = filepath.Abs(bin); err != nil {
		return fmt.Errorf("finding the binaries: %w", err)
	}
	dir, err := os.MkdirTemp("", "cloudrungpu-demo-")
	if err != nil {
		return fmt.Errorf("making a folder to work in: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()

	cloud, err := startEmulator(ctx, bin)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, cloud.stop()) }()

	terraform, err := newCLI(cli, dir, bin, cloud.addr)
	if err != nil {
		return err
	}
	return tell(ctx, &stage{terraform: terraform, cloud: cloud, dir: dir})
}

func find(names ...string) (string, error) {
	for _, name := range names {
		if found, err := exec.LookPath(name); err == nil {
			return found, nil
		}
	}
	return "", fmt.Errorf("neither terraform nor tofu is on PATH: name one with -cli, or run `make demo`, which builds one")
}
