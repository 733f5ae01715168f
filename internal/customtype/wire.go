package customtype

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// stringFromTerraform converts the wire form of a string type and wraps it.
func stringFromTerraform(ctx context.Context, in tftypes.Value, wrap func(basetypes.StringValue) attr.Value) (attr.Value, error) {
	value, err := basetypes.StringType{}.ValueFromTerraform(ctx, in)
	if err != nil {
		return nil, fmt.Errorf("reading a string: %w", err)
	}
	s, ok := value.(basetypes.StringValue)
	if !ok {
		return nil, fmt.Errorf("reading a string: unexpected %T", value)
	}
	return wrap(s), nil
}
