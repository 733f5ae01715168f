package job

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/distribution/reference"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/diagnose"
)

// form is a validator of one string: what it must look like, in a pattern for us and in words for the user.
type form struct {
	pattern *regexp.Regexp
	longest int    // characters; 0 is no limit
	noun    string // "a job name"
	rule    string // what the API asks for
	example string
}

func (f form) Description(context.Context) string         { return f.rule }
func (f form) MarkdownDescription(context.Context) string { return f.rule }
func (f form) fits(s string) bool {
	return f.pattern.MatchString(s) && (f.longest == 0 || len(s) <= f.longest)
}

func (f form) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if !known(req.ConfigValue) || f.fits(req.ConfigValue.ValueString()) {
		return
	}
	resp.Diagnostics.Append(diagnose.Invalid(req.Path, diagnose.Message{
		What: fmt.Sprintf("%q is not %s.", shorten(req.ConfigValue.ValueString()), f.noun),
		Why:  f.rule,
		Do:   fmt.Sprintf("Write something like %q.", f.example),
	}))
}

// shorten keeps a hostile or pasted value from flooding the terminal.
func shorten(s string) string {
	const most = 80
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

var jobNameForm = form{
	pattern: regexp.MustCompile(`^[a-z]([-a-z0-9]*[a-z0-9])?$`),
	longest: 63,
	noun:    "a job name",
	rule:    "A job name has 1 to 63 lower-case letters, digits and hyphens; it begins with a letter and does not end with a hyphen.",
	example: "train-gemma-2b",
}

var containerNameForm = form{
	pattern: regexp.MustCompile(`^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$`),
	longest: 63,
	noun:    "a container name",
	rule:    "A container name follows RFC 1123: 1 to 63 lower-case letters, digits, hyphens and dots, with a letter or digit at both ends.",
	example: "trainer",
}

var serviceAccountForm = form{
	pattern: regexp.MustCompile(`^[^@\s/]+@[^@\s/]+\.[^@\s/]+$`),
	noun:    "the e-mail of a service account",
	rule:    "Cloud Run takes a service account by its e-mail.",
	example: "trainer@my-project.iam.gserviceaccount.com",
}

var secretForm = form{
	pattern: regexp.MustCompile(`^(projects/[^/\s]+/secrets/)?[A-Za-z0-9_-]{1,255}$`),
	noun:    "a secret",
	rule:    "A secret is named by letters, digits, hyphens and underscores, or in full as projects/PROJECT/secrets/NAME. Its version is an attribute of its own.",
	example: "hf-token",
}

var secretVersionForm = form{
	pattern: regexp.MustCompile(`^[A-Za-z0-9_-]+$`),
	noun:    "a version of a secret",
	rule:    "A version is a number, an alias or latest, without any path before it.",
	example: "3",
}

// imageForm is the form of an image reference, as container registries define it.
type imageForm struct{}

const imageRule = "An image is named [HOST/]PATH[:TAG][@DIGEST], the path in lower case, without a scheme such as https://."

func (imageForm) Description(context.Context) string         { return imageRule }
func (imageForm) MarkdownDescription(context.Context) string { return imageRule }

func (imageForm) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if !known(req.ConfigValue) {
		return
	}
	if _, err := reference.ParseNormalizedNamed(req.ConfigValue.ValueString()); err == nil {
		return
	}
	resp.Diagnostics.Append(diagnose.Invalid(req.Path, diagnose.Message{
		What: fmt.Sprintf("%q is not the name of a container image.", shorten(req.ConfigValue.ValueString())),
		Why:  imageRule,
		Do:   `Write something like "us-docker.pkg.dev/my-project/my-repository/trainer:1.4.2".`,
	}))
}

// systemPrefixes are the key prefixes that only Google's own systems may write.
var systemPrefixes = []string{"run.googleapis.com", "cloud.googleapis.com", "serving.knative.dev", "autoscaling.knative.dev"}

// isSystemKey is true of a label or annotation that belongs to Google's own systems: never ours to write, never drift.
func isSystemKey(key string) bool {
	domain, _, _ := strings.Cut(key, "/")
	for _, prefix := range systemPrefixes {
		if domain == prefix || strings.HasSuffix(domain, "."+prefix) {
			return true
		}
	}
	return false
}

// systemKeys refuses the keys of Google's own systems in a map of labels or annotations.
type systemKeys struct{ noun string }

func (v systemKeys) Description(context.Context) string {
	return "keys must not begin with " + strings.Join(systemPrefixes, ", ")
}
func (v systemKeys) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

func (v systemKeys) ValidateMap(_ context.Context, req validator.MapRequest, resp *validator.MapResponse) {
	for key := range req.ConfigValue.Elements() {
		if !isSystemKey(key) {
			continue
		}
		resp.Diagnostics.Append(diagnose.Invalid(req.Path, diagnose.Message{
			What: fmt.Sprintf("The %s %q belongs to Google's own systems.", v.noun, shorten(key)),
			Why:  "Cloud Run refuses keys that begin with " + strings.Join(systemPrefixes, ", ") + ".",
			Do:   fmt.Sprintf("Leave it out, or choose another key. What such a %s would set is an attribute of this resource.", v.noun),
		}))
	}
}
