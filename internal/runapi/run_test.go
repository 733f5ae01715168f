package runapi

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"testing"
	"time"

	"cloud.google.com/go/run/apiv2/runpb"
	"google.golang.org/grpc/codes"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/emulator"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/fault"
)

// executions are all of the job finetune.
func (w *world) allExecutions(t *testing.T) []*runpb.Execution {
	t.Helper()
	var all []*runpb.Execution
	for e, err := range w.ListExecutions(t.Context(), finetune) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, e)
	}
	return all
}

func nameOf(e *runpb.Execution) ExecutionName {
	return ExecutionName{JobName: finetune, Execution: e.GetName()[len(finetune.String()+"/executions/"):]}
}

func TestALifeOfARun(t *testing.T) {
	through(t, func(t *testing.T, transport string) {
		w := newWorld(t, transport, emulator.WithTaskDuration(20*time.Millisecond))
		w.made(t)
		started, err := w.RunJob(t.Context(), finetune, Run{
			Mark: "first", Args: []string{"--quick"}, Env: map[string]string{"MODEL": "llama", "B": "2"}, TaskCount: 3, Timeout: time.Minute,
		})
		if err != nil {
			t.Fatal(err)
		}
		var seen []int32
		ended, err := w.WaitExecution(t.Context(), nameOf(started), func(e *runpb.Execution) { seen = append(seen, e.GetSucceededCount()) })
		if err != nil {
			t.Fatal(err)
		}
		if StateOf(ended) != runpb.ExecutionReference_EXECUTION_SUCCEEDED || ended.GetSucceededCount() != 3 || !slices.IsSorted(seen) || len(seen) == 0 {
			t.Errorf("it ended as %v; seen on the way: %v", ended, seen)
		}
		task := ended.GetTemplate()
		var env []string
		for _, v := range task.GetContainers()[0].GetEnv() {
			env = append(env, v.GetName()+"="+v.GetValue())
		}
		if !slices.Equal(env, []string{"MODEL=llama", "B=2", "CLOUDRUNGPU_RUN=first"}) || !slices.Equal(task.GetContainers()[0].GetArgs(), []string{"--quick"}) ||
			task.GetTimeout().AsDuration() != time.Minute {
			t.Errorf("it ran as %v", task)
		}
		n := 0
		for task, err := range w.ListTasks(t.Context(), nameOf(started)) {
			if err != nil || task.GetIndex() != int32(n) {
				t.Errorf("task %d is %v, %v", n, task, err)
			}
			n++
		}
		if n != 3 {
			t.Errorf("%d tasks", n)
		}
		if _, err := w.RunJob(t.Context(), finetune, Run{Mark: "second", ClearArgs: true}); err != nil {
			t.Fatal(err)
		}
		for mark, want := range map[string]bool{"first": true, "second": true, "third": false} {
			if _, found, err := w.FindExecution(t.Context(), finetune, mark); err != nil || found != want {
				t.Errorf("the run %s: found %t, %v", mark, found, err)
			}
		}
	})
}

