package customtype

import (
	"context"
	"fmt"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/attr/xattr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/diagnose"
)

var (
	_ basetypes.StringTypable                    = FileModeType{}
	_ basetypes.StringValuableWithSemanticEquals = FileMode{}
	_ xattr.ValidateableAttribute                = FileMode{}
)

// FileModeType is the type of a file's permission bits, in octal as chmod takes them: "0444".
type FileModeType struct {
	basetypes.StringType
}

// Equal reports whether o is the same type.
func (t FileModeType) Equal(o attr.Type) bool {
	other, ok := o.(FileModeType)
	return ok && t.StringType.Equal(other.StringType)
}

// String names the type in error messages of the framework.
func (t FileModeType) String() string { return "customtype.FileModeType" }

// ValueType returns the value this type makes.
func (t FileModeType) ValueType(context.Context) attr.Value { return FileMode{} }

// ValueFromString wraps a string value.
func (t FileModeType) ValueFromString(_ context.Context, in basetypes.StringValue) (basetypes.StringValuable, diag.Diagnostics) {
	return FileMode{StringValue: in}, nil
}

// ValueFromTerraform converts the wire form.
func (t FileModeType) ValueFromTerraform(ctx context.Context, in tftypes.Value) (attr.Value, error) {
	return stringFromTerraform(ctx, in, func(s basetypes.StringValue) attr.Value { return FileMode{StringValue: s} })
}

// FileMode is permission bits as they were written. "444" and "0444" are semantically equal.
type FileMode struct {
	basetypes.StringValue
}

// FileModeValue is the mode with these bits, as four octal digits.
func FileModeValue(bits int32) FileMode {
	return FileMode{basetypes.NewStringValue(fmt.Sprintf("%04o", bits))}
}

// FileModeNull is the absent mode.
func FileModeNull() FileMode { return FileMode{basetypes.NewStringNull()} }

// FileModeUnknown is a mode known only after apply.
func FileModeUnknown() FileMode { return FileMode{basetypes.NewStringUnknown()} }

// Type returns FileModeType.
func (m FileMode) Type(context.Context) attr.Type { return FileModeType{} }

// Equal compares spellings, as the framework asks of it.
func (m FileMode) Equal(o attr.Value) bool {
	other, ok := o.(FileMode)
	return ok && m.StringValue.Equal(other.StringValue)
}

// Bits returns the permission bits, 1 to 0777; false where the mode is absent, unknown or not octal. The API takes 0 for absent.
func (m FileMode) Bits() (int32, bool) {
	if m.IsNull() || m.IsUnknown() {
		return 0, false
	}
	bits, err := strconv.ParseInt(m.ValueString(), 8, 32)
	return int32(bits), err == nil && bits > 0 && bits <= 0o777
}

// StringSemanticEquals reports whether both are the same bits.
func (m FileMode) StringSemanticEquals(_ context.Context, o basetypes.StringValuable) (bool, diag.Diagnostics) {
	other, ok := o.(FileMode)
	if !ok {
		return false, nil
	}
	a, aOK := m.Bits()
	b, bOK := other.Bits()
	if !aOK || !bOK {
		return m.StringValue.Equal(other.StringValue), nil
	}
	return a == b, nil
}

// ValidateAttribute refuses what is not octal permission bits, at the attribute.
func (m FileMode) ValidateAttribute(_ context.Context, req xattr.ValidateAttributeRequest, resp *xattr.ValidateAttributeResponse) {
	if m.IsNull() || m.IsUnknown() {
		return
	}
	if _, ok := m.Bits(); ok {
		return
	}
	resp.Diagnostics.Append(diagnose.Invalid(req.Path, diagnose.Message{
		What: fmt.Sprintf("%q is not a file mode.", m.ValueString()),
		Why:  "A mode is three octal digits for owner, group and others, as chmod takes them, written as text: 0001 to 0777.",
		Do:   `Write something like "0444" (everybody may read) or "0400" (only the owner may).`,
	}))
}
