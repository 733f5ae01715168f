package runapi

import (
	"context"
	"errors"
	"time"

	"cloud.google.com/go/run/apiv2/runpb"
	"github.com/googleapis/gax-go/v2"
	"github.com/googleapis/gax-go/v2/apierror"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/fault"
)

// Operation is a change of a job that the API has accepted. It is not safe for concurrent use.
type Operation struct {
	client *Client
	method string     // that started it: its errors are about that call
	target JobName    // the job that changes
	sent   *runpb.Job // what the job becomes; nil for a delete

	name     string // "" where the API's own operation is not known
	job      *runpb.Job
	done     bool
	adopted  bool
	err      error
	missing  *fault.Fault // what the API said when it did not know the operation
	missedAt time.Time    // since when
}

// startedOperation is what the three operation types of Google's client have in common.
type startedOperation interface {
	Name() string
	Done() bool
	Metadata() (*runpb.Job, error)
	Poll(ctx context.Context, opts ...gax.CallOption) (*runpb.Job, error)
}

// begin takes over the answer to the call that started the operation.
func (o *Operation) begin(ctx context.Context, a startedOperation, err error, set callOptions) (*Operation, error) {
	if err != nil {
		return nil, err
	}
	o.name = a.Name()
	if metadata, err := a.Metadata(); err == nil { // an operation without metadata is one without
		o.job = metadata
	}
	switch {
	case a.Done():
		job, err := a.Poll(ctx) // makes no call for one that is done
		o.finish(job, operationError(o.method, err))
	case set.validateOnly:
		// Only the real service can tell whether such an operation is ever pending: there is nothing to wait for.
		o.done = true
	}
	return o, nil
}

// operationError is the error that an operation has ended with. An answer that cannot be read is none: it says no more
// than an answer that is absent.
func operationError(method string, err error) error {
	var refused *apierror.APIError
	if !errors.As(err, &refused) || refused == nil {
		return nil
	}
	return fault.From(method, refused)
}

// finish ends the operation with its answer, nil where there is none, or with its error.
func (o *Operation) finish(job *runpb.Job, err error) {
	o.done, o.err = true, err
	if err == nil {
		o.job = job
	}
}

// Name is the name of the operation, projects/P/locations/L/operations/ID; "" where the API gave or kept none.
func (o *Operation) Name() string { return o.name }

// Job is the job as of the last answer, nil where that did not say.
func (o *Operation) Job() *runpb.Job { return o.job }

// Done reports whether there is nothing left to wait for.
func (o *Operation) Done() bool { return o.done }

// Adopted reports that the answer to the call was lost and that the change was recognised by looking at the job.
func (o *Operation) Adopted() bool { return o.adopted }
