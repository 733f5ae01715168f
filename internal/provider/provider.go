// Package provider is the wiring of the provider: its configuration, its clients, and what it offers.
package provider

import (
	"context"
	"os"
	"sync/atomic"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	act "github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/action"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/billingapi"
	lookup "github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/datasource"
	calc "github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/function"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/gpu"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/job"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/providerdata"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/quotaapi"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/runapi"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/usageapi"
)

// typeName is the name of the provider, and the first part of the name of each of its types.
const typeName = "cloudrungpu"

var (
	_ provider.Provider              = (*cloudRunGPU)(nil)
	_ provider.ProviderWithFunctions = (*cloudRunGPU)(nil)
)

type cloudRunGPU struct {
	version string
	env     Environment
	known   atomic.Pointer[gpu.Catalogue] // nil until somebody asks; see catalogue
}

// Option changes how a provider is made; for tests.
type Option func(*cloudRunGPU)

// WithEnvironment takes environment variables from env in place of those of the process, so that several providers with
// different ones can run in it.
func WithEnvironment(env Environment) Option {
	return func(p *cloudRunGPU) { p.env = env }
}

// New returns what makes the provider. The version is that of the release, "dev" for a build that is none.
func New(version string, options ...Option) func() provider.Provider {
	return func() provider.Provider {
		p := &cloudRunGPU{version: version, env: os.Getenv}
		for _, option := range options {
			option(p)
		}
		return p
	}
}

// Metadata names the provider.
func (p *cloudRunGPU) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = typeName
	resp.Version = p.version
}

// Configure settles project, region, who calls and where to. It makes no call: clients connect when they are first used.
func (p *cloudRunGPU) Configure(ctx context.Context, req provider.ConfigureRequest, resp *provider.ConfigureResponse) {
	var given model
	resp.Diagnostics.Append(req.Config.Get(ctx, &given)...)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(p.decide(given.GPUCatalogue)...)
	set, diags := resolve(ctx, given, p.env)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	set.userAgent = userAgent(p.version, req.TerraformVersion, p.env(userAgentVariable))
	data := p.data(set)
	resp.ResourceData = data
	resp.DataSourceData = data
	resp.ListResourceData = data
	resp.ActionData = data
}

// data is what the resources and data sources get of the settings.
func (p *cloudRunGPU) data(set settings) *providerdata.Data {
	dial := newDialer(set)
	return &providerdata.Data{
		Project:       set.project,
		Region:        set.region,
		DefaultLabels: set.defaultLabels,
		QuotaCheck:    set.quotaCheck,
		ValidateOnly:  set.validateOnly,
		Run: runapi.New(runapi.Options{
			Transport:      set.transport,
			Dial:           dial.to(runService),
			RequestTimeout: set.requestTimeout,
			Log:            logCall,
		}),
		Quotas: quotaapi.New(quotaapi.Options{
			Transport:      set.transport,
			Dial:           dial.to(quotasService),
			RequestTimeout: set.requestTimeout,
			Log:            logCall,
		}),
		Usage: usageapi.New(usageapi.Options{
			Transport:      set.transport,
			Dial:           dial.to(monitoringService),
			RequestTimeout: set.requestTimeout,
			Log:            logCall,
		}),
		Prices: billingapi.New(billingapi.Options{
			Transport:      set.transport,
			Dial:           dial.to(billingService),
			RequestTimeout: set.requestTimeout,
			Log:            logCall,
		}),
		Version: p.version,
	}
}

// Resources are the resource types.
func (p *cloudRunGPU) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{func() resource.Resource { return job.NewResource(p.catalogue) }}
}

// ListResources are what `terraform query` can list.
func (p *cloudRunGPU) ListResources(context.Context) []func() list.ListResource {
	return []func() list.ListResource{func() list.ListResource { return job.NewLister(p.catalogue) }}
}

// DataSources are the data source types.
func (p *cloudRunGPU) DataSources(context.Context) []func() datasource.DataSource {
	of := func(informed func(func() *gpu.Catalogue) datasource.DataSource) func() datasource.DataSource {
		return func() datasource.DataSource { return informed(p.catalogue) }
	}
	return []func() datasource.DataSource{
		of(lookup.NewGPUTypes), of(lookup.NewRegions), of(lookup.NewQuota), of(lookup.NewCostEstimate),
		lookup.NewJob, lookup.NewJobs, lookup.NewExecutions, lookup.NewExecution,
	}
}

// Functions are what configurations can call: provider::cloudrungpu::NAME.
func (p *cloudRunGPU) Functions(context.Context) []func() function.Function {
	return []func() function.Function{calc.NewParseJobYAML}
}

// Actions are what can be done to jobs beside managing them.
func (p *cloudRunGPU) Actions(context.Context) []func() action.Action {
	return []func() action.Action{act.NewJobRun, act.NewExecutionCancel}
}
