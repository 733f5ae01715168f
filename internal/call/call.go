// Package call makes the calls to Google's APIs: on a connection that is opened at the first of them, each try with a
// deadline, and again where that can do no harm. It knows no API in particular.
package call

import (
	"context"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/googleapis/gax-go/v2"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/peer"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/fault"
)

// The transports that Google's clients speak.
const (
	GRPC = "grpc"
	REST = "rest"
)

// DefaultTimeout bounds one try of a call where nothing else is set.
const DefaultTimeout = 60 * time.Second

// Logger hears of every call when it ends, and of every retry. Fields hold names, codes and durations, never a part of a request or an answer.
type Logger func(ctx context.Context, message string, fields map[string]any)

// Policy says how long to try. The zero Policy is not usable; see Default.
type Policy struct {
	Transport string        // GRPC or REST
	Timeout   time.Duration // of one try
	Initial   time.Duration // wait before the first retry; the next ones double, all with jitter
	Longest   time.Duration // longest wait between two tries
	Patience  time.Duration // how long to go on where waiting helps: an overloaded server, a limit per minute
	Tries     int           // how often at most where it hardly does: nobody listens at the address
	Log       Logger        // may be nil
}

// Default is the policy for calls that matter. Its patience outlasts a limit per minute.
func Default(transport string, timeout time.Duration, log Logger) Policy {
	if timeout <= 0 {
		timeout = DefaultTimeout
	}
	return Policy{
		Transport: transport, Timeout: timeout, Log: log,
		Initial: 250 * time.Millisecond, Longest: 10 * time.Second, Patience: 90 * time.Second, Tries: 4,
	}
}

// Call is one call of an API method, to be tried until it has an answer.
type Call[T any] struct {
	Method string // "Jobs.GetJob"
	Repeat Repeat
	Try    func(ctx context.Context, opts ...gax.CallOption) (T, error)
}

// Outcome is what is known of a call besides its answer.
type Outcome struct {
	Tries int
	// MaybeDone says that a try before the last one may have been carried out: its answer was lost on the way.
	MaybeDone bool
}

// Do tries a call until it succeeds, fails for good, or ctx or the patience is at its end. Errors are *fault.Fault.
func Do[T any](ctx context.Context, p Policy, c Call[T]) (T, Outcome, error) {
	t := trial[T]{policy: p, call: c, start: time.Now()}
	answer, err := backoff.Retry(ctx, func() (T, error) { return t.next(ctx) },
		backoff.WithBackOff(&backoff.ExponentialBackOff{
			InitialInterval: p.Initial, MaxInterval: p.Longest, Multiplier: 2, RandomizationFactor: 0.5,
		}),
		backoff.WithMaxElapsedTime(p.Patience),
		backoff.WithNotify(func(_ error, wait time.Duration) { t.retrying(ctx, wait) }),
	)
	if err != nil {
		err = t.verdict(ctx)
	}
	t.ended(ctx, err)
	return answer, t.outcome, err
}

// trial is a call with what became of its tries so far.
type trial[T any] struct {
	policy  Policy
	call    Call[T]
	start   time.Time
	outcome Outcome
	last    *fault.Fault
}

func (t *trial[T]) next(ctx context.Context) (T, error) {
	if t.last != nil && !certainlyNotDone(t.last) {
		t.outcome.MaybeDone = true
	}
	t.outcome.Tries++
	answer, f := try(ctx, t.policy, t.call)
	if f == nil {
		return answer, nil
	}
	t.last = f
	switch hope := t.call.Repeat.hope(f); {
	case ctx.Err() != nil, hope == none, hope == little && t.outcome.Tries >= t.policy.Tries:
		return answer, backoff.Permanent(f)
	case f.RetryAfter > 0:
		return answer, &backoff.RetryAfterError{Duration: f.RetryAfter}
	default:
		return answer, f
	}
}

// try is one try with its own deadline.
func try[T any](ctx context.Context, p Policy, c Call[T]) (T, *fault.Fault) {
	ctx, cancel := context.WithTimeout(ctx, p.Timeout)
	defer cancel()
	var server peer.Peer
	answer, err := c.Try(ctx, gax.WithGRPCOptions(grpc.Peer(&server)))
	f, failed := fault.As(fault.From(c.Method, err))
	if !failed {
		return answer, nil
	}
	// gRPC says of a connection only that there is none, in words. It has no peer for a call that was never sent.
	if p.Transport == GRPC && f.Code == codes.Unavailable && server.Addr == nil {
		f.Unreachable = true
	}
	return answer, f
}

func (t *trial[T]) retrying(ctx context.Context, wait time.Duration) {
	if t.policy.Log == nil {
		return
	}
	t.policy.Log(ctx, "trying a call again", map[string]any{
		"method": t.call.Method, "try": t.outcome.Tries, "code": t.last.Status(), "reason": t.last.Reason, "wait": wait.String(),
	})
}

func (t *trial[T]) ended(ctx context.Context, err error) {
	if t.policy.Log == nil {
		return
	}
	fields := map[string]any{"method": t.call.Method, "tries": t.outcome.Tries, "took": time.Since(t.start).String(), "code": "OK"}
	if f, failed := fault.As(err); failed {
		fields["code"], fields["reason"] = f.Status(), f.Reason
	}
	t.policy.Log(ctx, "called the API", fields)
}

// verdict is the error of a call that failed. Whoever cancels a call wants to hear just that; a deadline in the middle
// of retries says less than the error that made them necessary.
func (t *trial[T]) verdict(ctx context.Context) error {
	if t.last == nil || ctx.Err() == context.Canceled {
		return fault.From(t.call.Method, ctx.Err())
	}
	t.last.AfterRetry = t.outcome.MaybeDone
	return t.last
}
