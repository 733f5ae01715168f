package provider

import (
	"context"
	"regexp"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/diagnose"
)

var (
	// projectPattern takes project ids, also those of a domain ("example.com:acme-ml"), and project numbers.
	projectPattern = regexp.MustCompile(`^([a-z][a-z0-9.-]*:)?[a-z0-9][a-z0-9-]*$`)
	// regionPattern takes us-central1 and u-germany-northeast1, and no zone such as us-central1-a.
	regionPattern = regexp.MustCompile(`^([a-z]+-)+[a-z]+[0-9]+$`)
	emailPattern  = regexp.MustCompile(`^[^@\s/]+@[^@\s/]+$`)
	// Letters without upper case, as in Chinese, count as lower-case ones.
	labelKeyPattern   = regexp.MustCompile(`^[\p{Ll}\p{Lo}][\p{Ll}\p{Lo}\p{N}_-]{0,62}$`)
	labelValuePattern = regexp.MustCompile(`^[\p{Ll}\p{Lo}\p{N}_-]{0,63}$`)
)

func projectID() validator.String {
	return stringvalidator.RegexMatches(projectPattern, `must be the id of a project, such as "acme-ml", without "projects/" before it`)
}

func regionName() validator.String {
	return stringvalidator.RegexMatches(regionPattern, `must be the name of a region, such as "us-central1": no zone, no path`)
}

func emailAddress() validator.String {
	return stringvalidator.RegexMatches(emailPattern, `must be the e-mail address of a service account, such as "deployer@acme-ml.iam.gserviceaccount.com"`)
}

func labelKey() validator.String {
	return stringvalidator.RegexMatches(labelKeyPattern, `must start with a lower-case letter and have only lower-case letters, digits, "-" and "_", at most 63`)
}

func labelValue() validator.String {
	return stringvalidator.RegexMatches(labelValuePattern, `must have only lower-case letters, digits, "-" and "_", at most 63`)
}

func notEmpty() []validator.String {
	return []validator.String{stringvalidator.LengthAtLeast(1)}
}

func delegateValidators() []validator.List {
	return []validator.List{listvalidator.ValueStringsAre(emailAddress())}
}

// positiveDuration refuses what is not a duration above zero in Go's form.
type positiveDuration struct{}

// Description says what is accepted.
func (positiveDuration) Description(context.Context) string {
	return `value must be a positive duration, such as "30s" or "2m"`
}

// MarkdownDescription says what is accepted.
func (v positiveDuration) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

// ValidateString refuses the value at its attribute.
func (positiveDuration) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	if length, err := time.ParseDuration(req.ConfigValue.ValueString()); err != nil || length <= 0 {
		resp.Diagnostics.Append(diagnose.ProviderValue(req.Path, diagnose.Message{
			What: `"` + req.ConfigValue.ValueString() + `" is not a positive duration.`,
			Do:   `Write a number with a unit: "30s", "2m".`,
		}))
	}
}

// endpointAddress refuses what parseEndpoint does not take.
type endpointAddress struct{}

// Description says what is accepted.
func (endpointAddress) Description(context.Context) string {
	return "value must be https://HOST or https://HOST:PORT, or http for an address of this machine"
}

// MarkdownDescription says what is accepted.
func (v endpointAddress) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

// ValidateString refuses the value at its attribute.
func (endpointAddress) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() || req.ConfigValue.ValueString() == "" {
		return
	}
	if _, err := parseEndpoint(req.ConfigValue.ValueString()); err != nil {
		resp.Diagnostics.Append(diagnose.EndpointAddress(req.Path, req.ConfigValue.ValueString(), err))
	}
}
