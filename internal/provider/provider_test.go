package provider

import (
	"net"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/provider"
)

// Whatever is configured, Configure itself calls nobody, and takes no look at credentials beyond those that are written.
func TestConfigureCallsNobody(t *testing.T) {
	needsGoogle(t)
	t.Setenv("HOME", t.TempDir())
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	called := make(chan struct{}, 1)
	go func() {
		if c, err := listener.Accept(); err == nil {
			c.Close()
			called <- struct{}{}
		}
	}()
	host := listener.Addr().String()
	for name, test := range map[string]struct {
		written map[string]any
		env     map[string]string
	}{
		"nothing":             {},
		"a token":             {written: map[string]any{"access_token": "t", "impersonate_service_account": "a@x"}},
		"a login":             {written: map[string]any{"credentials": userLogin, "user_project_override": true, "project": "acme"}},
		"default credentials": {env: map[string]string{adcVariable: "/nonexistent.json"}},
		"the emulator":        {env: map[string]string{emulatorVariable: host}},
		"an endpoint":         {written: map[string]any{"endpoints": map[string]any{"run": "http://" + host}}},
	} {
		data, resp := configure(t, New("test", WithEnvironment(envOf(test.env)))(), test.written)
		if resp.Diagnostics.HasError() || data == nil || data.Run == nil || data.Quotas == nil {
			t.Errorf("%s: %v, %v", name, data, resp.Diagnostics)
		}
	}
	// Closing ends the wait for a connection; one that came in before that has filled the channel.
	listener.Close()
	if len(called) != 0 || google.connections() != 0 {
		t.Errorf("a connection was made: %d here, %d to Google", len(called), google.connections())
	}
}

func TestConfigureHandsOutWhatIsWritten(t *testing.T) {
	t.Parallel()
	data, resp := configure(t, New("1.2.3", WithEnvironment(envOf(map[string]string{"GOOGLE_REGION": "us-east4"})))(), map[string]any{
		"project": "acme", "quota_check": "warning", "validate_only": true, "default_labels": map[string]any{"team": "ml"},
	})
	if resp.Diagnostics.HasError() {
		t.Fatal(resp.Diagnostics)
	}
	if data.Project.ValueString() != "acme" || data.Region.ValueString() != "us-east4" || data.Version != "1.2.3" ||
		data.QuotaCheck != "warning" || !data.ValidateOnly || len(data.DefaultLabels.Elements()) != 1 {
		t.Errorf("data %+v", data)
	}
	if resp.DataSourceData != data {
		t.Error("data sources get other data than resources")
	}
}

func TestConfigureTakesTheEnvironmentOfTheProcess(t *testing.T) {
	for _, name := range projectVariables {
		t.Setenv(name, "")
	}
	t.Setenv("GCLOUD_PROJECT", "of-the-process")
	t.Setenv(emulatorVariable, "127.0.0.1:1")
	data, resp := configure(t, New("test")(), nil)
	if resp.Diagnostics.HasError() || data.Project.ValueString() != "of-the-process" {
		t.Errorf("project %v, %v", data, resp.Diagnostics)
	}
}

func TestConfigureRefusesWhatIsWrong(t *testing.T) {
	t.Parallel()
	data, resp := configure(t, New("test", WithEnvironment(envOf(nil)))(), map[string]any{"credentials": "no such file"})
	if data != nil || !resp.Diagnostics.HasError() {
		t.Errorf("data %v, %v", data, resp.Diagnostics)
	}
}

func TestMetadata(t *testing.T) {
	t.Parallel()
	var resp provider.MetadataResponse
	New("1.2.3")().Metadata(t.Context(), provider.MetadataRequest{}, &resp)
	if resp.TypeName != "cloudrungpu" || resp.Version != "1.2.3" {
		t.Errorf("%+v", resp)
	}
}

func TestUserAgent(t *testing.T) {
	t.Parallel()
	for want, got := range map[string]string{
		"terraform-provider-cloudrungpu/1.2.3":                             userAgent("1.2.3", "", ""),
		"terraform-provider-cloudrungpu/1.2.3 Terraform/1.11.4":            userAgent("1.2.3", "1.11.4", ""),
		"terraform-provider-cloudrungpu/dev Terraform/1.11.4 mine/2 other": userAgent("dev", "1.11.4", " mine/2\r\nother "),
	} {
		if got != want || strings.ContainsAny(got, "\r\n") {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
