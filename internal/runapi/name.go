package runapi

import (
	"fmt"
	"regexp"
	"strings"
)

// JobName is the full name of a job. Parts that are not known yet are "".
type JobName struct {
	Project  string // id or number; an id may have a domain: "example.com:acme"
	Location string // "us-central1"
	Job      string // "finetune"
}

// String returns projects/P/locations/L/jobs/N.
func (n JobName) String() string { return n.Parent() + "/jobs/" + n.Job }

// Parent returns projects/P/locations/L.
func (n JobName) Parent() string { return "projects/" + n.Project + "/locations/" + n.Location }

// AcceptedForms are the ways to write the name of a job that ParseJobName understands.
const AcceptedForms = "projects/PROJECT/locations/LOCATION/jobs/NAME, PROJECT/LOCATION/NAME, LOCATION/NAME or NAME"

var (
	projectForm = regexp.MustCompile(`^([a-z0-9.-]+:)?[a-z0-9-]+$`)
	idForm      = regexp.MustCompile(`^[a-z0-9-]+$`)
)

// ParseJobName reads the name of a job in one of the AcceptedForms. What a short form leaves out is "" in the answer.
func ParseJobName(id string) (JobName, error) {
	parts := strings.Split(id, "/")
	name, known := split(parts)
	if !known {
		return JobName{}, fmt.Errorf("%q is no name of a job: write %s", id, AcceptedForms)
	}
	for _, part := range []struct {
		what, value string
		form        *regexp.Regexp
		since       int // parts in the shortest form that has it
	}{
		{"project", name.Project, projectForm, 3}, {"location", name.Location, idForm, 2}, {"job name", name.Job, idForm, 1},
	} {
		if len(parts) >= part.since && !part.form.MatchString(part.value) {
			return JobName{}, fmt.Errorf("%q cannot be the %s in %q: write %s", part.value, part.what, id, AcceptedForms)
		}
	}
	return name, nil
}

// split tells the forms apart by their number of parts. A short form never starts with a collection of the full one: that
// is a full one that broke off.
func split(parts []string) (JobName, bool) {
	if len(parts) == 6 && parts[0] == "projects" && parts[2] == "locations" && parts[4] == "jobs" {
		return JobName{Project: parts[1], Location: parts[3], Job: parts[5]}, true
	}
	if len(parts) > 1 && (parts[0] == "projects" || parts[0] == "locations") {
		return JobName{}, false
	}
	switch len(parts) {
	case 1:
		return JobName{Job: parts[0]}, true
	case 2:
		return JobName{Location: parts[0], Job: parts[1]}, true
	case 3:
		return JobName{Project: parts[0], Location: parts[1], Job: parts[2]}, true
	default:
		return JobName{}, false
	}
}
