package provider

import (
	"context"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/providerdata"
)

// unknown is the value of an attribute that is made in the same apply.
type unknown struct{}

// envOf is an environment with these variables and no others.
func envOf(set map[string]string) Environment {
	return func(name string) string { return set[name] }
}

// configOf is a provider block with these attributes: strings, bools, lists and maps of strings, unknown.
func configOf(t *testing.T, attributes map[string]any) tfsdk.Config {
	t.Helper()
	ctx := context.Background()
	var described provider.SchemaResponse
	New("test")().Schema(ctx, provider.SchemaRequest{}, &described)
	object, ok := described.Schema.Type().TerraformType(ctx).(tftypes.Object)
	if !ok {
		t.Fatal("the schema is no object")
	}
	for name := range attributes {
		if _, known := object.AttributeTypes[name]; !known {
			t.Fatalf("the provider has no attribute %q", name)
		}
	}
	values := make(map[string]tftypes.Value, len(object.AttributeTypes))
	for name, kind := range object.AttributeTypes {
		values[name] = valueOf(t, kind, attributes[name])
	}
	return tfsdk.Config{Schema: described.Schema, Raw: tftypes.NewValue(object, values)}
}

func valueOf(t *testing.T, kind tftypes.Type, given any) tftypes.Value {
	t.Helper()
	switch given := given.(type) {
	case unknown:
		return tftypes.NewValue(kind, tftypes.UnknownValue)
	case []string:
		var elements []tftypes.Value
		for _, element := range given {
			elements = append(elements, tftypes.NewValue(tftypes.String, element))
		}
		return tftypes.NewValue(kind, elements)
	case map[string]any:
		values := make(map[string]tftypes.Value)
		if object, ok := kind.(tftypes.Object); ok {
			for name, of := range object.AttributeTypes {
				values[name] = valueOf(t, of, given[name])
			}
		} else {
			for name, value := range given {
				values[name] = valueOf(t, tftypes.String, value)
			}
		}
		return tftypes.NewValue(kind, values)
	}
	return tftypes.NewValue(kind, given)
}

// settle resolves a provider block as Configure does.
func settle(t *testing.T, attributes map[string]any, env map[string]string) (settings, string) {
	t.Helper()
	var given model
	config := configOf(t, attributes)
	if diags := config.Get(t.Context(), &given); diags.HasError() {
		t.Fatalf("reading the configuration: %v", diags)
	}
	set, diags := resolve(t.Context(), given, envOf(env))
	var said strings.Builder
	for _, d := range diags {
		said.WriteString(d.Severity().String() + ": " + d.Summary() + "\n" + d.Detail() + "\n")
	}
	return set, said.String()
}

// configure runs Configure itself.
func configure(t *testing.T, p provider.Provider, attributes map[string]any) (*providerdata.Data, provider.ConfigureResponse) {
	t.Helper()
	var resp provider.ConfigureResponse
	p.Configure(t.Context(), provider.ConfigureRequest{Config: configOf(t, attributes), TerraformVersion: "1.11.4"}, &resp)
	data, _ := resp.ResourceData.(*providerdata.Data)
	return data, resp
}
