package emulator

import (
	"fmt"
	"strings"
)

// resourceName is a name such as projects/P/locations/L/jobs/J, cut at its slashes.
type resourceName struct {
	parts []string
}

const anyLocation = "-"

// parseName reads a name that consists of the given collections, each followed by an id.
func parseName(field, name string, collections ...string) (resourceName, error) {
	parts := strings.Split(name, "/")
	if len(parts) != 2*len(collections) {
		return resourceName{}, malformedName(field, name, collections)
	}
	for i, collection := range collections {
		if parts[2*i] != collection || parts[2*i+1] == "" {
			return resourceName{}, malformedName(field, name, collections)
		}
	}
	return resourceName{parts: parts}, nil
}

// The real words for a malformed name are not known.
func malformedName(field, name string, collections []string) error {
	pattern := make([]string, 0, len(collections))
	for _, collection := range collections {
		pattern = append(pattern, collection+"/*")
	}
	return invalidArgument(violation{field, fmt.Sprintf("must be in form %s, got %q", strings.Join(pattern, "/"), name)})
}

func parseLocation(field, name string) (resourceName, error) {
	return parseName(field, name, "projects", "locations")
}

func parseJob(field, name string) (resourceName, error) {
	return parseName(field, name, "projects", "locations", "jobs")
}

func parseExecution(field, name string) (resourceName, error) {
	return parseName(field, name, "projects", "locations", "jobs", "executions")
}

func parseTask(field, name string) (resourceName, error) {
	return parseName(field, name, "projects", "locations", "jobs", "executions", "tasks")
}

func (n resourceName) String() string   { return strings.Join(n.parts, "/") }
func (n resourceName) project() string  { return n.parts[1] }
func (n resourceName) location() string { return n.parts[3] }
func (n resourceName) id() string       { return n.parts[len(n.parts)-1] }

// parent drops the last collection and its id.
func (n resourceName) parent() resourceName {
	return resourceName{parts: n.parts[:len(n.parts)-2]}
}

func (n resourceName) child(collection, id string) resourceName {
	parts := make([]string, 0, len(n.parts)+2)
	return resourceName{parts: append(append(parts, n.parts...), collection, id)}
}

// contains tells whether name lies directly or further below n, where the id "-" in n stands for any.
func (n resourceName) contains(name string) bool {
	parts := strings.Split(name, "/")
	if len(parts) <= len(n.parts) {
		return false
	}
	for i, part := range n.parts {
		if part != parts[i] && part != anyLocation {
			return false
		}
	}
	return true
}
