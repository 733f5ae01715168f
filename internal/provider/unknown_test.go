package provider

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// An element of a list that is not known yet misses nothing; one that is known still does.
func TestAnElementThatIsNotKnownYetMissesNothing(t *testing.T) {
	t.Parallel()
	s, err := Server("test")
	if err != nil {
		t.Fatal(err)
	}
	schemas, err := s.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	of, ok := schemas.ResourceSchemas["cloudrungpu_job"].ValueType().(tftypes.Object)
	if !ok {
		t.Fatal("a resource is no object")
	}
	list, ok := of.AttributeTypes["containers"].(tftypes.List)
	if !ok {
		t.Fatal("containers are no list")
	}
	for name, test := range map[string]struct {
		container any
		errors    int
	}{"not known": {tftypes.UnknownValue, 0}, "known": {absent(list.ElementType), 1}} {
		job := absent(of)
		job["name"] = tftypes.NewValue(tftypes.String, "case")
		job["containers"] = tftypes.NewValue(list, []tftypes.Value{tftypes.NewValue(list.ElementType, test.container)})
		config, err := tfprotov6.NewDynamicValue(of, tftypes.NewValue(of, job))
		if err != nil {
			t.Fatal(err)
		}
		resp, err := s.ValidateResourceConfig(t.Context(), &tfprotov6.ValidateResourceConfigRequest{
			TypeName: "cloudrungpu_job", Config: &config, ClientCapabilities: &tfprotov6.ValidateResourceConfigClientCapabilities{},
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(resp.Diagnostics) != test.errors {
			t.Errorf("%s: %d diagnostics, want %d", name, len(resp.Diagnostics), test.errors)
			for _, d := range resp.Diagnostics {
				t.Logf("%s: %s %s", d.Attribute, d.Summary, d.Detail)
			}
		}
	}
}

// absent are the attributes of an object, none of them set.
func absent(of tftypes.Type) map[string]tftypes.Value {
	out := map[string]tftypes.Value{}
	if object, ok := of.(tftypes.Object); ok {
		for name, attribute := range object.AttributeTypes {
			out[name] = tftypes.NewValue(attribute, nil)
		}
	}
	return out
}
