package diagnose

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/run/apiv2/runpb"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/fault"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/runapi"
)

var trainName = runapi.JobName{Project: "acme-ml", Location: "us-central1", Job: "train"}

// Every refusal says what to do, by its code and reason alone, and keeps the API's own words.
func TestARefusalSaysWhatToDo(t *testing.T) {
	t.Parallel()
	const words = "the API's own words"
	for name, test := range map[string]struct {
		during  Summary
		fault   fault.Fault
		summary Summary // "" is that of during
		do      string
	}{
		"exists":               {CreateFailed, fault.Fault{Code: codes.AlreadyExists}, AlreadyExists, "id = \"projects/acme-ml/locations/us-central1/jobs/train\""},
		"no billing":           {CreateFailed, fault.Fault{Code: codes.FailedPrecondition, Reason: "BILLING_DISABLED"}, "", "gcloud billing projects link acme-ml"},
		"not allowed":          {UpdateFailed, fault.Fault{Code: codes.PermissionDenied}, "", "roles/run.developer on project acme-ml and roles/iam.serviceAccountUser"},
		"who are you":          {ReadFailed, fault.Fault{Code: codes.Unauthenticated}, "", "gcloud auth application-default login"},
		"no credentials":       {ReadFailed, fault.Fault{Code: codes.Unavailable, Credentials: true}, "", "GOOGLE_CREDENTIALS"},
		"not reached":          {ReadFailed, fault.Fault{Code: codes.Unavailable, Unreachable: true}, "", "is cloudrun-emulator running"},
		"API off":              {CreateFailed, fault.Fault{Code: codes.PermissionDenied, Reason: "SERVICE_DISABLED"}, "", "gcloud services enable run.googleapis.com --project=acme-ml"},
		"API off elsewhere":    {CreateFailed, fault.Fault{Reason: "SERVICE_DISABLED", Metadata: map[string]string{"service": "x.googleapis.com", "consumer": "projects/other"}}, "", "enable x.googleapis.com --project=other"},
		"wrong":                {UpdateFailed, fault.Fault{Code: codes.InvalidArgument}, "", "Change the configuration as the answer says"},
		"not now":              {UpdateFailed, fault.Fault{Code: codes.FailedPrecondition}, "", "Change the configuration as the answer says"},
		"at the same moment":   {UpdateFailed, fault.Fault{Code: codes.Aborted}, "", "Plan again"},
		"too many":             {CreateFailed, fault.Fault{Code: codes.ResourceExhausted}, "", "Wait a minute"},
		"too late":             {UpdateFailed, fault.Fault{Code: codes.DeadlineExceeded}, "", "timeouts"},
		"interrupted":          {DeleteFailed, fault.Fault{Code: codes.Canceled}, "", "Apply again: Terraform reads the job first"},
		"a read that is late":  {ReadFailed, fault.Fault{Code: codes.DeadlineExceeded}, "", "timeouts.read"},
		"gone":                 {UpdateFailed, fault.Fault{Code: codes.NotFound}, "", "then plan again"},
		"an error of Google's": {UpdateFailed, fault.Fault{Code: codes.Internal}, "", "https://status.cloud.google.com"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test.fault.Message = words
			got := Call(test.during, trainName, fmt.Errorf("wrapped: %w", &test.fault))
			if test.summary == "" {
				test.summary = test.during
			}
			mustSay(t, got, test.summary, diag.SeverityError, words, test.do, trainName.String())
		})
	}
	if got := Call(ReadFailed, trainName, nil); got != nil {
		t.Errorf("something is said of no error: %v", got)
	}
	mustSay(t, Call(ReadFailed, trainName, errors.New("plain")), ReadFailed, diag.SeverityError, "plain")
	changed := ErrOvertaken{Modifier: "somebody@example.com", At: time.Unix(0, 0)}
	mustSay(t, Call(UpdateFailed, trainName, changed), ChangedElsewhere, diag.SeverityError, "by somebody@example.com at 1970-01-01T00:00:00Z", "Plan again")
}

// Of a create it is said whether a job may be there all the same.
func TestACreateThatMayHaveBeenDone(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		fault fault.Fault
		maybe bool
	}{
		"no answer":                         {fault.Fault{Code: codes.Unavailable}, true},
		"no answer in time":                 {fault.Fault{Code: codes.DeadlineExceeded}, true},
		"interrupted":                       {fault.Fault{Code: codes.Canceled}, true},
		"refused, after a try without one":  {fault.Fault{Code: codes.PermissionDenied, AfterRetry: true}, true},
		"refused":                           {fault.Fault{Code: codes.PermissionDenied}, false},
		"not reached":                       {fault.Fault{Code: codes.Unavailable, Unreachable: true}, false},
		"no credentials":                    {fault.Fault{Code: codes.Unavailable, Credentials: true}, false},
		"the name is taken, by whom unsaid": {fault.Fault{Code: codes.AlreadyExists, AfterRetry: true}, false},
	} {
		got := NotCreated(trainName, &runpb.Job{}, &test.fault)
		if said := strings.Contains(got[0].Detail(), "Whether the job was made all the same is not known"); said != test.maybe {
			t.Errorf("%s: it is said to be unknown: %t", name, said)
		}
	}
}

func TestWhatTheServerSaysOfAJob(t *testing.T) {
	t.Parallel()
	failed := &runpb.Job{TerminalCondition: &runpb.Condition{State: runpb.Condition_CONDITION_FAILED, Message: "Image not found."}}
	mustSay(t, NotReadyYet(trainName, failed), NotReady, diag.SeverityWarning, "Image not found.", "apply again")
	if got := NotReadyYet(trainName, &runpb.Job{}); got != nil {
		t.Errorf("a warning about nothing: %v", got)
	}
	changed := &runpb.Job{UpdateTime: timestamppb.New(time.Unix(0, 0)), Generation: 7}
	mustSay(t, diag.Diagnostics{Drifted(trainName, changed, 4)}, ChangedOutside, diag.SeverityWarning,
		"somebody changed the job "+trainName.String()+" at 1970-01-01T00:00:00Z (generation 7, last seen: 4)")
	mustSay(t, diag.Diagnostics{ExistsAtPlan(trainName)}, AlreadyExists, diag.SeverityWarning, "terraform import ADDRESS "+trainName.String())
}

// mustSay checks that there is one diagnostic, and what is in it.
func mustSay(t *testing.T, got diag.Diagnostics, summary Summary, severity diag.Severity, words ...string) {
	t.Helper()
	if len(got) != 1 || got[0].Summary() != string(summary) || got[0].Severity() != severity {
		t.Fatalf("got %v, want one %s: %s", got, severity, summary)
	}
	for _, w := range words {
		if !strings.Contains(got[0].Detail(), w) {
			t.Errorf("%q is not in %q", w, got[0].Detail())
		}
	}
}
