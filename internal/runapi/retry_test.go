package runapi

import (
	"context"
	"errors"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/emulator"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/fault"
)

func TestRetries(t *testing.T) {
	get := func(t *testing.T, w *world) error {
		_, err := w.GetJob(t.Context(), finetune)
		return err
	}
	update := func(etag bool) func(*testing.T, *world) error {
		return func(t *testing.T, w *world) error {
			job, err := w.GetJob(t.Context(), finetune)
			if err != nil {
				t.Fatal(err)
			}
			w.server.ClearRequests()
			if !etag {
				job.Etag = ""
			}
			job.Template.TaskCount = 9
			operation, err := w.UpdateJob(t.Context(), job)
			if err != nil {
				return err
			}
			_, err = operation.Wait(t.Context())
			return err
		}
	}
	remove := func(t *testing.T, w *world) error {
		operation, err := w.DeleteJob(t.Context(), finetune, "")
		if err != nil {
			return err
		}
		_, err = operation.Wait(t.Context())
		return err
	}
	for _, tc := range []struct {
		name   string
		method string
		fault  emulator.Fault
		do     func(*testing.T, *world) error
		calls  int
		code   codes.Code
	}{
		{"a read, down twice", "Jobs.GetJob", emulator.Fault{Code: codes.Unavailable, Times: 2}, get, 3, codes.OK},
		{"a read, over a limit", "Jobs.GetJob", emulator.Fault{Code: codes.ResourceExhausted, Times: 2}, get, 3, codes.OK},
		{"a read that is refused", "Jobs.GetJob", emulator.Fault{Code: codes.PermissionDenied}, get, 1, codes.PermissionDenied},
		{"a read and an error of the server", "Jobs.GetJob", emulator.Fault{Code: codes.Internal}, get, 1, codes.Internal},
		{"an update, refused before", "Jobs.UpdateJob", emulator.Fault{Code: codes.Unavailable, Times: 2}, update(true), 3, codes.OK},
		{"an update, answer lost", "Jobs.UpdateJob", emulator.Fault{Code: codes.Unavailable, After: true}, update(true), 2, codes.OK},
		{"an update without etag", "Jobs.UpdateJob", emulator.Fault{Code: codes.Unavailable}, update(false), 1, codes.Unavailable},
		{"an update, over a limit", "Jobs.UpdateJob", emulator.Fault{Code: codes.ResourceExhausted, Times: 2}, update(false), 3, codes.OK},
		{"a delete, refused before", "Jobs.DeleteJob", emulator.Fault{Code: codes.Unavailable, Times: 2}, remove, 3, codes.OK},
		{"a delete, answer lost", "Jobs.DeleteJob", emulator.Fault{Code: codes.Unavailable, After: true}, remove, 2, codes.OK},
		{"a delete of nothing", "Jobs.DeleteJob", emulator.Fault{Code: codes.NotFound}, remove, 1, codes.NotFound},
	} {
		t.Run(tc.name, func(t *testing.T) {
			through(t, func(t *testing.T, transport string) {
				w := newWorld(t, transport)
				w.made(t)
				w.server.ClearRequests()
				tc.fault.Method = tc.method
				w.inject(t, tc.fault)
				if err := tc.do(t, w); fault.Code(err) != tc.code {
					t.Errorf("error %v", err)
				}
				if n := w.calls(tc.method); n != tc.calls {
					t.Errorf("%d calls, want %d", n, tc.calls)
				}
				if len(w.retries) != tc.calls-1 {
					t.Errorf("logged %v for %d calls", w.retries, tc.calls)
				}
			})
		})
	}
}

func TestACreateWhoseAnswerIsLost(t *testing.T) {
	through(t, func(t *testing.T, transport string) {
		w := newWorld(t, transport, emulator.WithOperationLatency(10*time.Millisecond))
		w.inject(t, emulator.Fault{Method: "Jobs.CreateJob", Code: codes.Unavailable, After: true})
		operation, err := w.CreateJob(t.Context(), finetune, gpuJob())
		if err != nil {
			t.Fatal(err)
		}
		if !operation.Adopted() || operation.Name() != "" {
			t.Errorf("adopted %v, name %q", operation.Adopted(), operation.Name())
		}
		job, err := operation.Wait(t.Context())
		if err != nil || job.GetUid() == "" || job.GetReconciling() {
			t.Errorf("job %v, error %v", job, err)
		}
	})
}

