package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

const (
	providerName = "terraform-provider-cloudrungpu"
	providerPath = "BENCHFLEET_PROVIDER" // the provider to start
	usagePath    = "BENCHFLEET_USAGE"    // a folder for one file per process of the provider
)

// usage is what a process has used.
type usage struct {
	CPU    time.Duration
	Memory int64 // peak, in bytes
}

// usageOf reads the account of a process that has ended.
func usageOf(state *os.ProcessState) usage {
	used := usage{CPU: state.UserTime() + state.SystemTime()}
	if account, ok := state.SysUsage().(*syscall.Rusage); ok {
		used.Memory = account.Maxrss * 1024 // Linux counts in KiB
	}
	return used
}

// stand runs the provider in the place of this program, and writes what it has used. Terraform waits for it.
func stand() int {
	provider := exec.Command(os.Getenv(providerPath), os.Args[1:]...) //nolint:gosec,noctx // the provider under test ends when Terraform says so
	provider.Stdin, provider.Stdout, provider.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := provider.Run()
	if provider.ProcessState == nil {
		fmt.Fprintln(os.Stderr, "benchfleet: "+err.Error())
		return 1
	}
	text, err := json.Marshal(usageOf(provider.ProcessState))
	if err == nil {
		err = os.WriteFile(filepath.Join(os.Getenv(usagePath), fmt.Sprint(provider.ProcessState.Pid())), text, 0o600) //nolint:gosec // the program that starts this one names the folder
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "benchfleet: "+err.Error())
		return 1
	}
	return provider.ProcessState.ExitCode()
}

// usageIn adds up what the provider's processes have used and left in the folder: CPU as a sum, memory as the largest.
func usageIn(dir string) (usage, error) {
	var sum usage
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		return sum, fmt.Errorf("looking for what the provider used: %w", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file) //nolint:gosec // our own folder
		if err != nil {
			return sum, fmt.Errorf("reading what the provider used: %w", err)
		}
		var one usage
		if err := json.Unmarshal(text, &one); err != nil {
			return sum, fmt.Errorf("reading what the provider used: %w", err)
		}
		sum.CPU, sum.Memory = sum.CPU+one.CPU, max(sum.Memory, one.Memory)
	}
	return sum, nil
}
