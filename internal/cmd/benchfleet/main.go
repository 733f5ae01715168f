// Command benchfleet measures a fleet of jobs through the real provider binary, a real Terraform and the emulator: plan,
// create, a plan without changes, update and destroy, each job a resource block of its own. Beside the provider it measures
// terraform_data, which is Terraform's own share of the time; the two take turns, because machines are noisy.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

type settings struct {
	bin, cli    string
	jobs        int
	latency     time.Duration
	operation   time.Duration
	parallelism int
	rounds      int
}

func main() {
	// Terraform starts this program in the place of the provider: it starts the provider and notes what that has used.
	if strings.HasPrefix(filepath.Base(os.Args[0]), providerName) {
		os.Exit(stand())
	}
	var set settings
	flag.StringVar(&set.bin, "bin", "bin", "`directory` with terraform-provider-cloudrungpu and cloudrun-emulator")
	flag.StringVar(&set.cli, "cli", "terraform", "terraform or tofu to run")
	flag.IntVar(&set.jobs, "n", 10, "`number` of jobs")
	flag.DurationVar(&set.latency, "latency", 0, "time that the emulator takes for an answer")
	flag.DurationVar(&set.operation, "operation-latency", 0, "time that an operation takes")
	flag.IntVar(&set.parallelism, "parallelism", 10, "Terraform's -parallelism")
	flag.IntVar(&set.rounds, "rounds", 3, "rounds; the table shows the median of each step")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, set)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "benchfleet: "+err.Error())
		os.Exit(1)
	}
}

func run(ctx context.Context, set settings) (err error) {
	if set.jobs < 1 || set.rounds < 1 {
		return errors.New("-n and -rounds must be 1 or more")
	}
	if set.bin, err = filepath.Abs(set.bin); err != nil {
		return fmt.Errorf("finding the binaries: %w", err)
	}
	dir, err := os.MkdirTemp("", "cloudrungpu-benchfleet-")
	if err != nil {
		return fmt.Errorf("making a folder to work in: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()

	cloud, err := startEmulator(ctx, set)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, cloud.stop()) }()

	results := map[string][]result{}
	for range set.rounds {
		for _, subject := range []subject{cloudrungpu{}, terraformData{}} {
			measured, err := measure(ctx, set, cloud, subject, dir)
			if err != nil {
				return fmt.Errorf("%s: %w", subject.name(), err)
			}
			for _, r := range measured {
				key := r.subject + " " + r.step
				results[key] = append(results[key], r)
			}
		}
	}
	return report(os.Stdout, set, results)
}
