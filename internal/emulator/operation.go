package emulator

import (
	"fmt"
	"time"

	"cloud.google.com/go/longrunning/autogen/longrunningpb"
	"google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
)

// operationsKept is how many operations are remembered; beyond it, the oldest of those that are done go.
const operationsKept = 5000

// operation is one long-running operation. Its message is never handed out, only clones of it.
type operation struct {
	message *longrunningpb.Operation
	serial  int
	done    chan struct{}
}

// operationStore keeps operations by name, in the order of their creation.
type operationStore struct {
	byName map[string]*operation
	order  []string
}

func newOperationStore() operationStore {
	return operationStore{byName: map[string]*operation{}}
}

func (o *operationStore) add(op *operation) {
	o.byName[op.message.GetName()] = op
	o.order = append(o.order, op.message.GetName())
	if len(o.order) <= operationsKept {
		return
	}
	// A tenth at once, so that the search for what is done is not repeated for every new operation.
	surplus := operationsKept / 10
	kept := o.order[:0]
	for _, name := range o.order {
		known, exists := o.byName[name]
		switch {
		case !exists:
		case surplus > 0 && known.message.GetDone():
			surplus--
			delete(o.byName, name)
		default:
			kept = append(kept, name)
		}
	}
	o.order = kept
}

// abandon ends what nobody will finish any more.
func (o *operationStore) abandon() {
	for _, op := range o.byName {
		op.fail(&status.Status{Code: int32(codes.Aborted), Message: "the emulator was reset"})
	}
}

// finish ends the operation with an answer, unless it has ended.
func (op *operation) finish(response proto.Message) {
	packed, err := anypb.New(response)
	if err != nil {
		op.fail(&status.Status{Code: int32(codes.Internal), Message: err.Error()})
		return
	}
	op.end(func() { op.message.Result = &longrunningpb.Operation_Response{Response: packed} })
}

// fail ends the operation with an error, unless it has ended.
func (op *operation) fail(cause *status.Status) {
	op.end(func() { op.message.Result = &longrunningpb.Operation_Error{Error: cause} })
}

func (op *operation) end(set func()) {
	if op.message.GetDone() {
		return
	}
	set()
	op.message.Done = true
	close(op.done)
}

func (op *operation) snapshot() *longrunningpb.Operation {
	return proto.CloneOf(op.message)
}

// newOperation makes a pending operation in a location; metadata is the resource as it is now.
func (s *state) newOperation(location resourceName, metadata proto.Message) (*operation, error) {
	name := location.child("operations", s.newUID())
	packed, err := anypb.New(metadata)
	if err != nil {
		return nil, fmt.Errorf("packing the metadata of operation %s: %w", name, err)
	}
	return &operation{
		message: &longrunningpb.Operation{Name: name.String(), Metadata: packed}, serial: s.nextSerial(), done: make(chan struct{}),
	}, nil
}

// after lets work happen when the operation latency is over.
func (s *state) after(now time.Time, work func(now time.Time)) {
	s.events.add(now.Add(s.set.operationLatency), work)
}
