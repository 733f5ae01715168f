package acctest

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"google.golang.org/api/option"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/fault"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/runapi"
)

// emptied fails the test where the emulator still has a job of the project after everything was destroyed.
func (s *Stage) emptied() {
	s.t.Helper()
	client := runapi.New(runapi.Options{Transport: "grpc", Dial: s.dial})
	defer client.Close()
	for job, err := range client.ListJobs(s.t.Context(), Project, "-") {
		if err != nil {
			s.t.Fatalf("listing the jobs that are left: %v", err)
		}
		s.t.Errorf("%s is still there after destroy", job.GetName())
	}
}

// destroyed asks Google Cloud for every job of the state that was destroyed. What else is in the project is not the test's.
func (s *Stage) destroyed(state *terraform.State) error {
	client := runapi.New(runapi.Options{Transport: "grpc", Dial: s.dial})
	defer client.Close()
	for address, r := range state.RootModule().Resources {
		if r.Type != "cloudrungpu_job" {
			continue
		}
		name, err := runapi.ParseJobName(r.Primary.ID)
		if err != nil {
			return fmt.Errorf("%s has the id %q: %w", address, r.Primary.ID, err)
		}
		_, err = client.GetJob(s.t.Context(), name)
		if err == nil {
			return fmt.Errorf("%s is still there after destroy", name)
		}
		if !fault.IsNotFound(err) {
			return fmt.Errorf("looking for %s after destroy: %w", name, err)
		}
	}
	return nil
}

// dial leads to the emulator; on Google Cloud, what the environment has for credentials is enough.
func (s *Stage) dial(context.Context) ([]option.ClientOption, error) {
	if s.Emulator == nil {
		return nil, nil
	}
	return []option.ClientOption{
		option.WithEndpoint(s.Emulator.Addr()),
		option.WithoutAuthentication(),
		option.WithGRPCDialOption(grpc.WithTransportCredentials(insecure.NewCredentials())),
	}, nil
}
