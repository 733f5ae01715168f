package job_test

import (
	"strings"
	"testing"

	"google.golang.org/grpc/codes"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/acctest"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/emulator"
)

// A job whose creation nobody heard of is found and kept, and is no orphan that the next apply stumbles over.
func TestAccACreateWhoseAnswerIsLost(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		fault emulator.Fault
		says  string // "" is a success
	}{
		"once":                    {emulator.Fault{After: true}, ""},
		"until the time is up":    {emulator.Fault{After: true, Times: emulator.Always}, ""},
		"though nothing was made": {emulator.Fault{Times: emulator.Always}, "terraform import ADDRESS projects/acme-ml/locations/us-central1/jobs/case"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stage := acctest.Start(t, plenty...)
			stage.EmulatorOnly()
			test.fault.Method, test.fault.Code = "Jobs.CreateJob", codes.Unavailable
			if err := stage.Emulator.InjectFault(test.fault); err != nil {
				t.Fatal(err)
			}
			cli := stage.CLI(map[string]string{"main.tf": required + aJob(`timeouts = { create = "1s" }`)})
			printed, ok := cli.Run("apply", "-auto-approve", "-no-color")
			if ok != (test.says == "") || !strings.Contains(strings.Join(strings.Fields(printed), " "), test.says) {
				t.Errorf("ended well: %t; want it to say %q:\n%s", ok, test.says, printed)
			}
			stage.Emulator.ClearFaults()
			uid := stage.Job("case").GetUid()
			cli.Must("apply", "-auto-approve")
			if now := stage.Job("case").GetUid(); now == "" || (uid != "" && now != uid) {
				t.Errorf("the job is %q, was %q", now, uid)
			}
			cli.Must("plan", "-detailed-exitcode")
		})
	}
}
