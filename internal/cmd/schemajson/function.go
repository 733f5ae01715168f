package main

import (
	"fmt"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

func function(in *tfprotov6.Function) (*tfjson.FunctionSignature, error) {
	out := &tfjson.FunctionSignature{
		Description:        in.Description,
		Summary:            in.Summary,
		DeprecationMessage: in.DeprecationMessage,
	}
	var err error
	if out.ReturnType, err = ctyType(in.Return.Type); err != nil {
		return nil, fmt.Errorf("result: %w", err)
	}
	for _, from := range in.Parameters {
		to, err := parameter(from)
		if err != nil {
			return nil, err
		}
		out.Parameters = append(out.Parameters, to)
	}
	if in.VariadicParameter != nil {
		if out.VariadicParameter, err = parameter(in.VariadicParameter); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func parameter(in *tfprotov6.FunctionParameter) (*tfjson.FunctionParameter, error) {
	typ, err := ctyType(in.Type)
	if err != nil {
		return nil, fmt.Errorf("parameter %s: %w", in.Name, err)
	}
	return &tfjson.FunctionParameter{
		Name:        in.Name,
		Description: in.Description,
		IsNullable:  in.AllowNullValue,
		Type:        typ,
	}, nil
}
