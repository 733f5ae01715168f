package emulator

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"google.golang.org/genproto/googleapis/rpc/code"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
)

// recorder writes every call as one JSON object a line.
type recorder struct {
	mu     sync.Mutex
	out    io.Writer
	broken error
}

type recordLine struct {
	Request
	Body     json.RawMessage `json:"request,omitempty"`
	Response json.RawMessage `json:"response,omitempty"`
	Error    json.RawMessage `json:"error,omitempty"`
}

// write adds one call. What goes wrong is kept for Close: a call does not fail because it could not be recorded.
func (r *recorder) write(entry Request, request, response any, failure error) {
	if r.out == nil {
		return
	}
	line := recordLine{Request: entry}
	var errs [3]error
	line.Body, errs[0] = jsonOf(request)
	if failure != nil {
		line.Error, errs[1] = jsonOf(status.Convert(failure).Proto())
	} else {
		line.Response, errs[1] = jsonOf(response)
	}
	text, err := json.Marshal(line)
	errs[2] = err
	r.mu.Lock()
	defer r.mu.Unlock()
	if err == nil {
		_, err = r.out.Write(append(text, '\n'))
		errs[2] = err
	}
	if r.broken == nil {
		r.broken = errors.Join(errs[:]...)
	}
}

func (r *recorder) close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.broken != nil {
		return fmt.Errorf("writing the record: %w", r.broken)
	}
	return nil
}

// jsonOf writes a message as JSON, and passes on a body that was never read as a message, if it is JSON at all.
func jsonOf(value any) (json.RawMessage, error) {
	switch value := value.(type) {
	case proto.Message:
		return protojson.Marshal(value)
	case []byte:
		if json.Valid(value) {
			return value, nil
		}
	}
	return nil, nil
}

// codeName is the name of a code as Google's APIs write it.
func codeName(number codes.Code) string {
	return code.Code(number).String() //nolint:gosec // codes are small
}
