package customtype

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
)

// KeepSpelling plans the value of the state where the configuration only spells it differently, so that "8" after "8000m"
// is no change. It serves every string type with semantic equality.
func KeepSpelling(of basetypes.StringTypable) planmodifier.String { return keepSpelling{of} }

type keepSpelling struct{ of basetypes.StringTypable }

func (m keepSpelling) Description(context.Context) string {
	return "A different spelling of the same value is no change."
}

func (m keepSpelling) MarkdownDescription(ctx context.Context) string { return m.Description(ctx) }

func (m keepSpelling) PlanModifyString(ctx context.Context, req planmodifier.StringRequest, resp *planmodifier.StringResponse) {
	if req.StateValue.IsNull() || req.PlanValue.IsNull() || req.PlanValue.IsUnknown() {
		return
	}
	planned, diags := m.of.ValueFromString(ctx, req.PlanValue)
	resp.Diagnostics.Append(diags...)
	state, diags := m.of.ValueFromString(ctx, req.StateValue)
	resp.Diagnostics.Append(diags...)
	value, ok := planned.(basetypes.StringValuableWithSemanticEquals)
	if !ok || resp.Diagnostics.HasError() {
		return
	}
	same, diags := value.StringSemanticEquals(ctx, state)
	resp.Diagnostics.Append(diags...)
	if same {
		resp.PlanValue = req.StateValue
	}
}
