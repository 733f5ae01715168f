package emulator

import (
	"context"
	"fmt"
	"strings"
	"time"

	"cloud.google.com/go/longrunning/autogen/longrunningpb"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/emptypb"
)

// operationsServer answers google.longrunning.Operations. Cloud Run has no CancelOperation.
type operationsServer struct {
	longrunningpb.UnimplementedOperationsServer
	*state
}

func (s operationsServer) find(name string) (*operation, error) {
	if _, err := parseName("name", name, "projects", "locations", "operations"); err != nil {
		return nil, err
	}
	op, exists := s.operations.byName[name]
	if !exists {
		return nil, status.Error(codes.NotFound, "Requested entity was not found.")
	}
	return op, nil
}

// GetOperation implements longrunningpb.OperationsServer.
func (s operationsServer) GetOperation(_ context.Context, request *longrunningpb.GetOperationRequest) (*longrunningpb.Operation, error) {
	_, leave := s.enter()
	defer leave()
	op, err := s.find(request.GetName())
	if err != nil {
		return nil, err
	}
	return op.snapshot(), nil
}

// ListOperations implements longrunningpb.OperationsServer. The oldest come first; the only filter is by done.
func (s operationsServer) ListOperations(_ context.Context, request *longrunningpb.ListOperationsRequest) (*longrunningpb.ListOperationsResponse, error) {
	parent, err := parseLocation("name", request.GetName())
	if err != nil {
		return nil, err
	}
	wanted, err := parseDoneFilter(request.GetFilter())
	if err != nil {
		return nil, err
	}
	_, leave := s.enter()
	defer leave()
	byKey := map[string]*operation{}
	var keys []string
	for name, op := range s.operations.byName {
		if parent.contains(name) && wanted(op.message.GetDone()) {
			key := fmt.Sprintf("%012d", op.serial)
			keys = append(keys, key)
			byKey[key] = op
		}
	}
	list := "operations " + parent.String() + " " + request.GetFilter()
	page, next, err := pageRequest{list, request.GetPageSize(), request.GetPageToken()}.cut(keys)
	if err != nil {
		return nil, err
	}
	response := &longrunningpb.ListOperationsResponse{NextPageToken: next}
	for _, key := range page {
		response.Operations = append(response.Operations, byKey[key].snapshot())
	}
	return response, nil
}

func parseDoneFilter(filter string) (wanted func(done bool) bool, err error) {
	switch strings.ReplaceAll(strings.ReplaceAll(filter, " ", ""), "=", ":") {
	case "":
		return func(bool) bool { return true }, nil
	case "done:true":
		return func(done bool) bool { return done }, nil
	case "done:false":
		return func(done bool) bool { return !done }, nil
	default:
		return nil, invalidArgument(violation{"filter", "must be done:true or done:false"})
	}
}

// DeleteOperation implements longrunningpb.OperationsServer. The work goes on, only its report is gone.
func (s operationsServer) DeleteOperation(_ context.Context, request *longrunningpb.DeleteOperationRequest) (*emptypb.Empty, error) {
	_, leave := s.enter()
	defer leave()
	if _, err := s.find(request.GetName()); err != nil {
		return nil, err
	}
	delete(s.operations.byName, request.GetName())
	return &emptypb.Empty{}, nil
}

// WaitOperation implements longrunningpb.OperationsServer: it answers when the operation is done, or with the operation as it
// stands when the timeout is over. Without a timeout it waits as long as the caller does.
func (s operationsServer) WaitOperation(ctx context.Context, request *longrunningpb.WaitOperationRequest) (*longrunningpb.Operation, error) {
	var timeout <-chan time.Time
	if request.GetTimeout() != nil {
		timeout = s.set.clock.At(s.set.clock.Now().Add(request.GetTimeout().AsDuration()))
	}
	op, err := s.peek(request.GetName())
	if err != nil {
		return nil, err
	}
	for waiting := true; waiting; {
		next := s.glance(op)
		if next.done {
			break
		}
		select {
		case <-op.done:
			waiting = false
		case <-next.due:
		case <-next.added:
		case <-timeout:
			waiting = false
		case <-ctx.Done():
			return nil, status.FromContextError(ctx.Err()).Err()
		}
	}
	_, leave := s.enter()
	defer leave()
	return op.snapshot(), nil
}

func (s operationsServer) peek(name string) (*operation, error) {
	_, leave := s.enter()
	defer leave()
	return s.find(name)
}

// outlook is when it is worth looking at an operation again.
type outlook struct {
	done  bool
	due   <-chan time.Time // at the next event
	added <-chan struct{}  // when another event turns up
}

func (s operationsServer) glance(op *operation) outlook {
	_, leave := s.enter()
	defer leave()
	look := outlook{done: op.message.GetDone(), added: s.events.awaitAdd()}
	if at, some := s.events.next(); some {
		look.due = s.set.clock.At(at)
	}
	return look
}
