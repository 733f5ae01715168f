package job

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/diagnose"
)

const (
	mostVariables   = 1000  // in all containers together
	longestVariable = 32768 // bytes of one value
	mostArguments   = 1000  // in all containers together
)

// reservedEnv are the variables that Cloud Run sets itself.
var reservedEnv = []string{
	"PORT", "CLOUD_RUN_JOB", "CLOUD_RUN_EXECUTION", "CLOUD_RUN_TASK_INDEX", "CLOUD_RUN_TASK_ATTEMPT", "CLOUD_RUN_TASK_COUNT",
}

// checkContainerNames refuses two containers of one name.
func checkContainerNames(c configuration) (diags diag.Diagnostics) {
	first := map[string]int{}
	for i, container := range c.containers {
		name := container.Name.ValueString()
		if name == "" {
			continue
		}
		if before, ok := first[name]; ok {
			diags.Append(diagnose.Invalid(containerPath(i).AtName("name"), diagnose.Message{
				What: fmt.Sprintf("Two containers have the name %q: containers[%d] and containers[%d].", shorten(name), before, i),
				Do:   "Give each container a name of its own.",
			}))
			continue
		}
		first[name] = i
	}
	return diags
}

// checkEnv refuses variables that Cloud Run sets itself, that are given twice, or that are too many or too long.
func checkEnv(c configuration) (diags diag.Diagnostics) {
	variables, arguments := 0, 0
	for i, container := range c.containers {
		diags.Append(checkContainerEnv(i, container)...)
		variables += len(container.Env.Elements()) + len(container.SecretEnv.Elements())
		arguments += len(container.Args.Elements())
	}
	if variables > mostVariables {
		diags.Append(diagnose.Invalid(containerPath(0).AtName("env"), diagnose.Message{
			What: fmt.Sprintf("The containers have %d environment variables together.", variables),
			Why:  fmt.Sprintf("A job can have at most %d.", mostVariables),
			Do:   "Put what is large into a file: a secret or a bucket, mounted as a volume.",
		}))
	}
	if arguments > mostArguments {
		diags.Append(diagnose.Invalid(containerPath(0).AtName("args"), diagnose.Message{
			What: fmt.Sprintf("The containers have %d arguments together.", arguments),
			Why:  fmt.Sprintf("A job can have at most %d.", mostArguments),
			Do:   "Put long lists into a file and pass its name.",
		}))
	}
	return diags
}

func checkContainerEnv(i int, container Container) (diags diag.Diagnostics) {
	for _, attribute := range []string{"env", "secret_env"} {
		elements := container.Env.Elements()
		if attribute == "secret_env" {
			elements = container.SecretEnv.Elements()
		}
		for _, name := range slices.Sorted(maps.Keys(elements)) {
			diags.Append(checkVariable(containerPath(i).AtName(attribute).AtMapKey(name), name, elements[name])...)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(container.SecretEnv.Elements())) {
		if _, twice := container.Env.Elements()[name]; twice {
			diags.Append(diagnose.Invalid(containerPath(i).AtName("secret_env").AtMapKey(name), diagnose.Message{
				What: fmt.Sprintf("The environment variable %s is in env and in secret_env.", name),
				Do:   "Keep one of the two.",
			}))
		}
	}
	return diags
}

// checkVariable refuses a name that is reserved or none at all, and a value that is too long.
func checkVariable(at path.Path, name string, value attr.Value) (diags diag.Diagnostics) {
	switch {
	case slices.Contains(reservedEnv, name):
		diags.Append(diagnose.Invalid(at, diagnose.Message{
			What: fmt.Sprintf("The environment variable %s is set by Cloud Run itself.", name),
			Why:  "Reserved are " + strings.Join(reservedEnv, ", ") + ".",
			Do:   "Leave it out: the container sees it anyway.",
		}))
	case name == "" || strings.ContainsAny(name, "=\x00"):
		diags.Append(diagnose.Invalid(at, diagnose.Message{
			What: fmt.Sprintf("%q cannot be the name of an environment variable.", shorten(name)),
			Do:   "Use letters, digits and underscores.",
		}))
	case len(text(value)) > longestVariable:
		diags.Append(diagnose.Invalid(at, diagnose.Message{
			What: fmt.Sprintf("The value of %s has %d bytes.", name, len(text(value))),
			Why:  fmt.Sprintf("A value can have at most %d bytes.", longestVariable),
			Do:   "Put it into a file: a secret or a bucket, mounted as a volume.",
		}))
	}
	return diags
}
