package diagnose

import (
	"errors"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"google.golang.org/grpc/codes"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/fault"
)

// Estimates go on without the price list: a warning that says what to enable, and one line without the API's own words.
func TestPricesUnread(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		err         error
		problem, do string
	}{
		"API disabled": {
			&fault.Fault{Code: codes.PermissionDenied, Reason: "SERVICE_DISABLED", Message: "has not been used in project 1"},
			"Cloud Billing answered PERMISSION_DENIED (SERVICE_DISABLED)", "gcloud services enable cloudbilling.googleapis.com",
		},
		"denied":     {&fault.Fault{Code: codes.PermissionDenied}, "Cloud Billing answered PERMISSION_DENIED", "cloudbilling.googleapis.com"},
		"no network": {&fault.Fault{Code: codes.Unavailable, Unreachable: true}, "Cloud Billing was not reached", "Check the network"},
		"no login":   {&fault.Fault{Credentials: true}, "Cloud Billing was not reached", "application-default login"},
		"busy":       {&fault.Fault{Code: codes.Unavailable}, "Cloud Billing answered UNAVAILABLE", "Plan again later"},
		"not set up": {&SetupFault{Message: Message{What: "The key is unreadable.", Do: "Write another."}}, "the provider is not set up to ask Cloud Billing", "Write another"},
		"another":    {errors.New("odd"), "the provider is not set up to ask Cloud Billing", "configuration of the provider"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := PricesProblem(c.err); got != c.problem {
				t.Errorf("%q, want %q", got, c.problem)
			}
			d := PricesUnread(c.err)
			if d.Severity() != diag.SeverityWarning || d.Summary() != string(PricesNotRead) || !strings.Contains(d.Detail(), c.do) {
				t.Errorf("%s %q: %s", d.Severity(), d.Summary(), d.Detail())
			}
		})
	}
}
