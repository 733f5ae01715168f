package provider

// Environment looks up an environment variable; "" is a variable that is not set.
type Environment func(name string) string

// The environment variables of the google provider, in its order: the first one that is set counts.
var (
	projectVariables        = []string{"GOOGLE_PROJECT", "GOOGLE_CLOUD_PROJECT", "GCLOUD_PROJECT", "CLOUDSDK_CORE_PROJECT"}
	regionVariables         = []string{"GOOGLE_REGION", "GCLOUD_REGION", "CLOUDSDK_COMPUTE_REGION"}
	credentialsVariables    = []string{"GOOGLE_CREDENTIALS", "GOOGLE_CLOUD_KEYFILE_JSON", "GCLOUD_KEYFILE_JSON"}
	accessTokenVariables    = []string{"GOOGLE_OAUTH_ACCESS_TOKEN"}
	impersonateVariables    = []string{"GOOGLE_IMPERSONATE_SERVICE_ACCOUNT"}
	billingProjectVariables = []string{"GOOGLE_BILLING_PROJECT"}
	userProjectVariables    = []string{"USER_PROJECT_OVERRIDE"}
	requestReasonVariables  = []string{"CLOUDSDK_CORE_REQUEST_REASON"}
	catalogueVariables      = []string{"CLOUDRUNGPU_GPU_CATALOGUE"} // of this provider's own
	universeVariables       = []string{"GOOGLE_CLOUD_UNIVERSE_DOMAIN"}
)

// Variables of the provider and of Terraform that have no attribute.
const (
	emulatorVariable       = "CLOUDRUNGPU_EMULATOR_HOST"
	emulatorRemoteVariable = "CLOUDRUNGPU_EMULATOR_ALLOW_REMOTE"
	userAgentVariable      = "TF_APPEND_USER_AGENT"
	adcVariable            = "GOOGLE_APPLICATION_CREDENTIALS"
)

// first returns the value of the first variable that is set, and its name; "" and "" when none is.
func (e Environment) first(names []string) (value, name string) {
	for _, name := range names {
		if value := e(name); value != "" {
			return value, name
		}
	}
	return "", ""
}
