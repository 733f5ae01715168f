package provider

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/mapvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// Accepted values of quota_check and transport; the first is the default.
var (
	quotaChecks = []string{"error", "warning", "off"}
	transports  = []string{"grpc", "rest"}
)

// Schema describes the provider block.
func (p *cloudRunGPU) Schema(_ context.Context, _ provider.SchemaRequest, resp *provider.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Cloud Run jobs with GPUs: mistakes are found at `terraform plan`, in words that say what to write. Authentication, " +
			"project and region are set as for the google provider, by the same names and environment variables. Nothing is asked of " +
			"Google Cloud before a resource or data source needs it.\n\nWith the environment variable `" + emulatorVariable + "` (`HOST:PORT`) " +
			"set, every call goes to an emulator at that address, in plain text and without credentials. Only an address of this " +
			"machine is taken, unless `" + emulatorRemoteVariable + "=1` is set too.",
		Attributes: map[string]schema.Attribute{},
	}
	for _, group := range []map[string]schema.Attribute{placeAttributes(), identityAttributes(), requestAttributes(), manners()} {
		for name, attribute := range group {
			resp.Schema.Attributes[name] = attribute
		}
	}
}

// placeAttributes say where things are made and how they are labelled.
func placeAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"project": schema.StringAttribute{
			Optional: true,
			MarkdownDescription: "Id of the Google Cloud project of everything that names none itself, such as `acme-ml`. No default." +
				variables(projectVariables),
			Validators: []validator.String{projectID()},
		},
		"region": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "Region of everything that names none itself, such as `us-central1`. No default." + variables(regionVariables),
			Validators:          []validator.String{regionName()},
		},
		"default_labels": schema.MapAttribute{
			ElementType: types.StringType,
			Optional:    true,
			MarkdownDescription: "Labels that every job gets; those of the job itself win. Keys and values are lower-case letters, digits, " +
				"`-` and `_`, at most 63 characters. Default: none.",
			Validators: []validator.Map{
				mapvalidator.KeysAre(labelKey()),
				mapvalidator.ValueStringsAre(labelValue()),
			},
		},
	}
}

// identityAttributes say who calls.
func identityAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"credentials": schema.StringAttribute{
			Optional:  true,
			Sensitive: true,
			MarkdownDescription: "Credentials of Google Cloud: the path of a file, or the JSON text of one. Accepted are a service account key, a " +
				"workload identity configuration (`external_account`), an impersonated service account and a user's login. Default: " +
				"Application Default Credentials, which are the file named by `" + adcVariable + "`, the login of " +
				"`gcloud auth application-default login`, or the service account of the machine." + variables(credentialsVariables) +
				" Environment variables count only where the provider block has neither `credentials` nor `access_token`.",
			Validators: notEmpty(),
		},
		"access_token": schema.StringAttribute{
			Optional:  true,
			Sensitive: true,
			MarkdownDescription: "An OAuth 2.0 access token. It wins over `credentials` and is not renewed when it expires. Default: none." +
				variables(accessTokenVariables),
			Validators: notEmpty(),
		},
		"impersonate_service_account": schema.StringAttribute{
			Optional: true,
			MarkdownDescription: "E-mail address of a service account to act as. The credentials need `roles/iam.serviceAccountTokenCreator` on it. " +
				"Default: none." + variables(impersonateVariables),
			Validators: []validator.String{emailAddress()},
		},
		"impersonate_service_account_delegates": schema.ListAttribute{
			ElementType: types.StringType,
			Optional:    true,
			MarkdownDescription: "E-mail addresses of the service accounts between the credentials and `impersonate_service_account`, in the order of " +
				"the chain: each needs `roles/iam.serviceAccountTokenCreator` on the next. Default: none.",
			Validators: delegateValidators(),
		},
	}
}

// requestAttributes go into every call.
func requestAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"billing_project": schema.StringAttribute{
			Optional: true,
			MarkdownDescription: "Id of the project that calls are counted against when `user_project_override` is true. Default: `project`." +
				variables(billingProjectVariables),
			Validators: []validator.String{projectID()},
		},
		"user_project_override": schema.BoolAttribute{
			Optional: true,
			MarkdownDescription: "Whether calls are counted against `billing_project`, or else `project`, in place of the project of the credentials: " +
				"`true` or `false`. The caller needs `serviceusage.services.use` there. Default: `false`; a user's login without a quota " +
				"project of its own is counted against `project` when quotas are read, since Google refuses it otherwise." +
				variables(userProjectVariables),
		},
		"request_reason": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "A reason that is sent with every call and shows in audit logs. Default: none." + variables(requestReasonVariables),
			Validators:          notEmpty(),
		},
		"request_timeout": schema.StringAttribute{
			Optional: true,
			MarkdownDescription: "The longest that one attempt of a call may take: a positive duration such as `30s` or `2m`. Default: `60s`. How long " +
				"an apply waits for a job is set by the job's `timeouts`.",
			Validators: []validator.String{positiveDuration{}},
		},
		"universe_domain": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "Domain of the Google Cloud universe to call. Default: `googleapis.com`." + variables(universeVariables),
			Validators:          notEmpty(),
		},
		"endpoints": schema.SingleNestedAttribute{
			Optional: true,
			MarkdownDescription: "Other addresses of the APIs, such as `https://us-central1-run.googleapis.com`. Each is `https://HOST` or " +
				"`https://HOST:PORT`; `http` is taken for an address of this machine only, and gets no credentials. Default: Google's own.",
			Attributes: endpointAttributes(),
		},
	}
}

func endpointAttributes() map[string]schema.Attribute {
	attributes := make(map[string]schema.Attribute, len(services))
	for _, s := range services {
		attributes[s.attribute] = schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: s.description + " Default, also for an empty string: Google's own." + variables([]string{s.variable}),
			Validators:          []validator.String{endpointAddress{}},
		}
	}
	return attributes
}

// manners are what this provider has of its own.
func manners() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"quota_check": schema.StringAttribute{
			Optional: true,
			MarkdownDescription: "What a plan does when a job would hold more GPUs at once than the project's quota allows: `error` fails the plan, " +
				"`warning` goes on, `off` does not ask for quotas at all. Default: `error`.",
			Validators: []validator.String{stringvalidator.OneOf(quotaChecks...)},
		},
		"validate_only": schema.BoolAttribute{
			Optional: true,
			MarkdownDescription: "Whether a plan also asks the Cloud Run API itself, with a request that it checks and does not carry out: `true` or " +
				"`false`. It needs the permissions to create the job. Default: `false`.",
		},
		"gpu_catalogue": schema.StringAttribute{
			Optional: true,
			MarkdownDescription: "What you know of GPU types and regions beyond this release: the path of a YAML file, or its text (such as " +
				"`yamlencode({...})`). It adds types and regions, or overrides single values of those that are built in; its shape is in the guide on GPU types and regions. With it, a " +
				"type in neither catalogue that Cloud Quotas knows is a warning at plan, not an error. Default: only what is built in." +
				variables(catalogueVariables),
			Validators: notEmpty(),
		},
		"transport": schema.StringAttribute{
			Optional: true,
			MarkdownDescription: "How the APIs are called: `grpc`, or `rest` where a proxy does not let gRPC through. " +
				"Default: `grpc`.",
			Validators: []validator.String{stringvalidator.OneOf(transports...)},
		},
	}
}

// variables ends a description with the environment variables that stand in for the attribute.
func variables(names []string) string {
	if len(names) == 1 {
		return " Environment variable: `" + names[0] + "`."
	}
	return " Environment variables, of which the first that is set counts: `" + strings.Join(names, "`, `") + "`."
}
