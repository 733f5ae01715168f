package provider

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	cloudquotas "cloud.google.com/go/cloudquotas/apiv1"
	"cloud.google.com/go/cloudquotas/apiv1/cloudquotaspb"
	run "cloud.google.com/go/run/apiv2"
	"cloud.google.com/go/run/apiv2/runpb"
	"google.golang.org/api/option"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/diagnose"
)

// call sends one request to a service through Google's own client library. That it is refused is all the same here.
func call(t *testing.T, set settings, s service) error {
	t.Helper()
	options, err := newDialer(set).to(s)(t.Context())
	if err != nil {
		return err
	}
	if s.attribute == quotasService.attribute {
		return callQuotas(t, set.transport, options)
	}
	open := run.NewJobsClient
	if set.transport == "rest" {
		open = run.NewJobsRESTClient
	}
	client, err := open(t.Context(), options...)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	_, err = client.GetJob(t.Context(), &runpb.GetJobRequest{Name: "projects/acme/locations/us-central1/jobs/train"})
	return err
}

func callQuotas(t *testing.T, transport string, options []option.ClientOption) error {
	t.Helper()
	open := cloudquotas.NewClient
	if transport == "rest" {
		open = cloudquotas.NewRESTClient
	}
	client, err := open(t.Context(), options...)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	_, err = client.GetQuotaInfo(t.Context(), &cloudquotaspb.GetQuotaInfoRequest{
		Name: "projects/acme/locations/global/services/run.googleapis.com/quotaInfos/Q",
	})
	return err
}

// Every way to say who calls, through both transports, at both APIs: what arrives at Google.
func TestHeadersOfCalls(t *testing.T) {
	needsGoogle(t)
	dir := t.TempDir()
	key := serviceAccountKey(t)
	keyFile := write(t, dir, "key.json", key)
	loginFile := write(t, dir, "login.json", userLogin)
	ownQuota := strings.Replace(userLogin, "{", `{"quota_project_id": "of-the-login", `, 1)
	federated := `{"type": "external_account", "audience": "//iam.googleapis.com/pools/p", "subject_token_type": "urn:ietf:params:oauth:token-type:jwt",
		"token_url": "https://sts.googleapis.com/v1/token", "credential_source": {"file": "` + write(t, dir, "subject", "subject-token") + `"}}`
	type headers struct{ token, runProject, quotasProject string }
	for name, test := range map[string]struct {
		written map[string]any
		env     map[string]string
		want    headers
	}{
		"a token":             {written: map[string]any{"access_token": "my-token"}, want: headers{token: "my-token"}},
		"a service account":   {written: map[string]any{"credentials": key}, want: headers{token: "a JWT"}},
		"a key file":          {written: map[string]any{"credentials": keyFile}, want: headers{token: "a JWT"}},
		"default credentials": {env: map[string]string{adcVariable: keyFile}, want: headers{token: "a JWT"}},
		"a user, who is counted against the project only where the API insists": {
			written: map[string]any{"credentials": loginFile, "project": "acme"}, want: headers{"user-token", "", "acme"},
		},
		"a user whose login names a project": {
			written: map[string]any{"credentials": ownQuota, "project": "acme"}, want: headers{"user-token", "of-the-login", "of-the-login"},
		},
		"workload identity": {
			written: map[string]any{"project": "acme"}, env: map[string]string{"GOOGLE_CREDENTIALS": federated}, want: headers{token: "federated-token"},
		},
		"impersonation": {
			written: map[string]any{"access_token": "t", "impersonate_service_account": "robot@acme.iam.gserviceaccount.com", "project": "acme"},
			want:    headers{token: "impersonated-token"},
		},
		"counted against the project": {
			written: map[string]any{"access_token": "t", "user_project_override": true, "project": "acme"}, want: headers{"t", "acme", "acme"},
		},
		"counted against another project": {
			written: map[string]any{"access_token": "t", "user_project_override": true, "project": "acme", "billing_project": "pays"},
			want:    headers{"t", "pays", "pays"},
		},
		"a billing project alone counts for nothing": {
			written: map[string]any{"access_token": "t", "billing_project": "pays", "project": "acme"}, want: headers{token: "t"},
		},
	} {
		for _, transport := range transports {
			t.Run(name+" over "+transport, func(t *testing.T) {
				written := map[string]any{"transport": transport, "request_reason": "ticket 7"}
				for attribute, value := range test.written {
					written[attribute] = value
				}
				set, said := settle(t, written, test.env)
				if said != "" {
					t.Fatal(said)
				}
				set.userAgent = userAgent("1.2.3", "1.11.4", "")
				google.reset()
				for s, project := range map[string]string{"run": test.want.runProject, "cloudquotas": test.want.quotasProject} {
					of := map[string]service{"run": runService, "cloudquotas": quotasService}[s]
					if err := call(t, set, of); status.Code(err) != codes.Unimplemented && !strings.Contains(err.Error(), "501") {
						t.Fatalf("calling %s: %v", s, err)
					}
					arrived := google.at(s)
					if len(arrived) != 1 {
						t.Fatalf("%d requests arrived at %s, want one", len(arrived), s)
					}
					checkHeaders(t, arrived[0].header, test.want.token, project)
				}
			})
		}
	}
}

