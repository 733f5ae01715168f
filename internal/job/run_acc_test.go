package job_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/run/apiv2/runpb"
	"google.golang.org/grpc/codes"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/acctest"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/emulator"
)

// runs is a stage and a Terraform whose job runs after each change.
type runs struct {
	*acctest.Stage
	*acctest.CLI
	t *testing.T
}

func newRuns(t *testing.T, options ...emulator.Option) runs {
	t.Helper()
	stage := acctest.Start(t, append(append([]emulator.Option{}, plenty...), options...)...)
	stage.EmulatorOnly()
	return runs{stage, stage.CLI(map[string]string{"main.tf": required}), t}
}

// config writes the job with these lines in its block.
func (r runs) config(lines string) { r.Write("main.tf", required+aJob(lines)) }

// apply applies; it is to end well or not, and to say all of these.
func (r runs) apply(ok bool, says ...string) {
	r.t.Helper()
	printed, well := r.CLI.Run("apply", "-auto-approve", "-no-color")
	flat := strings.ReplaceAll(strings.Join(strings.Fields(printed), " "), "│ ", "")
	if well != ok {
		r.t.Fatalf("ended well: %t, want %t:\n%s", well, ok, printed)
	}
	for _, want := range says {
		if !strings.Contains(flat, want) {
			r.t.Errorf("it does not say %q:\n%s", want, printed)
		}
	}
}

// count checks how many executions there have been, and that nothing is left to do.
func (r runs) count(want int32, quiet bool) {
	r.t.Helper()
	if got := r.Job("case").GetExecutionCount(); got != want {
		r.t.Errorf("the job ran %d times, want %d", got, want)
	}
	r.Must("plan", "-refresh-only", "-detailed-exitcode")
	if printed, ok := r.CLI.Run("plan", "-detailed-exitcode", "-no-color"); ok != quiet {
		r.t.Errorf("the plan is empty: %t, want %t:\n%s", ok, quiet, printed)
	}
}

func (r runs) inject(f emulator.Fault) {
	r.t.Helper()
	if err := r.Emulator.InjectFault(f); err != nil {
		r.t.Fatal(err)
	}
}

func (r runs) fail(f emulator.TaskFailure) {
	r.t.Helper()
	if err := r.Emulator.FailTasks(f); err != nil {
		r.t.Fatal(err)
	}
}

func (r runs) latest() string { return r.Job("case").GetLatestCreatedExecution().GetName() }

// Create and run, change and run, trigger and run; no change, no run. What others run is no drift.
func TestAccRunsAfterEachChange(t *testing.T) {
	t.Parallel()
	r := newRuns(t)
	for i, step := range []struct {
		lines string
		runs  int32
	}{
		{`run = { triggers = { data = "1" } }`, 1},
		{`run = { triggers = { data = "1" } }`, 1},
		{"task_count = 2\n run = { triggers = { data = \"1\" } }", 2},
		{"task_count = 2\n run = { triggers = { data = \"2\" } }", 3},
		{"task_count = 2\n run = { triggers = { data = \"1\" } }", 4}, // back to what ran before is a change, too
		{"task_count = 2\n run = { triggers = { data = \"1\" }, timeout = \"5m\", wait = false }", 4},
		{"task_count = 2\n deletion_protection = true\n run = { triggers = { data = \"1\" } }", 4},
		{"task_count = 2\n run = { triggers = { data = \"1\" }, task_count = 3, args = [\"a\"], env = { A = \"1\" } }", 5},
		{"task_count = 2\n run = { triggers = { data = \"1\" }, task_count = 3, args = [], env = { A = \"1\" } }", 6},
		{"task_count = 2", 6},
		{"task_count = 2\n run = {}", 7},
	} {
		r.config(step.lines)
		r.Must("plan", "-out=plan")
		shown := r.Must("show", "-no-color", "plan")
		before := int32(0)
		if i > 0 {
			before = r.Job("case").GetExecutionCount()
		}
		if announced := strings.Contains(shown, "last_run") && strings.Contains(shown, "(known after apply)"); announced != (step.runs > before) {
			t.Errorf("step %d: the plan announces a run: %t\n%s", i, announced, shown)
		}
		r.Must("apply", "plan")
		r.count(step.runs, true)
	}
	r.RunJob("case")
	r.count(8, true)
	if state := r.Must("show", "-no-color"); !strings.Contains(state, `"EXECUTION_SUCCEEDED"`) {
		t.Errorf("the state does not say how the run ended:\n%s", state)
	}
	r.Must("destroy", "-auto-approve")
}

