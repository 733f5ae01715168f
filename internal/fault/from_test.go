package fault

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/googleapis/gax-go/v2/apierror"
	"google.golang.org/api/googleapi"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/protoadapt"
	"google.golang.org/protobuf/types/known/durationpb"

	longrunning "cloud.google.com/go/longrunning/autogen/longrunningpb"
)

// refusal is one error of the API, with every detail that a Fault keeps.
func refusal(t *testing.T) *status.Status {
	t.Helper()
	details := []protoadapt.MessageV1{
		&errdetails.ErrorInfo{Reason: "SERVICE_DISABLED", Domain: "googleapis.com", Metadata: map[string]string{"service": "run.googleapis.com"}},
		&errdetails.BadRequest{FieldViolations: []*errdetails.BadRequest_FieldViolation{{Field: "template.parallelism", Description: "too many"}}},
		&errdetails.PreconditionFailure{Violations: []*errdetails.PreconditionFailure_Violation{{Subject: "projects/p", Description: "no billing"}}},
		&errdetails.QuotaFailure{Violations: []*errdetails.QuotaFailure_Violation{{Subject: "project:p", Description: "a quota"}}},
		&errdetails.RetryInfo{RetryDelay: durationpb.New(3 * time.Second)},
		&errdetails.Help{Links: []*errdetails.Help_Link{{Description: "enable it", Url: "https://console.example/apis"}}},
	}
	s, err := status.New(codes.PermissionDenied, "it is off\n\nturn it on").WithDetails(details...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// overREST sends the status as Google's REST servers do and returns what the client library makes of it.
func overREST(t *testing.T, s *status.Status, httpCode int) error {
	t.Helper()
	details := make([]string, 0, len(s.Proto().GetDetails()))
	for _, d := range s.Proto().GetDetails() {
		text, err := protojson.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		details = append(details, string(text))
	}
	body := fmt.Sprintf(`{"error":{"code":%d,"message":%q,"status":"PERMISSION_DENIED","details":[%s]}}`,
		httpCode, s.Message(), strings.Join(details, ","))
	return answered(t, httpCode, body, nil)
}

func answered(t *testing.T, httpCode int, body string, header http.Header) error {
	t.Helper()
	rec := httptest.NewRecorder()
	for k, v := range header {
		rec.Header()[k] = v
	}
	rec.WriteHeader(httpCode)
	if _, err := rec.WriteString(body); err != nil {
		t.Fatal(err)
	}
	res := rec.Result()
	defer res.Body.Close()
	err := googleapi.CheckResponse(res)
	if wrapped, parsed := apierror.FromError(err); parsed {
		return wrapped
	}
	return err
}

func faultOf(t *testing.T, err error) Fault {
	t.Helper()
	f, found := As(From("Jobs.CreateJob", err))
	if !found {
		t.Fatalf("no Fault in %v", err)
	}
	bare := *f
	bare.cause = nil
	return bare
}

func TestBothTransportsGiveTheSameFault(t *testing.T) {
	want := Fault{
		Method: "Jobs.CreateJob", Code: codes.PermissionDenied, Message: "it is off\n\nturn it on",
		Reason: "SERVICE_DISABLED", Domain: "googleapis.com", Metadata: map[string]string{"service": "run.googleapis.com"},
		Violations: []Violation{{"template.parallelism", "too many"}, {"projects/p", "no billing"}, {"project:p", "a quota"}},
		Help:       []Link{{"enable it", "https://console.example/apis"}},
		RetryAfter: 3 * time.Second,
	}
	grpcErr, _ := apierror.FromError(refusal(t).Err())
	for name, err := range map[string]error{
		"gRPC": refusal(t).Err(), "gRPC, wrapped by gax": grpcErr, "REST": overREST(t, refusal(t), http.StatusForbidden),
	} {
		if got := faultOf(t, err); !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\n%+v\nwant\n%+v", name, got, want)
		}
	}
	if got, _ := As(FromStatus("Jobs.CreateJob", refusal(t).Proto())); !reflect.DeepEqual(*got, want) {
		t.Errorf("operation:\n%+v\nwant\n%+v", *got, want)
	}
	if FromStatus("Jobs.CreateJob", nil) != nil {
		t.Error("an operation without an error is no fault")
	}
}

func TestFrom(t *testing.T) {
	wrong := new(longrunning.Operation)
	dial := &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	request := func(err error) error {
		return &url.Error{Op: "Get", URL: "http://127.0.0.1:1/v2/x?key=secret-key", Err: err}
	}
	const conflict = `{"error":{"code":409,"message":"m","status":%q}}`
	for _, tc := range []struct {
		name string
		err  error
		want Fault
	}{
		{"409 ABORTED", answered(t, 409, fmt.Sprintf(conflict, "ABORTED"), nil), Fault{Code: codes.Aborted, Message: "m"}},
		{"409 ALREADY_EXISTS", answered(t, 409, fmt.Sprintf(conflict, "ALREADY_EXISTS"), nil), Fault{Code: codes.AlreadyExists, Message: "m"}},
		{"409 without a status", answered(t, 409, `{"error":{"code":409,"message":"m"}}`, nil), Fault{Code: codes.AlreadyExists, Message: "m"}},
		{"400 FAILED_PRECONDITION", answered(t, 400, fmt.Sprintf(conflict, "FAILED_PRECONDITION"), nil), Fault{Code: codes.FailedPrecondition, Message: "m"}},
		{"401", answered(t, 401, `{"error":{"code":401,"message":"m","status":"UNAUTHENTICATED"}}`, nil),
			Fault{Code: codes.Unauthenticated, Message: "m", Credentials: true}},
		{"429 with a header", answered(t, 429, `{"error":{"code":429,"message":"m","status":"RESOURCE_EXHAUSTED"}}`, http.Header{"Retry-After": {"7"}}),
			Fault{Code: codes.ResourceExhausted, Message: "m", RetryAfter: 7 * time.Second}},
		{"a proxy's 404", answered(t, 404, "<html><head><title>404</title><style>p{}</style></head><body><p>Not\n here</p></body></html>", nil),
			Fault{Code: codes.Unknown, Malformed: true, Message: `HTTP status 404 with a body that is no error of a Google API: "404 Not here"`}},
		{"a proxy's 502", answered(t, 502, "bad gateway", nil),
			Fault{Code: codes.Unavailable, Malformed: true, Message: `HTTP status 502 with a body that is no error of a Google API: "bad gateway"`}},
		{"an empty 500", answered(t, 500, "", nil),
			Fault{Code: codes.Internal, Malformed: true, Message: "HTTP status 500 with a body that is no error of a Google API"}},
		{"a refused connection", request(dial),
			Fault{Code: codes.Unavailable, Unreachable: true, Message: "dial tcp: connection refused"}},
		{"no such host", request(&net.DNSError{Err: "no such host", Name: "run.invalid", IsNotFound: true}),
			Fault{Code: codes.Unavailable, Unreachable: true, Message: "lookup run.invalid: no such host"}},
		{"an unknown authority", request(x509.UnknownAuthorityError{}),
			Fault{Code: codes.Unavailable, Unreachable: true, Message: "x509: certificate signed by unknown authority"}},
		{"a reset connection", request(&net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}),
			Fault{Code: codes.Unavailable, Message: "read tcp: connection reset by peer"}},
		{"an answer that breaks off", request(io.ErrUnexpectedEOF), Fault{Code: codes.Unavailable, Message: "unexpected EOF"}},
		{"a deadline", request(context.DeadlineExceeded), Fault{Code: codes.DeadlineExceeded, Message: "context deadline exceeded"}},
		{"a cancellation", request(context.Canceled), Fault{Code: codes.Canceled, Message: "context canceled"}},
		{"a deadline over gRPC", status.Error(codes.DeadlineExceeded, "slow"), Fault{Code: codes.DeadlineExceeded, Message: "slow"}},
		{"an answer that is no JSON", protojson.Unmarshal([]byte("<html>"), wrong),
			Fault{Code: codes.Internal, Malformed: true}},
		{"an empty answer", protojson.Unmarshal(nil, wrong), Fault{Code: codes.Internal, Malformed: true}},
		{"anything else", errors.New("something"), Fault{Code: codes.Unknown, Message: "something"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tc.want.Method = "Jobs.CreateJob"
			got := faultOf(t, tc.err)
			if tc.want.Malformed && tc.want.Message == "" && strings.HasPrefix(got.Message, "the answer cannot be read: ") {
				got.Message = ""
			}
			if !reflect.DeepEqual(got, tc.want) {
				t.Errorf("\n%+v\nwant\n%+v", got, tc.want)
			}
			if !errors.Is(From("m", tc.err), tc.err) {
				t.Error("the cause is lost")
			}
		})
	}
}

