package provider

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// ValidateResourceConfig takes an object that is an element of a list or map and not known yet for one whose attributes are
// not known yet. The plugin framework takes its attributes for absent, and misses those that are required
// (https://github.com/hashicorp/terraform-plugin-framework/issues/186).
func (s server) ValidateResourceConfig(
	ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest,
) (*tfprotov6.ValidateResourceConfigResponse, error) {
	opened, err := s.opened(req.TypeName, req.Config)
	if err != nil {
		return nil, fmt.Errorf("reading the configuration of a %s: %w", req.TypeName, err)
	}
	copied := *req
	copied.Config = opened
	return s.frameworkServer.ValidateResourceConfig(ctx, &copied)
}

func (s server) opened(resource string, config *tfprotov6.DynamicValue) (*tfprotov6.DynamicValue, error) {
	of, ok := s.types()[resource]
	if !ok || config == nil {
		return config, nil // the framework says what is wrong with it
	}
	value, err := config.Unmarshal(of)
	if err != nil || value.IsFullyKnown() {
		return config, err
	}
	value, err = tftypes.Transform(value, openElement)
	if err != nil {
		return nil, err
	}
	opened, err := tfprotov6.NewDynamicValue(of, value)
	return &opened, err
}

func openElement(at *tftypes.AttributePath, v tftypes.Value) (tftypes.Value, error) {
	object, ok := v.Type().(tftypes.Object)
	if !ok || v.IsKnown() || !isElement(at.LastStep()) {
		return v, nil
	}
	attributes := make(map[string]tftypes.Value, len(object.AttributeTypes))
	for name, of := range object.AttributeTypes {
		attributes[name] = tftypes.NewValue(of, tftypes.UnknownValue)
	}
	return tftypes.NewValue(object, attributes), nil
}

func isElement(step tftypes.AttributePathStep) bool {
	switch step.(type) {
	case tftypes.ElementKeyInt, tftypes.ElementKeyString, tftypes.ElementKeyValue:
		return true
	}
	return false
}
