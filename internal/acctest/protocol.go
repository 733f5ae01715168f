package acctest

import (
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Configured is the provider of the stage as a CLI speaks to it, configured with an empty block: the stage's environment says the rest. It
// is for what only newer CLIs ask for.
func (s *Stage) Configured() tfprotov6.ProviderServer {
	s.t.Helper()
	server, err := s.Providers()["cloudrungpu"]()
	if err != nil {
		s.t.Fatal(err)
	}
	schemas, err := server.GetProviderSchema(s.t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		s.t.Fatal(err)
	}
	config := s.Value(schemas.Provider, nil)
	resp, err := server.ConfigureProvider(s.t.Context(), &tfprotov6.ConfigureProviderRequest{Config: config, TerraformVersion: "1.14.0"})
	if err != nil || len(resp.Diagnostics) > 0 {
		s.t.Fatalf("configuring: %v %v", err, resp.Diagnostics)
	}
	return server
}

// Value is a configuration of a schema: these attributes, and the others null.
func (s *Stage) Value(of *tfprotov6.Schema, written map[string]tftypes.Value) *tfprotov6.DynamicValue {
	s.t.Helper()
	object, ok := of.ValueType().(tftypes.Object)
	if !ok {
		s.t.Fatal("the schema is no object")
	}
	values := map[string]tftypes.Value{}
	for name, attribute := range object.AttributeTypes {
		values[name] = tftypes.NewValue(attribute, nil)
		if value, ok := written[name]; ok {
			values[name] = value
		}
	}
	config, err := tfprotov6.NewDynamicValue(object, tftypes.NewValue(object, values))
	if err != nil {
		s.t.Fatal(err)
	}
	return &config
}
