package provider

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// Attributes win over variables, and of the variables the first that is set, in the order of the google provider.
func TestPrecedence(t *testing.T) {
	t.Parallel()
	for attribute, test := range map[string]struct {
		variables []string
		got       func(settings) string
		with      map[string]any // what else has to be set for the attribute to count
	}{
		"project":                     {variables: projectVariables, got: func(s settings) string { return s.project.ValueString() }},
		"region":                      {variables: regionVariables, got: func(s settings) string { return s.region.ValueString() }},
		"access_token":                {variables: accessTokenVariables, got: func(s settings) string { return s.identity.accessToken }},
		"impersonate_service_account": {variables: impersonateVariables, got: func(s settings) string { return s.identity.impersonate }},
		"billing_project": {variables: billingProjectVariables, got: func(s settings) string { return s.billingProject },
			with: map[string]any{"user_project_override": true}},
		"request_reason":  {variables: requestReasonVariables, got: func(s settings) string { return s.requestReason }},
		"universe_domain": {variables: universeVariables, got: func(s settings) string { return s.universeDomain }},
	} {
		t.Run(attribute, func(t *testing.T) {
			t.Parallel()
			env := map[string]string{}
			if set, _ := settle(t, test.with, env); test.got(set) != "" {
				t.Errorf("set nowhere, it is %q", test.got(set))
			}
			for _, name := range slices.Backward(test.variables) {
				env[name] = "from " + name
				set, said := settle(t, test.with, env)
				if got := test.got(set); got != env[name] || said != "" {
					t.Errorf("with %v it is %q (%s)", env, got, said)
				}
			}
			written := map[string]any{attribute: "from HCL"}
			for name, value := range test.with {
				written[name] = value
			}
			if set, _ := settle(t, written, env); test.got(set) != "from HCL" {
				t.Errorf("the attribute does not win: %q", test.got(set))
			}
		})
	}
}

func TestDefaults(t *testing.T) {
	t.Parallel()
	set, said := settle(t, nil, nil)
	if said != "" {
		t.Fatal(said)
	}
	if !set.project.IsNull() || !set.region.IsNull() || !set.defaultLabels.IsNull() {
		t.Errorf("project %v, region %v, labels %v, want none", set.project, set.region, set.defaultLabels)
	}
	if set.transport != "grpc" || set.quotaCheck != "error" || set.validateOnly || set.userProjectOverride {
		t.Errorf("transport %q, quota check %q, validate only %t, override %t", set.transport, set.quotaCheck, set.validateOnly, set.userProjectOverride)
	}
	if set.requestTimeout != time.Minute || set.emulator != nil || len(set.endpoints) != 0 || len(set.unknown) != 0 {
		t.Errorf("timeout %s, emulator %v, endpoints %v, unknown %v", set.requestTimeout, set.emulator, set.endpoints, set.unknown)
	}
}

func TestWrittenValues(t *testing.T) {
	t.Parallel()
	set, said := settle(t, map[string]any{
		"transport": "rest", "quota_check": "off", "validate_only": true, "request_timeout": "90s", "user_project_override": true,
		"impersonate_service_account_delegates": []string{"a@x", "b@x"},
		"default_labels":                        map[string]any{"team": "ml"},
	}, nil)
	if said != "" {
		t.Fatal(said)
	}
	if set.transport != "rest" || set.quotaCheck != "off" || !set.validateOnly || set.requestTimeout != 90*time.Second || !set.userProjectOverride {
		t.Errorf("settings %+v", set)
	}
	if !slices.Equal(set.identity.delegates, []string{"a@x", "b@x"}) || len(set.defaultLabels.Elements()) != 1 {
		t.Errorf("delegates %v, labels %v", set.identity.delegates, set.defaultLabels)
	}
}

