package diagnose

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// Every message has its paragraph in the guide for those who search for it, and the guide has no other.
func TestEveryMessageIsInTheGuide(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../templates/guides/troubleshooting.md.tmpl")
	if err != nil {
		t.Fatal(err)
	}
	said := map[string]bool{}
	for line := range strings.Lines(string(page)) {
		if heading, ok := strings.CutPrefix(line, "### "); ok {
			said[strings.TrimSpace(heading)] = true
		}
	}
	for _, summary := range summaries(t) {
		if !said[summary] {
			t.Errorf("the guide says nothing of %q", summary)
		}
		delete(said, summary)
	}
	for heading := range said {
		t.Errorf("no message says %q", heading)
	}
}

// summaries are the constants of type Summary, read from the source.
func summaries(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok {
				return true
			}
			if kind, ok := spec.Type.(*ast.Ident); ok && kind.Name == "Summary" && len(spec.Values) == 1 {
				if value, ok := spec.Values[0].(*ast.BasicLit); ok {
					text, err := strconv.Unquote(value.Value)
					if err != nil {
						t.Fatal(err)
					}
					found = append(found, text)
				}
			}
			return true
		})
	}
	if len(found) < 20 {
		t.Fatalf("only %d summaries were found", len(found))
	}
	return found
}
