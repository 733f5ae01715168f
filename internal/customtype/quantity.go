package customtype

import (
	"context"
	"fmt"
	"regexp"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/attr/xattr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/diagnose"
)

var (
	_ basetypes.StringTypable                    = QuantityType{}
	_ basetypes.StringValuableWithSemanticEquals = Quantity{}
	_ xattr.ValidateableAttribute                = Quantity{}
)

// QuantityType is the type of a Kubernetes quantity: "8", "8000m", "16Gi".
type QuantityType struct {
	basetypes.StringType
}

// Equal reports whether o is the same type.
func (t QuantityType) Equal(o attr.Type) bool {
	other, ok := o.(QuantityType)
	return ok && t.StringType.Equal(other.StringType)
}

// String names the type in error messages of the framework.
func (t QuantityType) String() string { return "customtype.QuantityType" }

// ValueType returns the value this type makes.
func (t QuantityType) ValueType(context.Context) attr.Value { return Quantity{} }

// ValueFromString wraps a string value.
func (t QuantityType) ValueFromString(_ context.Context, in basetypes.StringValue) (basetypes.StringValuable, diag.Diagnostics) {
	return Quantity{StringValue: in}, nil
}

// ValueFromTerraform converts the wire form.
func (t QuantityType) ValueFromTerraform(ctx context.Context, in tftypes.Value) (attr.Value, error) {
	return stringFromTerraform(ctx, in, func(s basetypes.StringValue) attr.Value { return Quantity{StringValue: s} })
}

// Quantity is a Kubernetes quantity as it was written. Two spellings of one amount are semantically equal.
type Quantity struct {
	basetypes.StringValue
}

// QuantityValue is the known quantity s.
func QuantityValue(s string) Quantity { return Quantity{basetypes.NewStringValue(s)} }

// QuantityNull is the absent quantity.
func QuantityNull() Quantity { return Quantity{basetypes.NewStringNull()} }

// QuantityUnknown is a quantity known only after apply.
func QuantityUnknown() Quantity { return Quantity{basetypes.NewStringUnknown()} }

// CPU is a quantity of n whole vCPU.
func CPU(n int64) Quantity {
	return QuantityValue(resource.NewQuantity(n, resource.DecimalSI).String())
}

// Memory is a quantity of n bytes, in the largest binary unit that writes it without a fraction.
func Memory(n int64) Quantity {
	return QuantityValue(resource.NewQuantity(n, resource.BinarySI).String())
}

// Type returns QuantityType.
func (q Quantity) Type(context.Context) attr.Type { return QuantityType{} }

// Equal compares spellings, as the framework asks of it.
func (q Quantity) Equal(o attr.Value) bool {
	other, ok := o.(Quantity)
	return ok && q.StringValue.Equal(other.StringValue)
}

// plausible bounds what is parsed: the parser needs seconds for an exponent of minus millions.
var plausible = regexp.MustCompile(`^[+-]?[0-9.]{1,25}([eE][+-]?[0-9]{1,2}|[A-Za-z]{0,2})$`)

// Amount returns the parsed quantity; false where it is absent, unknown or not a quantity.
func (q Quantity) Amount() (resource.Quantity, bool) {
	if q.IsNull() || q.IsUnknown() {
		return resource.Quantity{}, false
	}
	if !plausible.MatchString(q.ValueString()) {
		return resource.Quantity{}, false
	}
	amount, err := resource.ParseQuantity(q.ValueString())
	return amount, err == nil
}

// MilliCPU returns the amount in thousandths of a vCPU, rounded up.
func (q Quantity) MilliCPU() (int64, bool) {
	amount, ok := q.Amount()
	return amount.MilliValue(), ok
}

// Bytes returns the amount in bytes, rounded up.
func (q Quantity) Bytes() (int64, bool) {
	amount, ok := q.Amount()
	return amount.Value(), ok
}

// StringSemanticEquals reports whether both are the same amount.
func (q Quantity) StringSemanticEquals(_ context.Context, o basetypes.StringValuable) (bool, diag.Diagnostics) {
	other, ok := o.(Quantity)
	if !ok {
		return false, nil
	}
	a, aOK := q.Amount()
	b, bOK := other.Amount()
	if !aOK || !bOK {
		return q.StringValue.Equal(other.StringValue), nil
	}
	return a.Cmp(b) == 0, nil
}

// ValidateAttribute refuses what is not a quantity, at the attribute.
func (q Quantity) ValidateAttribute(_ context.Context, req xattr.ValidateAttributeRequest, resp *xattr.ValidateAttributeResponse) {
	if q.IsNull() || q.IsUnknown() {
		return
	}
	if amount, ok := q.Amount(); ok && amount.Sign() > 0 {
		return
	}
	resp.Diagnostics.Append(diagnose.Invalid(req.Path, diagnose.Message{
		What: fmt.Sprintf("%q is not a quantity.", q.ValueString()),
		Why:  "Cloud Run takes Kubernetes quantities: a positive number with an optional unit.",
		Do:   `Write CPU as whole vCPU ("4") and memory with a binary unit ("16Gi", "512Mi").`,
	}))
}
