// Package diagnose is the one place that makes words for users: an error, a verdict or a broken rule goes in, a diagnostic
// comes out. Every detail reads in one order: what, why, what to do, what the check cannot know.
package diagnose

import (
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
)

// Summary is the first line of a diagnostic: short, general, without values, so that tools can group by it.
type Summary string

// Every summary that the provider uses.
const (
	InvalidConfiguration  Summary = "Invalid job configuration"
	DoubtfulConfiguration Summary = "Doubtful job configuration"
	GPUNotInRegion        Summary = "GPU not available in this region"
	GPUQuotaExceeded      Summary = "GPU quota exceeded"
	GPUQuotaMayBeExceeded Summary = "GPU quota may be exceeded"
	GPUQuotaOnFirstUse    Summary = "GPU quota is granted on first use"
	AllocationQuotaTooLow Summary = "CPU or memory quota may be exceeded"
	QuotaNotChecked       Summary = "GPU quota could not be checked"
	MissingProject        Summary = "Missing project"
	MissingLocation       Summary = "Missing location"
	InvalidProvider       Summary = "Invalid provider configuration"
	ProtectedFromDeletion Summary = "Job is protected from deletion"
	AlreadyExists         Summary = "Job already exists"
	ChangedElsewhere      Summary = "Job was changed by someone else"
	ChangedOutside        Summary = "Job was changed outside Terraform"
	NotReady              Summary = "Job is not ready"
	MoveFailed            Summary = "State cannot be moved"
	InvalidImport         Summary = "Invalid import id"
	PlanRefused           Summary = "Plan refused by the API"
	CreateFailed          Summary = "Job could not be created"
	ReadFailed            Summary = "Job could not be read"
	UpdateFailed          Summary = "Job could not be updated"
	DeleteFailed          Summary = "Job could not be deleted"
	QuotaReadFailed       Summary = "Quota could not be read"
	InternalInconsistency Summary = "Unexpected provider state"
)

// Message is the detail of a diagnostic in parts; empty parts are left out.
type Message struct {
	// What is the matter: the job, the attribute, the value.
	What string
	// Why it is so: the rule, or the API's code, reason and own words, unchanged.
	Why string
	// Do says what to write, run, grant or ask for.
	Do string
	// Know says what the check cannot see.
	Know string
}

// String joins the parts in their order, a blank line between.
func (m Message) String() string {
	parts := make([]string, 0, 4)
	for _, part := range []string{m.What, m.Why, m.Do, m.Know} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, "\n\n")
}

// Error is an error without an attribute that could cure it.
func Error(s Summary, m Message) diag.Diagnostic {
	return diag.NewErrorDiagnostic(string(s), m.String())
}

// ErrorAt is an error at the attribute that can cure it.
func ErrorAt(at path.Path, s Summary, m Message) diag.Diagnostic {
	if at.Equal(path.Empty()) {
		return Error(s, m)
	}
	return diag.NewAttributeErrorDiagnostic(at, string(s), m.String())
}

// WarningAt is a warning at an attribute; at may be empty.
func WarningAt(at path.Path, s Summary, m Message) diag.Diagnostic {
	if at.Equal(path.Empty()) {
		return diag.NewWarningDiagnostic(string(s), m.String())
	}
	return diag.NewAttributeWarningDiagnostic(at, string(s), m.String())
}

// Invalid is an error about a value, or a set of values, that the API would refuse.
func Invalid(at path.Path, m Message) diag.Diagnostic { return ErrorAt(at, InvalidConfiguration, m) }

// Doubtful is a warning about values that the API accepts but that hardly mean what they say.
func Doubtful(at path.Path, m Message) diag.Diagnostic {
	return WarningAt(at, DoubtfulConfiguration, m)
}
