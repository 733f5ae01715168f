package job

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/testing/protocmp"
)

// UpdateJob replaces everything. So whatever the provider does not write must come back as it was read: fields that it leaves
// out on purpose, and fields that are younger than its client, in every message that a job is made of.
func TestAnUpdateCarriesOverEveryFieldThatIsNotOurs(t *testing.T) {
	t.Parallel()
	for _, m := range everyVariant() {
		current := expandJob(m, owned{}, nil, "1.0.0")
		foreign := foreigner{messages: map[protoreflect.FullName]bool{}}
		foreign.settle(current.ProtoReflect())
		if len(foreign.messages) < 20 {
			t.Errorf("only %d kinds of messages were met: %v", len(foreign.messages), foreign.messages)
		}
		got := expandJob(m, ownedBy(m), current, "1.0.0")
		want := proto.CloneOf(current)
		want.CreateExecution = nil // a token that is sent again starts another execution
		if diff := cmp.Diff(want, got, protocmp.Transform()); diff != "" {
			t.Errorf("(-was +sent):\n%s", diff)
		}
	}
}

// foreigner puts into a job what the provider does not write.
type foreigner struct {
	messages map[protoreflect.FullName]bool // met so far
}

// younger is a field that no message of today has.
var younger = protowire.AppendString(protowire.AppendTag(nil, 30001, protowire.BytesType), "younger")

func (f foreigner) settle(m protoreflect.Message) {
	name := m.Descriptor().FullName()
	if !strings.HasPrefix(string(name), "google.cloud.run.v2.") {
		return
	}
	f.messages[name] = true
	m.Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		switch {
		case field.Message() == nil || field.IsMap():
		case field.IsList():
			for i := range value.List().Len() {
				f.settle(value.List().Get(i).Message())
			}
		default:
			f.settle(value.Message())
		}
		return true
	})
	for i := range m.Descriptor().Fields().Len() {
		field := m.Descriptor().Fields().Get(i)
		if _, left := leftOut[field.FullName()]; left {
			set(m, field)
		}
	}
	m.SetUnknown(younger)
}

// set gives a field any value but its zero.
func set(m protoreflect.Message, field protoreflect.FieldDescriptor) {
	switch {
	case field.IsList():
		m.Mutable(field).List().AppendMutable()
	case field.Message() != nil:
		m.Set(field, m.NewField(field))
	case field.Kind() == protoreflect.StringKind:
		m.Set(field, protoreflect.ValueOfString("theirs"))
	case field.Kind() == protoreflect.BoolKind:
		m.Set(field, protoreflect.ValueOfBool(true))
	case field.Kind() == protoreflect.EnumKind:
		m.Set(field, protoreflect.ValueOfEnum(1))
	case field.Kind() == protoreflect.Int32Kind:
		m.Set(field, protoreflect.ValueOfInt32(1))
	case field.Kind() == protoreflect.Int64Kind:
		m.Set(field, protoreflect.ValueOfInt64(1))
	default:
		panic(string(field.FullName()) + " is of a kind that no field of a job had so far")
	}
}
