package diagnose

import (
	"fmt"
	"strings"

	"google.golang.org/grpc/codes"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/fault"
)

// readQuotas is what to do where the quotas of a project could not be read.
func readQuotas(project string, err error) string {
	f, ok := fault.As(err)
	if !ok {
		f = &fault.Fault{Code: codes.Unknown}
	}
	enable := fmt.Sprintf("enable the Cloud Quotas API: gcloud services enable cloudquotas.googleapis.com --project=%s", asked(project, f))
	grant := "grant roles/cloudquotas.viewer on project " + project + " to whoever runs Terraform"
	switch {
	case f.Credentials:
		return "Log in with: gcloud auth application-default login."
	case f.Unreachable:
		return "Check the network and the endpoint. With CLOUDRUNGPU_EMULATOR_HOST set: is cloudrun-emulator running at that address?"
	case f.Reason == "SERVICE_DISABLED":
		return "To be told, " + enable + "."
	case f.Reason == "BILLING_DISABLED":
		return billingDisabled(project, f)
	case f.Code == codes.PermissionDenied && (f.Metadata["permission"] != "" || f.Reason == "USER_PROJECT_DENIED"):
		precise, _ := permissionDenied(project, f)
		return precise
	case f.Code == codes.PermissionDenied:
		return "To be told, " + grant + ", and " + enable + "."
	case f.Code == codes.Unavailable, f.Code == codes.DeadlineExceeded, f.Code == codes.ResourceExhausted, f.Code == codes.Internal:
		return "The service may be busy or down: plan again later, or look at https://status.cloud.google.com."
	}
	return "To be told, " + enable + ", and " + grant + "."
}

// asked is the project that the API was asked on behalf of, which may be another than the one whose quotas are read.
func asked(project string, f *fault.Fault) string {
	if consumer := strings.TrimPrefix(f.Metadata["consumer"], "projects/"); consumer != "" {
		return consumer
	}
	return project
}
