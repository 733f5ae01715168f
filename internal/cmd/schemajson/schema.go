package main

import (
	"fmt"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// providerSchema turns the two answers of the plugin protocol into the JSON document's shape.
func providerSchema(in *tfprotov6.GetProviderSchemaResponse, ids *tfprotov6.GetResourceIdentitySchemasResponse) (*tfjson.ProviderSchema, error) {
	out := &tfjson.ProviderSchema{}
	var err error
	if out.ConfigSchema, err = schema(in.Provider); err != nil {
		return nil, fmt.Errorf("provider: %w", err)
	}
	if out.ResourceSchemas, err = convertMap(in.ResourceSchemas, schema); err != nil {
		return nil, fmt.Errorf("resource %w", err)
	}
	if out.DataSourceSchemas, err = convertMap(in.DataSourceSchemas, schema); err != nil {
		return nil, fmt.Errorf("data source %w", err)
	}
	if out.EphemeralResourceSchemas, err = convertMap(in.EphemeralResourceSchemas, schema); err != nil {
		return nil, fmt.Errorf("ephemeral resource %w", err)
	}
	if out.ListResourceSchemas, err = convertMap(in.ListResourceSchemas, schema); err != nil {
		return nil, fmt.Errorf("list resource %w", err)
	}
	if out.ActionSchemas, err = convertMap(in.ActionSchemas, actionSchema); err != nil {
		return nil, fmt.Errorf("action %w", err)
	}
	if out.Functions, err = convertMap(in.Functions, function); err != nil {
		return nil, fmt.Errorf("function %w", err)
	}
	if out.ResourceIdentitySchemas, err = convertMap(ids.IdentitySchemas, identity); err != nil {
		return nil, fmt.Errorf("identity of %w", err)
	}
	return out, nil
}

// convertMap converts every value of in; an error starts with the key at fault.
func convertMap[From, To any](in map[string]From, convert func(From) (To, error)) (map[string]To, error) {
	out := make(map[string]To, len(in))
	for name, from := range in {
		to, err := convert(from)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		out[name] = to
	}
	return out, nil
}

func schema(in *tfprotov6.Schema) (*tfjson.Schema, error) {
	if in == nil {
		return nil, nil //nolint:nilnil // no schema is a valid answer, and is left out of the document
	}
	body, err := block(in.Block)
	if err != nil {
		return nil, err
	}
	return &tfjson.Schema{Version: count(in.Version), Block: body}, nil
}

func actionSchema(in *tfprotov6.ActionSchema) (*tfjson.ActionSchema, error) {
	body, err := block(in.Schema.Block)
	if err != nil {
		return nil, err
	}
	return &tfjson.ActionSchema{Block: body}, nil
}

func block(in *tfprotov6.SchemaBlock) (*tfjson.SchemaBlock, error) {
	out := &tfjson.SchemaBlock{
		Attributes:      make(map[string]*tfjson.SchemaAttribute, len(in.Attributes)),
		NestedBlocks:    make(map[string]*tfjson.SchemaBlockType, len(in.BlockTypes)),
		Description:     in.Description,
		DescriptionKind: descriptionKind(in.DescriptionKind),
		Deprecated:      in.Deprecated,
	}
	for _, from := range in.Attributes {
		to, err := attribute(from)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", from.Name, err)
		}
		out.Attributes[from.Name] = to
	}
	for _, from := range in.BlockTypes {
		body, err := block(from.Block)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", from.TypeName, err)
		}
		out.NestedBlocks[from.TypeName] = &tfjson.SchemaBlockType{
			NestingMode: blockNesting[from.Nesting],
			Block:       body,
			MinItems:    count(from.MinItems),
			MaxItems:    count(from.MaxItems),
		}
	}
	return out, nil
}

func attribute(in *tfprotov6.SchemaAttribute) (*tfjson.SchemaAttribute, error) {
	out := &tfjson.SchemaAttribute{
		Description:     in.Description,
		DescriptionKind: descriptionKind(in.DescriptionKind),
		Deprecated:      in.Deprecated,
		Required:        in.Required,
		Optional:        in.Optional,
		Computed:        in.Computed,
		Sensitive:       in.Sensitive,
		WriteOnly:       in.WriteOnly,
	}
	var err error
	if in.NestedType == nil {
		out.AttributeType, err = ctyType(in.Type)
		return out, err
	}
	out.AttributeNestedType, err = nestedType(in.NestedType)
	return out, err
}

func nestedType(in *tfprotov6.SchemaObject) (*tfjson.SchemaNestedAttributeType, error) {
	out := &tfjson.SchemaNestedAttributeType{
		Attributes:  make(map[string]*tfjson.SchemaAttribute, len(in.Attributes)),
		NestingMode: objectNesting[in.Nesting],
	}
	for _, from := range in.Attributes {
		to, err := attribute(from)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", from.Name, err)
		}
		out.Attributes[from.Name] = to
	}
	return out, nil
}

func identity(in *tfprotov6.ResourceIdentitySchema) (*tfjson.IdentitySchema, error) {
	out := &tfjson.IdentitySchema{
		Version:    count(in.Version),
		Attributes: make(map[string]*tfjson.IdentityAttribute, len(in.IdentityAttributes)),
	}
	for _, from := range in.IdentityAttributes {
		typ, err := ctyType(from.Type)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", from.Name, err)
		}
		out.Attributes[from.Name] = &tfjson.IdentityAttribute{
			IdentityType:      typ,
			Description:       from.Description,
			RequiredForImport: from.RequiredForImport,
			OptionalForImport: from.OptionalForImport,
		}
	}
	return out, nil
}

// count turns a version or a number of items, never negative in a valid schema, into the document's type.
func count(n int64) uint64 {
	return uint64(max(n, 0))
}