// A job whose every answer was lost is no orphan: it is looked for once more, also where the time is up.
func TestACreateWhoseAnswersAreAllLost(t *testing.T) {
	through(t, func(t *testing.T, transport string) {
		w := newWorld(t, transport)
		w.inject(t, emulator.Fault{Method: "Jobs.CreateJob", Code: codes.Unavailable, After: true, Times: emulator.Always})
		operation, err := w.CreateJob(t.Context(), finetune, gpuJob())
		if err != nil || !operation.Done() || !operation.Adopted() {
			t.Fatalf("operation %+v, error %v", operation, err)
		}
	})
}

// What is there already is not taken for one's own, however alike it is.
func TestACreateThatFindsAnothersJob(t *testing.T) {
	for name, prepare := range map[string]func(t *testing.T, w *world){
		"another configuration": func(t *testing.T, w *world) {
			other := gpuJob()
			other.Template.Template.Containers[0].Env[0].Name = "OTHER"
			if _, err := w.CreateJob(t.Context(), finetune, other); err != nil {
				t.Fatal(err)
			}
		},
		"made long before": func(t *testing.T, w *world) {
			w.made(t)
			w.now = func() time.Time { return time.Now().Add(time.Hour) }
		},
		"changed since": func(t *testing.T, w *world) {
			job := w.made(t)
			for range 2 {
				job.Template.TaskCount = 11 - job.Template.TaskCount
				operation, err := w.UpdateJob(t.Context(), job)
				if err != nil {
					t.Fatal(err)
				}
				if job, err = operation.Wait(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			through(t, func(t *testing.T, transport string) {
				w := newWorld(t, transport)
				prepare(t, w)
				w.inject(t, emulator.Fault{Method: "Jobs.CreateJob", Code: codes.Unavailable, After: true})
				_, err := w.CreateJob(t.Context(), finetune, gpuJob())
				if f, found := fault.As(err); !found || f.Code != codes.AlreadyExists || !f.AfterRetry {
					t.Errorf("fault %+v", f)
				}
			})
		})
	}
}

func TestAnUpdateThatLosesToAnother(t *testing.T) {
	through(t, func(t *testing.T, transport string) {
		w := newWorld(t, transport)
		mine := w.made(t)
		theirs := proto.CloneOf(mine)
		theirs.Template.TaskCount = 5
		if _, err := w.UpdateJob(t.Context(), theirs); err != nil {
			t.Fatal(err)
		}
		mine.Template.TaskCount = 6
		w.inject(t, emulator.Fault{Method: "Jobs.UpdateJob", Code: codes.Unavailable})
		_, err := w.UpdateJob(t.Context(), mine)
		if f, found := fault.As(err); !found || f.Code != codes.Aborted || !f.AfterRetry {
			t.Errorf("fault %+v", f)
		}
	})
}

func TestADeleteWithAnEtagWhoseAnswerIsLost(t *testing.T) {
	through(t, func(t *testing.T, transport string) {
		w := newWorld(t, transport)
		job := w.made(t)
		w.inject(t, emulator.Fault{Method: "Jobs.DeleteJob", Code: codes.Unavailable, After: true})
		w.inject(t, emulator.Fault{Method: "Jobs.DeleteJob", Code: codes.Aborted})
		operation, err := w.DeleteJob(t.Context(), finetune, job.GetEtag())
		if err != nil || !operation.Done() || !operation.Adopted() {
			t.Fatalf("operation %+v, error %v", operation, err)
		}
		if job, err := operation.Wait(t.Context()); job != nil || err != nil {
			t.Errorf("job %v, error %v", job, err)
		}
	})
}

func TestAHangingServer(t *testing.T) {
	through(t, func(t *testing.T, transport string) {
		w := newWorld(t, transport)
		w.made(t)
		w.server.ClearRequests()
		w.policy.Timeout = 50 * time.Millisecond
		w.inject(t, emulator.Fault{Method: "Jobs.GetJob", Delay: time.Hour, Times: 2})
		if _, err := w.GetJob(t.Context(), finetune); err != nil {
			t.Errorf("two tries that hang and one that does not: %v", err)
		}
		w.policy.Timeout = time.Minute
		w.inject(t, emulator.Fault{Method: "Jobs.GetJob", Delay: time.Hour, Times: emulator.Always})
		for _, tc := range []struct {
			want   error
			cancel bool
		}{{context.DeadlineExceeded, false}, {context.Canceled, true}} {
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			if tc.cancel {
				ctx, cancel = context.WithCancel(t.Context())
				time.AfterFunc(50*time.Millisecond, cancel)
			}
			start := time.Now()
			_, err := w.GetJob(ctx, finetune)
			cancel()
			if !errors.Is(err, tc.want) || time.Since(start) > 10*time.Second {
				t.Errorf("%v after %s, want %v", err, time.Since(start), tc.want)
			}
		}
	})
}
