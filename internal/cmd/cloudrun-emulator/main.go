// Command cloudrun-emulator is a local server that answers as Cloud Run does for jobs with GPUs, by gRPC and by REST on one port.
//
// It prints "cloudrun-emulator listening on HOST:PORT" once it is ready and stops on SIGINT or SIGTERM. It exits with 0 after
// a clean stop, with 1 when serving failed, and with 2 when it could not start. What it answers and where it differs from the
// real service is written in the documentation of the package emulator.
//
// With a command after two hyphens it runs that command, stops when it ends, and exits as it did:
//
//	cloudrun-emulator -quota nvidia-l4@us-central1=3 -- terraform test
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/emulator"
)

// version is set at link time to the released version.
var version = "dev"

const (
	exitOK      = 0
	exitFailed  = 1
	exitStartup = 2
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run is the program until ctx ends.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	settings, err := parseFlags(args, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return exitOK
	case err != nil:
		return complain(stderr, exitStartup, err)
	case settings.showVersion:
		if _, err := fmt.Fprintln(stdout, "cloudrun-emulator "+version); err != nil {
			return complain(stderr, exitFailed, err)
		}
		return exitOK
	}
	options, closeRecord, err := settings.options()
	if err != nil {
		return complain(stderr, exitStartup, err)
	}
	code := serve(ctx, options, settings, stdout, stderr)
	if err := closeRecord(); err != nil && code == exitOK {
		return complain(stderr, exitFailed, err)
	}
	return code
}

func serve(ctx context.Context, options []emulator.Option, set settings, stdout, stderr io.Writer) int {
	server, err := emulator.New(options...)
	if errors.Is(err, syscall.EADDRINUSE) {
		return complain(stderr, exitStartup, fmt.Errorf(
			"%s is in use: stop what listens there, or choose another port with -addr (127.0.0.1:0 picks a free one)", set.address))
	}
	if err != nil {
		return complain(stderr, exitStartup, err)
	}
	var code int
	if len(set.command) > 0 {
		code = accompany(ctx, server.Addr(), set.command, stdout, stderr)
	} else {
		code = wait(ctx, server, stdout, stderr)
	}
	if err := server.Close(); err != nil && code == exitOK {
		return complain(stderr, exitFailed, err)
	}
	return code
}

// wait says where the server listens, and waits until it is told to stop.
func wait(ctx context.Context, server *emulator.Server, stdout, stderr io.Writer) int {
	if _, err := fmt.Fprintf(stdout, "cloudrun-emulator listening on %s\n", server.Addr()); err != nil {
		return complain(stderr, exitFailed, fmt.Errorf("writing the address: %w", err))
	}
	select {
	case <-ctx.Done():
	case <-server.Done():
	}
	return exitOK
}

// complain writes the one line that tells what went wrong.
func complain(stderr io.Writer, code int, err error) int {
	// There is nowhere left to tell that stderr is broken.
	_, _ = fmt.Fprintf(stderr, "cloudrun-emulator: %v\n", err)
	return code
}
