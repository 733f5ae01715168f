package emulator

import (
	"regexp"

	"cloud.google.com/go/run/apiv2/runpb"
)

// formatRules are the forms of names of things elsewhere; an empty one is left out.
var formatRules = []struct {
	field   string
	value   func(*runpb.Job) string
	pattern *regexp.Regexp
	text    string
	request bool // which of the two manners the refusal has
}{
	{
		"template.template.service_account", func(job *runpb.Job) string { return job.GetTemplate().GetTemplate().GetServiceAccount() },
		regexp.MustCompile(`^[^@\s]+@[^@\s]+\.gserviceaccount\.com$`), "Unsupported service account.", false,
	},
	{
		"template.template.encryption_key", func(job *runpb.Job) string { return job.GetTemplate().GetTemplate().GetEncryptionKey() },
		regexp.MustCompile(`^projects/[^/]+/locations/[^/]+/keyRings/[^/]+/cryptoKeys/[^/]+$`),
		"must conform to projects/{project}/locations/{location}/keyRings/{keyRing}/cryptoKeys/{cryptoKey}", true,
	},
	{
		"binary_authorization.policy", func(job *runpb.Job) string { return job.GetBinaryAuthorization().GetPolicy() },
		regexp.MustCompile(`^projects/[^/]+/platforms/cloudRun/[^/]+$`),
		"must be in form projects/{project}/platforms/cloudRun/{policy-name}", true,
	},
}

func (c *checker) checkFormats() {
	for _, rule := range formatRules {
		value := rule.value(c.job)
		switch {
		case value == "" || rule.pattern.MatchString(value):
		case rule.request:
			c.request(rule.field, "%s", rule.text)
		default:
			c.template(rule.field, "%s", rule.text)
		}
	}
}

// checkGeneration is about the execution environment: a job runs in the second generation only. With a GPU, the rules of
// the GPU have their own words for it.
func (c *checker) checkGeneration() {
	if c.task().GetExecutionEnvironment() == runpb.ExecutionEnvironment_EXECUTION_ENVIRONMENT_GEN1 && gpuContainer(c.task()) < 0 {
		c.template("template.annotations",
			"Annotation 'run.googleapis.com/execution-environment' with value 'gen1' is not supported on resources of kind Execution.")
	}
}
