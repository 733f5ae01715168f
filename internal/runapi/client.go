// Package runapi makes the calls of the Cloud Run Admin API v2 that manage jobs, and waits for their operations. It
// speaks gRPC or REST, tries again only what can do no harm, and returns every refusal as a *fault.Fault.
package runapi

import (
	"context"
	"time"

	run "cloud.google.com/go/run/apiv2"
	"google.golang.org/api/option"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/call"
)

// Options set up a Client.
type Options struct {
	Transport string // "grpc" or "rest"
	// Dial gives the options of Google's client: credentials, endpoint, user agent. It is called at the first call of an
	// API method, once unless it fails for a reason that passes.
	Dial           func(context.Context) ([]option.ClientOption, error)
	RequestTimeout time.Duration // of one try of a call; 0 stands for call.DefaultTimeout
	Log            call.Logger   // hears of retries; may be nil

	policy *call.Policy // of a test that cannot wait; nil stands for call.Default
	poll   *pacing      // likewise; nil stands for defaultPacing
}

// Client manages jobs. It is safe for concurrent use.
type Client struct {
	policy     call.Policy
	poll       pacing
	connection *call.Connection[*run.JobsClient]
	now        func() time.Time
}

// New returns a client. It looks nothing up and dials nobody: the first call does.
func New(o Options) *Client {
	policy, poll := call.Default(o.Transport, o.RequestTimeout, o.Log), defaultPacing
	if o.policy != nil {
		policy = *o.policy
	}
	if o.poll != nil {
		poll = *o.poll
	}
	open := run.NewJobsClient
	if o.Transport == call.REST {
		open = run.NewJobsRESTClient
	}
	return &Client{
		policy: policy, poll: poll, now: time.Now,
		connection: call.Connect("Jobs", policy.Timeout, o.Dial, open),
	}
}

// Close ends the client's connections. Calls after it fail.
func (c *Client) Close() error { return c.connection.Close() }

// do makes a call of the API's client, with the tries that its kind allows.
func do[T any](
	ctx context.Context, c *Client, method string, repeat call.Repeat,
	send func(context.Context, *run.JobsClient, ...gaxOption) (T, error),
) (T, call.Outcome, error) {
	client, err := c.connection.Client(ctx)
	if err != nil {
		var none T
		return none, call.Outcome{}, err
	}
	return call.Do(ctx, c.policy, call.Call[T]{
		Method: method, Repeat: repeat,
		Try: func(ctx context.Context, opts ...gaxOption) (T, error) { return send(ctx, client, opts...) },
	})
}
