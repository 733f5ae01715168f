package diagnose

import (
	"fmt"
	"strings"
	"time"

	"cloud.google.com/go/run/apiv2/runpb"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/runapi"
)

// NoProject says that neither the resource nor the provider names a project.
func NoProject(at path.Path) diag.Diagnostic {
	return ErrorAt(at, MissingProject, Message{
		What: "No project is set.",
		Do:   "Set project here or in the provider block, or the environment variable GOOGLE_PROJECT.",
	})
}

// NoLocation says that neither the resource nor the provider names a region.
func NoLocation(at path.Path) diag.Diagnostic {
	return ErrorAt(at, MissingLocation, Message{
		What: "No region is set.",
		Do:   "Set it here, or region in the provider block, or the environment variable GOOGLE_REGION.",
	})
}

// Protected refuses to destroy or replace a job; verb is which of the two.
func Protected(job, verb string) diag.Diagnostic {
	return ErrorAt(path.Root("deletion_protection"), ProtectedFromDeletion, Message{
		What: fmt.Sprintf("This plan would %s the job %s, which has deletion_protection = true.", verb, job),
		Do:   "If that is what you want, set deletion_protection = false, apply that, and plan again.",
	})
}

// ExistsAtPlan warns that a job that is to be made exists, which is as it should be only where the plan replaces it.
func ExistsAtPlan(name runapi.JobName) diag.Diagnostic {
	return WarningAt(path.Root("name"), AlreadyExists, Message{
		What: fmt.Sprintf("The job %s exists.", name),
		Do: fmt.Sprintf("Where this plan replaces it, go on. Otherwise import it, to manage it here: terraform import ADDRESS %s; or choose another name.",
			name),
	})
}

// ErrOvertaken is an update that was given up because the job was changed after it was planned.
type ErrOvertaken struct {
	Modifier string    // e-mail; empty where the server does not say
	At       time.Time // when
}

// Error says it in short; Call says it to users.
func (e ErrOvertaken) Error() string { return "the job was changed after the plan was made" }

func overtaken(name runapi.JobName, e ErrOvertaken) diag.Diagnostic {
	by := ""
	if e.Modifier != "" {
		by = " by " + e.Modifier
	}
	return Error(ChangedElsewhere, Message{
		What: fmt.Sprintf("The job %s was changed%s at %s, after this plan was made.", name, by, e.At.UTC().Format(time.RFC3339)),
		Why:  "Applying the plan would undo that change without anybody having seen it.",
		Do:   "Nothing was changed. Plan again and look at the difference.",
	})
}

// ImportID refuses an import id of no known form.
func ImportID(id string) diag.Diagnostic {
	return Error(InvalidImport, Message{
		What: fmt.Sprintf("%q does not name a job.", id),
		Do:   "Write projects/PROJECT/locations/LOCATION/jobs/NAME, PROJECT/LOCATION/NAME, LOCATION/NAME or NAME.",
	})
}

// ImportIncomplete refuses an import id whose missing parts the provider does not know either.
func ImportIncomplete(name runapi.JobName) diag.Diagnostic {
	missing := "project"
	if name.Project != "" {
		missing = "location"
	}
	return Error(InvalidImport, Message{
		What: fmt.Sprintf("The import of the job %q names no %s, and the provider has no default for it.", name.Job, missing),
		Do:   "Write the whole name: projects/PROJECT/locations/LOCATION/jobs/" + name.Job + ".",
	})
}

// Drifted says who changed a job outside Terraform, when and with which client.
func Drifted(name runapi.JobName, job *runpb.Job, generation int64) diag.Diagnostic {
	by := job.GetLastModifier()
	if by == "" {
		by = "somebody"
	}
	with := ""
	if job.GetClient() != "" {
		with = strings.TrimRight(fmt.Sprintf(", with %s %s", job.GetClient(), job.GetClientVersion()), " ")
	}
	return WarningAt(path.Empty(), ChangedOutside, Message{
		What: fmt.Sprintf("%s changed the job %s at %s%s (generation %d, last seen: %d).", by, name,
			job.GetUpdateTime().AsTime().UTC().Format(time.RFC3339), with, job.GetGeneration(), generation),
		Do: "The plan shows what is different. Apply to bring the configuration back, or put the change into the configuration to keep it.",
	})
}

// Unmovable refuses to take over a state that a moved block names.
func Unmovable(from, why string) diag.Diagnostic {
	return Error(MoveFailed, Message{
		What: fmt.Sprintf("The state of the %s cannot be moved to a cloudrungpu_job.", from),
		Why:  "Reading it: " + why + ".",
		Do:   "Apply once with the google provider to bring its state up to date. Or import the job, and remove the old resource from the state.",
	})
}

// ListFailed says why the jobs of a project and region could not be listed.
func ListFailed(project, location string, err error) diag.Diagnostics {
	return Call(ReadFailed, runapi.JobName{Project: project, Location: location, Job: "-"}, err)
}
