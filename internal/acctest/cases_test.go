package acctest

import (
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/emulator"
)

func TestCases(t *testing.T) {
	archive, err := os.ReadFile("testdata/cases/plan.txtar")
	if err != nil {
		t.Fatal(err)
	}
	cases, err := parseCases(archive)
	if err != nil {
		t.Fatal(err)
	}
	if len(cases) == 0 {
		t.Fatal("there is no case")
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for _, wrong := range judge(t, c) {
				t.Error(wrong)
			}
		})
	}
}

func TestCasesOfUnknownForm(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"gpu = {}":                            `expect is ""`,
		"# expect: fine\n":                    `expect is "fine"`,
		"# expect: ok\n# phase: apply\n":      `no phase is called "apply"`,
		"# expect: ok\n# says: (\n":           "missing closing",
		"# expect: ok\n# expects: an error\n": `nothing is known of "expects"`,
	} {
		if _, err := parseCases([]byte("-- x.tf --\n" + text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// judge runs a case and returns what is wrong with the verdict.
func judge(t *testing.T, c planCase) []string {
	t.Helper()
	config, err := c.config()
	if err != nil {
		t.Fatal(err)
	}
	stage := Start(t, emulatorOptions(t, c.quotas)...)
	stage.EmulatorOnly()
	cli := stage.CLI(map[string]string{"main.tf": config})
	if c.offline {
		return append(c.check(validated(t, cli)), silence(stage)...)
	}
	wrong := c.check(planned(t, cli))
	if len(c.planned) > 0 && len(wrong) == 0 {
		wrong = c.checkPlanned(t, cli)
	}
	return wrong
}

// emulatorOptions give a case its quotas, and plenty of everything else.
func emulatorOptions(t *testing.T, quotas map[string]string) []emulator.Option {
	t.Helper()
	var options []emulator.Option
	for _, plenty := range []string{"nvidia-l4@*", "nvidia-rtx-pro-6000@*", "cpu@*", "memory@*"} {
		options = append(options, emulator.WithQuota(plenty, emulator.Unlimited))
	}
	for key, value := range quotas {
		limit, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		options = append(options, emulator.WithQuota(key, limit))
	}
	return options
}

func silence(s *Stage) []string {
	if n := s.Calls("*"); n > 0 {
		return []string{strconv.Itoa(n) + " calls were made"}
	}
	return nil
}

func (c planCase) check(v verdict) []string {
	var wrong []string
	came := "ok"
	switch {
	case v.errors > 0:
		came = "error"
	case v.warnings > 0:
		came = "warning"
	}
	if came != c.expect {
		wrong = append(wrong, "it is "+came+", want "+c.expect)
	}
	for _, says := range c.says {
		if !says.MatchString(v.printed) {
			wrong = append(wrong, "nothing matches "+says.String())
		}
	}
	if c.at != "" && !slices.ContainsFunc(v.diags, func(d *tfprotov6.Diagnostic) bool { return pointsAt(d, c.at) }) {
		wrong = append(wrong, "nothing points at "+c.at)
	}
	if len(wrong) > 0 {
		wrong = append(wrong, "it said:\n"+v.printed)
		for _, d := range v.diags {
			wrong = append(wrong, "at "+spell(d))
		}
	}
	return wrong
}

func (c planCase) checkPlanned(t *testing.T, cli *CLI) []string {
	t.Helper()
	var shown struct {
		PlannedValues struct {
			RootModule struct {
				Resources []struct{ Values map[string]any }
			} `json:"root_module"`
		} `json:"planned_values"`
	}
	if err := json.Unmarshal([]byte(cli.Must("show", "-json", "plan")), &shown); err != nil {
		t.Fatal(err)
	}
	var wrong []string
	for _, p := range c.planned {
		got, err := valueAt(shown.PlannedValues.RootModule.Resources[0].Values, p[0])
		if err != nil || got != p[1] {
			wrong = append(wrong, "planned "+p[0]+" is "+got+", want "+p[1])
		}
	}
	return wrong
}
