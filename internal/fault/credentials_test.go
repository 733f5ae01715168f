package fault

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"testing"

	"cloud.google.com/go/auth"
	"cloud.google.com/go/auth/credentials"
	"golang.org/x/oauth2"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

type tokenFunc func(context.Context) (*auth.Token, error)

func (f tokenFunc) Token(ctx context.Context) (*auth.Token, error) { return f(ctx) }

func failing(err error) auth.TokenProvider {
	return Tokens(tokenFunc(func(context.Context) (*auth.Token, error) { return nil, err }))
}

// tokenServer is the answer of a token server, as the auth library hands it on.
func tokenServer(httpStatus int) *auth.Error {
	return &auth.Error{Response: &http.Response{StatusCode: httpStatus}, Body: []byte(`{"refresh_token":"1//secret","hint":"ask again"}`)}
}

func TestTokenErrors(t *testing.T) {
	impersonation := errors.New(`impersonate: status code 403: {"error":{"status":"PERMISSION_DENIED","message":"iam.serviceAccounts.getAccessToken denied"}}`)
	for _, tc := range []struct {
		name        string
		err         error
		code        codes.Code
		credentials bool
		says        string
	}{
		{"a refused refresh token", &oauth2.RetrieveError{ErrorCode: "invalid_grant", ErrorDescription: "expired"}, codes.Unauthenticated, true, "invalid_grant"},
		{"a refusal without an OAuth error", tokenServer(400), codes.Unauthenticated, true, "ask again"},
		{"a token server out of order", tokenServer(503), codes.Unavailable, false, "503"},
		{"impersonation", impersonation, codes.Unauthenticated, true, "getAccessToken denied"},
		{"no way to the token server", &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}, codes.Unavailable, false, "connection refused"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := failing(tc.err).Token(t.Context())
			overREST := fmt.Errorf("calling: %w", &url.Error{Op: "Get", URL: "https://run.googleapis.com/v2/x", Err: err})
			overGRPC := status.Convert(err).Err()
			for transport, err := range map[string]error{"REST": overREST, "gRPC": overGRPC} {
				f, _ := As(From("Jobs.GetJob", err))
				if f.Code != tc.code || f.Credentials != tc.credentials || !strings.Contains(f.Message, tc.says) {
					t.Errorf("%s: %s, credentials %v, %q", transport, f.Code, f.Credentials, f.Message)
				}
				if strings.Contains(f.Error(), "secret") {
					t.Errorf("%s: a secret is in the error: %v", transport, f)
				}
			}
		})
	}
}

func TestTokenErrorsWithTheirTypeNeedNoWrapper(t *testing.T) {
	for _, err := range []error{tokenServer(401), &oauth2.RetrieveError{ErrorCode: "invalid_grant"}} {
		f, _ := As(From("Jobs.GetJob", &url.Error{Op: "Get", URL: "https://x", Err: err}))
		if f.Code != codes.Unauthenticated || !f.Credentials {
			t.Errorf("%T: %+v", err, f)
		}
	}
}

func TestTokensLeavesTheRestAlone(t *testing.T) {
	want := &auth.Token{Value: "x"}
	got, err := Tokens(tokenFunc(func(context.Context) (*auth.Token, error) { return want, nil })).Token(t.Context())
	if got != want || err != nil {
		t.Errorf("token %v, error %v", got, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := failing(context.Canceled).Token(ctx); !errors.Is(err, context.Canceled) || Code(From("m", err)) != codes.Canceled {
		t.Errorf("a cancelled call is no refused token: %v", err)
	}
}

func TestOpening(t *testing.T) {
	_, noSuchType := credentials.NewCredentialsFromJSON(credentials.ServiceAccount, []byte(`{"type":"authorized_user"}`), &credentials.DetectOptions{})
	_, noFile := credentials.NewCredentialsFromFile(credentials.ServiceAccount, t.TempDir()+"/none.json", &credentials.DetectOptions{})
	for name, err := range map[string]error{"another type": noSuchType, "no file": noFile, "none found": errors.New("could not find default credentials")} {
		if err == nil {
			t.Fatalf("%s: the library gave no error", name)
		}
		f, found := As(Opening("Jobs", err))
		if !found || !f.Credentials || f.Code != codes.Unauthenticated || f.Method != "Jobs" || !errors.Is(f, err) {
			t.Errorf("%s: %+v", name, f)
		}
	}
	if f, _ := As(Opening("Jobs", context.Canceled)); f.Code != codes.Canceled || f.Credentials {
		t.Errorf("a cancellation: %+v", f)
	}
	own := &Fault{Code: codes.InvalidArgument}
	if got := Opening("Jobs", own); !errors.Is(got, own) {
		t.Errorf("a fault was made into another: %v", got)
	}
	if Opening("Jobs", nil) != nil {
		t.Error("nil became a fault")
	}
}

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"plain words\n\nof the API":                                     "plain words\n\nof the API",
		"Authorization: Bearer ya29.a0AfH6SMBx":                         "Authorization: [redacted]",
		"token ya29.a0AfH6SMBx is old":                                  "token [redacted] is old",
		"jwt eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJ4In0.c2ln end":             "jwt [redacted] end",
		"-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----x": "[redacted]x",
		"-----BEGIN RSA PRIVATE KEY-----\nMIIE":                         "[redacted]",
		`{"private_key": "abc", "type": "x"}`:                           `{[redacted], "type": "x"}`,
		"a\x00b\x1b[31mc\xff":                                           "ab[31mc?",
		"the bearer of bad news":                                        "the bearer of bad news",
	} {
		if got := clean(in, longestMessage); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
	if got := clean(strings.Repeat("é", 10), 5); got != "éé…" {
		t.Errorf("cut to %q", got)
	}
}