// The run gets what it overrides, and the container that it is for; the job keeps its own.
func TestAccRunOverrides(t *testing.T) {
	t.Parallel()
	r := newRuns(t)
	r.Write("main.tf", required+`
		resource "cloudrungpu_job" "case" {
			name = "case"
			gpu  = { type = "nvidia-l4", container = "trainer" }
			run  = { task_count = 3, args = ["--quick"], env = { EPOCHS = "1" } }
			containers = [
				{ name = "logger", image = "a/b", startup_probe = { tcp_socket = { port = 9000 } } },
				{ name = "trainer", image = "a/b", args = ["--slow"], env = { EPOCHS = "9", MODEL = "gemma" } },
			]
		}
		output "ran" { value = cloudrungpu_job.case.last_run.execution }
		output "peak" { value = cloudrungpu_job.case.peak_gpus }`)
	r.apply(true)
	var ran *runpb.Execution
	for e, err := range r.Client().ListExecutions(t.Context(), acctest.JobName("case")) {
		if err != nil {
			t.Fatal(err)
		}
		ran = e
	}
	env := map[string]string{}
	for _, v := range ran.GetTemplate().GetContainers()[1].GetEnv() {
		env[v.GetName()] = v.GetValue()
	}
	if ran.GetTaskCount() != 3 || env["EPOCHS"] != "1" || env["MODEL"] != "gemma" || env["CLOUDRUNGPU_RUN"] == "" ||
		ran.GetTemplate().GetContainers()[1].GetArgs()[0] != "--quick" || len(ran.GetTemplate().GetContainers()[0].GetEnv()) > 0 {
		t.Errorf("it ran as %v", ran)
	}
	if printed := r.Must("output"); !strings.Contains(printed, r.latest()) || !strings.Contains(printed, "peak = 3") {
		t.Errorf("outputs are %s", printed)
	}
	r.count(1, true)
}

// A run that fails after an update fails the apply and says what failed; the next apply runs the job again.
func TestAccAFailedRun(t *testing.T) {
	t.Parallel()
	r := newRuns(t)
	r.config("max_retries = 1")
	r.apply(true)
	uid := r.Job("case").GetUid()
	r.fail(emulator.TaskFailure{Job: "case", Task: 1, ExitCode: 42})
	r.config("max_retries = 1\n task_count = 3\n run = {}")
	r.apply(false, "Run did not succeed", "task 1, attempt 2: exit code 42", "2 of 3 tasks succeeded, 1 failed, 1 retries", "https://console.cloud.google.com/logs",
		"The next apply runs it again")
	r.count(1, false)
	if printed := r.Must("plan", "-no-color"); !strings.Contains(printed, "Job runs again") || !strings.Contains(printed, r.latest()) {
		t.Errorf("the plan does not say that the run is repeated:\n%s", printed)
	}
	r.apply(false)
	r.count(2, false)
	r.Emulator.ClearTaskFailures()
	r.apply(true)
	r.count(3, true)
	if r.Job("case").GetUid() != uid {
		t.Error("the job was replaced")
	}
}

