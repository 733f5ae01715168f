package emulator

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"google.golang.org/genproto/googleapis/api/annotations"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/dynamicpb"
)

// explainUnreadable finds what kept a REST request from being read as the request of its method, and says it in the words of
// Google's front door.
func explainUnreadable(call *restCall) error {
	request, body, found := requestOf(call.method)
	if !found {
		return unimplemented(dotted(call.method))
	}
	violations := unknownParameters(request, call.query)
	if len(call.body) > 0 {
		violations = append(violations, unknownFields(request, body, call.body)...)
	}
	if len(violations) > 0 {
		return unreadable(violations...)
	}
	return unreadable(unreadableValue(request, body, call))
}

// requestOf returns the request message of a method, and the path of what its body holds: empty for all of it.
func requestOf(method string) (request protoreflect.MessageDescriptor, body string, found bool) {
	known, err := protoregistry.GlobalFiles.FindDescriptorByName(protoreflect.FullName(dotted(method)))
	if err != nil {
		return nil, "", false
	}
	described, ok := known.(protoreflect.MethodDescriptor)
	if !ok {
		return nil, "", false
	}
	if rule, ok := proto.GetExtension(described.Options(), annotations.E_Http).(*annotations.HttpRule); ok {
		body = strings.TrimSuffix(rule.GetBody(), "*")
	}
	return described.Input(), body, true
}

// dotted makes google.cloud.run.v2.Jobs.CreateJob of /google.cloud.run.v2.Jobs/CreateJob.
func dotted(method string) string {
	return strings.ReplaceAll(strings.TrimPrefix(method, "/"), "/", ".")
}

func unknownParameters(request protoreflect.MessageDescriptor, query map[string][]string) []violation {
	var violations []violation
	for _, name := range slices.Sorted(maps.Keys(query)) {
		if !hasField(request, strings.Split(name, ".")) {
			violations = append(violations, violation{"", fmt.Sprintf(
				"Invalid JSON payload received. Unknown name %q: Cannot bind query parameter. Field '%s' could not be found in request message.",
				name, name)})
		}
	}
	return violations
}

func hasField(message protoreflect.MessageDescriptor, path []string) bool {
	if message == nil {
		return false
	}
	field := fieldOf(message, path[0])
	return field != nil && (len(path) == 1 || hasField(field.Message(), path[1:]))
}

// fieldOf finds a field by either of its names.
func fieldOf(message protoreflect.MessageDescriptor, name string) protoreflect.FieldDescriptor {
	if field := message.Fields().ByJSONName(name); field != nil {
		return field
	}
	return message.Fields().ByName(protoreflect.Name(name))
}

// unknownFields walks a body beside the definition of what it should be.
func unknownFields(request protoreflect.MessageDescriptor, body string, text []byte) []violation {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil
	}
	message := request
	if body != "" {
		field := fieldOf(request, body)
		if field == nil {
			return nil
		}
		message = field.Message()
	}
	return unknownIn(message, body, value)
}

func unknownIn(message protoreflect.MessageDescriptor, path string, value any) []violation {
	object, isObject := value.(map[string]any)
	if !isObject || message == nil || isWellKnown(message) {
		return nil
	}
	var violations []violation
	for _, name := range slices.Sorted(maps.Keys(object)) {
		field := fieldOf(message, name)
		if field == nil {
			violations = append(violations, unknownName(name, path))
			continue
		}
		inner := strings.TrimPrefix(path+"."+string(field.Name()), ".")
		items, isList := object[name].([]any)
		switch {
		case field.IsMap():
		case field.IsList() && isList:
			for i, item := range items {
				violations = append(violations, unknownIn(field.Message(), indexed(inner, i), item)...)
			}
		default:
			violations = append(violations, unknownIn(field.Message(), inner, object[name])...)
		}
	}
	return violations
}

// unknownName says it in Google's words.
func unknownName(name, path string) violation {
	at := ""
	if path != "" {
		at = fmt.Sprintf(" at '%s'", path)
	}
	return violation{path, fmt.Sprintf("Invalid JSON payload received. Unknown name %q%s: Cannot find field.", name, at)}
}

// isWellKnown tells a message that has a form of its own in JSON, such as a duration.
func isWellKnown(message protoreflect.MessageDescriptor) bool {
	return message.ParentFile().Package() == "google.protobuf"
}

// protojsonPrefix is how protojson starts its errors. The blank in it is sometimes a hard one, so that nobody relies on the text.
var protojsonPrefix = regexp.MustCompile(`^proto:[\s\x{a0}]+`)

// unreadableValue is about a value of a wrong type, and about text that is not JSON. The details of the words are protojson's.
func unreadableValue(request protoreflect.MessageDescriptor, body string, call *restCall) violation {
	target := request
	if body != "" {
		target = fieldOf(request, body).Message()
	}
	if len(call.body) > 0 {
		if err := protojson.Unmarshal(call.body, dynamicpb.NewMessage(target)); err != nil {
			return violation{body, "Invalid JSON payload received. " + protojsonPrefix.ReplaceAllString(err.Error(), "")}
		}
	}
	return violation{"", "Invalid value in the query string: " + mapText(call.query)}
}

func mapText(query map[string][]string) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(query)) {
		parts = append(parts, name+"="+strings.Join(query[name], ","))
	}
	return strings.Join(parts, " ")
}
