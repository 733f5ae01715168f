package fault

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/googleapis/gax-go/v2/apierror"
	"google.golang.org/api/googleapi"
	"google.golang.org/genproto/googleapis/rpc/code"
	"google.golang.org/grpc/codes"
)

// fromHTTP reads Google's error envelope. An answer without one did not come from the API: then its HTTP status says
// only whether to try again, and a 404 does not say that a resource is gone.
func fromHTTP(e *googleapi.Error) *Fault {
	f := new(Fault)
	status, enveloped := envelope(e.Body)
	if enveloped {
		f.Code, f.Message = codeOf(status, e.Code), e.Message
		if api, parsed := apierror.ParseError(e, false); parsed {
			f.detail(api.Details())
		}
	} else {
		f.Code, f.Malformed = strangersCode(e.Code), true
		f.Message = fmt.Sprintf("HTTP status %d with a body that is no error of a Google API%s", e.Code, excerpt(e.Body))
	}
	f.Credentials = f.Code == codes.Unauthenticated
	if f.RetryAfter == 0 {
		f.RetryAfter = retryAfter(e.Header)
	}
	return f
}

// envelope returns error.status of {"error": {"code", "message", "status", "details"}}.
func envelope(body string) (status string, found bool) {
	var reply struct {
		Error *struct {
			Status string `json:"status"`
		} `json:"error"`
	}
	if json.Unmarshal([]byte(body), &reply) != nil || reply.Error == nil {
		return "", false
	}
	return reply.Error.Status, true
}

// codeOf prefers the name of the code: HTTP has one 409 for ALREADY_EXISTS and ABORTED.
func codeOf(status string, httpCode int) codes.Code {
	if number, known := code.Code_value[status]; known {
		return codes.Code(number) //nolint:gosec // a small enumeration
	}
	switch httpCode {
	case http.StatusBadRequest:
		return codes.InvalidArgument
	case http.StatusUnauthorized:
		return codes.Unauthenticated
	case http.StatusForbidden:
		return codes.PermissionDenied
	case http.StatusNotFound:
		return codes.NotFound
	case http.StatusConflict:
		return codes.AlreadyExists
	case http.StatusNotImplemented:
		return codes.Unimplemented
	case http.StatusInternalServerError:
		return codes.Internal
	default:
		return strangersCode(httpCode)
	}
}

// strangersCode is what an HTTP status means when a proxy or a load balancer on the way has set it.
func strangersCode(httpCode int) codes.Code {
	switch {
	case httpCode == http.StatusTooManyRequests:
		return codes.ResourceExhausted
	case httpCode == http.StatusBadGateway, httpCode == http.StatusServiceUnavailable, httpCode == http.StatusGatewayTimeout:
		return codes.Unavailable
	case httpCode >= http.StatusInternalServerError:
		return codes.Internal
	default:
		return codes.Unknown
	}
}

// retryAfter reads the header in its form in seconds; the one with a date would need a clock that agrees.
func retryAfter(h http.Header) time.Duration {
	seconds, err := strconv.Atoi(h.Get("Retry-After"))
	if err != nil || seconds < 0 {
		return 0
	}
	return time.Duration(seconds) * time.Second
}
