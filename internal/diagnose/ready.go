package diagnose

import (
	"fmt"

	"cloud.google.com/go/run/apiv2/runpb"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/runapi"
)

// readyCure is what to mend, by the reason why a job is not ready, and the attribute that may be at fault.
type readyCure struct {
	at path.Path
	do string
}

var (
	images     = path.Root("containers")
	readyCures = map[runpb.Condition_CommonReason]readyCure{
		runpb.Condition_CONTAINER_MISSING: {images, "Push the image, or correct its name or tag, and apply again."},
		runpb.Condition_CONTAINER_PERMISSION_DENIED: {images, "Grant roles/artifactregistry.reader on the repository of the image to the Cloud Run service agent " +
			"(service-NUMBER@serverless-robot-prod.iam.gserviceaccount.com), and apply again."},
		runpb.Condition_CONTAINER_IMAGE_UNAUTHORIZED: {images, "The policy of Binary Authorization does not admit the image: use one that it admits, or " +
			"binary_authorization.breakglass_justification."},
		runpb.Condition_CONTAINER_IMAGE_AUTHORIZATION_CHECK_FAILED: {images, "Binary Authorization could not be asked: is its API enabled and its policy there?"},
		runpb.Condition_ENCRYPTION_KEY_PERMISSION_DENIED: {path.Root("encryption_key"), "Grant roles/cloudkms.cryptoKeyEncrypterDecrypter on the key to the Cloud Run " +
			"service agent (service-NUMBER@serverless-robot-prod.iam.gserviceaccount.com), and apply again."},
		runpb.Condition_ENCRYPTION_KEY_CHECK_FAILED: {path.Root("encryption_key"), "Is the key there, enabled, and in the region of the job?"},
		runpb.Condition_SECRETS_ACCESS_CHECK_FAILED: {images, "Is each secret there, with that version? Grant roles/secretmanager.secretAccessor on it to the service account " +
			"of the job: gcloud secrets add-iam-policy-binding SECRET --member=serviceAccount:SERVICE_ACCOUNT --role=roles/secretmanager.secretAccessor."},
		runpb.Condition_VPC_NETWORK_NOT_FOUND:      {path.Root("vpc_access"), "Is the network, the subnetwork or the connector there, in the region of the job?"},
		runpb.Condition_INTERNAL:                   {path.Empty(), "Apply again; if it stays so, look at https://status.cloud.google.com."},
		runpb.Condition_PROGRESS_DEADLINE_EXCEEDED: {path.Empty(), "Cloud Run gave up waiting. Apply again; if it stays so, look at the logs of the job."},
	}
)

// NotReadyYet warns of a job that the server took but could not make ready: a missing image, a secret it may not read.
func NotReadyYet(name runapi.JobName, job *runpb.Job) diag.Diagnostics {
	condition := job.GetTerminalCondition()
	if condition.GetState() != runpb.Condition_CONDITION_FAILED {
		return nil
	}
	why := "Cloud Run"
	cure, found := readyCures[condition.GetReason()]
	if found {
		why += " (" + condition.GetReason().String() + ")"
	} else {
		cure = readyCure{path.Empty(), "Mend what the message names and apply again."}
	}
	return diag.Diagnostics{WarningAt(cure.at, NotReady, Message{
		What: fmt.Sprintf("The job %s is saved, but Cloud Run says that it cannot run.", name),
		Why:  why + ": " + condition.GetMessage(),
		Do:   cure.do,
	})}
}
