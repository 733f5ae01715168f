package emulator

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

const maxNameLength = 63

var jobIDPattern = regexp.MustCompile(`^[a-z]([-a-z0-9]*[a-z0-9])?$`)

// systemPrefixes belong to the service, in labels and in annotations.
var systemPrefixes = []string{"run.googleapis.com", "cloud.googleapis.com", "serving.knative.dev", "autoscaling.knative.dev"}

// checkNames is about the id of a job and the keys that hang on it. The words about the id are those for the family of resources,
// the words about labels are made after those about annotations.
func (c *checker) checkNames() {
	if id := c.name.id(); !jobIDPattern.MatchString(id) || len(id) > maxNameLength {
		c.violations = append(c.violations, violation{"Violation in " + c.checkedJob.request + ".job_id",
			"only lowercase, digits, and hyphens; must begin with letter, and may not end with hyphen; must be less than 64 characters"})
	}
	template := c.job.GetTemplate()
	for _, keys := range []struct {
		field, text string
		keys        map[string]string
	}{
		{"labels", "system labels are not supported", c.job.GetLabels()},
		{"annotations", "system annotations are not supported", c.job.GetAnnotations()},
		{"template.labels", "system labels are not supported", template.GetLabels()},
		{"template.annotations", "system annotations are not supported", template.GetAnnotations()},
	} {
		if reserved := slices.Sorted(keysOfSystem(keys.keys)); len(reserved) > 0 {
			c.request(keys.field, "%s: %s", keys.text, strings.Join(reserved, ", "))
		}
	}
}

// keysOfSystem yields the keys with a prefix that is the service's, alone or as part of a domain: run.googleapis.com/gpu-type.
func keysOfSystem(keys map[string]string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for key := range maps.Keys(keys) {
			prefix, _, _ := strings.Cut(key, "/")
			if slices.Contains(systemPrefixes, prefix) && !yield(key) {
				return
			}
		}
	}
}

// checkTokens is about the names of executions that a job asks for. The real words are not known.
func (c *checker) checkTokens() {
	if token, _ := executionToken(c.job); len(c.name.id())+len(token) >= maxNameLength && token != "" {
		c.request("start_execution_token", "the sum of job name and token length must be fewer than %d characters", maxNameLength)
	}
}