// However many answers are lost, a run is one execution or none; and none only together with an error.
func TestARunWhoseAnswersAreLost(t *testing.T) {
	lost := emulator.Fault{Method: "Jobs.RunJob", Code: codes.Unavailable, After: true}
	refused := emulator.Fault{Method: "Jobs.RunJob", Code: codes.Unavailable}
	often := func(f emulator.Fault, times int) emulator.Fault { f.Times = times; return f }
	for name, test := range map[string]struct {
		faults     []emulator.Fault
		executions int
		calls      int
		inDoubt    bool
	}{
		"one, of a run that was started":      {[]emulator.Fault{lost}, 1, 1, false},
		"all, of a run that was started":      {[]emulator.Fault{often(lost, emulator.Always)}, 1, 1, false},
		"one, of a run that was not":          {[]emulator.Fault{refused}, 1, 2, false},
		"two kinds in a row":                  {[]emulator.Fault{refused, lost}, 1, 2, false},
		"all, of runs that were not":          {[]emulator.Fault{often(refused, emulator.Always)}, 0, 4, true},
		"also the answer to the search":       {[]emulator.Fault{lost, {Method: "Executions.ListExecutions", Code: codes.Internal}}, 1, 1, true},
		"a deadline":                          {[]emulator.Fault{{Method: "Jobs.RunJob", Code: codes.DeadlineExceeded, After: true}}, 1, 1, false},
		"then somebody else runs the job":     {[]emulator.Fault{refused, {Method: "Jobs.RunJob", Code: codes.Aborted}}, 0, 2, true},
		"somebody else runs the job":          {[]emulator.Fault{{Method: "Jobs.RunJob", Code: codes.Aborted}}, 1, 2, false},
		"a limit per minute":                  {[]emulator.Fault{{Method: "Jobs.RunJob", Code: codes.ResourceExhausted, Times: 2}}, 1, 3, false},
		"forbidden":                           {[]emulator.Fault{{Method: "Jobs.RunJob", Code: codes.PermissionDenied}}, 0, 1, false},
		"forbidden after an answer was lost":  {[]emulator.Fault{refused, {Method: "Jobs.RunJob", Code: codes.PermissionDenied}}, 0, 2, true},
		"a job that cannot be read":           {[]emulator.Fault{{Method: "Jobs.GetJob", Code: codes.Internal}}, 0, 0, false},
		"a server that fails after the start": {[]emulator.Fault{{Method: "Jobs.RunJob", Code: codes.Unavailable, After: true, Times: 3}}, 1, 1, false},
	} {
		t.Run(name, func(t *testing.T) {
			through(t, func(t *testing.T, transport string) {
				w := newWorld(t, transport)
				w.made(t)
				for _, f := range test.faults {
					w.inject(t, f)
				}
				started, err := w.RunJob(t.Context(), finetune, Run{Mark: "m"})
				if (err == nil) != (test.executions == 1 && !test.inDoubt) || fault.MaybeDone(err) != test.inDoubt {
					t.Errorf("started %v, error %v, in doubt %t", started, err, fault.MaybeDone(err))
				}
				if got := w.calls("Jobs.RunJob"); got != test.calls {
					t.Errorf("the run was sent %d times, want %d", got, test.calls)
				}
				w.server.ClearFaults()
				all := w.allExecutions(t)
				if len(all) != test.executions || (started != nil && all[0].GetName() != started.GetName()) {
					t.Errorf("executions %v, started %v", all, started)
				}
			})
		})
	}
}

// A caller who gives up before there is an answer is told that it is not known what came of the run.
func TestARunThatIsInterrupted(t *testing.T) {
	through(t, func(t *testing.T, transport string) {
		clock := emulator.NewManualClock(time.Unix(1, 0))
		w := newWorld(t, transport, emulator.WithClock(clock))
		w.made(t)
		w.inject(t, emulator.Fault{Method: "Jobs.RunJob", Delay: time.Hour})
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			clock.AwaitTimers(1)
			cancel()
		}()
		if _, err := w.RunJob(ctx, finetune, Run{Mark: "m"}); !errors.Is(err, context.Canceled) || !fault.MaybeDone(err) {
			t.Errorf("a run that nobody waits for: %v", err)
		}
		if _, found, err := w.FindExecution(t.Context(), finetune, "m"); err != nil || found {
			t.Errorf("it was started all the same: %t, %v", found, err)
		}
	})
}

func TestAnAnswerThatNamesNoExecution(t *testing.T) {
	t.Parallel()
	posts := 0
	client := stranger(t, func(w http.ResponseWriter, r *http.Request) {
		answer := `{"name": "projects/acme-ml/locations/us-central1/jobs/finetune", "etag": "\"1\""}`
		switch {
		case r.Method == http.MethodPost && posts == 0:
			posts++
			answer = `{"name": "projects/acme-ml/locations/us-central1/operations/1"}`
		case r.URL.Path == "/v2/"+finetune.String()+"/executions":
			answer = `{"executions": [{"name": "` + finetune.String() + `/executions/e", "template": {"containers": [{"env": [{"name": "CLOUDRUNGPU_RUN", "value": "m"}]}]}}]}`
		}
		says(t, http.StatusOK, answer)(w, r)
	})
	started, err := client.RunJob(t.Context(), finetune, Run{Mark: "m"})
	if err != nil || nameOf(started).Execution != "e" || posts != 1 {
		t.Errorf("started %v, %v, sent %d times", started, err, posts)
	}
}
