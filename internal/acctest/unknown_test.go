package acctest

import (
	"strings"
	"testing"
)

// laterProvider is a provider block with a value that is made in the same apply.
func laterProvider(attribute, value string) string {
	return requirement + `
resource "terraform_data" "later" { input = "` + value + `" }

provider "cloudrungpu" {
  ` + attribute + ` = terraform_data.later.output
}
`
}

// What is made in the same apply is no error: what needs it waits.
func TestPlaceMadeInTheSameApply(t *testing.T) {
	t.Parallel()
	for attribute, value := range map[string]string{"project": Project, "region": Region} {
		t.Run(attribute, func(t *testing.T) {
			t.Parallel()
			stage := Start(t)
			stage.EmulatorOnly()
			stage.Setenv("GOOGLE_"+strings.ToUpper(attribute), "")
			cli := stage.CLI(map[string]string{"main.tf": laterProvider(attribute, value) + aJob})
			if v := planned(t, cli); v.errors != 0 {
				t.Fatalf("the plan fails:\n%s", v.printed)
			}
			if n := stage.Calls("*"); n != 0 {
				t.Errorf("%d calls were made before it was known where to", n)
			}
			cli.Must("apply", "-auto-approve", "-no-color")
			if printed, ok := cli.Run("plan", "-detailed-exitcode", "-no-color"); !ok {
				t.Errorf("the plan after apply is not empty:\n%s", printed)
			}
			cli.Must("destroy", "-auto-approve", "-no-color")
			stage.emptied()
		})
	}
}

// A plan that needs credentials which are made in the same apply says so, and goes on where it can.
func TestCredentialsMadeInTheSameApply(t *testing.T) {
	t.Parallel()
	stage := Start(t)
	stage.Setenv("CLOUDRUNGPU_EMULATOR_HOST", "")
	v := planned(t, stage.CLI(map[string]string{"main.tf": laterProvider("access_token", "secret") + aJob}))
	if v.errors != 0 || v.warnings != 1 {
		t.Errorf("%d errors and %d warnings, want one warning", v.errors, v.warnings)
	}
	for _, want := range []string{"GPU quota could not be checked", "`access_token`", "known only after apply", "-target=ADDRESS"} {
		if !strings.Contains(v.printed, want) {
			t.Errorf("%q is not in %q", want, v.printed)
		}
	}
}
