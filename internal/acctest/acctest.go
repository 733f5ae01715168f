// Package acctest runs the provider through the real Terraform, each test with an emulator of its own. With
// CLOUDRUNGPU_TARGET=google the same tests run on Google Cloud, with the project, region and credentials of the environment.
package acctest

import (
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/helper/acctest"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/emulator"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/provider"
)

const (
	// Project is the provider's project on the emulator.
	Project = "acme-ml"
	// Region is the provider's region on the emulator.
	Region = "us-central1"

	targetVariable = "CLOUDRUNGPU_TARGET"
	google         = "google"
)

// Stage is what one test plays on: a provider, and an emulator that nobody else uses. Its Emulator is nil on Google Cloud.
type Stage struct {
	Emulator *emulator.Server

	t   *testing.T
	mu  sync.Mutex
	env map[string]string
}

// Start makes a stage. On Google Cloud the options of the emulator count for nothing.
func Start(t *testing.T, options ...emulator.Option) *Stage {
	t.Helper()
	sourceAddress()
	s := &Stage{t: t}
	if os.Getenv(targetVariable) == google {
		return s
	}
	server, err := emulator.New(options...)
	if err != nil {
		t.Fatalf("starting the emulator: %v", err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Errorf("ending the emulator: %v", err)
		}
	})
	s.Emulator = server
	s.env = map[string]string{"CLOUDRUNGPU_EMULATOR_HOST": server.Addr(), "GOOGLE_PROJECT": Project, "GOOGLE_REGION": Region}
	return s
}

// sourceAddress makes the provider of the tests the one that configurations call cloudrungpu/cloudrungpu.
var sourceAddress = sync.OnceFunc(func() {
	if os.Getenv(resource.EnvTfAccProviderNamespace) == "" {
		if err := os.Setenv(resource.EnvTfAccProviderNamespace, "cloudrungpu"); err != nil {
			panic(err) // the name is a constant that no system refuses
		}
	}
})

// EmulatorOnly skips a test that turns the emulator's knobs.
func (s *Stage) EmulatorOnly() {
	s.t.Helper()
	if s.Emulator == nil {
		s.t.Skip("needs faults or quotas that only the emulator can be given")
	}
}

// Setenv sets an environment variable for the provider of this stage; "" unsets it. The process keeps its own.
func (s *Stage) Setenv(name, value string) {
	s.t.Helper()
	s.EmulatorOnly()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.env[name] = value
}

// Getenv is an environment variable of the provider of this stage.
func (s *Stage) Getenv(name string) string {
	if s.Emulator == nil {
		return os.Getenv(name)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.env[name]
}

// Name is a name for a resource: what is written on the emulator, and nobody else's on Google Cloud.
func (s *Stage) Name(written string) string {
	if s.Emulator != nil {
		return written
	}
	return written + "-" + strings.ToLower(acctest.RandString(8))
}

// Providers serve the provider of this stage.
func (s *Stage) Providers() map[string]func() (tfprotov6.ProviderServer, error) {
	return map[string]func() (tfprotov6.ProviderServer, error){
		"cloudrungpu": func() (tfprotov6.ProviderServer, error) {
			return provider.Server("test", provider.WithEnvironment(s.Getenv))
		},
	}
}

// Run plays the steps, in parallel with other tests. After each step that applies, Terraform plans again and the plan must be
// empty; after the last one everything is destroyed, and no job may be left.
func (s *Stage) Run(steps ...resource.TestStep) {
	s.t.Helper()
	s.Play(resource.TestCase{Steps: steps})
}

// Play is Run for a case that has more to set than steps.
func (s *Stage) Play(c resource.TestCase) {
	s.t.Helper()
	c.ProtoV6ProviderFactories = s.Providers()
	if s.Emulator == nil {
		c.CheckDestroy = s.destroyed
		resource.ParallelTest(s.t, c) // costs money: runs with TF_ACC=1 only
		return
	}
	c.IsUnitTest = true
	resource.ParallelTest(s.t, c)
	s.emptied()
}

// Import is a step that imports a resource by its id and compares what comes in with the state.
func Import(address string, ignored ...string) resource.TestStep {
	return resource.TestStep{ResourceName: address, ImportState: true, ImportStateVerify: true, ImportStateVerifyIgnore: ignored}
}
