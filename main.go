// Command terraform-provider-cloudrungpu serves the provider to Terraform and OpenTofu.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/provider"
)

const address = "registry.terraform.io/cloudrungpu/cloudrungpu"

// version is set at link time to the released version.
var version = "dev"

func main() {
	debug := flag.Bool("debug", false, "stay in the foreground and print how to attach Terraform, for use with a debugger")
	flag.Parse()

	if err := serve(*debug); err != nil {
		fmt.Fprintf(os.Stderr, "terraform-provider-cloudrungpu %s: %s\n", version, err)
		os.Exit(1)
	}
}

func serve(debug bool) error {
	if !logWanted(os.Environ()) {
		if err := silenceLogs(os.Setenv); err != nil {
			return err
		}
	}
	server, err := provider.Server(version)
	if err != nil {
		return err
	}
	var options []tf6server.ServeOpt
	if debug {
		options = append(options, tf6server.WithManagedDebug())
	}
	return tf6server.Serve(address, func() tfprotov6.ProviderServer { return server }, options...)
}

// logWanted reports whether any of Terraform's logging variables (TF_LOG, TF_LOG_PROVIDER,
// TF_LOG_SDK_PROTO and their kin) has a value in environ, a list of NAME=VALUE.
func logWanted(environ []string) bool {
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		if (name == "TF_LOG" || strings.HasPrefix(name, "TF_LOG_")) && value != "" {
			return true
		}
	}
	return false
}

// silenceLogs turns the plugin libraries' loggers off. Left alone they log at trace level: every
// request is written as JSON into a pipe that Terraform parses and then throws away.
func silenceLogs(setenv func(name, value string) error) error {
	for _, name := range []string{"TF_LOG_SDK", "TF_LOG_PROVIDER_CLOUDRUNGPU"} {
		if err := setenv(name, "off"); err != nil {
			return fmt.Errorf("turn %s off: %w", name, err)
		}
	}
	return nil
}
