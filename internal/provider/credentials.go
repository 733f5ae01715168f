package provider

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"sync"

	"cloud.google.com/go/auth"
	"cloud.google.com/go/auth/credentials"
	"cloud.google.com/go/auth/credentials/impersonate"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/diagnose"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/fault"
)

// cloudPlatform is the scope of every token.
const cloudPlatform = "https://www.googleapis.com/auth/cloud-platform"

// acceptedTypes are the types of credentials that are taken from a configuration.
var acceptedTypes = []credentials.CredType{
	credentials.ServiceAccount,
	credentials.AuthorizedUser,
	credentials.ExternalAccount,
	credentials.ExternalAccountAuthorizedUser,
	credentials.ImpersonatedServiceAccount,
}

// keyring finds the credentials of an identity when they are first needed, and keeps them for all clients.
type keyring struct {
	id       identity
	universe string

	mu    sync.Mutex
	found *auth.Credentials
}

// credentials returns credentials that have given a token: a copy for each client, since Google's HTTP transport puts a cache
// of its own into the value it is given. An error is a *diagnose.SetupFault, or that of ctx; it is not kept, since the next
// caller may have more time, or a network.
func (k *keyring) credentials(ctx context.Context) (*auth.Credentials, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.found != nil {
		return copied(k.found), nil
	}
	found, err := k.open(ctx)
	if ctx.Err() != nil {
		return nil, fmt.Errorf("finding credentials: %w", ctx.Err())
	}
	if err != nil {
		return nil, err
	}
	k.found = found
	return copied(found), nil
}

func copied(c *auth.Credentials) *auth.Credentials {
	own := *c
	return &own
}

func (k *keyring) open(ctx context.Context) (*auth.Credentials, error) {
	base, err := k.base()
	if err != nil {
		return nil, err
	}
	if err := k.sameUniverse(ctx, base); err != nil {
		return nil, err
	}
	found := base
	if k.id.impersonate != "" {
		found, err = impersonate.NewCredentials(&impersonate.CredentialsOptions{
			TargetPrincipal: k.id.impersonate,
			Delegates:       k.id.delegates,
			Scopes:          []string{cloudPlatform},
			Credentials:     base,
		})
		if err != nil {
			return nil, diagnose.CredentialsUnreadable(k.id.origin, err)
		}
	}
	// The first token is fetched here and not by the first call: gRPC would leave nothing of the error but its text.
	if _, err := found.Token(ctx); err != nil {
		return nil, diagnose.TokenRefused(k.id.origin, k.id.impersonate, err)
	}
	found.TokenProvider = fault.Tokens(found.TokenProvider)
	return found, nil
}

// base is the credentials before any impersonation.
func (k *keyring) base() (*auth.Credentials, error) {
	switch {
	case k.id.accessToken != "":
		return auth.NewCredentials(&auth.CredentialsOptions{
			TokenProvider:          fixedToken(k.id.accessToken),
			UniverseDomainProvider: auth.CredentialsPropertyFunc(func(context.Context) (string, error) { return k.universe, nil }),
		}), nil
	case k.id.credentials != "" && isJSON(k.id.credentials):
		return k.fromJSON([]byte(k.id.credentials))
	case k.id.credentials != "":
		return k.fromFile(expandHome(k.id.credentials))
	case k.id.adcFile != "":
		return k.fromFile(k.id.adcFile)
	}
	found, err := credentials.DetectDefault(k.detectOptions())
	if err != nil {
		return nil, diagnose.NoCredentials(err)
	}
	return found, nil
}

func (k *keyring) fromFile(file string) (*auth.Credentials, error) {
	data, err := os.ReadFile(file) //nolint:gosec // the user names the file
	if err != nil {
		return nil, diagnose.CredentialsUnreadable(k.id.origin, withoutPath(err))
	}
	return k.fromJSON(data)
}

func (k *keyring) fromJSON(data []byte) (*auth.Credentials, error) {
	kind, err := credentialsType(data)
	if err != nil {
		return nil, diagnose.CredentialsUnreadable(k.id.origin, err)
	}
	found, err := credentials.NewCredentialsFromJSON(kind, data, k.detectOptions())
	if err != nil {
		return nil, diagnose.CredentialsUnreadable(k.id.origin, err)
	}
	return found, nil
}

// detectOptions lets a service account's key sign its tokens itself, which needs no token server and works in every universe.
func (k *keyring) detectOptions() *credentials.DetectOptions {
	return &credentials.DetectOptions{Scopes: []string{cloudPlatform}, UseSelfSignedJWT: true}
}

// sameUniverse compares what is configured with what a credentials file says; a machine's own account says nothing.
func (k *keyring) sameUniverse(ctx context.Context, base *auth.Credentials) error {
	if base.JSON() == nil {
		return nil
	}
	found, err := base.UniverseDomain(ctx)
	if err != nil {
		return diagnose.CredentialsUnreadable(k.id.origin, err)
	}
	wanted := k.universe
	if wanted == "" {
		wanted = "googleapis.com"
	}
	if found != wanted {
		return diagnose.OtherUniverse(k.id.origin, wanted, found)
	}
	return nil
}

// credentialsType reads which type of credentials a JSON text is. Its errors repeat nothing of the text.
func credentialsType(data []byte) (credentials.CredType, error) {
	var head struct {
		Type credentials.CredType `json:"type"`
	}
	var syntax *json.SyntaxError
	err := json.Unmarshal(data, &head)
	switch {
	case errors.As(err, &syntax):
		return "", fmt.Errorf("it is broken at byte %d", syntax.Offset)
	case err != nil:
		return "", errors.New("it does not have the form of credentials")
	case !slices.Contains(acceptedTypes, head.Type):
		return "", fmt.Errorf("its \"type\" is none of %q", acceptedTypes)
	}
	return head.Type, nil
}

// withoutPath leaves the name of the file out of an error: it may be a secret that was taken for a path.
func withoutPath(err error) error {
	var about *fs.PathError
	if errors.As(err, &about) {
		return about.Err
	}
	return err
}

// fixedToken is an access token that never changes.
type fixedToken string

// Token returns the token; when it expires is not known.
func (t fixedToken) Token(context.Context) (*auth.Token, error) {
	return &auth.Token{Value: string(t), Type: "Bearer"}, nil
}
