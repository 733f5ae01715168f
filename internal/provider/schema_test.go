package provider

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// validate asks as Terraform does in `terraform validate`.
func validate(t *testing.T, attributes map[string]any) []*tfprotov6.Diagnostic {
	t.Helper()
	config := configOf(t, attributes)
	value, err := tfprotov6.NewDynamicValue(config.Raw.Type(), config.Raw)
	if err != nil {
		t.Fatal(err)
	}
	server := providerserver.NewProtocol6(New("test", WithEnvironment(envOf(nil)))())()
	resp, err := server.ValidateProviderConfig(t.Context(), &tfprotov6.ValidateProviderConfigRequest{Config: &value})
	if err != nil {
		t.Fatal(err)
	}
	return resp.Diagnostics
}

func TestSchemaIsValid(t *testing.T) {
	t.Parallel()
	var resp provider.SchemaResponse
	New("test")().Schema(t.Context(), provider.SchemaRequest{}, &resp)
	if diags := resp.Schema.ValidateImplementation(t.Context()); diags.HasError() {
		t.Error(diags)
	}
	for _, name := range []string{"credentials", "access_token"} {
		if !resp.Schema.Attributes[name].IsSensitive() {
			t.Errorf("%s is not sensitive", name)
		}
	}
}

func TestAcceptedValues(t *testing.T) {
	t.Parallel()
	for _, attributes := range []map[string]any{
		nil,
		{"project": "acme-ml"}, {"project": "example.com:acme"}, {"project": "123456789"},
		{"region": "us-central1"}, {"region": "northamerica-northeast2"}, {"region": "u-germany-northeast1"},
		{"request_timeout": "1m30s"}, {"transport": "rest"}, {"quota_check": "off"},
		{"default_labels": map[string]any{"team": "", "größe_1": "klein-2"}},
		{"impersonate_service_account": "robot@acme.iam.gserviceaccount.com"},
		{"endpoints": map[string]any{"run": "", "cloud_quotas": "https://quotas.example.net"}},
		{"project": unknown{}, "region": unknown{}, "credentials": unknown{}, "endpoints": unknown{}, "request_timeout": unknown{}},
	} {
		if diags := validate(t, attributes); len(diags) != 0 {
			t.Errorf("%v: %s at %s", attributes, diags[0].Detail, diags[0].Attribute)
		}
	}
}

func TestRefusedValues(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		written  map[string]any
		at, says string
	}{
		"a path for a project":    {map[string]any{"project": "projects/acme"}, "project", "without \"projects/\""},
		"no project at all":       {map[string]any{"project": ""}, "project", "acme-ml"},
		"a zone for a region":     {map[string]any{"region": "us-central1-a"}, "region", "no zone"},
		"no duration":             {map[string]any{"request_timeout": "30"}, "request_timeout", `"30s"`},
		"a negative duration":     {map[string]any{"request_timeout": "-5s"}, "request_timeout", "positive"},
		"another transport":       {map[string]any{"transport": "http"}, "transport", `"grpc" "rest"`},
		"another quota check":     {map[string]any{"quota_check": "warn"}, "quota_check", `"warning"`},
		"an upper-case label":     {map[string]any{"default_labels": map[string]any{"Team": "ml"}}, `default_labels`, "lower-case"},
		"a label value with room": {map[string]any{"default_labels": map[string]any{"team": "m l"}}, `default_labels`, "lower-case"},
		"no e-mail address":       {map[string]any{"impersonate_service_account": "robot"}, "impersonate_service_account", "e-mail"},
		"no e-mail in the chain":  {map[string]any{"impersonate_service_account_delegates": []string{"a@x", "b"}}, "delegates", "e-mail"},
		"an empty token":          {map[string]any{"access_token": ""}, "access_token", "at least 1"},
		"an endpoint without TLS": {map[string]any{"endpoints": map[string]any{"run": "http://run.example.net"}}, `AttributeName("endpoints").AttributeName("run")`, "this machine only"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			diags := validate(t, test.written)
			if len(diags) != 1 {
				t.Fatalf("%d diagnostics, want one", len(diags))
			}
			if !strings.Contains(diags[0].Attribute.String(), test.at) || !strings.Contains(diags[0].Detail, test.says) {
				t.Errorf("at %s: %s", diags[0].Attribute, diags[0].Detail)
			}
		})
	}
}
