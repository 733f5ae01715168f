package job

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
)

// What a data source is given fits the schema it has: each attribute is there, and of its type.
func TestDescribeFitsTheComputedAttributes(t *testing.T) {
	t.Parallel()
	m := fullModel()
	attributes := ComputedAttributes()
	described := Describe(expandJob(m, owned{}, nil, "1.0.0"), m.jobName())
	if len(described) != len(attributes) {
		t.Errorf("%d attributes are described, the schema has %d", len(described), len(attributes))
	}
	for name, a := range attributes {
		value, ok := described[name]
		if !ok {
			t.Errorf("%s is not described", name)
			continue
		}
		if want := a.GetType(); !value.Type(t.Context()).Equal(want) {
			t.Errorf("%s is a %s, the schema wants a %s", name, value.Type(t.Context()), want)
		}
		if !a.IsComputed() || a.IsOptional() || a.IsRequired() || a.GetMarkdownDescription() == "" {
			t.Errorf("%s is not computed and described", name)
		}
	}
	if diags := (schema.Schema{Attributes: attributes}).ValidateImplementation(t.Context()); diags.HasError() {
		t.Error(diags)
	}
}
