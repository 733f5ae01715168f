package emulator

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"

	"connectrpc.com/vanguard"
	"google.golang.org/genproto/googleapis/api/annotations"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"

	rpcstatus "google.golang.org/genproto/googleapis/rpc/status"
)

// maxBody is the most that a request may carry, as with Google's own front door.
const maxBody = 10 << 20

// restDoor answers REST calls by turning them into calls of the gRPC server. The paths come from the google.api.http options of
// the services; what surrounds them on Google's front door is here: system parameters, the error envelope, the words for a request
// that cannot be read.
type restDoor struct {
	server *Server
	// Enums in answers are names or, on demand, numbers.
	names, numbers http.Handler
}

// restCall is what the REST door and the gRPC server tell each other about one call.
type restCall struct {
	method string // /google.cloud.run.v2.Jobs/CreateJob, once the path has led to it
	query  url.Values
	body   []byte
	// The method was called: the answer is its own, not that of the decoding before it. A method may still run when its
	// caller has hung up, so both sides look here at once.
	answered atomic.Bool
}

type restCallKey struct{}

func restCallOf(ctx context.Context) *restCall {
	call, ok := ctx.Value(restCallKey{}).(*restCall)
	if !ok {
		return nil
	}
	return call
}

// Cloud Run serves the operations of all of Google's APIs under its own paths, which the service's definition does not say.
var operationRules = []*annotations.HttpRule{
	{
		Selector: "google.longrunning.Operations.GetOperation",
		Pattern:  &annotations.HttpRule_Get{Get: "/v2/{name=projects/*/locations/*/operations/*}"},
	},
	{
		Selector: "google.longrunning.Operations.ListOperations",
		Pattern:  &annotations.HttpRule_Get{Get: "/v2/{name=projects/*/locations/*}/operations"},
	},
	{
		Selector: "google.longrunning.Operations.DeleteOperation",
		Pattern:  &annotations.HttpRule_Delete{Delete: "/v2/{name=projects/*/locations/*/operations/*}"},
	},
	{
		Selector: "google.longrunning.Operations.WaitOperation",
		Pattern:  &annotations.HttpRule_Post{Post: "/v2/{name=projects/*/locations/*/operations/*}:wait"},
		Body:     "*",
	},
}

func newRESTDoor(s *Server) (*restDoor, error) {
	door := &restDoor{server: s}
	for _, variant := range []struct {
		handler *http.Handler
		numbers bool
	}{{&door.names, false}, {&door.numbers, true}} {
		transcoder, err := newTranscoder(s, variant.numbers)
		if err != nil {
			return nil, fmt.Errorf("setting up the REST door: %w", err)
		}
		*variant.handler = transcoder
	}
	return door, nil
}

func newTranscoder(s *Server, enumNumbers bool) (http.Handler, error) {
	backend := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if call := restCallOf(r.Context()); call != nil {
			call.method = r.URL.Path
		}
		s.grpc.ServeHTTP(w, r)
	})
	var services []*vanguard.Service
	for name := range s.grpc.GetServiceInfo() {
		services = append(services, vanguard.NewService(name, backend))
	}
	return vanguard.NewTranscoder(services,
		vanguard.WithDefaultServiceOptions(
			vanguard.WithTargetCodecs(vanguard.CodecProto),
			vanguard.WithTargetProtocols(vanguard.ProtocolGRPC),
			vanguard.WithNoTargetCompression(),
		),
		vanguard.WithRules(operationRules...),
		vanguard.WithCodec(func(types vanguard.TypeResolver) vanguard.Codec { return newJSONCodec(types, enumNumbers) }),
	)
}

// ServeHTTP implements http.Handler.
func (d *restDoor) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	// The log's name for a call whose method is not known yet.
	entry := Request{Method: r.Method + " " + r.URL.Path, Resource: resourceOfPath(r.URL.Path), Door: doorREST}
	form, err := takeSystemParameters(r.URL)
	if err != nil {
		d.refuse(w, form, entry, nil, err)
		return
	}
	call := &restCall{query: r.URL.Query()}
	if call.body, err = readBody(r); err != nil {
		d.refuse(w, form, entry, nil, err)
		return
	}
	answer := &heldResponse{header: http.Header{}, code: http.StatusOK}
	transcoder := d.names
	if form.enumNumbers {
		transcoder = d.numbers
	}
	transcoder.ServeHTTP(answer, r.WithContext(context.WithValue(r.Context(), restCallKey{}, call)))
	switch {
	case call.method == "":
		d.refuse(w, form, entry, call, unimplemented(entry.Method))
	case r.Context().Err() != nil:
		// The caller has hung up. The method goes on without being waited for, and notes the call itself.
	case !call.answered.Load():
		entry.Method = shortMethod(call.method)
		d.refuse(w, form, entry, call, explainUnreadable(call))
	case answer.code != http.StatusOK:
		form.writeError(w, statusOf(answer.body.Bytes()))
	default:
		form.write(w, http.StatusOK, answer.body.Bytes())
	}
}

// refuse answers a request that reached no method.
func (d *restDoor) refuse(w http.ResponseWriter, form restForm, entry Request, call *restCall, err error) {
	var body any
	if call != nil {
		body = call.body
	}
	d.server.note(entry, body, nil, err)
	form.writeError(w, status.Convert(err).Proto())
}

// resourceOfPath drops the version from a path: what is left begins with the name of a resource.
func resourceOfPath(path string) string {
	_, resource, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return resource
}

// readBody takes the body off a request and puts a readable copy in its place. A request that cannot have one gets none: clients send
// empty ones, and "null".
func readBody(r *http.Request) ([]byte, error) {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	switch {
	case err != nil:
		return nil, status.Error(codes.InvalidArgument, "the request's body could not be read")
	case len(body) > maxBody:
		return nil, status.Error(codes.InvalidArgument, "Request payload size exceeds the limit: 10485760 bytes.")
	}
	r.Header.Del("Content-Type")
	r.Header.Del("Content-Length")
	if r.Method == http.MethodGet || r.Method == http.MethodDelete || len(bytes.TrimSpace(body)) == 0 {
		r.Body, r.ContentLength = http.NoBody, 0
		return nil, nil
	}
	r.Header.Set("Content-Type", "application/json")
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return body, nil
}

// statusOf reads the status that the transcoder has written. It writes no other errors once a method has been called.
func statusOf(body []byte) *rpcstatus.Status {
	failure := &rpcstatus.Status{}
	if err := protojson.Unmarshal(body, failure); err != nil {
		return status.New(codes.Internal, strings.TrimSpace(string(body))).Proto()
	}
	return failure
}

// heldResponse keeps an answer until its form is known.
type heldResponse struct {
	header http.Header
	code   int
	body   bytes.Buffer
}

func (h *heldResponse) Header() http.Header         { return h.header }
func (h *heldResponse) Write(p []byte) (int, error) { return h.body.Write(p) }
func (h *heldResponse) WriteHeader(code int)        { h.code = code }
func (h *heldResponse) Flush()                      {}
