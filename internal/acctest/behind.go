package acctest

import (
	run "cloud.google.com/go/run/apiv2"
	"cloud.google.com/go/run/apiv2/runpb"

	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/fault"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/runapi"
)

// What happens behind Terraform's back: looks at jobs, changes and runs of somebody else.

// ExecutionName is the full name of an execution in the project and region of the emulator.
func ExecutionName(job, execution string) runapi.ExecutionName {
	return runapi.ExecutionName{JobName: JobName(job), Execution: execution}
}

// Client is a client of the API past Terraform, closed when the test ends.
func (s *Stage) Client() *runapi.Client {
	s.t.Helper()
	client := runapi.New(runapi.Options{Transport: "grpc", Dial: s.dial})
	s.t.Cleanup(func() {
		if err := client.Close(); err != nil {
			s.t.Errorf("closing a client: %v", err)
		}
	})
	return client
}

// JobName is the full name of a job in the project and region of the emulator.
func JobName(job string) runapi.JobName {
	return runapi.JobName{Project: Project, Location: Region, Job: job}
}

// Job is a job of the emulator as it is now; nil where there is none.
func (s *Stage) Job(name string) *runpb.Job {
	s.t.Helper()
	s.EmulatorOnly()
	job, err := s.Client().GetJob(s.t.Context(), JobName(name))
	if err != nil && !fault.IsNotFound(err) {
		s.t.Fatalf("looking at %s: %v", name, err)
	}
	return job
}

// Edit changes a job of the emulator, as somebody in the console would.
func (s *Stage) Edit(name string, change func(*runpb.Job)) {
	s.t.Helper()
	job := s.Job(name)
	if job == nil {
		s.t.Fatalf("there is no job %s to change", name)
	}
	job.Client, job.ClientVersion = "cloud-console", ""
	change(job)
	operation, err := s.Client().UpdateJob(s.t.Context(), job)
	if err == nil {
		_, err = operation.Wait(s.t.Context())
	}
	if err != nil {
		s.t.Fatalf("changing %s: %v", name, err)
	}
}

// Remove deletes a job of the emulator.
func (s *Stage) Remove(name string) {
	s.t.Helper()
	s.EmulatorOnly()
	operation, err := s.Client().DeleteJob(s.t.Context(), JobName(name), "")
	if err == nil {
		_, err = operation.Wait(s.t.Context())
	}
	if err != nil {
		s.t.Fatalf("deleting %s: %v", name, err)
	}
}

// RunJob runs a job of the emulator to its end.
func (s *Stage) RunJob(name string) {
	s.t.Helper()
	s.EmulatorOnly()
	options, err := s.dial(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	client, err := run.NewJobsClient(s.t.Context(), options...)
	if err != nil {
		s.t.Fatal(err)
	}
	defer client.Close()
	operation, err := client.RunJob(s.t.Context(), &runpb.RunJobRequest{Name: JobName(name).String()})
	if err == nil {
		_, err = operation.Wait(s.t.Context())
	}
	if err != nil {
		s.t.Fatalf("running %s: %v", name, err)
	}
}

// Saw is a check of a job of the emulator after a step; on Google Cloud it passes.
func (s *Stage) Saw(name string, check func(*runpb.Job) error) func(*terraform.State) error {
	return func(*terraform.State) error {
		if s.Emulator == nil {
			return nil
		}
		return check(s.Job(name))
	}
}
