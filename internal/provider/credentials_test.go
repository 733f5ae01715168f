package provider

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cloud.google.com/go/auth"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/diagnose"
)

// userLogin is what gcloud writes for a person.
const userLogin = `{"type": "authorized_user", "client_id": "id", "client_secret": "hush", "refresh_token": "r"}`

// A value that is neither a file nor JSON may be half a key: it is in no message.
func TestUnclearCredentialsAreNotRepeated(t *testing.T) {
	t.Parallel()
	const secret = "sesame-PRIVATE"
	dir := t.TempDir()
	for name, test := range map[string]struct{ value, says string }{
		"a key alone":             {"-----BEGIN PRIVATE KEY-----\n" + secret, "no file of that name"},
		"a path to nothing":       {filepath.Join(dir, secret+".json"), "no file of that name"},
		"broken JSON":             {`{"type": "service_account", "private_key": "` + secret, "broken at byte"},
		"JSON of another kind":    {`{"type": "` + secret + `"}`, `its "type" is none of`},
		"JSON of another form":    {`{"type": ["` + secret + `"]}`, "does not have the form"},
		"the path of a directory": {dir, "directory"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for from, said := range map[string]string{
				"`credentials`":      saidOf(settle(t, map[string]any{"credentials": test.value}, nil)),
				"GOOGLE_CREDENTIALS": saidOf(settle(t, nil, map[string]string{"GOOGLE_CREDENTIALS": test.value})),
			} {
				if !strings.Contains(said, test.says) || !strings.Contains(said, from) || !strings.Contains(said, "gcloud auth application-default login") {
					t.Errorf("said %q", said)
				}
				if strings.Contains(said, secret) || strings.Contains(said, test.value) {
					t.Errorf("the value is repeated: %q", said)
				}
			}
		})
	}
}

func saidOf(_ settings, said string) string { return said }

// What is wrong with credentials that look right shows at the first call, says where they come from, and repeats nothing of them.
func TestCredentialsThatFailAtTheFirstCall(t *testing.T) {
	needsGoogle(t)
	const secret = "sesame-PRIVATE"
	dir := t.TempDir()
	empty := filepath.Join(dir, "empty.json")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		id       identity
		universe string
		says     []string
	}{
		"a file that is gone": {
			id:   identity{credentials: filepath.Join(dir, secret), origin: "`credentials`"},
			says: []string{"The credentials in `credentials` cannot be read.", "No such file"},
		},
		"an empty file": {
			id: identity{adcFile: empty, origin: adcVariable}, says: []string{adcVariable, "broken at byte 0"},
		},
		"a key that is none": {
			id:   identity{credentials: `{"type": "service_account", "client_email": "a@x", "private_key": "` + secret + `"}`, origin: "`credentials`"},
			says: []string{"cannot be read"},
		},
		"a login that was revoked": {
			id:   identity{credentials: strings.Replace(userLogin, `"r"`, `"revoked"`, 1), origin: "`credentials`"},
			says: []string{"No access token could be had", "invalid_grant", "gcloud auth application-default login"},
		},
		"an account that may not be impersonated": {
			id: identity{accessToken: secret, origin: "`access_token`", impersonate: "forbidden@acme.iam.gserviceaccount.com"},
			says: []string{"forbidden@acme.iam.gserviceaccount.com", "roles/iam.serviceAccountTokenCreator", "getAccessToken",
				"iamcredentials.googleapis.com"},
		},
		"another universe": {
			id: identity{credentials: userLogin, origin: "`credentials`"}, universe: "example.goog",
			says: []string{"universe googleapis.com", "set to example.goog", `universe_domain = "googleapis.com"`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			keys := &keyring{id: test.id, universe: test.universe}
			_, err := keys.credentials(t.Context())
			said, isSetup := diagnose.Setup(err)
			if !isSetup {
				t.Fatalf("%v is no fault of the setup", err)
			}
			for _, want := range test.says {
				if !strings.Contains(said.Detail(), want) {
					t.Errorf("%q is not in %q", want, said.Detail())
				}
			}
			if strings.Contains(said.Detail()+err.Error(), secret) || strings.Contains(said.Detail()+err.Error(), "hush") {
				t.Errorf("a secret is repeated: %q, %v", said.Detail(), err)
			}
		})
	}
}

func TestNoCredentialsAnywhere(t *testing.T) {
	t.Parallel()
	said, _ := diagnose.Setup(diagnose.NoCredentials(errors.New("credentials: none")))
	for _, want := range []string{"No credentials", "gcloud auth application-default login", "GOOGLE_CREDENTIALS"} {
		if !strings.Contains(said.Detail(), want) {
			t.Errorf("%q is not in %q", want, said.Detail())
		}
	}
}

// One caller whose time is up must not spoil the credentials of all others.
func TestCancelledLookUpSpoilsNothing(t *testing.T) {
	needsGoogle(t)
	keys := &keyring{id: identity{credentials: userLogin, origin: "`credentials`"}}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := keys.credentials(cancelled); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled it is %v", err)
	}
	if _, err := keys.credentials(t.Context()); err != nil {
		t.Errorf("the next caller gets %v", err)
	}
}

func TestCredentialsAreLookedUpOnce(t *testing.T) {
	needsGoogle(t)
	keys := &keyring{id: identity{credentials: userLogin, origin: "`credentials`"}}
	for range 3 {
		found, err := keys.credentials(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if token, err := found.Token(t.Context()); err != nil || token.Value != "user-token" {
			t.Fatalf("token %v, %v", token, err)
		}
	}
	if asked := len(google.at("oauth2")); asked != 1 {
		t.Errorf("the token server was asked %d times, want once", asked)
	}
}

// Google's HTTP transport writes into the credentials that it is given, while other clients are reading theirs.
func TestEachClientHasCredentialsOfItsOwn(t *testing.T) {
	t.Parallel()
	keys := &keyring{id: identity{accessToken: "ya29.token", origin: "`access_token`"}}
	var all []*auth.Credentials
	for range 3 {
		found, err := keys.credentials(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, found)
	}
	all[0].TokenProvider = nil
	for _, other := range all[1:] {
		if token, err := other.Token(t.Context()); err != nil || token.Value != "ya29.token" {
			t.Errorf("another client has token %v, error %v", token, err)
		}
	}
}

// The login of gcloud is found where gcloud leaves it, and is a person's: quotas are read on behalf of the project.
func TestLoginOfGcloud(t *testing.T) {
	needsGoogle(t)
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv(adcVariable, "")
	dir := filepath.Join(home, ".config", "gcloud")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "application_default_credentials.json", userLogin)
	set, said := settle(t, map[string]any{"project": "acme"}, nil)
	if said != "" {
		t.Fatal(said)
	}
	if err := call(t, set, quotasService); err == nil {
		t.Fatal("nobody refused the call")
	}
	arrived := google.at("cloudquotas")
	if len(arrived) != 1 || arrived[0].header.Get("Authorization") != "Bearer user-token" || arrived[0].header.Get("X-Goog-User-Project") != "acme" {
		t.Errorf("arrived: %+v", arrived)
	}
}

func TestExpandHome(t *testing.T) {
	t.Setenv("HOME", "/home/ada")
	for file, want := range map[string]string{"~/key.json": "/home/ada/key.json", "key.json": "key.json", "/~/key.json": "/~/key.json"} {
		if got := expandHome(file); got != want {
			t.Errorf("%s is %s, want %s", file, got, want)
		}
	}
}
