// Package jobyaml reads the YAML of a Cloud Run job, as `gcloud run jobs describe --format export` writes it, into the message of
// the Admin API v2. It asks nobody.
package jobyaml

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"cloud.google.com/go/run/apiv2/runpb"
	"go.yaml.in/yaml/v3"
)

// largest is far above any job: what is longer is another kind of file.
const largest = 1 << 20

const (
	apiVersion    = "run.googleapis.com/v1"
	locationLabel = "cloud.googleapis.com/location"
)

// Job is a job and where it is.
type Job struct {
	Name     string
	Project  string // number or id; "" where the YAML does not say
	Location string // "" where the YAML does not say
	Message  *runpb.Job
}

// Parse reads one job. Its errors are in words for the writer of the YAML; those about a place in it name the line or the field,
// and several are joined, one a line.
func Parse(text string) (*Job, error) {
	doc, err := decode(text)
	if err != nil {
		return nil, err
	}
	c := &converter{aliases: map[string]string{}}
	message := c.job(doc)
	if len(c.faults) > 0 {
		return nil, errors.Join(c.faults...)
	}
	return &Job{
		Name: doc.Metadata.Name, Project: doc.Metadata.Namespace, Location: doc.Metadata.Labels[locationLabel], Message: message,
	}, nil
}

func decode(text string) (*document, error) {
	if len(text) > largest {
		return nil, errors.New("the text is larger than 1 MiB, which no job is")
	}
	// What kind of thing it is comes first: of another kind every field would be wrong.
	var head struct {
		APIVersion string `yaml:"apiVersion"`
		Kind       string `yaml:"kind"`
	}
	if err := yaml.Unmarshal([]byte(text), &head); err != nil {
		return nil, plain(err)
	}
	if head.Kind != "Job" || head.APIVersion != apiVersion {
		return nil, fmt.Errorf("this is kind %q of apiVersion %q; wanted is kind \"Job\" of %q, as `gcloud run jobs describe NAME --format export` writes it",
			shorten(head.Kind), shorten(head.APIVersion), apiVersion)
	}
	decoder := yaml.NewDecoder(bytes.NewReader([]byte(text)))
	decoder.KnownFields(true)
	var doc document
	if err := decoder.Decode(&doc); err != nil {
		return nil, plain(err)
	}
	if err := decoder.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, errors.New("the text has more than one YAML document: give one job at a time")
	}
	return &doc, nil
}

// plain says in the words of YAML what the decoder says in those of Go.
func plain(err error) error {
	var typeErr *yaml.TypeError
	if !errors.As(err, &typeErr) {
		return errors.New(strings.TrimPrefix(err.Error(), "yaml: "))
	}
	lines := make([]error, len(typeErr.Errors))
	for i, line := range typeErr.Errors {
		line, _, _ = strings.Cut(line, " in type ")
		if field, found := strings.CutSuffix(line, " not found"); found {
			line = field + " is not one that cloudrungpu_job can carry over: remove it, or write what it means in the resource"
		}
		lines[i] = errors.New(withoutTypes(line))
	}
	return errors.Join(lines...)
}

// withoutTypes says what stands where something else should: the types of Go mean nothing to the writer of YAML.
func withoutTypes(line string) string {
	line, _, _ = strings.Cut(line, " into ")
	return strings.NewReplacer(
		"cannot unmarshal !!str", "a text does not belong here:", "cannot unmarshal !!seq", "a list does not belong here",
		"cannot unmarshal !!map", "fields do not belong here", "cannot unmarshal !!", "this does not belong here: ",
	).Replace(line)
}

// shorten keeps a message readable whatever was given.
func shorten(s string) string {
	const most = 60
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}
