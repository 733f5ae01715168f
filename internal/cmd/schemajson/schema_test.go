package main

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"
)

// fakeServer answers the two schema calls; any other call would be a nil dereference.
type fakeServer struct {
	tfprotov6.ProviderServer
	schemas    *tfprotov6.GetProviderSchemaResponse
	identities *tfprotov6.GetResourceIdentitySchemasResponse
}

func (f fakeServer) GetProviderSchema(context.Context, *tfprotov6.GetProviderSchemaRequest) (*tfprotov6.GetProviderSchemaResponse, error) {
	return f.schemas, nil
}

func (f fakeServer) GetResourceIdentitySchemas(context.Context, *tfprotov6.GetResourceIdentitySchemasRequest) (*tfprotov6.GetResourceIdentitySchemasResponse, error) {
	return f.identities, nil
}

func oneAttribute(name string) *tfprotov6.Schema {
	return &tfprotov6.Schema{Block: &tfprotov6.SchemaBlock{
		Attributes: []*tfprotov6.SchemaAttribute{{Name: name, Type: tftypes.String, Optional: true}},
	}}
}

func everyKind() fakeServer {
	resource := &tfprotov6.Schema{Version: 2, Block: &tfprotov6.SchemaBlock{
		Description:     "A **thing**.",
		DescriptionKind: tfprotov6.StringKindMarkdown,
		Attributes: []*tfprotov6.SchemaAttribute{
			{Name: "secret", Type: tftypes.String, Required: true, Sensitive: true, WriteOnly: true, Deprecated: true},
			{Name: "parts", Computed: true, NestedType: &tfprotov6.SchemaObject{
				Nesting:    tfprotov6.SchemaObjectNestingModeMap,
				Attributes: []*tfprotov6.SchemaAttribute{{Name: "sizes", Type: tftypes.List{ElementType: tftypes.Number}, Computed: true}},
			}},
		},
		BlockTypes: []*tfprotov6.SchemaNestedBlock{{
			TypeName: "timeouts", Nesting: tfprotov6.SchemaNestedBlockNestingModeList, MinItems: 1, MaxItems: 2,
			Block: &tfprotov6.SchemaBlock{},
		}},
	}}
	return fakeServer{
		schemas: &tfprotov6.GetProviderSchemaResponse{
			Provider:                 oneAttribute("region"),
			ResourceSchemas:          map[string]*tfprotov6.Schema{"x_thing": resource},
			DataSourceSchemas:        map[string]*tfprotov6.Schema{"x_data": oneAttribute("d")},
			EphemeralResourceSchemas: map[string]*tfprotov6.Schema{"x_ephemeral": oneAttribute("e")},
			ListResourceSchemas:      map[string]*tfprotov6.Schema{"x_list": oneAttribute("l")},
			ActionSchemas:            map[string]*tfprotov6.ActionSchema{"x_action": {Schema: oneAttribute("a")}},
			Functions: map[string]*tfprotov6.Function{"f": {
				Summary:           "S",
				Description:       "D",
				Return:            &tfprotov6.FunctionReturn{Type: tftypes.DynamicPseudoType},
				Parameters:        []*tfprotov6.FunctionParameter{{Name: "p", Type: tftypes.String, AllowNullValue: true}},
				VariadicParameter: &tfprotov6.FunctionParameter{Name: "rest", Type: tftypes.Bool},
			}},
		},
		identities: &tfprotov6.GetResourceIdentitySchemasResponse{
			IdentitySchemas: map[string]*tfprotov6.ResourceIdentitySchema{"x_thing": {Version: 1, IdentityAttributes: []*tfprotov6.ResourceIdentitySchemaAttribute{
				{Name: "name", Type: tftypes.String, Description: "N.", RequiredForImport: true},
				{Name: "project", Type: tftypes.String, OptionalForImport: true},
			}}},
		},
	}
}

