package customtype

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/attr/xattr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/diagnose"
)

var (
	_ basetypes.StringTypable                    = DurationType{}
	_ basetypes.StringValuableWithSemanticEquals = Duration{}
	_ xattr.ValidateableAttribute                = Duration{}
)

// DurationType is the type of a duration in Go's form ("1h30m") or the API's ("5400s").
type DurationType struct {
	basetypes.StringType
}

// Equal reports whether o is the same type.
func (t DurationType) Equal(o attr.Type) bool {
	other, ok := o.(DurationType)
	return ok && t.StringType.Equal(other.StringType)
}

// String names the type in error messages of the framework.
func (t DurationType) String() string { return "customtype.DurationType" }

// ValueType returns the value this type makes.
func (t DurationType) ValueType(context.Context) attr.Value { return Duration{} }

// ValueFromString wraps a string value.
func (t DurationType) ValueFromString(_ context.Context, in basetypes.StringValue) (basetypes.StringValuable, diag.Diagnostics) {
	return Duration{StringValue: in}, nil
}

// ValueFromTerraform converts the wire form.
func (t DurationType) ValueFromTerraform(ctx context.Context, in tftypes.Value) (attr.Value, error) {
	return stringFromTerraform(ctx, in, func(s basetypes.StringValue) attr.Value { return Duration{StringValue: s} })
}

// Duration is a duration as it was written. Two spellings of one length are semantically equal.
type Duration struct {
	basetypes.StringValue
}

// DurationValue is d in the API's spelling: "3600s", "1.5s".
func DurationValue(d time.Duration) Duration {
	return Duration{basetypes.NewStringValue(FormatDuration(d))}
}

// DurationNull is the absent duration.
func DurationNull() Duration { return Duration{basetypes.NewStringNull()} }

// FormatDuration spells d as the API does: seconds, with a fraction only where there is one.
func FormatDuration(d time.Duration) string {
	if d%time.Second == 0 {
		return fmt.Sprintf("%ds", d/time.Second)
	}
	fraction := fmt.Sprintf("%d.%09d", d/time.Second, (d % time.Second).Abs())
	return strings.TrimRight(fraction, "0") + "s"
}

// Type returns DurationType.
func (d Duration) Type(context.Context) attr.Type { return DurationType{} }

// Equal compares spellings, as the framework asks of it.
func (d Duration) Equal(o attr.Value) bool {
	other, ok := o.(Duration)
	return ok && d.StringValue.Equal(other.StringValue)
}

// Length returns the parsed duration; false where it is absent, unknown or not a duration.
func (d Duration) Length() (time.Duration, bool) {
	if d.IsNull() || d.IsUnknown() {
		return 0, false
	}
	length, err := time.ParseDuration(d.ValueString())
	return length, err == nil
}

// StringSemanticEquals reports whether both are the same length of time.
func (d Duration) StringSemanticEquals(_ context.Context, o basetypes.StringValuable) (bool, diag.Diagnostics) {
	other, ok := o.(Duration)
	if !ok {
		return false, nil
	}
	a, aOK := d.Length()
	b, bOK := other.Length()
	if !aOK || !bOK {
		return d.StringValue.Equal(other.StringValue), nil
	}
	return a == b, nil
}

// ValidateAttribute refuses what is not a positive duration, at the attribute.
func (d Duration) ValidateAttribute(_ context.Context, req xattr.ValidateAttributeRequest, resp *xattr.ValidateAttributeResponse) {
	if d.IsNull() || d.IsUnknown() {
		return
	}
	if length, ok := d.Length(); ok && length > 0 {
		return
	}
	resp.Diagnostics.Append(diagnose.Invalid(req.Path, diagnose.Message{
		What: fmt.Sprintf("%q is not a positive duration.", d.ValueString()),
		Do:   `Write a number with a unit: "600s", "90m", "1h30m".`,
	}))
}
