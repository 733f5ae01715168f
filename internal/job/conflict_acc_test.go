package job_test

import (
	"regexp"
	"strings"
	"testing"

	"cloud.google.com/go/run/apiv2/runpb"
	"google.golang.org/grpc/codes"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/acctest"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/emulator"
)

// What is not ours survives an update: labels and annotations of others, fields that the provider does not know.
func TestAccAnUpdateLosesNothing(t *testing.T) {
	t.Parallel()
	stage := acctest.Start(t, plenty...)
	stage.EmulatorOnly()
	cli := stage.CLI(map[string]string{"main.tf": required + aJob(`labels = { a = "1", b = "2" }`)})
	cli.Must("apply", "-auto-approve")
	stage.Edit("case", func(j *runpb.Job) {
		j.Labels["someone"] = "else"
		j.Annotations = map[string]string{"someone": "else"}
		j.Template.Labels = map[string]string{"someone": "else"}
		task(j).WorkloadIdentityConfig = &runpb.WorkloadIdentityConfig{}
	})
	cli.Write("main.tf", required+aJob(`labels = { a = "1" }
		annotations = { mine = "1" }
		execution_labels = { mine = "1" }`))
	cli.Must("apply", "-auto-approve")
	cli.Must("plan", "-detailed-exitcode")
	j := stage.Job("case")
	for name, got := range map[string]map[string]string{"labels": j.GetLabels(), "annotations": j.GetAnnotations(), "execution labels": j.GetTemplate().GetLabels()} {
		if got["someone"] != "else" || len(got) != 2 {
			t.Errorf("%s are %v", name, got)
		}
	}
	if task(j).GetWorkloadIdentityConfig() == nil {
		t.Error("a field that the provider does not know is gone")
	}
	cli.Must("destroy", "-auto-approve")
}

// A change between plan and apply: of others' labels, it is merged; of what we manage, it is not undone unseen.
func TestAccAChangeBetweenPlanAndApply(t *testing.T) {
	t.Parallel()
	stage := acctest.Start(t, plenty...)
	stage.EmulatorOnly()
	cli := stage.CLI(map[string]string{"main.tf": required + aJob("")})
	cli.Must("apply", "-auto-approve")

	cli.Write("main.tf", required+aJob("task_count = 2"))
	cli.Must("plan", "-out=harmless")
	stage.Edit("case", func(j *runpb.Job) { j.Labels = map[string]string{"someone": "else"} })
	cli.Must("apply", "harmless")
	if j := stage.Job("case"); j.GetLabels()["someone"] != "else" || j.GetTemplate().GetTaskCount() != 2 {
		t.Errorf("the two changes were not merged: %v", j)
	}

	cli.Write("main.tf", required+aJob("task_count = 3"))
	cli.Must("plan", "-out=stale")
	stage.Edit("case", func(j *runpb.Job) { task(j).Retries = &runpb.TaskTemplate_MaxRetries{MaxRetries: 9} })
	printed, ok := cli.Run("apply", "-no-color", "stale")
	if ok || !strings.Contains(printed, "Job was changed by someone else") || !strings.Contains(printed, "Plan again") {
		t.Errorf("the other change was undone unseen:\n%s", printed)
	}
	if j := stage.Job("case"); task(j).GetMaxRetries() != 9 || j.GetTemplate().GetTaskCount() != 2 {
		t.Errorf("the job was changed all the same: %v", j)
	}
	cli.Must("apply", "-auto-approve")
	cli.Must("plan", "-detailed-exitcode")
	if j := stage.Job("case"); task(j).GetMaxRetries() != 3 || j.GetTemplate().GetTaskCount() != 3 {
		t.Errorf("the next apply did not bring the configuration: %v", j)
	}
	cli.Must("destroy", "-auto-approve")
}

func TestAccAJobThatExistsIsNotTakenOver(t *testing.T) {
	t.Parallel()
	stage := acctest.Start(t, plenty...)
	stage.EmulatorOnly()
	first := stage.CLI(map[string]string{"main.tf": required + aJob("")})
	first.Must("apply", "-auto-approve")
	second := stage.CLI(map[string]string{"main.tf": required + aJob("")})
	printed, ok := second.Run("apply", "-auto-approve", "-no-color")
	said := strings.NewReplacer("│ ", "", "│", "").Replace(printed)
	block := regexp.MustCompile(`(?s)import \{\n.*?\n\}`).FindString(said)
	if ok || !strings.Contains(said, "Job already exists") || !strings.Contains(block, `"projects/acme-ml/locations/us-central1/jobs/case"`) {
		t.Fatalf("it does not say how to import it:\n%s", printed)
	}
	// What it says can be pasted.
	second.Write("import.tf", strings.Replace(block, "ADDRESS", address, 1)+"\n")
	second.Must("apply", "-auto-approve")
	second.Must("plan", "-detailed-exitcode")
	first.Must("destroy", "-auto-approve")
	second.Must("apply", "-auto-approve") // its job is gone: planned anew
	second.Must("destroy", "-auto-approve")
}

// Whatever goes wrong in a change, the next apply ends in what the configuration says.
func TestAccFaultsLeaveNothingBehind(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		fault emulator.Fault
		says  string
	}{
		"permission denied at update": {emulator.Fault{Method: "Jobs.UpdateJob", Code: codes.PermissionDenied}, "roles/run.developer"},
		"operation of an update":      {emulator.Fault{Method: "Jobs.UpdateJob", Code: codes.Internal, Operation: true}, "Job could not be updated"},
		"permission denied at read":   {emulator.Fault{Method: "Jobs.GetJob", Code: codes.PermissionDenied}, "Job could not be read"},
		"gone meanwhile":              {emulator.Fault{Method: "Jobs.GetJob", Code: codes.NotFound, Skip: 1}, "plan again"},
		"refused":                     {emulator.Fault{Method: "Jobs.UpdateJob", Code: codes.InvalidArgument}, "Change the configuration as the answer says"},
		"over a limit per minute":     {emulator.Fault{Method: "Jobs.UpdateJob", Code: codes.ResourceExhausted}, ""},
		"answer of an update lost":    {emulator.Fault{Method: "Jobs.UpdateJob", Code: codes.Unavailable, After: true}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stage := acctest.Start(t, plenty...)
			stage.EmulatorOnly()
			cli := stage.CLI(map[string]string{"main.tf": required + aJob("")})
			cli.Must("apply", "-auto-approve")
			if err := stage.Emulator.InjectFault(test.fault); err != nil {
				t.Fatal(err)
			}
			cli.Write("main.tf", required+aJob("task_count = 2"))
			printed, ok := cli.Run("apply", "-auto-approve", "-no-color")
			if ok != (test.says == "") || !strings.Contains(printed, test.says) {
				t.Errorf("ended well: %t; it does not say %q:\n%s", ok, test.says, printed)
			}
			stage.Emulator.ClearFaults()
			cli.Must("apply", "-auto-approve")
			cli.Must("plan", "-detailed-exitcode")
			if n := stage.Job("case").GetTemplate().GetTaskCount(); n != 2 {
				t.Errorf("the job has %d tasks, want 2", n)
			}
			cli.Must("destroy", "-auto-approve")
		})
	}
}
