package emulator

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	rpcstatus "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/encoding/protojson"
)

// restForm is the form that a caller wants an answer in.
type restForm struct {
	enumNumbers bool
	compact     bool
}

// systemParameters are the query parameters that belong to Google's front door and not to any method. Those that are not acted on
// are about keys, quotas, uploads and a choice of fields.
var systemParameters = []string{
	"alt", "prettyPrint", "key", "quotaUser", "userIp", "fields", "access_token", "oauth_token", "callback", "uploadType",
	"upload_protocol", ".xgafv", "xgafv", "apiVersion", "userProject",
}

// takeSystemParameters removes the system parameters from the query, in their plain form and in the one that starts with a dollar sign.
func takeSystemParameters(address *url.URL) (restForm, error) {
	// Google's own clients escape the semicolon of $alt=json;enum-encoding=int, curl does not.
	query, err := url.ParseQuery(strings.ReplaceAll(address.RawQuery, ";", "%3B"))
	if err != nil {
		return restForm{}, unreadable(violation{"", "Invalid query string: " + err.Error()})
	}
	var form restForm
	for _, name := range systemParameters {
		for _, spelling := range []string{name, "$" + name} {
			value, given := query.Get(spelling), query.Has(spelling)
			query.Del(spelling)
			switch {
			case !given:
			case name == "alt":
				kind, option, _ := strings.Cut(value, ";")
				if kind != "json" {
					return restForm{}, unreadable(violation{"", "the emulator answers in JSON only, got alt=" + value})
				}
				form.enumNumbers = option == "enum-encoding=int"
			case name == "prettyPrint":
				form.compact = value == "false"
			}
		}
	}
	address.RawQuery = query.Encode()
	return form, nil
}

// write sends JSON: with line breaks, as Google's front door does, unless the caller wants none.
func (f restForm) write(w http.ResponseWriter, code int, body []byte) {
	var text bytes.Buffer
	var err error
	if f.compact {
		err = json.Compact(&text, body)
	} else if err = json.Indent(&text, body, "", "  "); err == nil {
		text.WriteByte('\n')
	}
	if err != nil {
		text.Reset()
		text.Write(body)
	}
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	w.WriteHeader(code)
	// A caller who is gone needs no answer.
	_, _ = w.Write(text.Bytes())
}

// errorEnvelope is how Google's front door wraps a google.rpc.Status.
type errorEnvelope struct {
	Error errorBody `json:"error"`
}

type errorBody struct {
	Code    int               `json:"code"`
	Message string            `json:"message"`
	Status  string            `json:"status"`
	Details []json.RawMessage `json:"details,omitempty"`
}

func (f restForm) writeError(w http.ResponseWriter, failure *rpcstatus.Status) {
	code := codes.Code(failure.GetCode()) //nolint:gosec // codes are small
	envelope := errorEnvelope{Error: errorBody{Code: httpCode(code), Message: failure.GetMessage(), Status: codeName(code)}}
	for _, detail := range failure.GetDetails() {
		if text, err := protojson.Marshal(detail); err == nil {
			envelope.Error.Details = append(envelope.Error.Details, text)
		}
	}
	body, err := json.Marshal(envelope)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	f.write(w, envelope.Error.Code, body)
}

// httpCode is the table of google/rpc/code.proto.
func httpCode(code codes.Code) int {
	switch code {
	case codes.OK:
		return http.StatusOK
	case codes.InvalidArgument, codes.FailedPrecondition, codes.OutOfRange:
		return http.StatusBadRequest
	case codes.Unauthenticated:
		return http.StatusUnauthorized
	case codes.PermissionDenied:
		return http.StatusForbidden
	case codes.NotFound:
		return http.StatusNotFound
	case codes.AlreadyExists, codes.Aborted:
		return http.StatusConflict
	case codes.ResourceExhausted:
		return http.StatusTooManyRequests
	case codes.Canceled:
		return 499
	case codes.Unimplemented:
		return http.StatusNotImplemented
	case codes.Unavailable:
		return http.StatusServiceUnavailable
	case codes.DeadlineExceeded:
		return http.StatusGatewayTimeout
	default:
		return http.StatusInternalServerError
	}
}
