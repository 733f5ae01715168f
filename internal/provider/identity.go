package provider

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/diagnose"
)

// identity says who calls: the first of access token, credentials and Application Default Credentials, and the service account
// that it acts as.
type identity struct {
	accessToken string
	credentials string // a path, or JSON
	adcFile     string // of Application Default Credentials; "" where none is named
	origin      string // where the above comes from, in words
	impersonate string // e-mail address; "" is nobody
	delegates   []string
}

// identity settles who calls. As in the google provider, variables with credentials count only where the configuration has
// neither credentials nor a token.
func (r *resolver) identity(ctx context.Context, given model) identity {
	id := identity{
		accessToken: r.needed("access_token", given.AccessToken),
		credentials: r.needed("credentials", given.Credentials),
		impersonate: r.needed("impersonate_service_account", r.text(given.ImpersonateServiceAccount, impersonateVariables)),
		adcFile:     r.env(adcVariable),
	}
	tokenOrigin, credentialsOrigin := "`access_token`", "`credentials`"
	if given.AccessToken.IsNull() && given.Credentials.IsNull() {
		var variable string
		id.accessToken, variable = r.env.first(accessTokenVariables)
		tokenOrigin = "the environment variable " + variable
		id.credentials, variable = r.env.first(credentialsVariables)
		credentialsOrigin = "the environment variable " + variable
	}
	switch {
	case id.accessToken != "":
		id.origin = tokenOrigin
	case id.credentials != "":
		id.origin = credentialsOrigin
		if why := unclear(id.credentials); why != "" {
			r.diags.Append(diagnose.CredentialsUnclear(id.origin, why))
		}
	case id.adcFile != "":
		id.origin = "the file that the environment variable " + adcVariable + " names"
	default:
		id.origin = "Application Default Credentials"
	}
	id.delegates = r.delegates(ctx, given.ImpersonateServiceAccountDelegates)
	return id
}

func (r *resolver) delegates(ctx context.Context, given types.List) []string {
	r.wait("impersonate_service_account_delegates", given)
	for _, delegate := range given.Elements() {
		if delegate.IsUnknown() {
			r.wait("impersonate_service_account_delegates", delegate)
			return nil
		}
	}
	var delegates []string
	if !given.IsNull() && !given.IsUnknown() {
		r.diags.Append(given.ElementsAs(ctx, &delegates, false)...)
	}
	return delegates
}

// unclear says why a value can be neither a path nor JSON; "" where it can.
func unclear(value string) string {
	if isJSON(value) {
		if _, err := credentialsType([]byte(value)); err != nil {
			return "It looks like JSON, but " + err.Error() + "."
		}
		return ""
	}
	info, err := os.Stat(expandHome(value))
	switch {
	case err != nil:
		return "It is not JSON, and no file of that name is there."
	case info.IsDir():
		return "It is the path of a directory."
	}
	return ""
}

func isJSON(value string) bool { return strings.HasPrefix(strings.TrimSpace(value), "{") }

// expandHome replaces a leading ~/ as a shell would have done.
func expandHome(file string) string {
	rest, found := strings.CutPrefix(file, "~/")
	if !found {
		return file
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return file
	}
	return filepath.Join(home, rest)
}
