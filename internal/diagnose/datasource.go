package diagnose

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
)

// InvalidLookup is the summary where a data source asks for something that cannot be.
const InvalidLookup Summary = "Invalid data source configuration"

// UnknownGPUType refuses a GPU type that is none of known; nearest is the one that may be meant, "" where none comes near.
func UnknownGPUType(at path.Path, written, nearest string, known []string) diag.Diagnostic {
	do := "The types are: `" + strings.Join(known, "`, `") + "`."
	if nearest != "" {
		do = "Did you mean `" + nearest + "`? " + do
	}
	return ErrorAt(at, InvalidLookup, Message{
		What: fmt.Sprintf("Cloud Run jobs have no GPU type %q.", written),
		Do:   do,
	})
}

// ProjectNotYetKnown is said where a data source needs the provider's project and that is made in the same apply.
func ProjectNotYetKnown(at path.Path) diag.Diagnostic {
	return ErrorAt(at, MissingProject, Message{
		What: "The project of the provider block is known only after apply, and a data source is read before that.",
		Do:   "Set project here, or apply first what the project is made of (`terraform apply -target=ADDRESS`).",
	})
}

// LocationNotYetKnown is said where a data source needs the provider's region and that is made in the same apply.
func LocationNotYetKnown(at path.Path) diag.Diagnostic {
	return ErrorAt(at, MissingLocation, Message{
		What: "The region of the provider block is known only after apply, and a data source is read before that.",
		Do:   "Set region here, or apply first what the region is made of (`terraform apply -target=ADDRESS`).",
	})
}

// CatalogueNotYetKnown is said where a data source reads the catalogue of GPU types and its file is made in the same apply.
func CatalogueNotYetKnown() diag.Diagnostic {
	return Error(InvalidLookup, Message{
		What: "The gpu_catalogue of the provider block is known only after apply, and a data source is read before that.",
		Do:   "Give gpu_catalogue a value that is known at plan, or apply first what it is made of (`terraform apply -target=ADDRESS`).",
	})
}

// QuotaUnread says why a data source could not read a quota and what to do about it.
func QuotaUnread(quotaID, project, region string, err error) diag.Diagnostic {
	if d, isSetup := Setup(err); isSetup {
		return d
	}
	return Error(QuotaReadFailed, Message{
		What: fmt.Sprintf("The quota %s of project %q in %s could not be read.", quotaID, project, region),
		Why:  because(err),
		Do:   readQuotas(project, err),
	})
}
