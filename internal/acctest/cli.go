package acctest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"
)

// addresses are what "cloudrungpu/cloudrungpu" is short for: in Terraform, and in OpenTofu.
var addresses = []string{"registry.terraform.io/cloudrungpu/cloudrungpu", "registry.opentofu.org/cloudrungpu/cloudrungpu"}

// CLI runs commands of the real Terraform in a directory of its own, with the provider of a stage. It is for what a
// resource.TestCase cannot: machine-readable diagnostics, for_each, a look at what Terraform asks of the provider.
type CLI struct {
	t      *testing.T
	dir    string
	env    []string
	served *plugin.ReattachConfig
	Asked  *Recorder
}

// CLI serves the provider until the test ends. The files are those of the root module, by name; a name may lead into a folder.
func (s *Stage) CLI(files map[string]string) *CLI {
	s.t.Helper()
	server, err := s.Providers()["cloudrungpu"]()
	if err != nil {
		s.t.Fatal(err)
	}
	recorder := &Recorder{ProviderServer: server}
	c := &CLI{t: s.t, dir: s.t.TempDir(), Asked: recorder}
	for name, text := range files {
		c.Write(name, text)
	}
	c.served = serve(s.t, recorder)
	c.Attach()
	return c
}

// Attach serves the provider under these addresses besides its own. Terraform wants to load every provider that a state names,
// also one whose last resource moves away; what it serves is then of no account.
func (c *CLI) Attach(more ...string) {
	c.t.Helper()
	c.env = append(quietEnvironment(), "TF_REATTACH_PROVIDERS="+reattach(c.t, c.served, append(more, addresses...)))
}

// quietEnvironment is that of the process without what changes how Terraform runs.
func quietEnvironment() []string {
	env := []string{"TF_CLI_CONFIG_FILE=" + os.DevNull, "CHECKPOINT_DISABLE=1", "TF_IN_AUTOMATION=1", "TF_INPUT=0"}
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, "TF_") && !strings.HasPrefix(variable, "CHECKPOINT_") {
			env = append(env, variable)
		}
	}
	return env
}

// serve serves a provider as `-debug` does and returns where.
func serve(t *testing.T, server tfprotov6.ProviderServer) *plugin.ReattachConfig {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ready, closed := make(chan *plugin.ReattachConfig), make(chan struct{})
	failed := make(chan error, 1)
	go func() {
		failed <- tf6server.Serve(addresses[0], func() tfprotov6.ProviderServer { return server },
			tf6server.WithDebug(ctx, ready, closed),
			tf6server.WithLoggingSink(t), // quiet, unless TF_ACC_LOG asks
			tf6server.WithoutLogStderrOverride(),
			tf6server.WithGoPluginLogger(hclog.New(&hclog.LoggerOptions{Output: io.Discard})))
	}()
	t.Cleanup(func() { cancel(); <-closed })
	select {
	case err := <-failed:
		t.Fatalf("serving the provider: %v", err)
		return nil
	case at := <-ready:
		return at
	}
}

// reattach is the value of TF_REATTACH_PROVIDERS for a provider that is served already, under each of the addresses.
func reattach(t *testing.T, at *plugin.ReattachConfig, addresses []string) string {
	t.Helper()
	providers := map[string]any{}
	for _, address := range addresses {
		providers[address] = map[string]any{
			"Protocol": at.Protocol, "ProtocolVersion": at.ProtocolVersion, "Pid": at.Pid, "Test": true,
			"Addr": map[string]string{"Network": at.Addr.Network(), "String": at.Addr.String()},
		}
	}
	text, err := json.Marshal(providers)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Read is the text of a file of the root module.
func (c *CLI) Read(name string) string {
	c.t.Helper()
	text, err := os.ReadFile(filepath.Join(c.dir, name)) //nolint:gosec // names are those of the test
	if err != nil {
		c.t.Fatal(err)
	}
	return string(text)
}

// Write writes a file of the root module anew.
func (c *CLI) Write(name, text string) {
	c.t.Helper()
	at := filepath.Join(c.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
		c.t.Fatal(err)
	}
	if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
		c.t.Fatal(err)
	}
}

// Run runs a command and returns what it printed. That it failed is false in ok, and no failure of the test.
func (c *CLI) Run(args ...string) (printed string, ok bool) {
	c.t.Helper()
	command := exec.CommandContext(c.t.Context(), terraformPath(), args...)
	command.Dir, command.Env = c.dir, c.env
	var out bytes.Buffer
	command.Stdout, command.Stderr = &out, &out
	err := command.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		c.t.Fatalf("running Terraform: %v", err)
	}
	return out.String(), err == nil
}

// Must is Run for a command that has to succeed.
func (c *CLI) Must(args ...string) string {
	c.t.Helper()
	printed, ok := c.Run(args...)
	if !ok {
		c.t.Fatalf("terraform %s failed:\n%s", strings.Join(args, " "), printed)
	}
	return printed
}

// terraformPath is the program that the resource tests run too.
func terraformPath() string {
	if path := os.Getenv("TF_ACC_TERRAFORM_PATH"); path != "" {
		return path
	}
	return "terraform"
}
