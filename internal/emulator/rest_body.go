package emulator

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// bodyReader walks JSON beside the definition of the message that it should be, and says in the words of Google's front door where
// the two part.
type bodyReader struct {
	violations []violation
}

func (b *bodyReader) add(path, format string, args ...any) {
	b.violations = append(b.violations, violation{path, fmt.Sprintf(format, args...)})
}

func (b *bodyReader) message(message protoreflect.MessageDescriptor, path string, value any) {
	object, isObject := value.(map[string]any)
	if value == nil || isWellKnown(message) {
		return // a form of its own, such as that of a duration
	}
	if !isObject {
		b.wrong(path, "type.googleapis.com/"+string(message.FullName()), value)
		return
	}
	taken := map[protoreflect.Name]bool{}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		field := fieldOf(message, name)
		if field == nil {
			b.unknown(name, path)
			continue
		}
		if oneof := field.ContainingOneof(); oneof != nil && !oneof.IsSynthetic() && object[name] != nil {
			if taken[oneof.Name()] {
				b.add(path, "Invalid value at '%s' (oneof), oneof field '%s' is already set. Cannot set '%s'", path, oneof.Name(), name)
			}
			taken[oneof.Name()] = true
		}
		b.field(field, strings.TrimPrefix(path+"."+string(field.Name()), "."), object[name])
	}
}

func (b *bodyReader) unknown(name, path string) {
	at := ""
	if path != "" {
		at = fmt.Sprintf(" at '%s'", path)
	}
	b.add(path, "Invalid JSON payload received. Unknown name %q%s: Cannot find field.", name, at)
}

func (b *bodyReader) wrong(path, kind string, value any) {
	text, err := json.Marshal(value)
	if err != nil {
		text = []byte(fmt.Sprint(value))
	}
	b.add(path, "Invalid value at '%s' (%s), %s", path, kind, text)
}

// field is one field, with all its items where it is a list. Maps are left to what reads the request in the end.
func (b *bodyReader) field(field protoreflect.FieldDescriptor, path string, value any) {
	items, isList := value.([]any)
	switch {
	case value == nil || field.IsMap():
	case field.IsList() && isList:
		for i, item := range items {
			b.single(field, indexed(path, i), item)
		}
	case field.IsList():
		b.wrong(path, "repeated", value)
	default:
		b.single(field, path, value)
	}
}

func (b *bodyReader) single(field protoreflect.FieldDescriptor, path string, value any) {
	switch {
	case field.Message() != nil:
		b.message(field.Message(), path, value)
	case !fits(field, value):
		kind := "TYPE_" + strings.ToUpper(field.Kind().String())
		if field.Enum() != nil {
			kind = "type.googleapis.com/" + string(field.Enum().FullName())
		}
		b.wrong(path, kind, value)
	}
}

// fits tells whether a plain value can be read as the field's kind: numbers may be written as text, and enums as their names.
func fits(field protoreflect.FieldDescriptor, value any) bool {
	text, isText := value.(string)
	number, isNumber := value.(json.Number)
	if isNumber {
		text = number.String()
	}
	switch field.Kind() {
	case protoreflect.BoolKind:
		_, ok := value.(bool)
		return ok
	case protoreflect.StringKind, protoreflect.BytesKind:
		return isText
	case protoreflect.EnumKind:
		if isText {
			return field.Enum().Values().ByName(protoreflect.Name(text)) != nil
		}
		return isNumber && isInteger(text, 32)
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind:
		return (isText || isNumber) && isInteger(text, 32)
	case protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind:
		return (isText || isNumber) && isInteger(text, 64)
	default: // no job has another kind
		return true
	}
}

// isInteger takes 3 and, as JSON does, 3.0 and 3e0.
func isInteger(text string, bits int) bool {
	if _, err := strconv.ParseInt(text, 10, bits); err == nil {
		return true
	}
	number, err := strconv.ParseFloat(text, 64)
	return err == nil && number == float64(int64(number)) && number < float64(int64(1)<<(bits-1)) && number >= -float64(int64(1)<<(bits-1))
}

// isWellKnown tells a message that has a form of its own in JSON.
func isWellKnown(message protoreflect.MessageDescriptor) bool {
	return message.ParentFile().Package() == "google.protobuf"
}
