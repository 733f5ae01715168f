package runapi

import (
	"context"

	run "cloud.google.com/go/run/apiv2"
	"cloud.google.com/go/run/apiv2/runpb"
	"google.golang.org/protobuf/proto"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/call"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/fault"
)

// CallOption changes one call.
type CallOption func(*callOptions)

type callOptions struct{ validateOnly bool }

// ValidateOnly has the API check a request and do nothing. The Operation of such a call is done.
func ValidateOnly() CallOption {
	return func(o *callOptions) { o.validateOnly = true }
}

func optionsOf(options []CallOption) callOptions {
	var set callOptions
	for _, option := range options {
		option(&set)
	}
	return set
}

// repeat is what a second try of a call does that is guarded against one.
func (o callOptions) repeat() call.Repeat {
	if o.validateOnly {
		return call.Reads
	}
	return call.Guarded
}

// CreateJob starts to make a job; job needs no name. When the answer to a try is lost, and no later one says more than that the
// name is taken, the job of that name is looked at, even if ctx is over: if it is what was asked for, made just now, it is this
// call's own, and the Operation is Adopted. Otherwise the error is one of which fault.MaybeDone is true.
func (c *Client) CreateJob(ctx context.Context, name JobName, job *runpb.Job, options ...CallOption) (*Operation, error) {
	set, started := optionsOf(options), c.now()
	body := proto.CloneOf(job)
	body.Name = "" // the API takes it from the parent and the id, and refuses a second one
	request := &runpb.CreateJobRequest{Parent: name.Parent(), JobId: name.Job, Job: body, ValidateOnly: set.validateOnly}
	o := &Operation{client: c, method: "Jobs.CreateJob", target: name, sent: body}
	answer, _, err := do(ctx, c, o.method, set.repeat(),
		func(ctx context.Context, client *run.JobsClient, opts ...gaxOption) (startedOperation, error) {
			return client.CreateJob(ctx, request, opts...)
		})
	if fault.MaybeDone(err) && !set.validateOnly {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), secondLook)
		defer cancel()
		return o.adopt(ctx, err, func(found *runpb.Job) bool {
			return found.GetGeneration() == 1 && madeSince(found, started) && carries(found, body)
		})
	}
	return o.begin(ctx, answer, err, set)
}

// UpdateJob starts to replace a job by another; job.Name says which. With an etag it fails with a conflict when somebody else
// has changed the job meanwhile, and may be tried again: a conflict after a lost answer is looked into as in CreateJob.
// Without an etag it is sent once.
func (c *Client) UpdateJob(ctx context.Context, job *runpb.Job, options ...CallOption) (*Operation, error) {
	set := optionsOf(options)
	name, err := ParseJobName(job.GetName())
	if err != nil {
		return nil, err
	}
	repeat := set.repeat()
	if job.GetEtag() == "" && !set.validateOnly {
		repeat = call.Once
	}
	request := &runpb.UpdateJobRequest{Job: job, ValidateOnly: set.validateOnly}
	o := &Operation{client: c, method: "Jobs.UpdateJob", target: name, sent: job}
	answer, outcome, err := do(ctx, c, o.method, repeat,
		func(ctx context.Context, client *run.JobsClient, opts ...gaxOption) (startedOperation, error) {
			return client.UpdateJob(ctx, request, opts...)
		})
	if fault.IsConflict(err) && outcome.MaybeDone && !set.validateOnly {
		return o.adopt(ctx, err, func(found *runpb.Job) bool { return carries(found, job) })
	}
	return o.begin(ctx, answer, err, set)
}

// DeleteJob starts to delete a job; with an etag, only if it is unchanged. That it is not there is a fault, unless the answer
// to an earlier try was lost: then the Operation is Adopted and done.
func (c *Client) DeleteJob(ctx context.Context, name JobName, etag string) (*Operation, error) {
	request := &runpb.DeleteJobRequest{Name: name.String(), Etag: etag}
	o := &Operation{client: c, method: "Jobs.DeleteJob", target: name}
	answer, outcome, err := do(ctx, c, o.method, call.Guarded,
		func(ctx context.Context, client *run.JobsClient, opts ...gaxOption) (startedOperation, error) {
			return client.DeleteJob(ctx, request, opts...)
		})
	switch {
	case outcome.MaybeDone && fault.IsNotFound(err):
		o.adopted, o.done = true, true
		return o, nil
	case outcome.MaybeDone && fault.IsConflict(err):
		return o.adoptAbsence(ctx, err)
	}
	return o.begin(ctx, answer, err, callOptions{})
}
