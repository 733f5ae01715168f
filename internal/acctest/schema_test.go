package acctest

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// TestEverythingIsDescribed walks all that the provider offers: each attribute, block, parameter and type says what it is, in
// sentences.
func TestEverythingIsDescribed(t *testing.T) {
	t.Parallel()
	schemas := providerSchemas(t)
	walk := walker{t: t}
	walk.block("provider", schemas.Provider.Block)
	for name, s := range schemas.ResourceSchemas {
		walk.block(name, s.Block)
	}
	for name, s := range schemas.DataSourceSchemas {
		walk.block("data."+name, s.Block)
	}
	for name, s := range schemas.EphemeralResourceSchemas {
		walk.block("ephemeral."+name, s.Block)
	}
	for name, s := range schemas.ActionSchemas {
		walk.block("action."+name, s.Schema.Block)
	}
	for name, f := range schemas.Functions {
		walk.text(name+"()", f.Description)
		walk.text(name+"() in short", f.Summary)
		for _, p := range f.Parameters {
			walk.text(name+"("+p.Name+")", p.Description)
		}
	}
	if walk.seen < 100 {
		t.Errorf("only %d descriptions were found", walk.seen)
	}
}

// Every attribute of the provider may be left out, and says what happens then.
func TestProviderAttributesNameTheirDefault(t *testing.T) {
	t.Parallel()
	for _, a := range providerSchemas(t).Provider.Block.Attributes {
		if !a.Optional {
			t.Errorf("%s is not optional", a.Name)
		}
		if !strings.Contains(a.Description, "Default: ") && !strings.Contains(a.Description, "No default.") {
			t.Errorf("%s does not name its default: %s", a.Name, a.Description)
		}
	}
}

// What may be left out of a resource or a data source says what holds then.
func TestOptionalAttributesNameTheirDefault(t *testing.T) {
	t.Parallel()
	schemas := providerSchemas(t)
	seen := 0
	var walk func(at string, attributes []*tfprotov6.SchemaAttribute)
	walk = func(at string, attributes []*tfprotov6.SchemaAttribute) {
		for _, a := range attributes {
			if a.Optional {
				seen++
				if !strings.Contains(a.Description, "Default: ") && !strings.Contains(a.Description, "No default.") {
					t.Errorf("%s.%s does not name its default: %s", at, a.Name, a.Description)
				}
			}
			if a.NestedType != nil {
				walk(at+"."+a.Name, a.NestedType.Attributes)
			}
		}
	}
	for name, s := range schemas.ResourceSchemas {
		walk(name, s.Block.Attributes)
	}
	for name, s := range schemas.DataSourceSchemas {
		walk("data."+name, s.Block.Attributes)
	}
	if seen < 50 {
		t.Errorf("only %d optional attributes were found", seen)
	}
}

type walker struct {
	t    *testing.T
	seen int
}

func (w *walker) block(at string, b *tfprotov6.SchemaBlock) {
	w.t.Helper()
	w.text(at, b.Description)
	w.attributes(at, b.Attributes)
	for _, nested := range b.BlockTypes {
		w.block(at+"."+nested.TypeName, nested.Block)
	}
}

func (w *walker) attributes(at string, attributes []*tfprotov6.SchemaAttribute) {
	w.t.Helper()
	for _, a := range attributes {
		w.text(at+"."+a.Name, a.Description)
		if a.NestedType != nil {
			w.attributes(at+"."+a.Name, a.NestedType.Attributes)
		}
	}
}

func (w *walker) text(at, description string) {
	w.t.Helper()
	w.seen++
	switch {
	case description == "":
		w.t.Errorf("%s has no description", at)
	case !strings.HasSuffix(description, "."):
		w.t.Errorf("the description of %s does not end in a full stop: %s", at, description)
	}
}
