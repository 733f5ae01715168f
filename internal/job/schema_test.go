package job

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
)

// A null inside a collection would be left out of the request and come back as drift: every collection refuses it.
func TestEveryCollectionRefusesNulls(t *testing.T) {
	t.Parallel()
	var walk func(at string, attributes map[string]schema.Attribute)
	walk = func(at string, attributes map[string]schema.Attribute) {
		for name, a := range attributes {
			here, validators := at+name, -1
			switch a := a.(type) {
			case schema.ListAttribute:
				validators = len(a.Validators)
			case schema.MapAttribute:
				validators = len(a.Validators)
			case schema.SingleNestedAttribute:
				walk(here+".", a.Attributes)
			case schema.ListNestedAttribute:
				validators = len(a.Validators)
				walk(here+"[].", a.NestedObject.Attributes)
			case schema.MapNestedAttribute:
				validators = len(a.Validators)
				walk(here+"[].", a.NestedObject.Attributes)
			}
			if validators == 0 && !a.IsComputed() {
				t.Errorf("%s takes nulls", here)
			}
		}
	}
	walk("", jobSchema().Attributes)
	if diags := jobSchema().ValidateImplementation(t.Context()); diags.HasError() {
		t.Error(diags)
	}
}
