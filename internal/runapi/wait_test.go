package runapi

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/emulator"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/fault"
)

func TestAnOperationThatFails(t *testing.T) {
	through(t, func(t *testing.T, transport string) {
		for _, latency := range []time.Duration{0, 10 * time.Millisecond} {
			w := newWorld(t, transport, emulator.WithOperationLatency(latency))
			w.inject(t, emulator.Fault{Method: "Jobs.CreateJob", Code: codes.FailedPrecondition, Message: "the image cannot be pulled", Operation: true})
			operation, err := w.CreateJob(t.Context(), finetune, gpuJob())
			if err != nil {
				t.Fatal(err)
			}
			if operation.Job().GetName() != finetune.String() {
				t.Errorf("the job of a failing operation: %v", operation.Job())
			}
			job, err := operation.Wait(t.Context())
			f, found := fault.As(err)
			if !found || f.Method != "Jobs.CreateJob" || f.Code != codes.FailedPrecondition || f.Message != "the image cannot be pulled" || job != nil {
				t.Errorf("latency %s: job %v, fault %+v", latency, job, f)
			}
			if _, again := operation.Wait(t.Context()); !errors.Is(again, err) {
				t.Errorf("asked again: %v", again)
			}
		}
	})
}

func TestADoneOperationIsNotAskedFor(t *testing.T) {
	through(t, func(t *testing.T, transport string) {
		w := newWorld(t, transport)
		if job := w.made(t); job.GetUid() == "" {
			t.Errorf("job %v", job)
		}
		if n := w.calls("Operations.GetOperation") + w.calls("Jobs.GetJob"); n != 0 {
			t.Errorf("%d calls after the create", n)
		}
	})
}

func TestPollingSurvivesAnUnavailableServer(t *testing.T) {
	through(t, func(t *testing.T, transport string) {
		w := newWorld(t, transport, emulator.WithOperationLatency(10*time.Millisecond))
		w.inject(t, emulator.Fault{Method: "Operations.GetOperation", Code: codes.Unavailable, Times: 3})
		w.made(t)
		if len(w.retries) != 3 {
			t.Errorf("logged %v", w.retries)
		}
	})
}

func TestAnOperationThatIsNotKnownYet(t *testing.T) {
	through(t, func(t *testing.T, transport string) {
		w := newWorld(t, transport, emulator.WithOperationLatency(20*time.Millisecond))
		w.poll.grace = time.Minute
		w.inject(t, emulator.Fault{Method: "Operations.GetOperation", Code: codes.NotFound, Times: 2})
		if job := w.made(t); job.GetUid() == "" {
			t.Errorf("job %v", job)
		}
		if n := w.calls("Jobs.GetJob"); n != 0 {
			t.Errorf("%d reads of the job", n)
		}
	})
}

func TestAnOperationThatIsForgotten(t *testing.T) {
	through(t, func(t *testing.T, transport string) {
		w := newWorld(t, transport, emulator.WithOperationLatency(20*time.Millisecond))
		w.inject(t, emulator.Fault{Method: "Operations.GetOperation", Code: codes.NotFound, Times: emulator.Always})
		job := w.made(t)
		if job.GetUid() == "" || job.GetReconciling() || w.calls("Jobs.GetJob") == 0 {
			t.Errorf("job %v after %d reads", job, w.calls("Jobs.GetJob"))
		}
		job.Template.TaskCount = 9
		operation, err := w.UpdateJob(t.Context(), job)
		if err != nil {
			t.Fatal(err)
		}
		if job, err := operation.Wait(t.Context()); err != nil || job.GetTemplate().GetTaskCount() != 9 {
			t.Errorf("updated %v, %v", job, err)
		}
		operation, err = w.DeleteJob(t.Context(), finetune, "")
		if err != nil {
			t.Fatal(err)
		}
		if job, err := operation.Wait(t.Context()); err != nil || job != nil {
			t.Errorf("deleted %v, %v", job, err)
		}
	})
}

// That the API has forgotten an operation must not be read as "the job is gone".
func TestAForgottenOperationThatChangedNothing(t *testing.T) {
	through(t, func(t *testing.T, transport string) {
		w := newWorld(t, transport, emulator.WithOperationLatency(5*time.Millisecond))
		job := w.made(t)
		w.inject(t, emulator.Fault{Method: "Operations.GetOperation", Code: codes.NotFound, Times: emulator.Always})
		w.inject(t, emulator.Fault{Method: "Jobs.DeleteJob", Code: codes.Internal, Operation: true})
		operation, err := w.DeleteJob(t.Context(), finetune, "")
		if err != nil {
			t.Fatal(err)
		}
		_, err = operation.Wait(t.Context())
		if f, found := fault.As(err); !found || f.Code != codes.Unknown || f.Method != "Jobs.DeleteJob" {
			t.Errorf("a delete that left the job: %v", err)
		}

		job.Template.TaskCount = 9
		operation, err = w.UpdateJob(t.Context(), job)
		if err != nil {
			t.Fatal(err)
		}
		read, err := w.GetJob(t.Context(), finetune)
		if err != nil {
			t.Fatal(err)
		}
		read.Template.TaskCount = 4
		if _, err := w.UpdateJob(t.Context(), read); err != nil {
			t.Fatal(err)
		}
		if _, err = operation.Wait(t.Context()); fault.Code(err) != codes.Unknown {
			t.Errorf("an update that another one replaced: %v", err)
		}
	})
}

func TestWaitEndsWithItsContext(t *testing.T) {
	through(t, func(t *testing.T, transport string) {
		clock := emulator.NewManualClock(time.Now())
		w := newWorld(t, transport, emulator.WithOperationLatency(time.Hour), emulator.WithClock(clock))
		operation, err := w.CreateJob(t.Context(), finetune, gpuJob())
		if err != nil {
			t.Fatal(err)
		}
		deadline, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
		defer cancel()
		_, err = operation.Wait(deadline)
		if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "still running: "+operation.Name()) {
			t.Errorf("error %v", err)
		}
		if w.calls("Operations.GetOperation") == 0 {
			t.Error("the first poll is not made at once")
		}
		cancelled, cancel := context.WithCancel(t.Context())
		time.AfterFunc(20*time.Millisecond, cancel)
		start := time.Now()
		if _, err = operation.Wait(cancelled); !errors.Is(err, context.Canceled) || time.Since(start) > 10*time.Second {
			t.Errorf("error %v after %s", err, time.Since(start))
		}
		clock.Advance(2 * time.Hour)
		if job, err := operation.Wait(t.Context()); err != nil || job.GetUid() == "" {
			t.Errorf("job %v, error %v", job, err)
		}
	})
}
