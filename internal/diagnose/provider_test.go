package diagnose_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"google.golang.org/grpc/codes"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/diagnose"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/fault"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/runapi"
)

// A fault of the setup goes through clients as an error and comes out with the words that it was made with.
func TestSetupFaultKeepsItsWords(t *testing.T) {
	t.Parallel()
	cause := errors.New("invalid_grant")
	made := diagnose.TokenRefused("`credentials`", "", cause)
	wrapped := fault.From("Jobs.CreateJob", fmt.Errorf("dialling: %w", made))
	if !errors.Is(wrapped, cause) {
		t.Error("the cause is lost")
	}
	for name, said := range map[string]string{
		"a call about a job": diagnose.Call(diagnose.CreateFailed, runapi.JobName{Project: "p", Location: "l", Job: "j"}, wrapped)[0].Detail(),
		"a quota":            diagnose.QuotaUnread("Q", "p", "r", wrapped).Detail(),
	} {
		if !strings.Contains(said, "No access token could be had with the credentials in `credentials`.\n\nInvalid_grant.") {
			t.Errorf("%s: %s", name, said)
		}
	}
	if !strings.HasPrefix(made.Error(), "credentials could not be used: ") || !strings.Contains(made.Error(), "invalid_grant") &&
		!strings.Contains(made.Error(), "Invalid_grant") {
		t.Errorf("for logs it is %q", made.Error())
	}
	if _, isSetup := diagnose.Setup(errors.New("another")); isSetup {
		t.Error("another error is taken for a fault of the setup")
	}
}

func TestQuotaUnreadSaysWhatToDo(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		fault fault.Fault
		says  string
	}{
		"no permission": {fault.Fault{Code: codes.PermissionDenied}, "roles/cloudquotas.viewer on project acme"},
		"the API of another project is off": {
			fault.Fault{Code: codes.PermissionDenied, Reason: "SERVICE_DISABLED", Metadata: map[string]string{"consumer": "projects/pays"}},
			"gcloud services enable cloudquotas.googleapis.com --project=pays.",
		},
		"down":          {fault.Fault{Code: codes.Unavailable}, "plan again later"},
		"no network":    {fault.Fault{Code: codes.Unavailable, Unreachable: true}, "is cloudrun-emulator running"},
		"no login":      {fault.Fault{Code: codes.Unauthenticated, Credentials: true}, "gcloud auth application-default login"},
		"anything else": {fault.Fault{Code: codes.NotFound}, "cloudquotas.googleapis.com --project=acme, and grant roles/cloudquotas.viewer"},
	} {
		said := diagnose.QuotaUnread("Q", "acme", "us-central1", &test.fault)
		if said.Summary() != string(diagnose.QuotaReadFailed) || !strings.Contains(said.Detail(), test.says) {
			t.Errorf("%s: %s", name, said.Detail())
		}
	}
}

func TestUnknownGPUType(t *testing.T) {
	t.Parallel()
	known := []string{"nvidia-l4", "nvidia-rtx-pro-6000"}
	for nearest, want := range map[string]string{
		"":          "The types are: `nvidia-l4`, `nvidia-rtx-pro-6000`.",
		"nvidia-l4": "Did you mean `nvidia-l4`? The types are: `nvidia-l4`, `nvidia-rtx-pro-6000`.",
	} {
		said := diagnose.UnknownGPUType(path.Root("type"), "l4", nearest, known)
		if !strings.HasSuffix(said.Detail(), want) || !strings.Contains(said.Detail(), `no GPU type "l4"`) {
			t.Errorf("%s", said.Detail())
		}
	}
}

func TestImpersonationNamesTheRole(t *testing.T) {
	t.Parallel()
	said, _ := diagnose.Setup(diagnose.TokenRefused("`access_token`", "robot@acme", errors.New("denied")))
	for _, want := range []string{"robot@acme", "`access_token`", "roles/iam.serviceAccountTokenCreator on robot@acme", "Denied."} {
		if !strings.Contains(said.Detail(), want) {
			t.Errorf("%q is not in %q", want, said.Detail())
		}
	}
}
