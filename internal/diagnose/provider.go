package diagnose

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
)

// CredentialsUnusable is the summary where the provider has no credentials, or none that Google accepts.
const CredentialsUnusable Summary = "Credentials could not be used"

// SetupFault is a fault of the provider's configuration that shows only when a call is about to be made. It travels through
// the clients as an error and keeps its words.
type SetupFault struct {
	Summary Summary
	Message Message
	cause   error
}

// Error is the fault in one line.
func (f *SetupFault) Error() string {
	text := strings.ToLower(string(f.Summary))
	for _, part := range []string{f.Message.What, f.Message.Why, f.Message.Do} {
		if part != "" {
			text += ": " + strings.TrimSuffix(part, ".")
		}
	}
	return text
}

// Unwrap returns what the fault comes from; nil when it comes from nothing else.
func (f *SetupFault) Unwrap() error { return f.cause }

// Setup is the diagnostic of a call that was not made because the provider is not set up for it; false for any other error.
func Setup(err error) (diag.Diagnostic, bool) {
	var fault *SetupFault
	if !errors.As(err, &fault) {
		return nil, false
	}
	return Error(fault.Summary, fault.Message), true
}

// UnexpectedProviderData is the fault of a provider that hands its resources something else than they wait for.
func UnexpectedProviderData(got any) diag.Diagnostic {
	return Error(InternalInconsistency, Message{
		What: fmt.Sprintf("The provider was configured with data of the type %T.", got),
		Do:   "This is a fault of the provider: please report it, with the versions of Terraform and of the provider.",
	})
}

// ProviderValue refuses the value of a provider attribute, wherever it comes from: the attribute or an environment variable.
func ProviderValue(attribute path.Path, m Message) diag.Diagnostic {
	return ErrorAt(attribute, InvalidProvider, m)
}

// VariableValue refuses the value of an environment variable that stands in for a provider attribute.
func VariableValue(attribute path.Path, variable, value, do string) diag.Diagnostic {
	return ProviderValue(attribute, Message{
		What: fmt.Sprintf("The environment variable %s is set to %q.", variable, value),
		Do:   do,
	})
}

// Catalogue refuses the user's values for the catalogue of GPU types; origin says where they come from.
func Catalogue(attribute path.Path, origin string, why error) diag.Diagnostic {
	return ProviderValue(attribute, Message{
		What: "The GPU catalogue in " + origin + " cannot be used.",
		Why:  sentence(why.Error()),
		Do: "Give the path of a YAML file, or its text. A new type needs sizes and regions: types: {nvidia-b200: {sizes: [{cpu: 20, min_memory: 80Gi, " +
			"max_memory: 160Gi}], regions: {us-central1: {}}}}.",
	})
}

// EndpointAddress refuses the address of an API; why says what is wrong with it.
func EndpointAddress(attribute path.Path, address string, why error) diag.Diagnostic {
	return ProviderValue(attribute, Message{
		What: fmt.Sprintf("%q is not an address at which an API can be called.", address),
		Why:  sentence(why.Error()),
		Do:   `Write https://HOST or https://HOST:PORT, such as "https://us-central1-run.googleapis.com".`,
	})
}

// EmulatorAddress refuses the address of the emulator in an environment variable; why says what is wrong with it.
func EmulatorAddress(variable, address string, why error) diag.Diagnostic {
	return Error(InvalidProvider, Message{
		What: fmt.Sprintf("The environment variable %s is set to %q.", variable, address),
		Why:  sentence(why.Error()),
		Do:   fmt.Sprintf("Set %s=127.0.0.1:8123, where 8123 is the port of the emulator, or unset it to call Google Cloud.", variable),
	})
}

// NotYetKnown is the fault of a call that needs provider attributes whose values are made in the same apply.
func NotYetKnown(attributes []string) *SetupFault {
	list := "`" + strings.Join(attributes, "`, `") + "`"
	return &SetupFault{
		Summary: InvalidProvider,
		Message: Message{
			What: "The call needs values of the provider block that are known only after apply: " + list + ".",
			Do: "Apply first what these values are made of (`terraform apply -target=ADDRESS`), or give values that are known " +
				"at plan, then plan again.",
		},
	}
}
