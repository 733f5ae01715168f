package runapi

import (
	"strings"
	"testing"
)

func TestParseJobName(t *testing.T) {
	full := JobName{Project: "acme-ml", Location: "us-central1", Job: "finetune"}
	for id, want := range map[string]JobName{
		"projects/acme-ml/locations/us-central1/jobs/finetune": full,
		"acme-ml/us-central1/finetune":                         full,
		"us-central1/finetune":                                 {Location: "us-central1", Job: "finetune"},
		"finetune":                                             {Job: "finetune"},
		"jobs":                                                 {Job: "jobs"},
		"projects/example.com:acme/locations/us-east4/jobs/a": {Project: "example.com:acme", Location: "us-east4", Job: "a"},
		"example.com:acme/us-east4/a":                         {Project: "example.com:acme", Location: "us-east4", Job: "a"},
		"projects/123456789012/locations/us-east4/jobs/a-1":   {Project: "123456789012", Location: "us-east4", Job: "a-1"},
	} {
		if got, err := ParseJobName(id); got != want || err != nil {
			t.Errorf("ParseJobName(%q) = %+v, %v", id, got, err)
		}
	}
	if got := full.String(); got != "projects/acme-ml/locations/us-central1/jobs/finetune" {
		t.Error(got)
	}
}

func TestParseJobNameRefuses(t *testing.T) {
	for id, says := range map[string]string{
		"":                                  `"" cannot be the job name`,
		"projects/p":                        `is no name of a job`,
		"projects/p/locations/l":            `is no name of a job`,
		"locations/l":                       `is no name of a job`,
		"projects/p/locations/l/services/n": `is no name of a job`,
		"//run.googleapis.com/projects/p":   `is no name of a job`,
		"p/l/n/x":                           `is no name of a job`,
		"projects//locations/l/jobs/n":      `"" cannot be the project`,
		"/l/n":                              `"" cannot be the project`,
		"p//n":                              `"" cannot be the location`,
		"p/l/":                              `"" cannot be the job name`,
		"P/l/n":                             `"P" cannot be the project`,
		"p/us central1/n":                   `"us central1" cannot be the location`,
		"p/l/Finetune":                      `"Finetune" cannot be the job name`,
		"projects/p/locations/l/jobs/n?alt=proto":   `cannot be the job name`,
		"projects/p/locations/l/jobs/..":            `cannot be the job name`,
		"projects/a:b:c/locations/l/jobs/n":         `cannot be the project`,
		"projects/p/locations/example.com:l/jobs/n": `cannot be the location`,
	} {
		_, err := ParseJobName(id)
		if err == nil || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), AcceptedForms) {
			t.Errorf("ParseJobName(%q): %v\nwant it to say %s, and the forms", id, err, says)
		}
	}
}

func FuzzParseJobName(f *testing.F) {
	for _, id := range []string{"projects/p/locations/l/jobs/n", "example.com:p/l/n", "l/n", "n", "", "//", "projects/p/locations//jobs/n"} {
		f.Add(id)
	}
	f.Fuzz(func(t *testing.T, id string) {
		name, err := ParseJobName(id)
		if err != nil {
			if name != (JobName{}) {
				t.Errorf("%q: a name %+v with the error %v", id, name, err)
			}
			return
		}
		if name.Job == "" || name.Project != "" && name.Location == "" {
			t.Errorf("%q: %+v", id, name)
		}
		if name.Project == "" {
			name.Project = "p"
		}
		if name.Location == "" {
			name.Location = "l"
		}
		if again, err := ParseJobName(name.String()); again != name || err != nil {
			t.Errorf("%q: %s was read as %+v, %v", id, name, again, err)
		}
	})
}

func BenchmarkParseJobName(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ParseJobName("projects/acme-ml/locations/us-central1/jobs/finetune"); err != nil {
			b.Fatal(err)
		}
	}
}
