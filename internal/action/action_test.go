package action_test

import (
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/run/apiv2/runpb"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"google.golang.org/grpc/codes"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/acctest"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/emulator"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/runapi"
)

const job = `
terraform {
  required_providers {
    cloudrungpu = { source = "cloudrungpu/cloudrungpu" }
  }
}

resource "cloudrungpu_job" "case" {
  name        = "case"
  gpu         = { type = "nvidia-l4", container = "trainer" }
  max_retries = 0
  containers = [
    { name = "logger", image = "a/b" },
    { name = "trainer", image = "a/b", args = ["--slow"] },
  ]
}
`

func text(s string) tftypes.Value { return tftypes.NewValue(tftypes.String, s) }

// played is a stage with a job, on which actions are invoked as a CLI that has them would.
type played struct {
	*acctest.Stage
	t *testing.T
}

func play(t *testing.T, options ...emulator.Option) played {
	t.Helper()
	unlimited := []emulator.Option{emulator.WithQuota("cpu@*", emulator.Unlimited), emulator.WithQuota("memory@*", emulator.Unlimited)}
	stage := acctest.Start(t, append(unlimited, options...)...)
	stage.EmulatorOnly()
	stage.CLI(map[string]string{"main.tf": job}).Must("apply", "-auto-approve")
	return played{stage, t}
}

// invoke invokes an action; said is its progress and its diagnostics, in one line.
func (p played) invoke(action string, written map[string]tftypes.Value) (said string, ok bool) {
	p.t.Helper()
	server := p.Configured()
	schemas, err := server.GetProviderSchema(p.t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		p.t.Fatal(err)
	}
	actions, has := server.(tfprotov6.ActionServer)
	if !has || schemas.ActionSchemas[action] == nil {
		p.t.Fatalf("there is no action %s", action)
	}
	written["job"] = text("case")
	config := p.Value(schemas.ActionSchemas[action].Schema, written)
	valid, err := actions.ValidateActionConfig(p.t.Context(), &tfprotov6.ValidateActionConfigRequest{ActionType: action, Config: config})
	if err != nil || len(valid.Diagnostics) > 0 {
		p.t.Fatalf("the configuration is not valid: %v %v", err, valid.Diagnostics)
	}
	if _, err := actions.PlanAction(p.t.Context(), &tfprotov6.PlanActionRequest{ActionType: action, Config: config}); err != nil {
		p.t.Fatal(err)
	}
	stream, err := actions.InvokeAction(p.t.Context(), &tfprotov6.InvokeActionRequest{ActionType: action, Config: config})
	if err != nil {
		p.t.Fatal(err)
	}
	var lines []string
	for event := range stream.Events {
		switch e := event.Type.(type) {
		case tfprotov6.ProgressInvokeActionEventType:
			lines = append(lines, e.Message)
		case tfprotov6.CompletedInvokeActionEventType:
			ok = len(e.Diagnostics) == 0
			for _, d := range e.Diagnostics {
				lines = append(lines, d.Summary, d.Detail)
			}
		}
	}
	return strings.Join(strings.Fields(strings.Join(lines, " ")), " "), ok
}

func (p played) expect(said string, ok, want bool, says ...string) {
	p.t.Helper()
	if ok != want {
		p.t.Errorf("ended well: %t, want %t: %s", ok, want, said)
	}
	for _, words := range says {
		if !strings.Contains(said, words) {
			p.t.Errorf("it does not say %q: %s", words, said)
		}
	}
}

func (p played) executions() []*runpb.Execution {
	p.t.Helper()
	var all []*runpb.Execution
	for e, err := range p.Client().ListExecutions(p.t.Context(), acctest.JobName("case")) {
		if err != nil {
			p.t.Fatal(err)
		}
		all = append(all, e)
	}
	return all
}

func TestJobRun(t *testing.T) {
	t.Parallel()
	p := play(t)
	said, ok := p.invoke("cloudrungpu_job_run", map[string]tftypes.Value{
		"task_count": tftypes.NewValue(tftypes.Number, 3), "task_timeout": text("5m"),
		"args": tftypes.NewValue(tftypes.List{ElementType: tftypes.String}, []tftypes.Value{text("--quick")}),
		"env":  tftypes.NewValue(tftypes.Map{ElementType: tftypes.String}, map[string]tftypes.Value{"EPOCHS": text("1")}),
	})
	p.expect(said, ok, true, "The job case runs as execution case-", "https://console.cloud.google.com/logs", "3 of 3 tasks succeeded")
	all := p.executions()
	if len(all) != 1 {
		t.Fatalf("%d executions", len(all))
	}
	trainer := all[0].GetTemplate().GetContainers()[1]
	if all[0].GetTaskCount() != 3 || all[0].GetTemplate().GetTimeout().AsDuration() != 5*time.Minute || trainer.GetArgs()[0] != "--quick" ||
		trainer.GetEnv()[0].GetName() != "EPOCHS" || len(all[0].GetTemplate().GetContainers()[0].GetEnv()) > 0 {
		t.Errorf("it ran as %v", all[0])
	}
	said, ok = p.invoke("cloudrungpu_job_run", map[string]tftypes.Value{}) // each invocation is a run
	p.expect(said, ok, true)
	if n := len(p.executions()); n != 2 {
		t.Errorf("%d executions, want 2", n)
	}
}

