package diagnose

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
)

// CredentialsUnclear refuses credentials that are neither a file nor JSON. The value is not repeated: it may be half a secret.
func CredentialsUnclear(origin, why string) diag.Diagnostic {
	return ProviderValue(path.Root("credentials"), Message{
		What: fmt.Sprintf("The credentials in %s cannot be read. The value is not shown here, since it may hold a secret.", origin),
		Why:  why,
		Do: "Give the path of a credentials file (a service account key, a workload identity configuration, or what " +
			"`gcloud auth application-default login` writes), or the JSON text of one: `credentials = file(\"key.json\")`.",
	})
}

// CredentialsUnreadable is the fault of credentials that were found but cannot be made use of.
func CredentialsUnreadable(origin string, err error) *SetupFault {
	return &SetupFault{
		Summary: CredentialsUnusable,
		Message: Message{
			What: fmt.Sprintf("The credentials in %s cannot be read.", origin),
			Why:  sentence(err.Error()),
			Do: "Check that the file can be read and is whole: a service account key, a workload identity configuration, or what " +
				"`gcloud auth application-default login` writes.",
		},
		cause: err,
	}
}

// NoCredentials is the fault of a provider without any credentials.
func NoCredentials(err error) *SetupFault {
	return &SetupFault{
		Summary: CredentialsUnusable,
		Message: Message{
			What: "No credentials for Google Cloud were found.",
			Why:  sentence(err.Error()),
			Do: "Run `gcloud auth application-default login`, or set `credentials` in the provider block, or the environment " +
				"variable GOOGLE_APPLICATION_CREDENTIALS or GOOGLE_CREDENTIALS.",
		},
		cause: err,
	}
}

// TokenRefused is the fault of credentials for which no access token could be had.
func TokenRefused(origin, impersonated string, err error) *SetupFault {
	m := Message{
		What: fmt.Sprintf("No access token could be had with the credentials in %s.", origin),
		Why:  sentence(err.Error()),
		Do: "Check that the key or login is still valid and that this machine reaches Google's token service. A user's login is " +
			"renewed by `gcloud auth application-default login`.",
	}
	if impersonated != "" {
		m.What = fmt.Sprintf("No access token of the service account %s could be had with the credentials in %s.", impersonated, origin)
		m.Do = fmt.Sprintf("Grant the role roles/iam.serviceAccountTokenCreator on %s to the account that impersonates it (to each "+
			"of `impersonate_service_account_delegates` on the next), and enable iamcredentials.googleapis.com.", impersonated)
	}
	return &SetupFault{Summary: CredentialsUnusable, Message: m, cause: err}
}

// OtherUniverse is the fault of credentials that belong to another universe than the one the provider is to call.
func OtherUniverse(origin, wanted, found string) *SetupFault {
	return &SetupFault{
		Summary: CredentialsUnusable,
		Message: Message{
			What: fmt.Sprintf("The credentials in %s belong to the universe %s, but the provider is set to %s.", origin, found, wanted),
			Do:   fmt.Sprintf("Set `universe_domain = %q` in the provider block, or give credentials of %s.", found, wanted),
		},
	}
}

// sentence makes a sentence of an error's text: a capital letter before it, a full stop after it.
func sentence(text string) string {
	text = strings.TrimRight(strings.TrimSpace(text), ".")
	if text == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:] + "."
}
