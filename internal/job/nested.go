package job

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
)

// field reads one attribute of a nested object. Of an unknown object every attribute is unknown, of an absent one every
// attribute is null: so a check that is silent on unknown values is silent on what lies below them too.
func field[T attr.Value](o types.Object, name string, unknown, null T) T {
	if o.IsUnknown() {
		return unknown
	}
	if value, ok := o.Attributes()[name].(T); ok {
		return value
	}
	return null
}

func stringField(o types.Object, name string) types.String {
	return field(o, name, types.StringUnknown(), types.StringNull())
}

func int64Field(o types.Object, name string) types.Int64 {
	return field(o, name, types.Int64Unknown(), types.Int64Null())
}

func boolField(o types.Object, name string) types.Bool {
	return field(o, name, types.BoolUnknown(), types.BoolNull())
}

func objectField(o types.Object, name string, of map[string]attr.Type) types.Object {
	return field(o, name, types.ObjectUnknown(of), types.ObjectNull(of))
}

func listField(o types.Object, name string, of attr.Type) types.List {
	return field(o, name, types.ListUnknown(of), types.ListNull(of))
}

func mapField(o types.Object, name string, of attr.Type) types.Map {
	return field(o, name, types.MapUnknown(of), types.MapNull(of))
}

// known is true of a value that is written and not unknown.
func known(v attr.Value) bool { return !v.IsNull() && !v.IsUnknown() }

// objects returns the elements of a list of nested objects; none where the list is absent or unknown.
func objects(l types.List) []types.Object {
	out := make([]types.Object, 0, len(l.Elements()))
	for _, e := range l.Elements() {
		if o, ok := e.(types.Object); ok {
			out = append(out, o)
		}
	}
	return out
}

// texts returns the known strings of a list; unknown ones are empty.
func texts(l types.List) []string {
	out := make([]string, 0, len(l.Elements()))
	for _, e := range l.Elements() {
		out = append(out, text(e))
	}
	return out
}

// text returns a known string value, whatever its type; otherwise the empty string.
func text(v attr.Value) string {
	s, ok := v.(basetypes.StringValuable)
	if !ok {
		return ""
	}
	// Our string types and the framework's own convert without an opinion, so without diagnostics.
	plain, _ := s.ToStringValue(context.Background())
	return plain.ValueString()
}

// textMap returns the known entries of a map of strings; nil where the map is absent or unknown.
func textMap(m types.Map) map[string]string {
	if !known(m) {
		return nil
	}
	out := make(map[string]string, len(m.Elements()))
	for k, v := range m.Elements() {
		if known(v) {
			out[k] = text(v)
		}
	}
	return out
}

// fullyKnown is true where neither the map nor an entry of it is unknown.
func fullyKnown(m types.Map) bool {
	if m.IsUnknown() {
		return false
	}
	for _, v := range m.Elements() {
		if v.IsUnknown() {
			return false
		}
	}
	return true
}

// stringMap writes a map of strings. An empty one keeps the form, absent or empty, that the user gave it.
func stringMap(in map[string]string, like types.Map) types.Map {
	if len(in) == 0 {
		return emptyMap(types.StringType, like)
	}
	out := make(map[string]attr.Value, len(in))
	for k, v := range in {
		out[k] = types.StringValue(v)
	}
	return types.MapValueMust(types.StringType, out)
}

func emptyMap(of attr.Type, like types.Map) types.Map {
	if known(like) {
		return types.MapValueMust(of, map[string]attr.Value{})
	}
	return types.MapNull(of)
}

// stringList writes a list of strings. An empty one keeps the form, absent or empty, that the user gave it.
func stringList(in []string, like types.List) types.List {
	if len(in) == 0 && !known(like) {
		return types.ListNull(types.StringType)
	}
	out := make([]attr.Value, 0, len(in))
	for _, v := range in {
		out = append(out, types.StringValue(v))
	}
	return types.ListValueMust(types.StringType, out)
}

// optionalString is null for the empty string: the API does not tell absent from empty.
func optionalString(s string, like types.String) types.String {
	if s == "" && (like.IsNull() || like.IsUnknown() || like.ValueString() != "") {
		return types.StringNull()
	}
	return types.StringValue(s)
}
