package acctest

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"golang.org/x/tools/txtar"
)

// planCase is a file of testdata/cases/plan.txtar: the body of a job, and above it in comments what must come out.
type planCase struct {
	name    string
	body    string
	expect  string            // ok, warning or error
	offline bool              // found by terraform validate, without a call
	says    []*regexp.Regexp  // all must match
	at      string            // attribute of a diagnostic; "" is any
	quotas  map[string]string // as of the emulator's -quota; what is missing is unlimited
	planned [][2]string       // attribute and value
}

// filledIn is what a body may leave out.
var filledIn = [][2]string{
	{"name", `"case"`},
	{"location", `"us-central1"`},
	{"containers", `[{ image = "us-docker.pkg.dev/cloudrun/container/job:latest" }]`},
}

// parseCases reads an archive of cases. What it does not understand is an error: a check that is passed over looks like one
// that passes.
func parseCases(archive []byte) ([]planCase, error) {
	var cases []planCase
	for _, file := range txtar.Parse(archive).Files {
		c, err := parseCase(strings.TrimSuffix(file.Name, ".tf"), string(file.Data))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file.Name, err)
		}
		cases = append(cases, c)
	}
	return cases, nil
}

func parseCase(name, text string) (planCase, error) {
	c := planCase{name: name, body: text, quotas: map[string]string{}}
	for line := range strings.Lines(text) {
		comment, isComment := strings.CutPrefix(line, "# ")
		if !isComment {
			break
		}
		key, value, _ := strings.Cut(strings.TrimSpace(comment), ": ")
		if err := c.set(key, value); err != nil {
			return planCase{}, err
		}
	}
	if !slices.Contains([]string{"ok", "warning", "error"}, c.expect) {
		return planCase{}, fmt.Errorf("expect is %q", c.expect)
	}
	return c, nil
}

func (c *planCase) set(key, value string) error {
	switch key {
	case "expect":
		c.expect = value
	case "phase":
		if value != "validate" && value != "plan" {
			return fmt.Errorf("no phase is called %q", value)
		}
		c.offline = value == "validate"
	case "says":
		says, err := regexp.Compile("(?is)" + value)
		if err != nil {
			return err
		}
		c.says = append(c.says, says)
	case "at":
		c.at = value
	case "quota":
		quota, limit, _ := strings.Cut(value, "=")
		c.quotas[quota] = limit
	case "planned":
		attribute, want, _ := strings.Cut(value, " = ")
		c.planned = append(c.planned, [2]string{attribute, want})
	default:
		return fmt.Errorf("nothing is known of %q", key)
	}
	return nil
}

// config is the case as a root module.
func (c planCase) config() (string, error) {
	parsed, diags := hclsyntax.ParseConfig([]byte(c.body), c.name, hcl.InitialPos)
	if diags.HasErrors() {
		return "", diags
	}
	attributes, diags := parsed.Body.JustAttributes()
	if diags.HasErrors() {
		return "", diags
	}
	var text strings.Builder
	text.WriteString("terraform {\n  required_providers {\n    cloudrungpu = { source = \"cloudrungpu/cloudrungpu\" }\n  }\n}\n\n")
	text.WriteString("resource \"cloudrungpu_job\" \"case\" {\n")
	for _, pair := range filledIn {
		if _, written := attributes[pair[0]]; !written {
			text.WriteString(pair[0] + " = " + pair[1] + "\n")
		}
	}
	text.WriteString(c.body + "}\n")
	return text.String(), nil
}

// at returns the value at a path such as containers[0].resources.cpu in what terraform show prints.
func valueAt(values any, path string) (string, error) {
	for _, step := range regexp.MustCompile(`[^.\[\]]+`).FindAllString(path, -1) {
		switch of := values.(type) {
		case map[string]any:
			values = of[step]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i >= len(of) {
				return "", fmt.Errorf("%s: a list has no %q", path, step)
			}
			values = of[i]
		default:
			return "", fmt.Errorf("%s: there is nothing at %q", path, step)
		}
	}
	return fmt.Sprint(values), nil
}
