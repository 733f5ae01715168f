package emulator

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
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
	request, bodyField, found := requestOf(call.method)
	if !found {
		return unimplemented(dotted(call.method))
	}
	violations := explainQuery(request, call.query)
	if len(call.body) > 0 {
		violations = append(violations, explainBody(request, bodyField, call.body)...)
	}
	if len(violations) == 0 {
		// Left are the forms of times and the like in the query.
		violations = []violation{{"", "Invalid value in the query string: " + call.query.Encode()}}
	}
	return unreadable(violations...)
}

// requestOf returns the request message of a method, and the field of it that the body holds: none for all of it.
func requestOf(method string) (request protoreflect.MessageDescriptor, bodyField string, found bool) {
	known, err := protoregistry.GlobalFiles.FindDescriptorByName(protoreflect.FullName(dotted(method)))
	if err != nil {
		return nil, "", false
	}
	described, ok := known.(protoreflect.MethodDescriptor)
	if !ok {
		return nil, "", false
	}
	if rule, ok := proto.GetExtension(described.Options(), annotations.E_Http).(*annotations.HttpRule); ok {
		bodyField = strings.TrimSuffix(rule.GetBody(), "*")
	}
	return described.Input(), bodyField, true
}

// dotted makes google.cloud.run.v2.Jobs.CreateJob of /google.cloud.run.v2.Jobs/CreateJob.
func dotted(method string) string {
	return strings.ReplaceAll(strings.TrimPrefix(method, "/"), "/", ".")
}

func explainQuery(request protoreflect.MessageDescriptor, query url.Values) []violation {
	var reader bodyReader
	for _, name := range slices.Sorted(maps.Keys(query)) {
		field := fieldAt(request, strings.Split(name, "."))
		if field == nil {
			reader.add("", "Invalid JSON payload received. Unknown name %q: Cannot bind query parameter. "+
				"Field '%s' could not be found in request message.", name, name)
			continue
		}
		for _, text := range query[name] {
			if field.Kind() == protoreflect.BoolKind && (text == "true" || text == "false") {
				continue
			}
			reader.single(field, string(field.Name()), text)
		}
	}
	return reader.violations
}

// fieldAt follows a path of names; nil where it leads nowhere.
func fieldAt(message protoreflect.MessageDescriptor, path []string) protoreflect.FieldDescriptor {
	if message == nil {
		return nil
	}
	field := fieldOf(message, path[0])
	if field == nil || len(path) == 1 {
		return field
	}
	return fieldAt(field.Message(), path[1:])
}

// fieldOf finds a field by either of its names.
func fieldOf(message protoreflect.MessageDescriptor, name string) protoreflect.FieldDescriptor {
	if field := message.Fields().ByJSONName(name); field != nil {
		return field
	}
	return message.Fields().ByName(protoreflect.Name(name))
}

func explainBody(request protoreflect.MessageDescriptor, bodyField string, text []byte) []violation {
	message := request
	if field := fieldOf(request, bodyField); field != nil {
		message = field.Message()
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return []violation{{bodyField, fmt.Sprintf("Invalid JSON payload received. %v", err)}}
	}
	var reader bodyReader
	reader.message(message, bodyField, value)
	if len(reader.violations) > 0 {
		return reader.violations
	}
	// What is left are the forms of durations and the like, and text behind the JSON. The words are protojson's.
	if err := protojson.Unmarshal(text, dynamicpb.NewMessage(message)); err != nil {
		return []violation{{bodyField, "Invalid JSON payload received. " + protojsonPrefix.ReplaceAllString(err.Error(), "")}}
	}
	return nil
}

// protojsonPrefix is how protojson starts its errors. The blank in it is sometimes a hard one, so that nobody relies on the text.
var protojsonPrefix = regexp.MustCompile(`^proto:[\s\x{a0}]+`)
