package runapi

import (
	"context"

	"cloud.google.com/go/run/apiv2/runpb"
	"google.golang.org/grpc/codes"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/fault"
)

// overlooked takes note that the API does not know the operation. Just after the start it may not know it yet; later on it
// has forgotten it, and the job must tell.
func (o *Operation) overlooked(err error) {
	if o.missing == nil {
		o.missing, _ = fault.As(err)
		o.missedAt = o.client.now()
	}
	if o.client.now().Sub(o.missedAt) >= o.client.poll.grace {
		o.name = ""
		o.missedAt = o.client.now()
	}
}

// look reads the job to see what became of an operation that has no name.
func (o *Operation) look(ctx context.Context) error {
	found, err := o.client.GetJob(ctx, o.target)
	switch {
	case err == nil:
		return o.observe(found)
	case fault.IsNotFound(err) && o.sent == nil:
		o.finish(nil, nil)
		return nil
	case fault.IsNotFound(err) && o.missing != nil:
		return o.unknown()
	default:
		return err
	}
}

// observe ends the operation if the job has come to rest. A delete has no rest but absence, so that it is given the time in
// which an operation may turn up.
func (o *Operation) observe(found *runpb.Job) error {
	o.job = found
	switch {
	case o.sent == nil:
		if o.client.now().Sub(o.missedAt) >= o.client.poll.grace {
			return o.unknown()
		}
	case found.GetReconciling():
	case o.missing != nil && !carries(found, o.sent):
		return o.unknown()
	default: // an adopted change was seen to be there before: what differs now was changed after it
		o.finish(found, nil)
	}
	return nil
}

// unknown is the error of an operation whose end nobody can tell. It is not NOT_FOUND: that would speak of the job.
func (o *Operation) unknown() error {
	return &fault.Fault{
		Method: o.method, Code: codes.Unknown,
		Message: "the API does not know the operation any more, and the job is not what the operation was to make of it: " + o.missing.Message,
	}
}
