package job_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"google.golang.org/grpc/codes"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/acctest"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/emulator"
)

func gpus(n int) string {
	return fmt.Sprintf("gpu = { type = \"nvidia-l4\" }\n task_count = 20\n parallelism = %d", n)
}

// Only a create, or a change that needs more, asks for limits; each quota is asked for once.
func TestAccQuotaIsAskedOnlyWhereItMatters(t *testing.T) {
	stage := acctest.Start(t, plenty...)
	stage.EmulatorOnly()
	expect := func(calls int) resource.ConfigPlanChecks {
		return resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{stage.ExpectCalls("CloudQuotas.GetQuotaInfo", calls)}}
	}
	stage.Run(
		resource.TestStep{Config: aJob(gpus(3)), ConfigPlanChecks: expect(3)}, // GPU, CPU and memory
		resource.TestStep{PreConfig: stage.ForgetCalls, Config: aJob(gpus(3) + "\n max_retries = 0"), ConfigPlanChecks: expect(0)},
		resource.TestStep{PreConfig: stage.ForgetCalls, Config: aJob(gpus(2)), ConfigPlanChecks: expect(0)},
		resource.TestStep{PreConfig: stage.ForgetCalls, Config: aJob(gpus(4)), ConfigPlanChecks: expect(3)},
		resource.TestStep{PreConfig: stage.ForgetCalls, Config: aJob(""), ConfigPlanChecks: expect(0)},
		resource.TestStep{PreConfig: stage.ForgetCalls, Config: "provider \"cloudrungpu\" { quota_check = \"off\" }\n" + aJob(gpus(4)), ConfigPlanChecks: expect(0)},
	)
}

func TestAccOneCallForEachQuotaInAPlanOfManyJobs(t *testing.T) {
	t.Parallel()
	stage := acctest.Start(t, plenty...)
	stage.EmulatorOnly()
	var config strings.Builder
	config.WriteString(required)
	for i := range 60 {
		config.WriteString(strings.ReplaceAll(aJob(gpus(2)), `"case"`, fmt.Sprintf(`"case-%d"`, i)))
	}
	stage.CLI(map[string]string{"main.tf": config.String()}).Must("plan")
	if n := stage.Calls("CloudQuotas.GetQuotaInfo"); n != 3 {
		t.Errorf("%d calls, want one for each of GPU, CPU and memory", n)
	}
}

// An unreadable quota is one warning in a plan of many jobs, and no error.
func TestAccAnUnreadableQuotaIsSaidOnce(t *testing.T) {
	t.Parallel()
	stage := acctest.Start(t, plenty...)
	stage.EmulatorOnly()
	if err := stage.Emulator.InjectFault(emulator.Fault{Method: "CloudQuotas.*", Code: codes.PermissionDenied, Times: emulator.Always}); err != nil {
		t.Fatal(err)
	}
	config := required + aJob(gpus(20)) + strings.ReplaceAll(aJob(gpus(20)), `"case"`, `"other"`)
	cli := stage.CLI(map[string]string{"main.tf": config})
	printed := cli.Must("plan", "-no-color")
	if n := strings.Count(printed, "GPU quota could not be checked"); n != 1 {
		t.Errorf("it is said %d times:\n%s", n, printed)
	}
	if !strings.Contains(printed, "roles/cloudquotas.viewer") {
		t.Errorf("the role to grant is missing:\n%s", printed)
	}
}

func TestAccQuotaCheckModes(t *testing.T) {
	stage := acctest.Start(t, emulator.WithQuota("nvidia-l4@us-central1", 3), emulator.WithQuota("cpu@*", emulator.Unlimited), emulator.WithQuota("memory@*", emulator.Unlimited))
	stage.EmulatorOnly()
	over := regexp.MustCompile(`(?s)GPU quota exceeded.*Set\s+parallelism\s+=\s+3`)
	stage.Run(
		resource.TestStep{Config: aJob(gpus(4)), PlanOnly: true, ExpectError: over},
		resource.TestStep{Config: "provider \"cloudrungpu\" { quota_check = \"warning\" }\n" + aJob(gpus(4)), PlanOnly: true, ExpectNonEmptyPlan: true},
		resource.TestStep{Config: aJob(gpus(3))},
		resource.TestStep{Config: aJob(gpus(4)), PlanOnly: true, ExpectError: over},
		// What is over quota already is nobody's new mistake.
		resource.TestStep{
			PreConfig: func() {
				if err := stage.Emulator.SetQuota("nvidia-l4@us-central1", 1); err != nil {
					t.Error(err)
				}
			},
			Config: aJob(gpus(3) + "\n max_retries = 1"),
		},
	)
}
