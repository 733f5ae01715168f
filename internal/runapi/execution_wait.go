package runapi

import (
	"context"
	"time"

	"cloud.google.com/go/run/apiv2/runpb"
	"github.com/cenkalti/backoff/v5"
	"google.golang.org/protobuf/proto"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/fault"
)

// longestLook is the longest pause between two looks at an execution: a GPU alone takes some seconds to start.
const longestLook = 15 * time.Second

// WaitExecution looks at an execution until it has ended; seen, which may be nil, hears of every look that shows something new. When
// ctx ends first, the execution goes on, WaitExecution can be called again, and the last look comes along with the error.
func (c *Client) WaitExecution(ctx context.Context, name ExecutionName, seen func(*runpb.Execution)) (*runpb.Execution, error) {
	pauses := &backoff.ExponentialBackOff{
		InitialInterval: c.poll.first, MaxInterval: max(c.poll.longest, longestLook), Multiplier: 1.5, RandomizationFactor: 0.2,
	}
	var last *runpb.Execution
	begun := c.now()
	for {
		now, err := c.GetExecution(ctx, name)
		if err != nil && ctx.Err() != nil {
			return last, stillRunning(ctx, name)
		}
		if fault.IsNotFound(err) && last == nil && c.now().Sub(begun) < c.poll.grace && sleep(ctx, pauses.NextBackOff()) {
			continue // it may be too new to be found
		}
		if err != nil {
			return last, err
		}
		if seen != nil && !proto.Equal(last, now) {
			seen(now)
		}
		last = now
		if Ended(now) {
			return now, nil
		}
		if !sleep(ctx, pauses.NextBackOff()) {
			return last, stillRunning(ctx, name)
		}
	}
}

// stillRunning says that ctx was over before the execution.
func stillRunning(ctx context.Context, name ExecutionName) error {
	f, _ := fault.As(fault.From("Executions.GetExecution", ctx.Err()))
	f.Message = "the execution is still running: " + name.Execution
	return f
}
