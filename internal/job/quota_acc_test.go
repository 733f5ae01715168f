package job_test

import (
	"fmt"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/acctest"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/emulator"
)

func gpus(n int) string {
	return fmt.Sprintf("gpu = { type = \"nvidia-l4\" }\n task_count = 20\n parallelism = %d", n)
}

// Only a create, or a change that needs more, asks for limits: of GPU, CPU and memory.
func TestAccQuotaIsAskedOnlyWhereItMatters(t *testing.T) {
	t.Parallel()
	stage := acctest.Start(t, plenty...)
	stage.EmulatorOnly()
	cli := stage.CLI(nil)
	for _, step := range []struct {
		what, config string
		calls        int
	}{
		{"a create", aJob(gpus(3)), 3},
		{"another change", aJob(gpus(3) + "\n max_retries = 0"), 0},
		{"less", aJob(gpus(2)), 0},
		{"more", aJob(gpus(4)), 3},
		{"no GPU any more", aJob(""), 0},
		{"a GPU, with the check off", "provider \"cloudrungpu\" { quota_check = \"off\" }\n" + aJob(gpus(4)), 0},
	} {
		cli.Write("main.tf", required+step.config)
		stage.ForgetCalls()
		cli.Must("plan", "-out=plan")
		if n := stage.Calls("CloudQuotas.GetQuotaInfo"); n != step.calls {
			t.Errorf("%s: %d calls, want %d", step.what, n, step.calls)
		}
		cli.Must("apply", "plan")
	}
}

// What is over quota already is nobody's new mistake.
func TestAccAQuotaThatShrinksStopsNothing(t *testing.T) {
	t.Parallel()
	stage := acctest.Start(t, plenty...)
	stage.EmulatorOnly()
	cli := stage.CLI(map[string]string{"main.tf": required + aJob(gpus(3))})
	cli.Must("apply", "-auto-approve")
	if err := stage.Emulator.SetQuota("nvidia-l4@us-central1", 1); err != nil {
		t.Fatal(err)
	}
	cli.Write("main.tf", required+aJob(gpus(3)+"\n max_retries = 1"))
	cli.Must("apply", "-auto-approve")
	cli.Write("main.tf", required+aJob(gpus(4)))
	if printed, ok := cli.Run("plan", "-no-color"); ok || !strings.Contains(printed, "GPU quota exceeded") {
		t.Errorf("more of it is not refused:\n%s", printed)
	}
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
