package call

import (
	"context"
	"io"
	"time"

	"google.golang.org/api/option"
	"google.golang.org/grpc/codes"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/fault"
)

// Connection is a client that is made when it is first needed, once, for all who share it. It is safe for concurrent use.
type Connection[C io.Closer] struct {
	service string
	timeout time.Duration
	dial    func(context.Context) ([]option.ClientOption, error)
	open    func(context.Context, ...option.ClientOption) (C, error)

	lock   chan struct{} // holds one token: a mutex that a context can give up waiting for
	made   bool
	closed bool
	client C
	err    error
}

// Connect returns a connection that does nothing yet. Service names it in errors; dial gives the options and open makes
// the client with them, both within timeout.
func Connect[C io.Closer](
	service string, timeout time.Duration,
	dial func(context.Context) ([]option.ClientOption, error),
	open func(context.Context, ...option.ClientOption) (C, error),
) *Connection[C] {
	return &Connection[C]{service: service, timeout: timeout, dial: dial, open: open, lock: make(chan struct{}, 1)}
}

// Client returns the client, and makes it at the first call. A failure is kept like a success, but for one that passes:
// the next caller may have more time, or a network.
func (c *Connection[C]) Client(ctx context.Context) (C, error) {
	var none C
	if err := c.acquire(ctx); err != nil {
		return none, err
	}
	defer c.release()
	if c.closed {
		return none, &fault.Fault{Method: c.service, Code: codes.FailedPrecondition, Message: "the client is closed"}
	}
	if !c.made {
		client, err := c.make(ctx)
		if passes(err) {
			return none, err
		}
		c.made, c.client, c.err = true, client, err
	}
	return c.client, c.err
}

func passes(err error) bool {
	code := fault.Code(err)
	return code == codes.Canceled || code == codes.DeadlineExceeded || code == codes.Unavailable
}

func (c *Connection[C]) make(ctx context.Context) (C, error) {
	var none C
	dialling, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	options, err := c.dial(dialling)
	if err != nil {
		return none, fault.Opening(c.service, err)
	}
	// The client outlives the call that it is made for.
	client, err := c.open(context.WithoutCancel(ctx), options...)
	if err != nil {
		return none, fault.Opening(c.service, err)
	}
	return client, nil
}

// Close ends the client, if there is one. Closing twice is closing once.
func (c *Connection[C]) Close() error {
	c.lock <- struct{}{}
	defer c.release()
	if c.closed || !c.made || c.err != nil {
		c.closed = true
		return nil
	}
	c.closed = true
	return c.client.Close()
}

func (c *Connection[C]) acquire(ctx context.Context) error {
	if ctx.Err() != nil {
		return fault.From(c.service, ctx.Err())
	}
	select {
	case c.lock <- struct{}{}:
		return nil
	case <-ctx.Done():
		return fault.From(c.service, ctx.Err())
	}
}

func (c *Connection[C]) release() { <-c.lock }
