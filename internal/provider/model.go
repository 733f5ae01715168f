package provider

import "github.com/hashicorp/terraform-plugin-framework/types"

// model is the provider block as written: a value is null where the attribute is absent.
type model struct {
	Project                            types.String `tfsdk:"project"`
	Region                             types.String `tfsdk:"region"`
	Credentials                        types.String `tfsdk:"credentials"`
	AccessToken                        types.String `tfsdk:"access_token"`
	ImpersonateServiceAccount          types.String `tfsdk:"impersonate_service_account"`
	ImpersonateServiceAccountDelegates types.List   `tfsdk:"impersonate_service_account_delegates"`
	BillingProject                     types.String `tfsdk:"billing_project"`
	UserProjectOverride                types.Bool   `tfsdk:"user_project_override"`
	RequestReason                      types.String `tfsdk:"request_reason"`
	RequestTimeout                     types.String `tfsdk:"request_timeout"`
	UniverseDomain                     types.String `tfsdk:"universe_domain"`
	DefaultLabels                      types.Map    `tfsdk:"default_labels"`
	QuotaCheck                         types.String `tfsdk:"quota_check"`
	ValidateOnly                       types.Bool   `tfsdk:"validate_only"`
	GPUCatalogue                       types.String `tfsdk:"gpu_catalogue"`
	Transport                          types.String `tfsdk:"transport"`
	Endpoints                          types.Object `tfsdk:"endpoints"`
}

type endpointsModel struct {
	Run          types.String `tfsdk:"run"`
	CloudQuotas  types.String `tfsdk:"cloud_quotas"`
	Monitoring   types.String `tfsdk:"monitoring"`
	CloudBilling types.String `tfsdk:"cloud_billing"`
}
