package main

import (
	"fmt"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"
)

var blockNesting = map[tfprotov6.SchemaNestedBlockNestingMode]tfjson.SchemaNestingMode{
	tfprotov6.SchemaNestedBlockNestingModeSingle: tfjson.SchemaNestingModeSingle,
	tfprotov6.SchemaNestedBlockNestingModeList:   tfjson.SchemaNestingModeList,
	tfprotov6.SchemaNestedBlockNestingModeSet:    tfjson.SchemaNestingModeSet,
	tfprotov6.SchemaNestedBlockNestingModeMap:    tfjson.SchemaNestingModeMap,
	tfprotov6.SchemaNestedBlockNestingModeGroup:  tfjson.SchemaNestingModeGroup,
}

var objectNesting = map[tfprotov6.SchemaObjectNestingMode]tfjson.SchemaNestingMode{
	tfprotov6.SchemaObjectNestingModeSingle: tfjson.SchemaNestingModeSingle,
	tfprotov6.SchemaObjectNestingModeList:   tfjson.SchemaNestingModeList,
	tfprotov6.SchemaObjectNestingModeSet:    tfjson.SchemaNestingModeSet,
	tfprotov6.SchemaObjectNestingModeMap:    tfjson.SchemaNestingModeMap,
}

func descriptionKind(kind tfprotov6.StringKind) tfjson.SchemaDescriptionKind {
	if kind == tfprotov6.StringKindMarkdown {
		return tfjson.SchemaDescriptionKindMarkdown
	}
	return tfjson.SchemaDescriptionKindPlain
}

// ctyType converts a type of the plugin protocol to the library type that writes Terraform's JSON form of it.
func ctyType(in tftypes.Type) (cty.Type, error) {
	switch t := in.(type) {
	case tftypes.List:
		return collection(t.ElementType, cty.List)
	case tftypes.Set:
		return collection(t.ElementType, cty.Set)
	case tftypes.Map:
		return collection(t.ElementType, cty.Map)
	case tftypes.Tuple:
		return tuple(t)
	case tftypes.Object:
		return object(t)
	}
	switch {
	case in == nil:
		return cty.NilType, fmt.Errorf("no type")
	case in.Is(tftypes.String):
		return cty.String, nil
	case in.Is(tftypes.Number):
		return cty.Number, nil
	case in.Is(tftypes.Bool):
		return cty.Bool, nil
	case in.Is(tftypes.DynamicPseudoType):
		return cty.DynamicPseudoType, nil
	}
	return cty.NilType, fmt.Errorf("unknown type %s", in)
}

func collection(element tftypes.Type, of func(cty.Type) cty.Type) (cty.Type, error) {
	typ, err := ctyType(element)
	if err != nil {
		return cty.NilType, err
	}
	return of(typ), nil
}

func tuple(in tftypes.Tuple) (cty.Type, error) {
	elements := make([]cty.Type, 0, len(in.ElementTypes))
	for _, element := range in.ElementTypes {
		typ, err := ctyType(element)
		if err != nil {
			return cty.NilType, err
		}
		elements = append(elements, typ)
	}
	return cty.Tuple(elements), nil
}

func object(in tftypes.Object) (cty.Type, error) {
	attributes := make(map[string]cty.Type, len(in.AttributeTypes))
	for name, attribute := range in.AttributeTypes {
		typ, err := ctyType(attribute)
		if err != nil {
			return cty.NilType, fmt.Errorf("%s: %w", name, err)
		}
		attributes[name] = typ
	}
	optional := make([]string, 0, len(in.OptionalAttributes))
	for name := range in.OptionalAttributes {
		optional = append(optional, name)
	}
	return cty.ObjectWithOptionalAttrs(attributes, optional), nil
}
