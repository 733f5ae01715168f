package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"
)

// hostVariable tells the provider where the emulator is.
const hostVariable = "CLOUDRUNGPU_EMULATOR_HOST"

// patience is how long a command may take to end after it was asked to.
const patience = 10 * time.Second

// accompany runs a command that finds the emulator by its environment, and returns the exit code of that command.
func accompany(ctx context.Context, address string, command []string, stdout, stderr io.Writer) int {
	cmd := exec.CommandContext(ctx, command[0], command[1:]...) //nolint:gosec // whoever starts the emulator chose the command
	cmd.Env = append(os.Environ(), hostVariable+"="+address)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, stdout, stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = patience
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit) && exit.ExitCode() >= 0:
		return exit.ExitCode()
	case err != nil:
		return complain(stderr, exitFailed, fmt.Errorf("running %s: %w", command[0], err))
	}
	return exitOK
}
