package provider

import (
	"context"
	"strconv"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/diagnose"
)

// defaultRequestTimeout is the longest that one attempt of a call takes unless the configuration says otherwise.
const defaultRequestTimeout = 60 * time.Second

// settings is the provider's configuration: attributes first, then environment variables, then defaults. It holds secrets and
// is never logged.
type settings struct {
	project, region types.String // null: set nowhere; unknown: made in the same apply
	defaultLabels   types.Map

	identity            identity
	billingProject      string
	userProjectOverride bool

	requestReason  string
	requestTimeout time.Duration
	universeDomain string // "" is Google's own
	userAgent      string
	transport      string
	emulator       *endpoint           // nil: Google Cloud
	endpoints      map[string]endpoint // by service.attribute; those that are not Google's own

	quotaCheck   string
	validateOnly bool

	// unknown names the attributes that calls need and whose values are not known yet.
	unknown []string
}

// resolver puts settings together. It reports all faults at once.
type resolver struct {
	env     Environment
	unknown []string
	diags   diag.Diagnostics
}

// resolve reads attributes and environment. It touches neither the network nor, but for asking whether it is there, a file.
func resolve(ctx context.Context, given model, env Environment) (settings, diag.Diagnostics) {
	r := &resolver{env: env}
	set := settings{
		project:       r.text(given.Project, projectVariables),
		region:        r.text(given.Region, regionVariables),
		defaultLabels: given.DefaultLabels,
		requestReason: r.needed("request_reason", r.text(given.RequestReason, requestReasonVariables)),
		transport:     orDefault(given.Transport, transports[0]),
		quotaCheck:    quotaCheck(given.QuotaCheck),
		validateOnly:  given.ValidateOnly.ValueBool(),
	}
	set.requestTimeout = requestTimeout(given.RequestTimeout)
	set.emulator = r.emulator()
	if set.emulator != nil {
		return set, r.diags // nothing else goes to the emulator, so that nothing else can be wrong
	}
	set.endpoints = r.endpoints(ctx, given.Endpoints)
	set.identity = r.identity(ctx, given)
	set.universeDomain = r.needed("universe_domain", r.text(given.UniverseDomain, universeVariables))
	r.quotaProject(given, &set)
	set.unknown = r.unknown
	return set, r.diags
}

// text is the attribute, else the first variable that is set, else null. An unknown attribute stays unknown.
func (r *resolver) text(given types.String, names []string) types.String {
	if !given.IsNull() {
		return given
	}
	if value, name := r.env.first(names); name != "" {
		return types.StringValue(value)
	}
	return types.StringNull()
}

// needed is the value of an attribute that calls cannot do without, "" where it is absent; where it is unknown, calls wait.
func (r *resolver) needed(attribute string, value types.String) string {
	r.wait(attribute, value)
	return value.ValueString()
}

func (r *resolver) wait(attribute string, value attr.Value) {
	if value.IsUnknown() {
		r.unknown = append(r.unknown, attribute)
	}
}

// quotaProject settles which project calls are counted against.
func (r *resolver) quotaProject(given model, set *settings) {
	override := given.UserProjectOverride
	if value, name := r.env.first(userProjectVariables); override.IsNull() && name != "" {
		parsed, err := strconv.ParseBool(value)
		if err != nil {
			r.diags.Append(diagnose.VariableValue(path.Root("user_project_override"), name, value, "Set it to true or false, or unset it."))
		}
		override = types.BoolValue(parsed)
	}
	r.wait("user_project_override", override)
	set.userProjectOverride = override.ValueBool()
	if !set.userProjectOverride {
		return
	}
	billing := r.text(given.BillingProject, billingProjectVariables)
	set.billingProject = r.needed("billing_project", billing)
	if billing.IsNull() {
		r.wait("project", set.project)
	}
}

func (r *resolver) emulator() *endpoint {
	address := r.env(emulatorVariable)
	if address == "" {
		return nil
	}
	found, err := parseEmulator(address, r.env(emulatorRemoteVariable) == "1")
	if err != nil {
		r.diags.Append(diagnose.EmulatorAddress(emulatorVariable, address, err))
	}
	return &found
}

func (r *resolver) endpoints(ctx context.Context, given types.Object) map[string]endpoint {
	r.wait("endpoints", given)
	var of endpointsModel
	if !given.IsNull() && !given.IsUnknown() {
		r.diags.Append(given.As(ctx, &of, basetypes.ObjectAsOptions{})...)
	}
	written := map[string]types.String{
		runService.attribute:        of.Run,
		quotasService.attribute:     of.CloudQuotas,
		monitoringService.attribute: of.Monitoring,
		billingService.attribute:    of.CloudBilling,
	}
	found := make(map[string]endpoint)
	for _, s := range services {
		at := path.Root("endpoints").AtName(s.attribute)
		value := written[s.attribute]
		if value.ValueString() == "" && !value.IsUnknown() {
			value = r.text(types.StringNull(), []string{s.variable})
		}
		address := r.needed(at.String(), value)
		if address == "" {
			continue
		}
		parsed, err := parseEndpoint(address)
		if err != nil {
			r.diags.Append(diagnose.EndpointAddress(at, address, err))
			continue
		}
		found[s.attribute] = parsed
	}
	return found
}

// quotaCheck is what is written, or the default. Unknown is "warning": it says what the check finds and can fail no plan that
// "off" would let pass.
func quotaCheck(given types.String) string {
	if given.IsUnknown() {
		return "warning"
	}
	return orDefault(given, quotaChecks[0])
}

// requestTimeout is what is written, or the default, also for an unknown value: it only bounds a wait.
func requestTimeout(given types.String) time.Duration {
	if length, err := time.ParseDuration(given.ValueString()); err == nil {
		return length
	}
	return defaultRequestTimeout
}

func orDefault(given types.String, value string) string {
	if given.ValueString() == "" {
		return value
	}
	return given.ValueString()
}
