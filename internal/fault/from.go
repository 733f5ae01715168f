package fault

import (
	"context"
	"errors"

	"github.com/googleapis/gax-go/v2/apierror"
	"google.golang.org/api/googleapi"
	spb "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
)

// From turns the error of a call into a *Fault. It returns nil for nil, and err itself when it holds a Fault already.
func From(method string, err error) error {
	if err == nil {
		return nil
	}
	if _, done := As(err); done {
		return err
	}
	return classify(err).of(method, err)
}

// FromStatus turns the error of an operation that was carried out into a *Fault; nil for no error.
func FromStatus(method string, s *spb.Status) error {
	if s.GetCode() == int32(codes.OK) {
		return nil
	}
	return fromStatus(status.FromProto(s)).of(method, nil)
}

// of completes a classified fault.
func (f *Fault) of(method string, cause error) *Fault {
	f.Method, f.cause = method, cause
	f.Message = clean(f.Message, longestMessage)
	return f
}

// classify goes from what says most to what says least. The context comes after the API's own answer, which may have
// arrived just before the deadline.
func classify(err error) *Fault {
	var httpErr *googleapi.Error
	if errors.As(err, &httpErr) {
		return fromHTTP(httpErr)
	}
	if f, found := fromCredentials(err); found {
		return f
	}
	if s, found := statusOf(err); found {
		return fromStatus(s)
	}
	switch {
	case errors.Is(err, context.Canceled):
		return &Fault{Code: codes.Canceled, Message: context.Canceled.Error()}
	case errors.Is(err, context.DeadlineExceeded):
		return &Fault{Code: codes.DeadlineExceeded, Message: context.DeadlineExceeded.Error()}
	}
	if f, found := fromNetwork(err); found {
		return f
	}
	if errors.Is(err, proto.Error) {
		return &Fault{Code: codes.Internal, Malformed: true, Message: "the answer cannot be read: " + err.Error()}
	}
	return &Fault{Code: codes.Unknown, Message: err.Error()}
}

// statusOf finds a gRPC status without taking an error that merely is none for the code UNKNOWN.
func statusOf(err error) (*status.Status, bool) {
	var holder interface{ GRPCStatus() *status.Status }
	if !errors.As(err, &holder) || holder.GRPCStatus() == nil {
		return nil, false
	}
	return holder.GRPCStatus(), true
}

func fromStatus(s *status.Status) *Fault {
	f := &Fault{Code: s.Code(), Message: s.Message(), Credentials: s.Code() == codes.Unauthenticated}
	if api, parsed := apierror.ParseError(s.Err(), false); parsed {
		f.detail(api.Details())
	}
	return f
}

// detail takes over what google.rpc.Status carries besides code and message.
func (f *Fault) detail(d apierror.ErrDetails) {
	f.Reason = d.ErrorInfo.GetReason()
	f.Domain = d.ErrorInfo.GetDomain()
	f.Metadata = d.ErrorInfo.GetMetadata()
	f.RetryAfter = max(d.RetryInfo.GetRetryDelay().AsDuration(), 0)
	for _, v := range d.BadRequest.GetFieldViolations() {
		f.violated(v.GetField(), v.GetDescription())
	}
	for _, v := range d.PreconditionFailure.GetViolations() {
		f.violated(v.GetSubject(), v.GetDescription())
	}
	for _, v := range d.QuotaFailure.GetViolations() {
		f.violated(v.GetSubject(), v.GetDescription())
	}
	for _, l := range d.Help.GetLinks() {
		f.Help = append(f.Help, Link{Description: l.GetDescription(), URL: l.GetUrl()})
	}
}

func (f *Fault) violated(field, description string) {
	f.Violations = append(f.Violations, Violation{Field: field, Description: clean(description, longestMessage)})
}
