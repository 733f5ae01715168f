package emulator

import (
	"fmt"
	"time"

	"google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc/codes"
)

// attemptResult is what a try of a task ended in; nil stands for success.
type attemptResult struct {
	code     codes.Code
	message  string
	exitCode int32
	signal   int32
}

// startTask starts the next task that has not been started.
func (s *state) startTask(now time.Time, e *execution) {
	index := e.started
	e.started++
	e.message.RunningCount++
	e.tasks[index] = task{state: taskRunning, started: now}
	s.startAttempt(now, e, index)
}

// startAttempt lets a task run once more: for as long as tasks take, but not beyond the timeout of a try.
func (s *state) startAttempt(now time.Time, e *execution, index int) {
	length, result := s.set.taskDuration, s.attempt(e, index)
	if timeout := e.message.GetTemplate().GetTimeout().AsDuration(); length > timeout {
		length, result = timeout, &attemptResult{code: codes.DeadlineExceeded, message: "The configured timeout was reached.", signal: sigterm}
	}
	s.events.add(now.Add(length), func(now time.Time) { s.endAttempt(now, e, index, result) })
}

// sigterm is the signal that ends a container at its timeout.
const sigterm = 15

// attempt is what a try is going to end in, unless it takes too long.
func (s *state) attempt(e *execution, index int) *attemptResult {
	if e.cause != nil {
		return &attemptResult{code: codes.Unknown, message: e.cause.GetMessage(), exitCode: 1}
	}
	return s.failures.result(e.job.name.id(), index, int(e.tasks[index].retried))
}

// endAttempt ends a try, unless a cancel was first. A failed task starts again at once and keeps its GPU, as long as it has retries left.
func (s *state) endAttempt(now time.Time, e *execution, index int, result *attemptResult) {
	t := &e.tasks[index]
	if t.state != taskRunning {
		return
	}
	t.result = result
	if result != nil && t.retried < e.message.GetTemplate().GetMaxRetries() {
		t.retried++
		e.message.RetriedCount++
		s.touchExecution(now, e)
		s.startAttempt(now, e, index)
		return
	}
	s.endTask(now, e, index)
}

// endTask ends a task for good; one that failed does not stop the others.
func (s *state) endTask(now time.Time, e *execution, index int) {
	t := &e.tasks[index]
	t.ended = now
	e.message.RunningCount--
	if t.result == nil {
		t.state = taskSucceeded
		e.message.SucceededCount++
	} else {
		t.state = taskFailed
		e.message.FailedCount++
	}
	s.touchExecution(now, e)
	if int(e.message.GetSucceededCount()+e.message.GetFailedCount()) == len(e.tasks) {
		s.finishExecution(now, e, e.failure())
	}
	s.dispatch(now)
}

// failure is the error that an execution ends in; nil where all its tasks succeeded. The words and the code are guesses.
func (e *execution) failure() *status.Status {
	if e.cause != nil {
		return e.cause
	}
	for index, t := range e.tasks {
		if t.state == taskFailed {
			return &status.Status{Code: int32(codes.Unknown), Message: fmt.Sprintf("Task %s failed with message: %s", e.taskID(index), t.result.message)}
		}
	}
	return nil
}
