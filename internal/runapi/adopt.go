package runapi

import (
	"context"
	"time"

	"cloud.google.com/go/run/apiv2/runpb"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/fault"
)

// secondLook is how long a job may be looked for that may have been made although no answer came.
const secondLook = 10 * time.Second

// adopt decides whether a refusal after a lost answer refuses what this very call has done already.
func (o *Operation) adopt(ctx context.Context, refusal error, ours func(*runpb.Job) bool) (*Operation, error) {
	found, err := o.client.GetJob(ctx, o.target)
	if err != nil || !ours(found) {
		return nil, refusal // it says what to do better than the failure of a second look
	}
	o.adopted = true
	return o, o.observe(found)
}

// adoptAbsence is adopt for a delete.
func (o *Operation) adoptAbsence(ctx context.Context, refusal error) (*Operation, error) {
	if _, err := o.client.GetJob(ctx, o.target); !fault.IsNotFound(err) {
		return nil, refusal
	}
	o.adopted, o.done = true, true
	return o, nil
}

// clocksMayDiffer is how far this machine's clock may be off the API's.
const clocksMayDiffer = 10 * time.Minute

// madeSince rules out a job of the same form that somebody else has made before this call.
func madeSince(found *runpb.Job, started time.Time) bool {
	return found.GetCreateTime().AsTime().After(started.Add(-clocksMayDiffer))
}

// configured are the fields of a job that its owner writes and the API gives back as written. The launch stage is not among
// them: the API answers with the least stable one that the job makes use of.
var configured = []protoreflect.Name{"labels", "annotations", "client", "client_version", "binary_authorization", "template"}

// carries reports whether a job is configured as it was sent: everything that was set is there, with the same value. What
// the API has added is no difference; what it has rewritten is one, so that in doubt the job is somebody else's.
func carries(found, sent *runpb.Job) bool {
	have, want := found.ProtoReflect(), sent.ProtoReflect()
	for _, name := range configured {
		field := want.Descriptor().Fields().ByName(name)
		if want.Has(field) && !fieldCarries(field, have.Get(field), want.Get(field)) {
			return false
		}
	}
	return true
}

func messageCarries(have, want protoreflect.Message) bool {
	same := true
	want.Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		same = fieldCarries(field, have.Get(field), value)
		return same
	})
	return same
}

func fieldCarries(field protoreflect.FieldDescriptor, have, want protoreflect.Value) bool {
	switch {
	case field.IsMap():
		return mapCarries(field.MapValue(), have.Map(), want.Map())
	case field.IsList():
		return listCarries(field, have.List(), want.List())
	default:
		return valueCarries(field, have, want)
	}
}

func mapCarries(element protoreflect.FieldDescriptor, have, want protoreflect.Map) bool {
	same := true
	want.Range(func(key protoreflect.MapKey, value protoreflect.Value) bool {
		same = have.Has(key) && valueCarries(element, have.Get(key), value)
		return same
	})
	return same
}

func listCarries(element protoreflect.FieldDescriptor, have, want protoreflect.List) bool {
	if have.Len() != want.Len() {
		return false
	}
	for i := range want.Len() {
		if !valueCarries(element, have.Get(i), want.Get(i)) {
			return false
		}
	}
	return true
}

func valueCarries(field protoreflect.FieldDescriptor, have, want protoreflect.Value) bool {
	if field.Message() != nil {
		return messageCarries(have.Message(), want.Message())
	}
	return have.Equal(want)
}
