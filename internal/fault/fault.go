// Package fault gives every refusal by a Google API one shape, whichever transport carried it: a gRPC status, a REST
// error body, a network that does not answer, credentials that are not there. Nothing is classified by the words of a
// message: those change. It makes no words for users either; it keeps what the words need.
package fault

import (
	"context"
	"errors"
	"strings"
	"time"

	"google.golang.org/genproto/googleapis/rpc/code"
	"google.golang.org/grpc/codes"
)

// Fault is a call that failed.
type Fault struct {
	Method string     // "Jobs.CreateJob"
	Code   codes.Code // by google.rpc.Code, also where REST gave an HTTP status
	// Reason, Domain and Metadata come from google.rpc.ErrorInfo: "SERVICE_DISABLED" of "googleapis.com"; empty without one.
	Reason     string
	Domain     string
	Metadata   map[string]string
	Message    string // the API's own words, with nothing but secrets taken out
	Violations []Violation
	Help       []Link
	RetryAfter time.Duration // how long the API asks to wait before the next try; 0 when it does not say
	// Unreachable says that no connection was made, so that the call has certainly done nothing: a refused
	// connection, a host name that does not resolve, a TLS handshake that failed.
	Unreachable bool
	// Credentials says that the caller could not be recognised: none found, a token refused, an identity expired.
	Credentials bool
	// Malformed says that the answer did not come from a Google API: the HTML page of a proxy, an empty body.
	Malformed bool
	// AfterRetry says that an earlier try of the same call may have been carried out, because its answer was lost: what the
	// API now refuses may be there already, or gone already, by that very call.
	AfterRetry bool

	cause error
}

// Violation is one broken rule, from google.rpc.BadRequest, PreconditionFailure or QuotaFailure.
type Violation struct {
	Field       string // path in the request, or the subject of the rule
	Description string
}

// Link is where the API says to read on, from google.rpc.Help.
type Link struct {
	Description string
	URL         string
}

// Status is the name of the code as the API writes it: "NOT_FOUND".
func (f *Fault) Status() string {
	return code.Code(f.Code).String() //nolint:gosec // codes.Code is a small enumeration
}

// Error is one line for logs: method, code, the API's message.
func (f *Fault) Error() string {
	var b strings.Builder
	if f.Method != "" {
		b.WriteString(f.Method + ": ")
	}
	b.WriteString(f.Status())
	if f.Reason != "" {
		b.WriteString(" (" + f.Reason + ")")
	}
	if f.Message != "" {
		b.WriteString(": " + f.Message)
	}
	return b.String()
}

// Unwrap returns the error that the client library gave, nil for a fault that came with an operation.
func (f *Fault) Unwrap() error { return f.cause }

// Is makes a deadline or a cancellation that the API or the transport reported the same as the context's own.
func (f *Fault) Is(target error) bool {
	return target == context.DeadlineExceeded && f.Code == codes.DeadlineExceeded ||
		target == context.Canceled && f.Code == codes.Canceled
}

// As returns the Fault in the chain of err.
func As(err error) (*Fault, bool) {
	var f *Fault
	found := errors.As(err, &f)
	return f, found
}

// Code returns the code of the Fault in err: OK for nil, UNKNOWN for an error that is no Fault.
func Code(err error) codes.Code {
	if err == nil {
		return codes.OK
	}
	if f, found := As(err); found {
		return f.Code
	}
	return codes.Unknown
}

// IsNotFound reports whether the API said that the resource is not there. The 404 page of a proxy does not count.
func IsNotFound(err error) bool { return Code(err) == codes.NotFound }

// IsAlreadyExists reports whether a resource of that name is there already.
func IsAlreadyExists(err error) bool { return Code(err) == codes.AlreadyExists }

// MaybeDone reports whether a call that failed may have been carried out: no answer came, to this try or to one before it.
func MaybeDone(err error) bool {
	f, found := As(err)
	if !found || f.AfterRetry {
		return found
	}
	lost := f.Code == codes.Unavailable || f.Code == codes.DeadlineExceeded || f.Code == codes.Canceled
	return lost && !f.Unreachable && !f.Credentials
}

// IsConflict reports whether the resource was changed by somebody else since it was read: its etag is another.
func IsConflict(err error) bool { return Code(err) == codes.Aborted }
