package emulator

import (
	"slices"

	"google.golang.org/genproto/googleapis/api/annotations"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// dropOutputOnly clears every field that its definition marks as output only, at any depth: the service ignores what a client sends there.
func dropOutputOnly(message protoreflect.Message) {
	var foreign []protoreflect.FieldDescriptor
	message.Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		switch {
		case isOutputOnly(field):
			foreign = append(foreign, field)
		case field.Message() == nil || field.IsMap(): // the maps of a job hold plain values
		case field.IsList():
			for i := range value.List().Len() {
				dropOutputOnly(value.List().Get(i).Message())
			}
		default:
			dropOutputOnly(value.Message())
		}
		return true
	})
	for _, field := range foreign {
		message.Clear(field)
	}
}

func isOutputOnly(field protoreflect.FieldDescriptor) bool {
	behaviors, ok := proto.GetExtension(field.Options(), annotations.E_FieldBehavior).([]annotations.FieldBehavior)
	return ok && slices.Contains(behaviors, annotations.FieldBehavior_OUTPUT_ONLY)
}
