package acctest

import (
	"context"
	"fmt"
	"path"

	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
)

// Calls returns how many calls of a method the emulator has answered: "Jobs.CreateJob", or a pattern such as "Jobs.*".
func (s *Stage) Calls(method string) int {
	s.t.Helper()
	s.EmulatorOnly()
	n := 0
	for _, r := range s.Emulator.Requests() {
		matches, err := path.Match(method, r.Method)
		if err != nil {
			s.t.Fatalf("the pattern %q: %v", method, err)
		}
		if matches {
			n++
		}
	}
	return n
}

// ForgetCalls starts the count of Calls anew.
func (s *Stage) ForgetCalls() {
	s.t.Helper()
	s.EmulatorOnly()
	s.Emulator.ClearRequests()
}

// ExpectCalls checks that so many calls of a method were made, at the end of a step or between plan and apply. On Google
// Cloud, where nobody counts, it passes.
func (s *Stage) ExpectCalls(method string, want int) CallCheck {
	return CallCheck{stage: s, method: method, want: want}
}

// CallCheck checks how many calls of a method were made.
type CallCheck struct {
	stage  *Stage
	method string
	want   int
}

var (
	_ statecheck.StateCheck = CallCheck{}
	_ plancheck.PlanCheck   = CallCheck{}
)

// CheckState checks after apply.
func (c CallCheck) CheckState(_ context.Context, _ statecheck.CheckStateRequest, resp *statecheck.CheckStateResponse) {
	resp.Error = c.check()
}

// CheckPlan checks after plan.
func (c CallCheck) CheckPlan(_ context.Context, _ plancheck.CheckPlanRequest, resp *plancheck.CheckPlanResponse) {
	resp.Error = c.check()
}

func (c CallCheck) check() error {
	if c.stage.Emulator == nil {
		return nil
	}
	if got := c.stage.Calls(c.method); got != c.want {
		return fmt.Errorf("%d calls of %s, want %d", got, c.method, c.want)
	}
	return nil
}
