package job_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/run/apiv2/runpb"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/acctest"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/emulator"
)

// race is a stage whose clock stands still, so that a call can be held up for as long as somebody else needs.
type race struct {
	*acctest.Stage
	clock *emulator.ManualClock
}

func newRace(t *testing.T) race {
	t.Helper()
	clock := emulator.NewManualClock(time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC))
	r := race{acctest.Start(t, append(slices.Clone(plenty), emulator.WithClock(clock))...), clock}
	r.EmulatorOnly()
	return r
}

// during applies, holds up the next call of UpdateJob, and lets it go on once the others are through.
func (r race) during(t *testing.T, cli *acctest.CLI, others func()) (printed string, ok bool) {
	t.Helper()
	if err := r.Emulator.InjectFault(emulator.Fault{Method: "Jobs.UpdateJob", Code: codes.OK, Delay: time.Second}); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		printed, ok = cli.Run("apply", "-auto-approve", "-no-color")
	}()
	r.clock.AwaitTimers(1)
	others()
	r.clock.Advance(time.Second)
	<-done
	return printed, ok
}

// Somebody writes between our read and our write. The etag tells, the job is read once more, and the update goes on where
// nothing is undone by it.
func TestAccAChangeBetweenReadAndWrite(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change func(*runpb.Job)
		ok     bool
	}{
		"a label of somebody else": {func(j *runpb.Job) { j.Labels = map[string]string{"someone": "else"} }, true},
		"the same as ours":         {func(j *runpb.Job) { j.Template.TaskCount = 2 }, true},
		"something of ours":        {func(j *runpb.Job) { task(j).Retries = &runpb.TaskTemplate_MaxRetries{MaxRetries: 9} }, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRace(t)
			cli := r.CLI(map[string]string{"main.tf": required + aJob("")})
			cli.Must("apply", "-auto-approve")
			cli.Write("main.tf", required+aJob("task_count = 2"))
			r.ForgetCalls()
			printed, ok := r.during(t, cli, func() { r.Edit("case", test.change) })
			if ok != test.ok || (!ok && !strings.Contains(printed, "Job was changed by someone else")) {
				t.Errorf("ended well: %t\n%s", ok, printed)
			}
			want := r.Job("case")
			if got := want.GetTemplate().GetTaskCount(); (got == 2) != test.ok {
				t.Errorf("the job has %d tasks", got)
			}
			test.change(want) // nothing of the other change is lost
			if got := r.Job("case"); !proto.Equal(want, got) {
				t.Errorf("the other change was undone: %v", got)
			}
			cli.Must("apply", "-auto-approve")
			cli.Must("plan", "-detailed-exitcode")
		})
	}
}

// Two people apply at once, each with a state of their own. Nobody's change is undone unseen.
func TestAccTwoAppliesAtOnce(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		first, second string
		ok            bool
	}{
		"the same change": {"task_count = 2", "task_count = 2", true},
		"two changes":     {"task_count = 2", "max_retries = 1", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRace(t)
			first := r.CLI(map[string]string{"main.tf": required + aJob("")})
			second := r.CLI(map[string]string{"main.tf": required + aJob("")})
			first.Must("apply", "-auto-approve")
			second.Must("import", address, "case")
			first.Write("main.tf", required+aJob(test.first))
			second.Write("main.tf", required+aJob(test.second))
			printed, ok := r.during(t, first, func() { second.Must("apply", "-auto-approve") })
			if ok != test.ok || (!ok && !strings.Contains(printed, "Plan again")) {
				t.Errorf("ended well: %t\n%s", ok, printed)
			}
			second.Must("plan", "-detailed-exitcode")
		})
	}
}

// A conflict that does not end is said, and the next apply ends well.
func TestAccAConflictWithoutEnd(t *testing.T) {
	t.Parallel()
	stage := acctest.Start(t, plenty...)
	stage.EmulatorOnly()
	cli := stage.CLI(map[string]string{"main.tf": required + aJob("")})
	cli.Must("apply", "-auto-approve")
	if err := stage.Emulator.InjectFault(emulator.Fault{Method: "Jobs.UpdateJob", Code: codes.Aborted, Times: emulator.Always}); err != nil {
		t.Fatal(err)
	}
	cli.Write("main.tf", required+aJob("task_count = 2"))
	stage.ForgetCalls()
	printed, ok := cli.Run("apply", "-auto-approve", "-no-color")
	if ok || !strings.Contains(printed, "Job could not be updated") || !strings.Contains(printed, "Plan again") {
		t.Errorf("ended well: %t\n%s", ok, printed)
	}
	if n := stage.Calls("Jobs.UpdateJob"); n != 2 {
		t.Errorf("it was tried %d times, want 2", n)
	}
	stage.Emulator.ClearFaults()
	cli.Must("apply", "-auto-approve")
	cli.Must("plan", "-detailed-exitcode")
}
