package emulator

import (
	"fmt"
	"path"

	"google.golang.org/grpc/codes"
)

// TaskFailure lets tasks fail, in every execution that is started from now on and in what is left of those at work.
type TaskFailure struct {
	// Job is the id of the job whose tasks fail; * stands for any part of it.
	Job string
	// Task is the index of the task that fails; EveryTask for all of them.
	Task int
	// Attempts is how many tries of the task fail before one succeeds; 0 stands for all.
	Attempts int
	// ExitCode is what the container exits with; 0, without a signal, stands for 1.
	ExitCode int32
	// Signal ends the container in place of an exit, as in 9.
	Signal int32
}

// EveryTask is the value of TaskFailure.Task for all tasks.
const EveryTask = -1

// taskFailures are the failures that tests have asked for; the first that fits a task counts.
type taskFailures []TaskFailure

func (f TaskFailure) check() error {
	if _, err := path.Match(f.Job, ""); err != nil || f.Job == "" {
		return fmt.Errorf("the job must be an id, in which * stands for any part, got %q", f.Job)
	}
	if f.Task < EveryTask || f.Attempts < 0 || f.ExitCode < 0 || f.ExitCode > 255 || f.Signal < 0 {
		return fmt.Errorf("task, attempts and signal must not be negative, but for task %d, which stands for all, and an exit code is 0 to 255", EveryTask)
	}
	return nil
}

// result is what a try of a task ends in; before is how many tries it has behind it.
func (all taskFailures) result(job string, index, before int) *attemptResult {
	for _, f := range all {
		if matched, err := path.Match(f.Job, job); err != nil || !matched || (f.Task != EveryTask && f.Task != index) {
			continue
		}
		if f.Attempts > 0 && before >= f.Attempts {
			return nil
		}
		return f.attempt()
	}
	return nil
}

// attempt has the words of the real service for an exit; those for a signal are a guess.
func (f TaskFailure) attempt() *attemptResult {
	if f.Signal != 0 {
		return &attemptResult{code: codes.Unknown, message: fmt.Sprintf("Container terminated on signal %d.", f.Signal), signal: f.Signal}
	}
	return &attemptResult{code: codes.Unknown, message: "The container exited with an error.", exitCode: max(f.ExitCode, 1)}
}

// FailTasks lets tasks fail from now on, until ClearTaskFailures or Reset.
func (s *Server) FailTasks(failure TaskFailure) error {
	if err := failure.check(); err != nil {
		return err
	}
	_, leave := s.state.enter()
	defer leave()
	s.state.failures = append(s.state.failures, failure)
	return nil
}

// TaskFailures are the failures that are asked for.
func (s *Server) TaskFailures() []TaskFailure {
	_, leave := s.state.enter()
	defer leave()
	return append([]TaskFailure{}, s.state.failures...)
}

// ClearTaskFailures lets tasks succeed again.
func (s *Server) ClearTaskFailures() {
	_, leave := s.state.enter()
	defer leave()
	s.state.failures = nil
}