// A run that fails after a create is a warning, because Terraform would replace the job; with a postcondition the apply fails.
func TestAccAFailedFirstRun(t *testing.T) {
	t.Parallel()
	r := newRuns(t)
	r.fail(emulator.TaskFailure{Job: "case", Task: emulator.EveryTask, Signal: 9})
	condition := `
		run = {}
		lifecycle {
			postcondition {
				condition     = self.last_run.state == "EXECUTION_SUCCEEDED"
				error_message = "The run failed."
			}
		}`
	r.config(condition)
	r.apply(false, "Run did not succeed", "ended by signal 9", "The run failed.")
	uid := r.Job("case").GetUid()
	r.count(1, false)
	r.Emulator.ClearTaskFailures()
	r.config("run = {}")
	r.apply(true)
	r.count(2, true)
	if r.Job("case").GetUid() != uid {
		t.Error("the job was replaced")
	}
}

// However an answer is lost, one change is one execution.
func TestAccARunWhoseAnswerIsLost(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		fault emulator.Fault
		ok    bool // the first apply
	}{
		"of a run that was started":     {emulator.Fault{Code: codes.Unavailable, After: true}, true},
		"each time":                     {emulator.Fault{Code: codes.Unavailable, After: true, Times: emulator.Always}, true},
		"of a run that was not":         {emulator.Fault{Code: codes.Unavailable}, true},
		"forbidden":                     {emulator.Fault{Code: codes.PermissionDenied}, false},
		"of runs that never were":       {emulator.Fault{Code: codes.Unavailable, Times: emulator.Always}, false},
		"over a limit per minute":       {emulator.Fault{Code: codes.ResourceExhausted, Times: 2}, true},
		"somebody else was a bit quick": {emulator.Fault{Code: codes.Aborted}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRuns(t)
			r.config("")
			r.apply(true)
			test.fault.Method = "Jobs.RunJob"
			r.inject(test.fault)
			r.config("run = {}")
			r.apply(test.ok)
			r.Emulator.ClearFaults()
			r.apply(true)
			r.count(1, true)
		})
	}
}

// A run that was started although nobody heard of it, and could not be looked for either, is found by the next apply.
func TestAccARunThatNobodyHeardOf(t *testing.T) {
	t.Parallel()
	r := newRuns(t)
	r.config("")
	r.apply(true)
	r.inject(emulator.Fault{Method: "Jobs.RunJob", Code: codes.Unavailable, After: true})
	r.inject(emulator.Fault{Method: "Executions.ListExecutions", Code: codes.PermissionDenied, Skip: 1})
	r.config("run = {}")
	r.apply(false, "Whether a run was started is not known", "looks for it first")
	r.Emulator.ClearFaults()
	r.count(1, false)
	r.apply(true)
	r.count(1, true)
}

// A Terraform that is killed after it has run the job, and has not written its state, does not run it again.
func TestAccATerraformThatForgets(t *testing.T) {
	t.Parallel()
	r := newRuns(t)
	r.config(`run = { triggers = { a = "1" } }`)
	r.apply(true)
	state := r.Read("terraform.tfstate")
	r.config("task_count = 2\n run = { triggers = { a = \"2\" } }")
	r.apply(true)
	r.count(2, true)
	r.Write("terraform.tfstate", state)
	r.apply(true)
	r.count(2, true)
}

// An update that fails half-way does not forget its run.
func TestAccAnUpdateThatFailsKeepsItsRun(t *testing.T) {
	t.Parallel()
	r := newRuns(t)
	r.config("run = {}")
	r.apply(true)
	r.inject(emulator.Fault{Method: "Jobs.UpdateJob", Code: codes.Internal, Operation: true})
	r.config("task_count = 2\n run = {}")
	r.apply(false, "Job could not be updated")
	r.apply(true)
	r.count(2, true)
}

