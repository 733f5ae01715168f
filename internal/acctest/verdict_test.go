package acctest

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// verdict is what Terraform said of a configuration.
type verdict struct {
	printed  string // summaries and details
	errors   int
	warnings int
	diags    []*tfprotov6.Diagnostic // with their attributes, as the provider gave them
}

func validated(t *testing.T, cli *CLI) verdict {
	t.Helper()
	printed, _ := cli.Run("validate", "-json")
	var result struct {
		ErrorCount   int `json:"error_count"`
		WarningCount int `json:"warning_count"`
		Diagnostics  []struct{ Summary, Detail string }
	}
	if err := json.Unmarshal([]byte(printed), &result); err != nil {
		t.Fatalf("%v in %s", err, printed)
	}
	v := verdict{errors: result.ErrorCount, warnings: result.WarningCount, diags: cli.Asked.Diagnostics()}
	for _, d := range result.Diagnostics {
		v.printed += d.Summary + "\n" + d.Detail + "\n"
	}
	return v
}

// planned makes a plan and keeps it.
func planned(t *testing.T, cli *CLI) verdict {
	t.Helper()
	return said(t, cli, "plan", "-json", "-out=plan")
}

// said runs a command that prints events as JSON.
func said(t *testing.T, cli *CLI, args ...string) verdict {
	t.Helper()
	printed, _ := cli.Run(args...)
	v := verdict{diags: cli.Asked.Diagnostics()}
	for line := range strings.Lines(printed) {
		var event struct {
			Type       string
			Diagnostic struct{ Severity, Summary, Detail string }
		}
		if err := json.Unmarshal([]byte(line), &event); err != nil {
			t.Fatalf("%v in %s", err, printed)
		}
		if event.Type != "diagnostic" {
			continue
		}
		v.printed += event.Diagnostic.Summary + "\n" + event.Diagnostic.Detail + "\n"
		if event.Diagnostic.Severity == "error" {
			v.errors++
		} else {
			v.warnings++
		}
	}
	return v
}

// pointsAt reports whether a diagnostic is about an attribute or a part of it.
func pointsAt(d *tfprotov6.Diagnostic, attribute string) bool {
	at := spell(d)
	rest, found := strings.CutPrefix(at, attribute)
	return found && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// spell writes the path of a diagnostic as in containers[0].resources.cpu.
func spell(d *tfprotov6.Diagnostic) string {
	at := ""
	if d.Attribute == nil {
		return at
	}
	for _, step := range d.Attribute.Steps() {
		switch step := step.(type) {
		case tftypes.AttributeName:
			at += "." + string(step)
		case tftypes.ElementKeyInt:
			at += "[" + strconv.FormatInt(int64(step), 10) + "]"
		case tftypes.ElementKeyString:
			at += "[" + strconv.Quote(string(step)) + "]"
		}
	}
	return strings.TrimPrefix(at, ".")
}
