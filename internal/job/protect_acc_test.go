package job_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"google.golang.org/grpc/codes"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/acctest"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/emulator"
)

func TestAccDeletionProtectionHoldsAtPlan(t *testing.T) {
	stage := acctest.Start(t, plenty...)
	refused := regexp.MustCompile(`(?s)Job is protected from deletion.*set\s+deletion_protection\s+=\s+false`)
	stage.Run(
		resource.TestStep{Config: aJob(`deletion_protection = true`)},
		resource.TestStep{Config: aJob(`deletion_protection = true`), Destroy: true, PlanOnly: true, ExpectError: refused},
		resource.TestStep{Config: aJob(`deletion_protection = true
			location = "europe-west4"`), PlanOnly: true, ExpectError: refused},
		resource.TestStep{Config: `# nothing`, PlanOnly: true, ExpectError: refused},
		resource.TestStep{Config: aJob(``)},
	)
}

// What the user asks to replace shows in no plan of the provider; it is refused when the job is about to go.
func TestAccAProtectedJobIsNotReplacedOnRequest(t *testing.T) {
	t.Parallel()
	stage := acctest.Start(t, plenty...)
	stage.EmulatorOnly()
	cli := stage.CLI(map[string]string{"main.tf": required + aJob("deletion_protection = true")})
	cli.Must("apply", "-auto-approve")
	uid := stage.Job("case").GetUid()
	printed, ok := cli.Run("apply", "-auto-approve", "-replace=cloudrungpu_job.case")
	if ok || !strings.Contains(printed, "Job is protected from deletion") {
		t.Errorf("the job was replaced:\n%s", printed)
	}
	if got := stage.Job("case").GetUid(); got != uid {
		t.Errorf("the job is another one: %s, was %s", got, uid)
	}
	cli.Write("main.tf", required+aJob(""))
	cli.Must("apply", "-auto-approve")
	cli.Must("apply", "-auto-approve", "-replace=cloudrungpu_job.case")
	cli.Must("destroy", "-auto-approve")
}

// A create that fails half-way leaves nothing that the next apply cannot clear up, protected or not.
func TestAccAFailedCreateIsNoTrap(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]emulator.Fault{
		"the operation fails":   {Method: "Jobs.CreateJob", Code: codes.Internal, Operation: true},
		"the create is refused": {Method: "Jobs.CreateJob", Code: codes.PermissionDenied},
		"the operation is lost": {Method: "Operations.GetOperation", Code: codes.PermissionDenied, Times: emulator.Always},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stage := acctest.Start(t, append(slices.Clone(plenty), emulator.WithOperationLatency(time.Millisecond))...)
			stage.EmulatorOnly()
			cli := stage.CLI(map[string]string{"main.tf": required + aJob("deletion_protection = true")})
			if err := stage.Emulator.InjectFault(fault); err != nil {
				t.Fatal(err)
			}
			printed, ok := cli.Run("apply", "-auto-approve")
			if ok || !strings.Contains(printed, "Job could not be created") {
				t.Fatalf("the apply did not fail as it should:\n%s", printed)
			}
			stage.Emulator.ClearFaults()
			cli.Must("apply", "-auto-approve")
			cli.Must("plan", "-detailed-exitcode")
			if stage.Job("case") == nil {
				t.Error("there is no job")
			}
			cli.Write("main.tf", required+aJob(""))
			cli.Must("apply", "-auto-approve")
			cli.Must("destroy", "-auto-approve")
			if stage.Job("case") != nil {
				t.Error("the job is left behind")
			}
		})
	}
}

// A job that is to be replaced exists while the API is asked about the next one: that must not stop the plan.
func TestAccATaintedJobPassesTheOpinionOfTheAPI(t *testing.T) {
	t.Parallel()
	stage := acctest.Start(t, plenty...)
	stage.EmulatorOnly()
	cli := stage.CLI(map[string]string{"main.tf": required + "provider \"cloudrungpu\" { validate_only = true }\n" + aJob("")})
	if err := stage.Emulator.InjectFault(emulator.Fault{Method: "Jobs.CreateJob", Code: codes.Internal, Operation: true, Skip: 2}); err != nil {
		t.Fatal(err)
	}
	if printed, ok := cli.Run("apply", "-auto-approve"); ok {
		t.Fatalf("the apply did not fail:\n%s", printed)
	}
	printed := cli.Must("apply", "-auto-approve", "-no-color")
	if !strings.Contains(printed, "Job already exists") || !strings.Contains(printed, "1 added, 0 changed, 1 destroyed") {
		t.Errorf("it was not replaced, or nothing was said:\n%s", printed)
	}
	cli.Must("plan", "-detailed-exitcode")
}

// Whatever goes wrong in a delete, the next one ends it.
func TestAccAFailedDeleteIsNoTrap(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		fault emulator.Fault
		says  string
	}{
		"permission denied":    {emulator.Fault{Method: "Jobs.DeleteJob", Code: codes.PermissionDenied}, "roles/run.developer"},
		"the operation fails":  {emulator.Fault{Method: "Jobs.DeleteJob", Code: codes.Internal, Operation: true}, "Job could not be deleted"},
		"the answer is lost":   {emulator.Fault{Method: "Jobs.DeleteJob", Code: codes.Unavailable, After: true}, ""},
		"it is gone meanwhile": {emulator.Fault{Method: "Jobs.DeleteJob", Code: codes.NotFound}, ""},
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
			printed, ok := cli.Run("destroy", "-auto-approve", "-no-color")
			if ok != (test.says == "") || !strings.Contains(printed, test.says) {
				t.Errorf("ended well: %t; want it to say %q:\n%s", ok, test.says, printed)
			}
			cli.Must("destroy", "-auto-approve")
			if state := cli.Must("show", "-json"); strings.Contains(state, "cloudrungpu_job.case") {
				t.Errorf("the state still has the job:\n%s", state)
			}
		})
	}
}

// The state has the job's identity even where Terraform gave up waiting.
func TestAccATimeoutLosesNothing(t *testing.T) {
	t.Parallel()
	clock := &leap{}
	stage := acctest.Start(t, append(slices.Clone(plenty), emulator.WithOperationLatency(time.Hour), emulator.WithClock(clock))...)
	stage.EmulatorOnly()
	cli := stage.CLI(map[string]string{"main.tf": required + aJob(`timeouts = { create = "1s" }`)})
	printed, ok := cli.Run("apply", "-auto-approve")
	if ok || !strings.Contains(printed, "timeouts") {
		t.Fatalf("the apply did not end as it should:\n%s", printed)
	}
	if state := cli.Must("show", "-json"); !strings.Contains(state, "projects/acme-ml/locations/us-central1/jobs/case") {
		t.Errorf("the job is not in the state:\n%s", state)
	}
	clock.free.Store(true)
	cli.Write("main.tf", required+aJob(""))
	cli.Must("apply", "-auto-approve")
	cli.Must("plan", "-detailed-exitcode")
	cli.Must("destroy", "-auto-approve")
}