func TestJobRunThatGoesWrong(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		fault      *emulator.Fault
		failure    *emulator.TaskFailure
		written    map[string]tftypes.Value
		ok         bool
		says       string
		executions int
	}{
		"a lost answer": {fault: &emulator.Fault{Method: "Jobs.RunJob", Code: codes.Unavailable, After: true}, ok: true, says: "1 of 1 tasks succeeded", executions: 1},
		"no answer at all": {
			fault: &emulator.Fault{Method: "Jobs.RunJob", Code: codes.Unavailable, Times: emulator.Always}, says: "Look at the executions of the job before you invoke the action again",
		},
		"forbidden":      {fault: &emulator.Fault{Method: "Jobs.RunJob", Code: codes.PermissionDenied}, says: "run.jobs.runWithOverrides"},
		"no job":         {fault: &emulator.Fault{Method: "Jobs.GetJob", Code: codes.NotFound}, says: "Job could not be run"},
		"a task fails":   {failure: &emulator.TaskFailure{Job: "case", ExitCode: 42}, says: "task 0, attempt 1: exit code 42", executions: 1},
		"is not awaited": {failure: &emulator.TaskFailure{Job: "case", ExitCode: 42}, written: map[string]tftypes.Value{"wait": tftypes.NewValue(tftypes.Bool, false)}, ok: true, executions: 1},
		"takes too long": {fault: &emulator.Fault{Method: "Executions.GetExecution", Delay: time.Hour}, written: map[string]tftypes.Value{"timeout": text("10s")}, says: "Run has not ended yet", executions: 1},
		"cannot be seen": {fault: &emulator.Fault{Method: "Executions.GetExecution", Code: codes.Internal}, says: "Run has not ended yet", executions: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := play(t)
			if test.fault != nil {
				if err := p.Emulator.InjectFault(*test.fault); err != nil {
					t.Fatal(err)
				}
			}
			if test.failure != nil {
				if err := p.Emulator.FailTasks(*test.failure); err != nil {
					t.Fatal(err)
				}
			}
			if test.written == nil {
				test.written = map[string]tftypes.Value{}
			}
			said, ok := p.invoke("cloudrungpu_job_run", test.written)
			p.expect(said, ok, test.ok, test.says)
			if n := len(p.executions()); n != test.executions {
				t.Errorf("%d executions, want %d", n, test.executions)
			}
		})
	}
}

func TestExecutionCancel(t *testing.T) {
	t.Parallel()
	p := play(t, emulator.WithTaskDuration(time.Hour))
	started, err := p.Client().RunJob(t.Context(), acctest.JobName("case"), runapi.Run{Mark: "m", Container: "trainer"})
	if err != nil {
		t.Fatal(err)
	}
	name := text(started.GetName()[strings.LastIndex(started.GetName(), "/")+1:])
	for range 2 { // what has ended already is cancelled as well
		said, ok := p.invoke("cloudrungpu_execution_cancel", map[string]tftypes.Value{"execution": name})
		p.expect(said, ok, true, "has ended (EXECUTION_CANCELLED): 0 of 1 tasks succeeded, 1 cancelled")
	}
	said, ok := p.invoke("cloudrungpu_execution_cancel", map[string]tftypes.Value{"execution": text("case-none")})
	p.expect(said, ok, false, "There is no execution", "case-none")
	if err := p.Emulator.InjectFault(emulator.Fault{Method: "Executions.CancelExecution", Code: codes.PermissionDenied}); err != nil {
		t.Fatal(err)
	}
	said, ok = p.invoke("cloudrungpu_execution_cancel", map[string]tftypes.Value{"execution": name})
	p.expect(said, ok, false, "Execution could not be cancelled", "run.executions.cancel")
}

// Without a project or a region, an action says where to set it.
func TestActionsWithoutAPlace(t *testing.T) {
	t.Parallel()
	p := play(t)
	p.Setenv("GOOGLE_REGION", "")
	said, ok := p.invoke("cloudrungpu_job_run", map[string]tftypes.Value{})
	p.expect(said, ok, false, "Missing location")
}