func TestFromKeepsWhatIsDone(t *testing.T) {
	if From("Jobs.GetJob", nil) != nil {
		t.Error("nil became a fault")
	}
	first := From("Jobs.GetJob", errors.New("x"))
	if again := From("Jobs.ListJobs", fmt.Errorf("listing: %w", first)); !errors.Is(again, first) || strings.Contains(again.Error(), "ListJobs") {
		t.Errorf("a fault was made into another: %v", again)
	}
}

func TestPredicates(t *testing.T) {
	wrapped := func(c codes.Code) error { return fmt.Errorf("reading: %w", From("m", status.Error(c, "words"))) }
	if !IsNotFound(wrapped(codes.NotFound)) || IsNotFound(wrapped(codes.Unknown)) || IsNotFound(nil) {
		t.Error("IsNotFound")
	}
	if !IsAlreadyExists(wrapped(codes.AlreadyExists)) || IsAlreadyExists(wrapped(codes.Aborted)) {
		t.Error("IsAlreadyExists")
	}
	if !IsConflict(wrapped(codes.Aborted)) || IsConflict(errors.New("ABORTED")) {
		t.Error("IsConflict")
	}
	if Code(nil) != codes.OK || Code(errors.New("x")) != codes.Unknown || Code(wrapped(codes.Internal)) != codes.Internal {
		t.Error("Code")
	}
	if !errors.Is(wrapped(codes.DeadlineExceeded), context.DeadlineExceeded) || !errors.Is(wrapped(codes.Canceled), context.Canceled) {
		t.Error("a deadline over gRPC is not the context's")
	}
	if errors.Is(wrapped(codes.Canceled), context.DeadlineExceeded) {
		t.Error("a cancellation is no deadline")
	}
}

func TestErrorIsOneLineForLogs(t *testing.T) {
	f := &Fault{Method: "Jobs.GetJob", Code: codes.PermissionDenied, Reason: "SERVICE_DISABLED", Message: "it is off"}
	if got := f.Error(); got != "Jobs.GetJob: PERMISSION_DENIED (SERVICE_DISABLED): it is off" {
		t.Error(got)
	}
	if got := (&Fault{Code: codes.NotFound}).Error(); got != "NOT_FOUND" {
		t.Error(got)
	}
}
