package diagnose

import (
	"strings"
	"testing"

	"cloud.google.com/go/run/apiv2/runpb"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"google.golang.org/grpc/codes"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/fault"
)

// The role that is missing is named after the permission, wherever the API says which that is.
func TestAMissingPermissionNamesItsRole(t *testing.T) {
	t.Parallel()
	for permission, want := range map[string][]string{
		"run.jobs.create":                           {"roles/run.developer", "gcloud projects add-iam-policy-binding acme-ml"},
		"run.jobs.runWithOverrides":                 {"roles/run.developer"},
		"iam.serviceaccounts.actAs":                 {"roles/iam.serviceAccountUser", "on the service account of the job", "gcloud iam service-accounts"},
		"iam.serviceAccounts.actAs":                 {"roles/iam.serviceAccountUser"},
		"secretmanager.versions.access":             {"roles/secretmanager.secretAccessor", "gcloud secrets"},
		"cloudquotas.quotas.get":                    {"roles/cloudquotas.viewer"},
		"serviceusage.services.use":                 {"roles/serviceusage.serviceUsageConsumer", "counted against"},
		"serviceusage.quotas.get":                   {"roles/servicemanagement.quotaViewer"},
		"monitoring.timeSeries.list":                {"roles/monitoring.viewer"},
		"artifactregistry.repositories.downloadArt": {"roles/artifactregistry.reader", "service agent"},
		"cloudkms.cryptoKeyVersions.useToEncrypt":   {"roles/cloudkms.cryptoKeyEncrypterDecrypter", "gcloud kms"},
		"compute.subnetworks.use":                   {"roles/compute.networkUser"},
		"storage.objects.get":                       {"a role that holds it"},
	} {
		structured := &fault.Fault{Code: codes.PermissionDenied, Message: "No.", Reason: "IAM_PERMISSION_DENIED", Metadata: map[string]string{"permission": permission}}
		inWords := &fault.Fault{Code: codes.PermissionDenied, Message: "Permission '" + permission + "' denied on x (or it may not exist)."}
		for _, f := range []*fault.Fault{structured, inWords} {
			mustSay(t, Call(CreateFailed, trainName, f), CreateFailed, diag.SeverityError, append(want, "The permission "+permission+" is missing", f.Message)...)
		}
		if said := readQuotas("acme-ml", structured); !strings.Contains(said, want[0]) {
			t.Errorf("of quotas: %q is not in %q", want[0], said)
		}
	}
	mustSay(t, Call(CreateFailed, trainName, &fault.Fault{Code: codes.PermissionDenied, Message: "You need permission."}), CreateFailed,
		diag.SeverityError, "roles/run.developer", "roles/iam.serviceAccountUser")
}

// What is wrong with the project that calls are counted against is mended there, and not in the job's project.
func TestARefusalOfTheQuotaProjectNamesIt(t *testing.T) {
	t.Parallel()
	for reason, test := range map[string]struct {
		permission string
		want       []string
	}{
		"USER_PROJECT_DENIED":   {"", []string{"roles/serviceusage.serviceUsageConsumer", "add-iam-policy-binding other-project"}},
		"IAM_PERMISSION_DENIED": {"serviceusage.services.use", []string{"roles/serviceusage.serviceUsageConsumer", "add-iam-policy-binding other-project"}},
		"BILLING_DISABLED":      {"", []string{"gcloud billing projects link other-project"}},
	} {
		f := &fault.Fault{Code: codes.PermissionDenied, Message: "No.", Reason: reason, Metadata: map[string]string{"consumer": "projects/other-project"}}
		if test.permission != "" {
			f.Metadata["permission"] = test.permission
		}
		mustSay(t, Call(CreateFailed, trainName, f), CreateFailed, diag.SeverityError, test.want...)
		for _, want := range test.want {
			if said := readQuotas("acme-ml", f); !strings.Contains(said, want) || strings.Contains(said, "roles/cloudquotas.viewer") {
				t.Errorf("%s, of quotas: %q is not in %q", reason, want, said)
			}
		}
	}
}

// Every reason why a job is not ready has a cure of its own, but for those that pass.
func TestEveryReasonHasACure(t *testing.T) {
	t.Parallel()
	passing := map[string]bool{
		"COMMON_REASON_UNDEFINED": true, "UNKNOWN": true, "WAITING_FOR_OPERATION": true, "IMMEDIATE_RETRY": true, "POSTPONED_RETRY": true,
		"REVISION_FAILED": true, // of services
	}
	said := map[string]string{}
	for number, name := range runpb.Condition_CommonReason_name {
		job := &runpb.Job{TerminalCondition: &runpb.Condition{
			State: runpb.Condition_CONDITION_FAILED, Message: "the API's own words", Reasons: &runpb.Condition_Reason{Reason: runpb.Condition_CommonReason(number)},
		}}
		got := NotReadyYet(trainName, job)
		mustSay(t, got, NotReady, diag.SeverityWarning, "the API's own words")
		_, do, _ := strings.Cut(got[0].Detail(), "the API's own words")
		if general := strings.Contains(do, "Mend what the message names"); general != passing[name] {
			t.Errorf("%s: %q", name, do)
		}
		if other, twice := said[do]; twice && !passing[name] {
			t.Errorf("%s and %s have the same cure", name, other)
		}
		said[do] = name
	}
}