// everyKindJSON is written by hand after Terraform's page "providers schema command": what a CLI that
// knows every kind prints for everyKind.
const everyKindJSON = `{
  "provider": {"version": 0, "block": {"description_kind": "plain", "attributes": {"region": {"type": "string", "description_kind": "plain", "optional": true}}}},
  "resource_schemas": {"x_thing": {"version": 2, "block": {
    "description": "A **thing**.", "description_kind": "markdown",
    "attributes": {
      "secret": {"type": "string", "description_kind": "plain", "required": true, "sensitive": true, "write_only": true, "deprecated": true},
      "parts": {"description_kind": "plain", "computed": true, "nested_type": {"nesting_mode": "map", "attributes": {
        "sizes": {"type": ["list", "number"], "description_kind": "plain", "computed": true}}}}
    },
    "block_types": {"timeouts": {"nesting_mode": "list", "min_items": 1, "max_items": 2, "block": {"description_kind": "plain"}}}
  }}},
  "data_source_schemas": {"x_data": {"version": 0, "block": {"description_kind": "plain", "attributes": {"d": {"type": "string", "description_kind": "plain", "optional": true}}}}},
  "ephemeral_resource_schemas": {"x_ephemeral": {"version": 0, "block": {"description_kind": "plain", "attributes": {"e": {"type": "string", "description_kind": "plain", "optional": true}}}}},
  "list_resource_schemas": {"x_list": {"version": 0, "block": {"description_kind": "plain", "attributes": {"l": {"type": "string", "description_kind": "plain", "optional": true}}}}},
  "action_schemas": {"x_action": {"block": {"description_kind": "plain", "attributes": {"a": {"type": "string", "description_kind": "plain", "optional": true}}}}},
  "functions": {"f": {"summary": "S", "description": "D", "return_type": "dynamic",
    "parameters": [{"name": "p", "type": "string", "is_nullable": true}],
    "variadic_parameter": {"name": "rest", "type": "bool"}}},
  "resource_identity_schemas": {"x_thing": {"version": 1, "attributes": {
    "name": {"type": "string", "description": "N.", "required_for_import": true},
    "project": {"type": "string", "optional_for_import": true}}}}
}`

func TestEveryKindIsWrittenAsTerraformWritesIt(t *testing.T) {
	var out bytes.Buffer
	if err := run(t.Context(), everyKind(), &out); err != nil {
		t.Fatal(err)
	}
	var got struct {
		FormatVersion string         `json:"format_version"`
		Schemas       map[string]any `json:"provider_schemas"`
	}
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if got.FormatVersion != "1.0" {
		t.Errorf("format_version is %q, want 1.0", got.FormatVersion)
	}
	var want any
	if err := json.Unmarshal([]byte(everyKindJSON), &want); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got.Schemas[address]); diff != "" {
		t.Errorf("document (-want +got):\n%s", diff)
	}
}

func TestErrorDiagnosticsAreReported(t *testing.T) {
	refusal := []*tfprotov6.Diagnostic{{Severity: tfprotov6.DiagnosticSeverityError, Summary: "Bad schema", Detail: "two attributes share a name"}}
	for name, spoil := range map[string]func(*fakeServer){
		"schemas":    func(f *fakeServer) { f.schemas.Diagnostics = refusal },
		"identities": func(f *fakeServer) { f.identities.Diagnostics = refusal },
	} {
		t.Run(name, func(t *testing.T) {
			server := everyKind()
			spoil(&server)
			var out bytes.Buffer
			err := run(t.Context(), server, &out)
			if err == nil || !strings.Contains(err.Error(), "two attributes share a name") {
				t.Errorf("error is %v, want the provider's own words", err)
			}
			if out.Len() != 0 {
				t.Errorf("wrote %q, want nothing", out.String())
			}
		})
	}
}

func TestTypeFaultNamesThePlace(t *testing.T) {
	server := everyKind()
	server.schemas.ResourceSchemas["x_thing"].Block.Attributes[0].Type = nil
	err := run(t.Context(), server, &bytes.Buffer{})
	if err == nil || !strings.Contains(err.Error(), "resource x_thing: secret: no type") {
		t.Errorf("error is %v, want the resource and the attribute", err)
	}
}

func TestCtyType(t *testing.T) {
	for name, tc := range map[string]struct {
		in   tftypes.Type
		want cty.Type
	}{
		"set":   {tftypes.Set{ElementType: tftypes.Bool}, cty.Set(cty.Bool)},
		"map":   {tftypes.Map{ElementType: tftypes.Number}, cty.Map(cty.Number)},
		"tuple": {tftypes.Tuple{ElementTypes: []tftypes.Type{tftypes.String, tftypes.Bool}}, cty.Tuple([]cty.Type{cty.String, cty.Bool})},
		"object": {
			tftypes.Object{
				AttributeTypes:     map[string]tftypes.Type{"a": tftypes.String, "b": tftypes.List{ElementType: tftypes.Bool}},
				OptionalAttributes: map[string]struct{}{"b": {}},
			},
			cty.ObjectWithOptionalAttrs(map[string]cty.Type{"a": cty.String, "b": cty.List(cty.Bool)}, []string{"b"}),
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := ctyType(tc.in)
			if err != nil {
				t.Fatal(err)
			}
			if !got.Equals(tc.want) {
				t.Errorf("got %s, want %s", got.GoString(), tc.want.GoString())
			}
		})
	}
}