func checkHeaders(t *testing.T, got http.Header, token, project string) {
	t.Helper()
	bearer, _ := strings.CutPrefix(got.Get("Authorization"), "Bearer ")
	if token == "a JWT" {
		if strings.Count(bearer, ".") != 2 {
			t.Errorf("the authorization is %q, want a JWT", got.Get("Authorization"))
		}
	} else if bearer != token {
		t.Errorf("the authorization is %q, want the token %q", got.Get("Authorization"), token)
	}
	if got.Get("X-Goog-User-Project") != project {
		t.Errorf("counted against %q, want %q", got.Get("X-Goog-User-Project"), project)
	}
	if got.Get("X-Goog-Request-Reason") != "ticket 7" {
		t.Errorf("the reason is %q", got.Get("X-Goog-Request-Reason"))
	}
	if agent := got.Get("User-Agent"); !strings.HasPrefix(agent, "terraform-provider-cloudrungpu/1.2.3 Terraform/1.11.4") {
		t.Errorf("the user agent is %q", agent)
	}
}

func TestImpersonationNamesItsDelegates(t *testing.T) {
	needsGoogle(t)
	set, _ := settle(t, map[string]any{
		"access_token": "base", "impersonate_service_account": "robot@acme.iam.gserviceaccount.com",
		"impersonate_service_account_delegates": []string{"one@x", "two@x"},
	}, nil)
	if _, err := newDialer(set).to(runService)(t.Context()); err != nil {
		t.Fatal(err)
	}
	asked := google.at("iamcredentials")
	if len(asked) != 1 {
		t.Fatalf("%d tokens were asked for, want one", len(asked))
	}
	var body struct{ Delegates, Scope []string }
	if err := json.Unmarshal([]byte(asked[0].body), &body); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(asked[0].path, "robot@acme.iam.gserviceaccount.com") || asked[0].header.Get("Authorization") != "Bearer base" {
		t.Errorf("asked %s as %s", asked[0].path, asked[0].header.Get("Authorization"))
	}
	if len(body.Delegates) != 2 || !strings.HasSuffix(body.Delegates[0], "one@x") || !strings.HasSuffix(body.Delegates[1], "two@x") {
		t.Errorf("the delegates are %v", body.Delegates)
	}
}

// Plain text goes to this machine only, and carries no token.
func TestPlainTextCarriesNoCredentials(t *testing.T) {
	needsGoogle(t)
	for _, transport := range transports {
		t.Run(transport, func(t *testing.T) {
			var arrived []http.Header
			server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				arrived = append(arrived, r.Header.Clone())
				google.ServeHTTP(w, r)
			}))
			server.Config.Protocols = new(http.Protocols)
			server.Config.Protocols.SetHTTP1(true)
			server.Config.Protocols.SetUnencryptedHTTP2(true)
			server.Start()
			defer server.Close()
			host := strings.TrimPrefix(server.URL, "http://")
			for name, set := range map[string]settings{
				"an endpoint": first(settle(t, map[string]any{"transport": transport, "access_token": "secret", "endpoints": map[string]any{
					"run": server.URL, "cloud_quotas": server.URL}}, nil)),
				"the emulator": first(settle(t, map[string]any{"transport": transport, "access_token": "secret"}, map[string]string{emulatorVariable: host})),
			} {
				set.userAgent = "agent/1"
				for _, s := range []service{runService, quotasService} {
					arrived = nil
					if err := call(t, set, s); err == nil || len(arrived) != 1 {
						t.Fatalf("%s: %d requests, %v", name, len(arrived), err)
					}
					if got := arrived[0].Get("Authorization"); got != "" {
						t.Errorf("%s: the authorization %q went out in plain text", name, got)
					}
					if got := arrived[0].Get("User-Agent"); !strings.HasPrefix(got, "agent/1") {
						t.Errorf("%s: the user agent is %q", name, got)
					}
				}
			}
		})
	}
	if n := google.connections(); n != 0 {
		t.Errorf("%d connections went to Google", n)
	}
}

func first(set settings, _ string) settings { return set }

// An address over https gets credentials, like Google's own.
func TestOwnEndpointOverTLS(t *testing.T) {
	needsGoogle(t)
	for _, transport := range transports {
		for _, address := range []string{"https://run.example.net", "https://run.example.net:8443"} {
			set, _ := settle(t, map[string]any{"transport": transport, "access_token": "my-token", "endpoints": map[string]any{"run": address}}, nil)
			google.reset()
			if err := call(t, set, runService); err == nil {
				t.Fatal("nobody refused the call")
			}
			google.mu.Lock()
			arrived := google.requests
			google.mu.Unlock()
			if len(arrived) != 1 || arrived[0].host != "run.example.net" || arrived[0].header.Get("Authorization") != "Bearer my-token" {
				t.Errorf("%s over %s: arrived %+v", address, transport, arrived)
			}
		}
	}
}

func TestCallsWaitForUnknownValues(t *testing.T) {
	t.Parallel()
	set, _ := settle(t, map[string]any{"credentials": unknown{}, "impersonate_service_account": unknown{}}, nil)
	_, err := newDialer(set).to(runService)(context.Background())
	said, isSetup := diagnose.Setup(err)
	if !isSetup {
		t.Fatalf("%v is no fault of the setup", err)
	}
	for _, want := range []string{"`credentials`", "`impersonate_service_account`", "known only after apply", "-target"} {
		if !strings.Contains(said.Detail(), want) {
			t.Errorf("%q is not in %q", want, said.Detail())
		}
	}
}

// serviceAccountKey is the JSON of a key that nobody else has.
func serviceAccountKey(t *testing.T) string {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(map[string]string{
		"type": "service_account", "project_id": "acme", "client_email": "robot@acme.iam.gserviceaccount.com", "private_key_id": "1",
		"private_key": string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})),
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	file := filepath.Join(dir, name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}
