package emulator

import (
	"context"
	"fmt"
	"path"
	"sync"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	rpcstatus "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/protoadapt"
	"google.golang.org/protobuf/types/known/durationpb"
)

// Always is the value of Fault.Times for a fault that never wears off.
const Always = -1

// Fault lets calls go wrong.
type Fault struct {
	// Method is the call that goes wrong, as in Request.Method; * stands for any part of it, as in Jobs.*.
	Method string
	// Code is the code of the error; OK leaves the call to succeed, for a fault that is only a delay.
	Code codes.Code
	// Message is the text of the error. Empty stands for what Google's services say with that code.
	Message string
	// Reason, with Metadata, goes into a google.rpc.ErrorInfo of the domain googleapis.com: SERVICE_DISABLED, IAM_PERMISSION_DENIED. Empty
	// leaves it out.
	Reason   string
	Metadata map[string]string
	// RetryAfter goes into a google.rpc.RetryInfo; 0 leaves it out.
	RetryAfter time.Duration
	// Times is how many calls go wrong; 0 stands for one, Always for all.
	Times int
	// Skip is how many calls go well first.
	Skip int
	// Delay holds the call up, by the emulator's clock.
	Delay time.Duration
	// After does the call and loses its answer. Otherwise the call is refused and nothing is done.
	After bool
	// Operation accepts the call and lets the long-running operation that it starts end in the error.
	Operation bool
}

// faults is the list of faults that wait to happen.
type faults struct {
	mu      sync.Mutex
	waiting []Fault
}

// add checks and appends a fault.
func (f *faults) add(fault Fault, methods []string) error {
	if !matchesAny(fault.Method, methods) {
		return fmt.Errorf("no method is called %q: methods are written as in Jobs.CreateJob, and * stands for any part", fault.Method)
	}
	if fault.Skip < 0 || fault.Times < Always || fault.Delay < 0 {
		return fmt.Errorf("skip, times and delay of a fault must not be negative, but for times %d, which stands for always", Always)
	}
	if fault.RetryAfter < 0 || fault.Reason == "" && len(fault.Metadata) > 0 || fault.Code == codes.OK && (fault.Reason != "" || fault.RetryAfter > 0) {
		return fmt.Errorf("metadata goes with a reason, reason and retry_after with a code, and retry_after is not negative")
	}
	if fault.After && fault.Operation {
		return fmt.Errorf("a fault either loses the answer or lets the operation fail, not both")
	}
	if fault.Operation && fault.Code == codes.OK {
		return fmt.Errorf("a fault of an operation needs a code")
	}
	if fault.Times == 0 {
		fault.Times = 1
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.waiting = append(f.waiting, fault)
	return nil
}

func matchesAny(pattern string, methods []string) bool {
	for _, method := range methods {
		if matched, err := path.Match(pattern, method); matched && err == nil {
			return true
		}
	}
	return false
}

// take counts the call and returns the fault that it meets, if any: the first of its method whose skips are used up.
func (f *faults) take(method string) (Fault, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := range f.waiting {
		fault := &f.waiting[i]
		if !matchesAny(fault.Method, []string{method}) {
			continue
		}
		if fault.Skip > 0 {
			fault.Skip--
			continue
		}
		taken := *fault
		if fault.Times != Always {
			fault.Times--
		}
		if fault.Times == 0 {
			f.waiting = append(f.waiting[:i], f.waiting[i+1:]...)
		}
		return taken, true
	}
	return Fault{}, false
}

func (f *faults) list() []Fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]Fault{}, f.waiting...)
}

func (f *faults) clear() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.waiting = nil
}

// err is the error of the fault, nil for a mere delay.
func (f Fault) err() error {
	message := f.Message
	if message == "" {
		message = usualMessages[f.Code]
	}
	if message == "" {
		message = "a fault was injected into the emulator"
	}
	return withDetails(status.New(f.Code, message), f.details()...)
}

// details are those of google.rpc that the fault asks for.
func (f Fault) details() []protoadapt.MessageV1 {
	var details []protoadapt.MessageV1
	if f.Reason != "" {
		details = append(details, &errdetails.ErrorInfo{Reason: f.Reason, Domain: "googleapis.com", Metadata: f.Metadata})
	}
	if f.RetryAfter > 0 {
		details = append(details, &errdetails.RetryInfo{RetryDelay: durationpb.New(f.RetryAfter)})
	}
	return details
}

// usualMessages is what Google's services say with a code when they have nothing better to say.
var usualMessages = map[codes.Code]string{
	codes.InvalidArgument:    "Request contains an invalid argument.",
	codes.DeadlineExceeded:   "Deadline expired before operation could complete.",
	codes.NotFound:           "Requested entity was not found.",
	codes.AlreadyExists:      "Requested entity already exists",
	codes.PermissionDenied:   "The caller does not have permission",
	codes.ResourceExhausted:  "Resource has been exhausted (e.g. check quota).",
	codes.FailedPrecondition: "Precondition check failed.",
	codes.Aborted:            "The operation was aborted.",
	codes.Unimplemented:      "Operation is not implemented, or supported, or enabled.",
	codes.Internal:           "Internal error encountered.",
	codes.Unavailable:        "The service is currently unavailable.",
	codes.Unauthenticated:    "Request had invalid authentication credentials.",
}

type operationFaultKey struct{}

func withOperationFault(ctx context.Context, fault Fault) context.Context {
	return context.WithValue(ctx, operationFaultKey{}, status.Convert(fault.err()).Proto())
}

// operationFault is the error that the operation started by this call is to end in, nil where it is to succeed.
func operationFault(ctx context.Context) *rpcstatus.Status {
	cause, ok := ctx.Value(operationFaultKey{}).(*rpcstatus.Status)
	if !ok {
		return nil
	}
	return cause
}
