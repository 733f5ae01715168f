package runapi

import (
	"context"
	"time"

	"cloud.google.com/go/longrunning/autogen/longrunningpb"
	run "cloud.google.com/go/run/apiv2"
	"cloud.google.com/go/run/apiv2/runpb"
	"github.com/cenkalti/backoff/v5"
	"google.golang.org/protobuf/types/known/anypb"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/call"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/fault"
)

// pacing says how often to ask for an operation.
type pacing struct {
	first   time.Duration // wait after the first poll, which comes at once
	longest time.Duration
	grace   time.Duration // how long an operation that the API does not know is taken for one that it does not know yet
}

// Most changes of a job take well under a second; the rest take as long as they take.
var defaultPacing = pacing{first: 20 * time.Millisecond, longest: 5 * time.Second, grace: 10 * time.Second}

// Wait asks for the operation until it is done and returns the job that it leaves behind: nil after a delete, and where the
// API's answer does not carry it. An operation that ended in an error gives that error; when ctx ends first, the
// operation goes on and Wait can be called again.
func (o *Operation) Wait(ctx context.Context) (*runpb.Job, error) {
	pauses := &backoff.ExponentialBackOff{
		InitialInterval: o.client.poll.first, MaxInterval: o.client.poll.longest, Multiplier: 1.5, RandomizationFactor: 0.2,
	}
	for polls := 0; !o.done; polls++ {
		if polls > 0 && !sleep(ctx, pauses.NextBackOff()) {
			return nil, o.unfinished(ctx)
		}
		if err := o.poll(ctx); err != nil {
			if ctx.Err() != nil {
				return nil, o.unfinished(ctx)
			}
			return nil, err
		}
	}
	if o.err != nil {
		return nil, o.err
	}
	return o.job, nil
}

// unfinished says that ctx was over before the operation.
func (o *Operation) unfinished(ctx context.Context) error {
	f, _ := fault.As(fault.From(o.method, ctx.Err()))
	if o.name != "" {
		f.Message = "the operation is still running: " + o.name
	}
	return f
}

func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// poll asks once. Without a name, it asks for the job instead.
func (o *Operation) poll(ctx context.Context) error {
	if o.name == "" {
		return o.look(ctx)
	}
	request := &longrunningpb.GetOperationRequest{Name: o.name}
	answer, _, err := do(ctx, o.client, "Operations.GetOperation", call.Reads,
		func(ctx context.Context, client *run.JobsClient, opts ...gaxOption) (*longrunningpb.Operation, error) {
			return client.GetOperation(ctx, request, opts...)
		})
	switch {
	case fault.IsNotFound(err):
		o.overlooked(err)
	case err != nil:
		return err
	default:
		o.update(answer)
	}
	return nil
}

// update takes over an answer of the API.
func (o *Operation) update(answer *longrunningpb.Operation) {
	o.missing = nil
	if metadata := unpack(answer.GetMetadata()); metadata != nil {
		o.job = metadata
	}
	if answer.GetDone() {
		o.finish(unpack(answer.GetResponse()), fault.FromStatus(o.method, answer.GetError()))
	}
}

// unpack returns the job in an answer; nil where there is none, or something else.
func unpack(packed *anypb.Any) *runpb.Job {
	job := new(runpb.Job)
	if packed == nil || packed.UnmarshalTo(job) != nil {
		return nil
	}
	return job
}
