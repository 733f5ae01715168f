// Package runapi makes the calls of the Cloud Run Admin API v2 that manage jobs and run them, and waits for what they start. It
// speaks gRPC or REST, tries again only what can do no harm, and returns every refusal as a *fault.Fault.
package runapi

import (
	"context"
	"errors"
	"io"
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
	Log            call.Logger   // hears of calls and retries; may be nil

	policy *call.Policy // of a test that cannot wait; nil stands for call.Default
	poll   *pacing      // likewise; nil stands for defaultPacing
}

// Client manages jobs and their executions. It is safe for concurrent use.
type Client struct {
	policy     call.Policy
	poll       pacing
	connection *call.Connection[*run.JobsClient]
	executions *call.Connection[*run.ExecutionsClient]
	tasks      *call.Connection[*run.TasksClient]
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
	openJobs, openExecutions, openTasks := run.NewJobsClient, run.NewExecutionsClient, run.NewTasksClient
	if o.Transport == call.REST {
		openJobs, openExecutions, openTasks = run.NewJobsRESTClient, run.NewExecutionsRESTClient, run.NewTasksRESTClient
	}
	return &Client{
		policy: policy, poll: poll, now: time.Now,
		connection: call.Connect("Jobs", policy.Timeout, o.Dial, openJobs),
		executions: call.Connect("Executions", policy.Timeout, o.Dial, openExecutions),
		tasks:      call.Connect("Tasks", policy.Timeout, o.Dial, openTasks),
	}
}

// Close ends the client's connections. Calls after it fail.
func (c *Client) Close() error {
	return errors.Join(c.connection.Close(), c.executions.Close(), c.tasks.Close())
}

// do makes a call about jobs, with the tries that its kind allows.
func do[T any](
	ctx context.Context, c *Client, method string, repeat call.Repeat,
	send func(context.Context, *run.JobsClient, ...gaxOption) (T, error),
) (T, call.Outcome, error) {
	return on(ctx, c, c.connection, method, repeat, send)
}

// on is do for a call of any of the API's clients.
func on[C io.Closer, T any](
	ctx context.Context, c *Client, connection *call.Connection[C], method string, repeat call.Repeat,
	send func(context.Context, C, ...gaxOption) (T, error),
) (T, call.Outcome, error) {
	client, err := connection.Client(ctx)
	if err != nil {
		var none T
		return none, call.Outcome{}, err
	}
	return call.Do(ctx, c.policy, call.Call[T]{
		Method: method, Repeat: repeat,
		Try: func(ctx context.Context, opts ...gaxOption) (T, error) { return send(ctx, client, opts...) },
	})
}
