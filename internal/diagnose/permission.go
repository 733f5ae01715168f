package diagnose

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/fault"
)

// grant is a role that holds a permission, who needs it, and the command that gives it.
type grant struct {
	permission string // or how a family of them begins
	role       string
	to         string
	command    string // PROJECT stands for the project
}

// useProject is the permission to have calls counted against a project.
const useProject = "serviceusage.services.use"

// Google's predefined roles with the least in them that the provider, or a job of its, needs.
var grants = []grant{
	{
		"iam.serviceaccounts.actas", "roles/iam.serviceAccountUser", "whoever runs Terraform, on the service account of the job",
		"gcloud iam service-accounts add-iam-policy-binding SERVICE_ACCOUNT --member=MEMBER --role=roles/iam.serviceAccountUser",
	},
	{"run.", "roles/run.developer", "whoever runs Terraform", project("roles/run.developer")},
	{
		"secretmanager.", "roles/secretmanager.secretAccessor", "the service account of the job, on the secret",
		"gcloud secrets add-iam-policy-binding SECRET --member=serviceAccount:SERVICE_ACCOUNT --role=roles/secretmanager.secretAccessor",
	},
	{"cloudquotas.", "roles/cloudquotas.viewer", "whoever runs Terraform", project("roles/cloudquotas.viewer")},
	{"serviceusage.quotas.", "roles/servicemanagement.quotaViewer", "whoever runs Terraform", project("roles/servicemanagement.quotaViewer")},
	{
		useProject, "roles/serviceusage.serviceUsageConsumer", "whoever runs Terraform, on the project that calls are counted against",
		project("roles/serviceusage.serviceUsageConsumer"),
	},
	{"monitoring.", "roles/monitoring.viewer", "whoever runs Terraform", project("roles/monitoring.viewer")},
	{
		"artifactregistry.", "roles/artifactregistry.reader", "the Cloud Run service agent (service-NUMBER@serverless-robot-prod.iam.gserviceaccount.com)",
		project("roles/artifactregistry.reader"),
	},
	{
		"cloudkms.", "roles/cloudkms.cryptoKeyEncrypterDecrypter",
		"the Cloud Run service agent (service-NUMBER@serverless-robot-prod.iam.gserviceaccount.com), on the key",
		"gcloud kms keys add-iam-policy-binding KEY --member=MEMBER --role=roles/cloudkms.cryptoKeyEncrypterDecrypter",
	},
	{"compute.", "roles/compute.networkUser", "the Cloud Run service agent, on the network", project("roles/compute.networkUser")},
}

func project(role string) string {
	return "gcloud projects add-iam-policy-binding PROJECT --member=MEMBER --role=" + role
}

// quotedPermission finds the permission where the API names it in its words alone, as Cloud Run does for actAs: Permission
// 'iam.serviceaccounts.actAs' denied on service account …. A permission is an identifier of IAM, the same in every language.
var quotedPermission = regexp.MustCompile(`[Pp]ermission '?([A-Za-z]+\.[A-Za-z]+\.[A-Za-z]+)'?`)

// permissionDenied is what to grant, as precisely as the refusal says what is missing; false where it does not say.
func permissionDenied(projectID string, f *fault.Fault) (string, bool) {
	permission := f.Metadata["permission"]
	if f.Reason == "USER_PROJECT_DENIED" {
		permission = useProject
	}
	if permission == "" {
		if found := quotedPermission.FindStringSubmatch(f.Message); found != nil {
			permission = found[1]
		}
	}
	if permission == "" {
		return "", false
	}
	if permission == useProject {
		projectID = asked(projectID, f) // it is missing where calls are counted, which may be another project than the job's
	}
	for _, g := range grants {
		if strings.HasPrefix(strings.ToLower(permission), g.permission) {
			return fmt.Sprintf("The permission %s is missing. Grant %s to %s: %s.", permission, g.role, g.to,
				strings.Replace(g.command, "PROJECT", projectID, 1)), true
		}
	}
	return fmt.Sprintf("The permission %s is missing: grant whoever runs Terraform a role that holds it.", permission), true
}

// billingDisabled is what to do for a project without a billing account.
func billingDisabled(projectID string, f *fault.Fault) string {
	projectID = asked(projectID, f)
	return fmt.Sprintf("Link a billing account to project %s: gcloud billing projects link %s --billing-account=ACCOUNT.", projectID, projectID)
}

// importBlock is what takes an existing job in.
func importBlock(id string) string {
	return fmt.Sprintf("import {\n  id = %q\n  to = ADDRESS # of this resource, such as cloudrungpu_job.finetune\n}", id)
}
