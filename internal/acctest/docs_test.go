package acctest

import (
	"encoding/json"
	"maps"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

const docs = "../../docs"

// fence is a block of Terraform's language on a page.
var fence = regexp.MustCompile("(?ms)^```(?:terraform|hcl)\n(.*?)^```$")

// Every configuration on every page is formatted, and works: those that are a file of an example are applied with that example,
// and the others are planned here.
func TestDocs(t *testing.T) {
	written := map[string]bool{}
	for _, text := range treeOf(t, examples) {
		written[strings.TrimSpace(text)] = true
	}
	seen := 0
	pages := treeOf(t, docs)
	for _, page := range slices.Sorted(maps.Keys(pages)) {
		for i, block := range fence.FindAllStringSubmatch(pages[page], -1) {
			seen++
			if written[strings.TrimSpace(block[1])] {
				continue
			}
			t.Run(page+"/"+strconv.Itoa(i+1), func(t *testing.T) {
				t.Parallel()
				planned := newSnippet(t, block[1])
				stage := Start(t, plenty()...)
				stage.EmulatorOnly()
				cli := stage.CLI(map[string]string{"main.tf": planned.text})
				if planned.newer && !cli.atLeast(t, 1, 12) {
					t.Skip("needs Terraform or OpenTofu 1.12")
				}
				if printed, ok := cli.Run("fmt", "-check", "-diff", "-no-color"); !ok {
					t.Errorf("not as fmt writes it:\n%s", printed)
				}
				cli.Write("more.tf", planned.more)
				cli.Must(planned.verb, "-no-color")
			})
		}
	}
	if seen < 10 {
		t.Errorf("only %d blocks were found", seen)
	}
}

// snippet is a configuration of a page, with what it leaves out.
type snippet struct {
	text, more string
	verb       string // plan, or validate where what it names is not there yet
	newer      bool   // needs a CLI that imports by identity
}

func newSnippet(t *testing.T, text string) snippet {
	t.Helper()
	file, diags := hclsyntax.ParseConfig([]byte(text), "docs", hcl.InitialPos)
	if diags.HasErrors() {
		t.Fatalf("%v in\n%s", diags, text)
	}
	s := snippet{text: text, verb: "plan"}
	if !strings.Contains(text, "required_providers") {
		s.more = requirement
	}
	body, _ := file.Body.(*hclsyntax.Body)
	for _, block := range body.Blocks {
		if block.Type != "import" && block.Type != "moved" {
			continue
		}
		s.verb = "validate"
		s.newer = s.newer || block.Body.Attributes["identity"] != nil
		if to := block.Body.Attributes["to"]; to != nil {
			name := hclsyntax.Variables(to.Expr)[0][1].(hcl.TraverseAttr).Name
			if !strings.Contains(text, `resource "cloudrungpu_job" "`+name+`"`) {
				s.more += "resource \"cloudrungpu_job\" \"" + name + "\" {\n  name = \"" + name + "\"\n  containers = [{ image = \"a/b\" }]\n}\n"
			}
		}
	}
	return s
}

// atLeast is true where the CLI has this version or a newer one.
func (c *CLI) atLeast(t *testing.T, major, minor int) bool {
	t.Helper()
	command := exec.CommandContext(t.Context(), terraformPath(), "version", "-json")
	command.Env = c.env
	out, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	var version struct {
		Number string `json:"terraform_version"`
	}
	if err := json.Unmarshal(out, &version); err != nil {
		t.Fatal(err)
	}
	var got [2]int
	for i, part := range strings.SplitN(version.Number, ".", 3)[:2] {
		if got[i], err = strconv.Atoi(part); err != nil {
			t.Fatal(err)
		}
	}
	return got[0] > major || got[0] == major && got[1] >= minor
}

// Links between pages lead to pages.
func TestDocsLinks(t *testing.T) {
	t.Parallel()
	pages := treeOf(t, docs)
	link := regexp.MustCompile(`\]\(([^)#:]+\.md)(#[^)]*)?\)`)
	seen := 0
	for page, text := range pages {
		for _, found := range link.FindAllStringSubmatch(text, -1) {
			seen++
			if target := filepath.ToSlash(filepath.Join(filepath.Dir(page), found[1])); pages[target] == "" {
				t.Errorf("%s links to %s, which is not there", page, found[1])
			}
		}
	}
	if seen < 5 {
		t.Errorf("only %d links were found", seen)
	}
}
