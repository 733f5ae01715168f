package emulator

import (
	"regexp"
	"slices"
	"strings"

	"cloud.google.com/go/run/apiv2/runpb"
)

const (
	maxEnv       = 1000
	maxEnvLength = 32768
)

// reservedEnv is set by the service for every task. Other names of its own, as K_SERVICE or X_GOOGLE_*, it does not refuse, nor a
// name that is given twice.
var reservedEnv = []string{
	"CLOUD_RUN_EXECUTION", "CLOUD_RUN_JOB", "CLOUD_RUN_TASK_ATTEMPT", "CLOUD_RUN_TASK_COUNT", "CLOUD_RUN_TASK_INDEX", "PORT",
}

var secretVersionPattern = regexp.MustCompile(`^[a-zA-Z0-9_-]*$`)

func (c *checker) checkEnv() {
	total := 0
	for i, container := range c.task().GetContainers() {
		total += len(container.GetEnv())
		var reserved []string
		for n, env := range container.GetEnv() {
			if slices.Contains(reservedEnv, env.GetName()) {
				reserved = append(reserved, env.GetName())
			}
			c.checkEnvVar(containerField(i, ".")+indexed("env", n), env)
		}
		if len(reserved) > 0 {
			c.template(containerField(i, ".env"),
				"The following reserved env names were provided: %s. These values are automatically set by the system.", strings.Join(reserved, ", "))
		}
	}
	if total > maxEnv {
		c.template("template.template.containers", "Exceeded the limit on EnvVars across all containers: %d.", maxEnv)
	}
}

func (c *checker) checkEnvVar(field string, env *runpb.EnvVar) {
	if env.GetName() == "" {
		c.request(field+".name", "required field not present.")
	}
	if len(env.GetValue()) > maxEnvLength {
		c.request(field+".value", "length cannot exceed %d", maxEnvLength)
	}
	reference := env.GetValueSource().GetSecretKeyRef()
	switch {
	case reference == nil:
	case reference.GetSecret() == "":
		c.request(field+".value_source.secret_key_ref.secret", "required field not present.")
	case !secretVersionPattern.MatchString(reference.GetVersion()):
		c.request(field+".value_source.secret_key_ref.version", "should have only alphanumeric characters")
	}
}
