package emulator

import (
	"fmt"
	"strings"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/protoadapt"
)

// violation is one broken rule: the field as the service names it, and the service's words about it.
type violation struct {
	field       string
	description string
}

func (v violation) String() string {
	if v.field == "" {
		return v.description
	}
	return v.field + ": " + v.description
}

// invalidArgument is the service's answer to a request that breaks rules: every violation in the message, and again as a
// google.rpc.BadRequest.
func invalidArgument(violations ...violation) error {
	return badRequest(codes.InvalidArgument, violations, violation.String)
}

// unreadable is the answer of Google's front door to a request that is not one: the field is in the words already.
func unreadable(violations ...violation) error {
	return badRequest(codes.InvalidArgument, violations, func(v violation) string { return v.description })
}

func badRequest(code codes.Code, violations []violation, text func(violation) string) error {
	detail := &errdetails.BadRequest{}
	texts := make([]string, 0, len(violations))
	for _, v := range violations {
		detail.FieldViolations = append(detail.FieldViolations, &errdetails.BadRequest_FieldViolation{
			Field: v.field, Description: v.description,
		})
		texts = append(texts, text(v))
	}
	return withDetails(status.New(code, strings.Join(texts, "\n")), detail)
}

// withDetails is the error with details. Only a detail that cannot be marshalled is left out, which one of valid strings always can.
func withDetails(plain *status.Status, details ...protoadapt.MessageV1) error {
	detailed, err := plain.WithDetails(details...)
	if err != nil {
		return plain.Err()
	}
	return detailed.Err()
}

// notFound is the service's answer to a name that leads nowhere. The kind is in capitals: JOB, EXECUTION, TASK.
func notFound(kind string, name resourceName) error {
	return status.Errorf(codes.NotFound, "Resource '%s' of kind '%s' in region '%s' in project '%s' does not exist.",
		name.id(), kind, name.location(), name.project())
}

func alreadyExists(id string) error {
	return status.Errorf(codes.AlreadyExists, "Resource '%s' already exists.", id)
}

func etagConflict(id, specified, current string) error {
	return status.Errorf(codes.Aborted, "Conflict for resource '%s': version '%s' was specified but current version is '%s'.",
		id, specified, current)
}

func unimplemented(method string) error {
	return status.Error(codes.Unimplemented, fmt.Sprintf("%s is not answered by the emulator", method))
}
