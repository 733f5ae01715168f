package job

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/diagnose"
)

// The time, in seconds, that all tries of a start-up probe may take together.
const (
	probeBudget    = 600
	probeBudgetGPU = 1800
)

// checkProbes sees that each start-up probe has one action and can come to an end in time.
func checkProbes(c configuration) (diags diag.Diagnostics) {
	for i, container := range c.containers {
		if !known(container.StartupProbe) {
			continue
		}
		diags.Append(checkProbe(c, i, container.probe())...)
	}
	return diags
}

func checkProbe(c configuration, i int, p StartupProbe) (diags diag.Diagnostics) {
	here := containerPath(i).AtName("startup_probe")
	actions, sure := probeActions(p)
	if len(actions) > 1 || (len(actions) == 0 && sure) {
		what := "The start-up probe has no action."
		if len(actions) > 1 {
			what = "The start-up probe has several actions: " + strings.Join(actions, ", ") + "."
		}
		diags.Append(diagnose.Invalid(here, diagnose.Message{What: what, Do: "Set exactly one of http_get, tcp_socket and grpc."}))
	}
	period, periodKnown := orDefaultNumber(p.Period, 10)
	timeout, timeoutKnown := orDefaultNumber(p.Timeout, 1)
	tries, triesKnown := orDefaultNumber(p.FailureThreshold, 3)
	if periodKnown && timeoutKnown && timeout > period {
		diags.Append(diagnose.Invalid(here.AtName("timeout_seconds"), diagnose.Message{
			What: fmt.Sprintf("A try may take %d s, but the next one begins after %d s.", timeout, period),
			Do:   fmt.Sprintf("Set timeout_seconds to at most %d, or raise period_seconds.", period),
		}))
	}
	budget := int64(probeBudget)
	if c.hasGPU {
		budget = probeBudgetGPU
	}
	if periodKnown && triesKnown && period*tries > budget {
		diags.Append(diagnose.Invalid(here.AtName("failure_threshold"), diagnose.Message{
			What: fmt.Sprintf("The start-up probe may go on for %d s (%d tries, every %d s).", period*tries, tries, period),
			Why:  fmt.Sprintf("Cloud Run gives a container %d s to start, with a GPU %d s.", probeBudget, probeBudgetGPU),
			Do:   fmt.Sprintf("Set failure_threshold to at most %d.", budget/period),
		}))
	}
	return diags
}

func probeActions(p StartupProbe) (set []string, sure bool) {
	sure = true
	for _, a := range []struct {
		name  string
		value attr.Value
	}{{"http_get", p.HTTPGet}, {"tcp_socket", p.TCPSocket}, {"grpc", p.GRPC}} {
		if known(a.value) {
			set = append(set, a.name)
		}
		sure = sure && !a.value.IsUnknown()
	}
	return set, sure
}

// orDefaultNumber is the number as written, or the default where nothing is; false while it is unknown.
func orDefaultNumber(v interface {
	attr.Value
	ValueInt64() int64
}, byDefault int64) (int64, bool) {
	if v.IsNull() {
		return byDefault, true
	}
	return v.ValueInt64(), !v.IsUnknown()
}