// The google provider looks at variables for credentials only where the configuration has none of either kind.
func TestCredentialsPrecedence(t *testing.T) {
	t.Parallel()
	key := `{"type": "service_account"}`
	for name, test := range map[string]struct {
		written                   map[string]any
		env                       map[string]string
		token, credentials, where string
	}{
		"nothing": {where: "Application Default Credentials"},
		"the file of the default credentials": {
			env: map[string]string{adcVariable: "adc.json"}, where: adcVariable,
		},
		"written credentials hide a token of the environment": {
			written: map[string]any{"credentials": key}, env: map[string]string{"GOOGLE_OAUTH_ACCESS_TOKEN": "t"}, credentials: key, where: "`credentials`",
		},
		"a written token hides credentials of the environment": {
			written: map[string]any{"access_token": "t"}, env: map[string]string{"GOOGLE_CREDENTIALS": key}, token: "t", where: "`access_token`",
		},
		"of both in the environment the token wins": {
			env:   map[string]string{"GOOGLE_OAUTH_ACCESS_TOKEN": "t", "GOOGLE_CREDENTIALS": key},
			token: "t", credentials: key, where: "GOOGLE_OAUTH_ACCESS_TOKEN",
		},
		"of both written the token wins": {
			written: map[string]any{"access_token": "t", "credentials": key}, token: "t", credentials: key, where: "`access_token`",
		},
		"the first variable": {
			env:         map[string]string{"GCLOUD_KEYFILE_JSON": "x", "GOOGLE_CLOUD_KEYFILE_JSON": key},
			credentials: key, where: "GOOGLE_CLOUD_KEYFILE_JSON",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			set, said := settle(t, test.written, test.env)
			id := set.identity
			if said != "" || id.accessToken != test.token || id.credentials != test.credentials || !strings.Contains(id.origin, test.where) {
				t.Errorf("token %q, credentials %q, from %s; said %q", id.accessToken, id.credentials, id.origin, said)
			}
		})
	}
}

func TestUserProjectOverrideOfTheEnvironment(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]bool{"true": true, "1": true, "false": false, "": false} {
		if set, said := settle(t, nil, map[string]string{"USER_PROJECT_OVERRIDE": value}); set.userProjectOverride != want || said != "" {
			t.Errorf("%q is %t (%s)", value, set.userProjectOverride, said)
		}
	}
	_, said := settle(t, nil, map[string]string{"USER_PROJECT_OVERRIDE": "yes please"})
	if !strings.Contains(said, `USER_PROJECT_OVERRIDE is set to "yes please"`) || !strings.Contains(said, "true or false") {
		t.Errorf("said %q", said)
	}
}

// Values that are made in the same apply stop nothing; calls wait for those that they need.
func TestUnknownValues(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		written map[string]any
		env     map[string]string
		want    []string
	}{
		"project and region":    {written: map[string]any{"project": unknown{}, "region": unknown{}, "default_labels": unknown{}}},
		"what has a safe stand": {written: map[string]any{"quota_check": unknown{}, "transport": unknown{}, "validate_only": unknown{}, "request_timeout": unknown{}}},
		"credentials":           {written: map[string]any{"credentials": unknown{}}, want: []string{"credentials"}},
		"access token":          {written: map[string]any{"access_token": unknown{}}, want: []string{"access_token"}},
		"impersonation":         {written: map[string]any{"impersonate_service_account": unknown{}}, want: []string{"impersonate_service_account"}},
		"an endpoint":           {written: map[string]any{"endpoints": map[string]any{"run": unknown{}}}, want: []string{"endpoints.run"}},
		"all endpoints":         {written: map[string]any{"endpoints": unknown{}}, want: []string{"endpoints"}},
		"universe":              {written: map[string]any{"universe_domain": unknown{}}, want: []string{"universe_domain"}},
		"whether to bill":       {written: map[string]any{"user_project_override": unknown{}}, want: []string{"user_project_override"}},
		"a project that is billed": {
			written: map[string]any{"user_project_override": true, "project": unknown{}}, want: []string{"project"},
		},
		"another project is billed": {
			written: map[string]any{"user_project_override": true, "project": unknown{}, "billing_project": "pays"},
		},
		"nobody is billed": {written: map[string]any{"billing_project": unknown{}}},
		"the emulator needs none": {
			written: map[string]any{"credentials": unknown{}, "endpoints": unknown{}}, env: map[string]string{emulatorVariable: "127.0.0.1:1"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			set, said := settle(t, test.written, test.env)
			if said != "" {
				t.Fatal(said)
			}
			if !slices.Equal(set.unknown, test.want) {
				t.Errorf("calls wait for %v, want %v", set.unknown, test.want)
			}
		})
	}
}

func TestUnknownProjectStaysUnknown(t *testing.T) {
	t.Parallel()
	set, _ := settle(t, map[string]any{"project": unknown{}, "region": unknown{}, "default_labels": unknown{}},
		map[string]string{"GOOGLE_PROJECT": "other", "GOOGLE_REGION": "us-east4"})
	if !set.project.IsUnknown() || !set.region.IsUnknown() || !set.defaultLabels.IsUnknown() {
		t.Errorf("project %v, region %v, labels %v", set.project, set.region, set.defaultLabels)
	}
}
