package diagnose

import (
	"errors"
	"fmt"
	"strings"

	"cloud.google.com/go/run/apiv2/runpb"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"google.golang.org/grpc/codes"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/fault"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/runapi"
)

// Call says why a call about a job failed and what to do about it. The API's own words stay, unchanged, below ours.
func Call(s Summary, name runapi.JobName, err error) diag.Diagnostics {
	if err == nil {
		return nil
	}
	if d, isSetup := Setup(err); isSetup {
		return diag.Diagnostics{d}
	}
	var gone ErrOvertaken
	if errors.As(err, &gone) {
		return diag.Diagnostics{overtaken(name, gone)}
	}
	f, ok := fault.As(err)
	if !ok {
		f = &fault.Fault{Code: codes.Unknown, Message: err.Error()}
	}
	if s == CreateFailed && f.Code == codes.AlreadyExists {
		s = AlreadyExists
	}
	return diag.Diagnostics{Error(s, Message{
		What: fmt.Sprintf("%s: %s.", s, name),
		Why:  because(err),
		Do:   remedy(s, name, f),
	})}
}

// NotCreated says why a job was not created. Where no answer came, it may have been all the same, and is in no state.
func NotCreated(name runapi.JobName, sent *runpb.Job, err error) diag.Diagnostics {
	if _, isSetup := Setup(err); isSetup || !fault.MaybeDone(err) || fault.IsAlreadyExists(err) {
		return Refused(CreateFailed, name, sent, err)
	}
	return diag.Diagnostics{Error(CreateFailed, Message{
		What: fmt.Sprintf("%s: %s.", CreateFailed, name),
		Why:  because(err),
		Do: fmt.Sprintf("Whether the job was made all the same is not known. Apply again; should that say that the job exists, import it: "+
			"terraform import ADDRESS %s.", name),
	})}
}

// because is the API's answer in its own words, with code and reason before it.
func because(err error) string {
	f, ok := fault.As(err)
	if !ok {
		return err.Error()
	}
	head := "The API answered " + f.Status()
	if f.Unreachable || f.Credentials {
		head = "The API was not reached"
	}
	if f.Reason != "" {
		head += " (" + f.Reason + ")"
	}
	lines := []string{head + ": " + f.Message}
	for _, v := range f.Violations {
		if line := v.Field + ": " + v.Description; !strings.Contains(f.Message, v.Description) {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// remedy is what to do about a refusal. It goes by code and reason, never by the text of a message.
func remedy(s Summary, name runapi.JobName, f *fault.Fault) string {
	switch {
	case f.Credentials:
		return "Log in with: gcloud auth application-default login. Or set credentials, access_token or " +
			"impersonate_service_account in the provider block; the variables GOOGLE_CREDENTIALS and GOOGLE_OAUTH_ACCESS_TOKEN do the same."
	case f.Unreachable:
		return "Check the network and the endpoint. With CLOUDRUNGPU_EMULATOR_HOST set: is cloudrun-emulator running at that address?"
	case f.Reason == "SERVICE_DISABLED":
		return serviceDisabled(name, f)
	case f.Reason == "BILLING_DISABLED":
		return billingDisabled(name.Project, f)
	}
	switch f.Code {
	case codes.AlreadyExists:
		return "To manage the existing job here, take it in with this block, and apply again; otherwise choose another name.\n\n" + importBlock(name.String())
	case codes.PermissionDenied:
		if precise, ok := permissionDenied(name.Project, f); ok {
			return precise
		}
		return fmt.Sprintf("Whoever runs Terraform needs roles/run.developer on project %s and roles/iam.serviceAccountUser on the service "+
			"account of the job.", name.Project)
	case codes.Unauthenticated:
		return "The credentials are not valid any more. Log in again: gcloud auth application-default login."
	case codes.InvalidArgument, codes.FailedPrecondition:
		return "Change the configuration as the answer says, and apply again."
	case codes.Aborted:
		return "Somebody else changed the job at the same moment. Plan again and look at the difference."
	case codes.ResourceExhausted:
		return "Wait a minute and apply again, or lower -parallelism."
	case codes.DeadlineExceeded, codes.Canceled:
		return interrupted(s)
	case codes.NotFound:
		return "Check that the project and the region exist and that the job was not deleted meanwhile; then plan again."
	}
	return "Apply again: Terraform goes on from where this stopped. If it stays so, look at https://status.cloud.google.com."
}

func serviceDisabled(name runapi.JobName, f *fault.Fault) string {
	service, project := "run.googleapis.com", name.Project
	if s := f.Metadata["service"]; s != "" {
		service = s
	}
	if consumer := strings.TrimPrefix(f.Metadata["consumer"], "projects/"); consumer != "" {
		project = consumer
	}
	return fmt.Sprintf("Enable the API, wait a minute and apply again: gcloud services enable %s --project=%s.", service, project)
}

func interrupted(s Summary) string {
	if s == ReadFailed {
		return "Try again. If reading takes longer than timeouts.read, raise that."
	}
	return "Whether the API finished the work is not known. Apply again: Terraform reads the job first and goes on from there. If the work " +
		"takes longer than the timeouts attribute allows, raise that."
}
