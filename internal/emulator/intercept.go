package emulator

import (
	"context"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// intercept is passed by every call of either door: here it meets its fault and its delay, and is written down.
func (s *Server) intercept(ctx context.Context, request any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
	method := shortMethod(info.FullMethod)
	response, err := s.answer(ctx, method, request, handler)
	if status.Code(err) == codes.Unimplemented {
		err = unimplemented(dotted(info.FullMethod))
	}
	door := doorGRPC
	if call := restCallOf(ctx); call != nil {
		door = doorREST
		call.answered.Store(true)
	}
	s.note(Request{Method: method, Resource: resourceOf(request), Door: door}, request, response, err)
	return response, err
}

func (s *Server) answer(ctx context.Context, method string, request any, handler grpc.UnaryHandler) (any, error) {
	fault, met := s.faults.take(method)
	if err := s.pause(ctx, s.state.set.latency+fault.Delay); err != nil {
		return nil, err
	}
	if !met || fault.Code == codes.OK {
		return handler(ctx, request)
	}
	if fault.Operation {
		return handler(withOperationFault(ctx, fault), request)
	}
	if fault.After {
		// The work is done, whatever it came to; only the answer is lost.
		if _, err := handler(ctx, request); status.Code(err) == codes.Unimplemented {
			return nil, err
		}
	}
	return nil, fault.err()
}

func (s *Server) pause(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return nil
	}
	clock := s.state.set.clock
	select {
	case <-clock.At(clock.Now().Add(d)):
		return nil
	case <-ctx.Done():
		return status.FromContextError(ctx.Err()).Err()
	}
}

// shortMethod makes Jobs.CreateJob of /google.cloud.run.v2.Jobs/CreateJob.
func shortMethod(full string) string {
	service, method, _ := strings.Cut(strings.TrimPrefix(full, "/"), "/")
	return service[strings.LastIndex(service, ".")+1:] + "." + method
}

// note writes a call down, in the log and in the record.
func (s *Server) note(entry Request, request, response any, err error) {
	entry.Time, entry.Status = s.state.set.clock.Now(), codeName(status.Code(err))
	s.requests.add(entry)
	s.record.write(entry, request, response, err)
}

// resourceOf is the name that a request is about. All requests that the emulator answers have it in one of these fields.
func resourceOf(request any) string {
	message, ok := request.(proto.Message)
	if !ok {
		return ""
	}
	fields := message.ProtoReflect()
	for _, path := range []string{"name", "resource", "job", "parent"} {
		field := fields.Descriptor().Fields().ByName(protoreflect.Name(path))
		switch {
		case field == nil:
		case field.Kind() == protoreflect.StringKind:
			if name := fields.Get(field).String(); name != "" {
				return name + newID(fields)
			}
		default:
			if name := resourceOf(fields.Get(field).Message().Interface()); name != "" {
				return name
			}
		}
	}
	return ""
}

// newID is what a request to create adds to its parent.
func newID(fields protoreflect.Message) string {
	field := fields.Descriptor().Fields().ByName("job_id")
	if field == nil {
		return ""
	}
	return "/jobs/" + fields.Get(field).String()
}