// The wait ends before the run. The next apply waits on, and starts no other.
func TestAccAWaitThatEndsTooEarly(t *testing.T) {
	t.Parallel()
	clock := emulator.NewManualClock(time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC))
	r := newRuns(t, emulator.WithClock(clock), emulator.WithTaskDuration(5*time.Minute))
	r.config("")
	r.apply(true)
	r.config(`run = { timeout = "3s" }`)
	r.apply(false, "Run has not ended yet", "1 running", "run.timeout is over", "no second run is started")
	r.count(1, false)
	r.apply(false, "Run has not ended yet")
	clock.Advance(time.Hour)
	r.apply(true)
	r.count(1, true)

	r.config("run = { timeout = \"3s\", task_count = 2 }")
	r.apply(false)
	r.config("run = { timeout = \"3s\", task_count = 3 }") // another change in the meantime is another run
	r.apply(false)
	r.count(3, false)
	r.config("run = { wait = false, task_count = 3 }")
	r.apply(true)
	r.count(3, true)
}

// A run that finds no GPU says so.
func TestAccARunWithoutGPUQuota(t *testing.T) {
	t.Parallel()
	r := newRuns(t, emulator.WithTaskDuration(time.Hour), emulator.WithQuota("nvidia-l4@*", 1))
	other := strings.ReplaceAll(aJob(`gpu = { type = "nvidia-l4" }
		run = { wait = false }`), "case", "other")
	r.Write("main.tf", required+other)
	r.apply(true)
	r.Write("main.tf", required+other+aJob(`gpu = { type = "nvidia-l4" }
		run = { timeout = "3s" }`))
	r.apply(true, "Run has not ended yet", "has not started", "Quota exceeded for total allowable count of GPUs", "g.co/cloudrun/gpu-quota")
	r.count(1, false)
	if err := r.Emulator.SetQuota("nvidia-l4@*", 2); err != nil {
		t.Fatal(err)
	}
	r.apply(false, "1 running")
	r.count(1, false)
	r.Must("destroy", "-auto-approve")
}

// Whoever cancels or deletes a run while Terraform waits is heard of.
func TestAccARunThatSomebodyEnds(t *testing.T) {
	t.Parallel()
	r := newRuns(t, emulator.WithTaskDuration(time.Hour))
	r.config("")
	r.apply(true)
	r.config(`run = { timeout = "3s" }`)
	r.apply(false, "still at work")
	if err := r.Client().CancelExecution(t.Context(), acctest.ExecutionName("case", r.latest())); err != nil {
		t.Fatal(err)
	}
	r.apply(false, "was cancelled", "1 cancelled")
	r.count(1, false)
	r.apply(false, "still at work")
	r.count(2, false)
}

// A trigger that is known only after apply may mean a run; it is none where it turns out to be what it was.
func TestAccATriggerThatIsKnownLater(t *testing.T) {
	t.Parallel()
	r := newRuns(t)
	config := func(input, output string) {
		r.Write("main.tf", required+fmt.Sprintf(`
			resource "terraform_data" "later" { input = %q }
			locals { value = %s }
		`, input, output)+aJob(`run = { triggers = { later = local.value } }`))
	}
	config("a", "terraform_data.later.output")
	r.apply(true)
	r.count(1, true)
	config("b", "terraform_data.later.output")
	r.apply(true)
	r.count(2, true)
	config("c", `terraform_data.later.output == "z" ? "z" : "b"`)
	r.apply(true)
	r.count(2, true)
}

// A job is destroyed while it runs, also where the API wants the executions to be ended first.
func TestAccDestroyWhileRunning(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]emulator.Fault{
		"at once":               {Method: "Jobs.DeleteJob"},
		"after the executions":  {Method: "Jobs.DeleteJob", Code: codes.FailedPrecondition},
		"in spite of a refusal": {Method: "Jobs.DeleteJob", Code: codes.FailedPrecondition, Times: 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRuns(t, emulator.WithTaskDuration(time.Hour))
			r.config("run = { wait = false }")
			r.apply(true)
			r.inject(fault)
			_, ok := r.CLI.Run("destroy", "-auto-approve")
			if want := fault.Times < 2; ok != want || (r.Job("case") == nil) != want {
				t.Errorf("destroyed: %t, want %t", ok, want)
			}
			r.Must("destroy", "-auto-approve")
		})
	}
}
