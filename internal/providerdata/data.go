// Package providerdata is what the provider hands to its resources and data sources once Terraform has configured it.
package providerdata

import (
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/billingapi"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/diagnose"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/quotaapi"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/runapi"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/usageapi"
)

// Data is the configured provider. It is shared by everything that runs at once, and safe for that.
type Data struct {
	// Project and Region are the defaults for what names neither: null when set nowhere, unknown when made in the same apply.
	Project, Region types.String
	// DefaultLabels are merged into the labels of every job: a map of strings, null when there are none, possibly unknown.
	DefaultLabels types.Map
	// QuotaCheck is "error", "warning" or "off".
	QuotaCheck string
	// ValidateOnly asks the API's own opinion of a job at plan.
	ValidateOnly bool
	// Run, Quotas, Usage and Prices connect when they are first used, not before.
	Run    *runapi.Client
	Quotas *quotaapi.Source
	Usage  *usageapi.Source
	Prices *billingapi.Source
	// Version of the provider, sent as the client version of jobs.
	Version string

	said sync.Map
}

// From is the provider data that Terraform passes to Configure. It is nil, without a diagnostic, as long as Terraform has not
// configured the provider: while it validates, for one.
func From(providerData any) (*Data, diag.Diagnostics) {
	var diags diag.Diagnostics
	if providerData == nil {
		return nil, diags
	}
	data, ok := providerData.(*Data)
	if !ok {
		diags.Append(diagnose.UnexpectedProviderData(providerData))
	}
	return data, diags
}

// Once is true the first time that it is asked about a key: for warnings that are worth saying once in a run.
func (d *Data) Once(key string) bool {
	_, before := d.said.LoadOrStore(key, struct{}{})
	return !before
}
