package call

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"github.com/googleapis/gax-go/v2"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/protoadapt"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/fault"
)

func refused(t *testing.T, code codes.Code, details ...protoadapt.MessageV1) error {
	t.Helper()
	s, err := status.New(code, "words").WithDetails(details...)
	if err != nil {
		t.Fatal(err)
	}
	return s.Err()
}

// script is a call whose tries end as it says, in order; the last line stands for all that follow.
type script struct {
	lines []error
	tries int
}

func (s *script) try(context.Context, ...gax.CallOption) (string, error) {
	line := s.lines[min(s.tries, len(s.lines)-1)]
	s.tries++
	if line != nil {
		return "", line
	}
	return "answer", nil
}

func TestDo(t *testing.T) {
	down := refused(t, codes.Unavailable)
	unreachable := &fault.Fault{Code: codes.Unavailable, Unreachable: true}
	full := refused(t, codes.ResourceExhausted)
	perMinute := refused(t, codes.ResourceExhausted, &errdetails.ErrorInfo{Reason: "RATE_LIMIT_EXCEEDED", Domain: "googleapis.com"})
	wait := refused(t, codes.ResourceExhausted, &errdetails.RetryInfo{RetryDelay: durationpb.New(30 * time.Second)})
	allocation := refused(t, codes.ResourceExhausted, &errdetails.ErrorInfo{Reason: "QUOTA_EXCEEDED"})
	lost := refused(t, codes.DeadlineExceeded)
	taken := refused(t, codes.AlreadyExists)
	broken := refused(t, codes.Internal)
	const many = -1 // as many as the patience allows
	for _, tc := range []struct {
		name      string
		repeat    Repeat
		lines     []error
		tries     int
		code      codes.Code
		maybeDone bool
	}{
		{"an answer", Reads, []error{nil}, 1, codes.OK, false},
		{"down twice", Reads, []error{down, down, nil}, 3, codes.OK, true},
		{"down for good", Reads, []error{down}, many, codes.Unavailable, true},
		{"a write, down twice", Guarded, []error{down, down, nil}, 3, codes.OK, true},
		{"a write that must not be repeated", Once, []error{down, nil}, 1, codes.Unavailable, false},
		{"a write that never left", Once, []error{unreachable, nil}, 2, codes.OK, false},
		{"nobody listens", Reads, []error{unreachable}, 4, codes.Unavailable, false},
		{"a slow try", Guarded, []error{lost, nil}, 2, codes.OK, true},
		{"a slow try of what must not be repeated", Once, []error{lost, nil}, 1, codes.DeadlineExceeded, false},
		{"a guard that holds", Guarded, []error{down, taken}, 2, codes.AlreadyExists, true},
		{"a guard without a lost answer", Guarded, []error{unreachable, taken}, 2, codes.AlreadyExists, false},
		{"a limit per minute", Once, []error{perMinute, perMinute, nil}, 3, codes.OK, false},
		{"a limit that says when", Once, []error{wait, nil}, 2, codes.OK, false},
		{"a limit on reads", Reads, []error{full}, many, codes.ResourceExhausted, false},
		{"a limit on a write", Guarded, []error{full}, 4, codes.ResourceExhausted, false},
		{"a quota that time does not refill", Reads, []error{allocation}, 1, codes.ResourceExhausted, false},
		{"an error of the server", Reads, []error{broken}, 1, codes.Internal, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				s := &script{lines: tc.lines}
				answer, outcome, err := Do(t.Context(), Default(REST, 0, nil), Call[string]{Method: "M", Repeat: tc.repeat, Try: s.try})
				if fault.Code(err) != tc.code || (err == nil) != (answer == "answer") || outcome.MaybeDone != tc.maybeDone {
					t.Errorf("answer %q, %+v, error %v", answer, outcome, err)
				}
				if outcome.Tries != s.tries || tc.tries != many && s.tries != tc.tries || tc.tries == many && s.tries < 8 {
					t.Errorf("%d tries, outcome says %d", s.tries, outcome.Tries)
				}
				if f, failed := fault.As(err); failed && f.AfterRetry != tc.maybeDone {
					t.Errorf("AfterRetry = %v", f.AfterRetry)
				}
				if took := time.Since(start); took > 90*time.Second {
					t.Errorf("took %s", took)
				}
			})
		})
	}
}

func TestWaitsGrowAndAreLogged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var waits []time.Duration
		var first, last map[string]any
		p := Default(REST, 0, func(_ context.Context, message string, fields map[string]any) {
			if message == "called the API" {
				last = fields
				return
			}
			wait, err := time.ParseDuration(fields["wait"].(string))
			if err != nil {
				t.Error(err)
			}
			waits = append(waits, wait)
			if first == nil {
				first = fields
			}
		})
		start := time.Now()
		s := &script{lines: []error{
			refused(t, codes.Unavailable), refused(t, codes.Unavailable), refused(t, codes.Unavailable),
			refused(t, codes.ResourceExhausted, &errdetails.RetryInfo{RetryDelay: durationpb.New(20 * time.Second)}), nil,
		}}
		if _, _, err := Do(t.Context(), p, Call[string]{Method: "Jobs.GetJob", Try: s.try}); err != nil {
			t.Fatal(err)
		}
		const ms = time.Millisecond
		for i, least := range []time.Duration{125 * ms, 250 * ms, 500 * ms, 20 * time.Second} {
			if i >= len(waits) || waits[i] < least || waits[i] > 3*least {
				t.Fatalf("waits %v: number %d should be about %s", waits, i, least)
			}
		}
		if time.Since(start) < 20*time.Second {
			t.Error("the wait that the API asked for was cut short")
		}
		delete(first, "wait")
		if want := map[string]any{"method": "Jobs.GetJob", "try": 1, "code": "UNAVAILABLE", "reason": ""}; !reflect.DeepEqual(first, want) {
			t.Errorf("fields %v, want %v", first, want)
		}
		if want := map[string]any{"method": "Jobs.GetJob", "tries": 5, "code": "OK", "took": time.Since(start).String()}; !reflect.DeepEqual(last, want) {
			t.Errorf("at the end %v, want %v", last, want)
		}
	})
}

func TestACallThatFailsIsLogged(t *testing.T) {
	var got map[string]any
	p := Default(GRPC, 0, func(_ context.Context, _ string, fields map[string]any) { got = fields })
	s := &script{lines: []error{refused(t, codes.PermissionDenied, &errdetails.ErrorInfo{Reason: "SERVICE_DISABLED"})}}
	if _, _, err := Do(t.Context(), p, Call[string]{Method: "Jobs.GetJob", Try: s.try}); err == nil {
		t.Fatal("no error")
	}
	delete(got, "took")
	if want := map[string]any{"method": "Jobs.GetJob", "tries": 1, "code": "PERMISSION_DENIED", "reason": "SERVICE_DISABLED"}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestEveryTryHasADeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tries := 0
		hang := func(ctx context.Context, _ ...gax.CallOption) (string, error) {
			if tries++; tries == 3 {
				return "answer", nil
			}
			<-ctx.Done()
			return "", ctx.Err()
		}
		start := time.Now()
		_, outcome, err := Do(t.Context(), Default(REST, 2*time.Second, nil), Call[string]{Try: hang})
		if err != nil || outcome.Tries != 3 || !outcome.MaybeDone {
			t.Errorf("%+v, %v", outcome, err)
		}
		if took := time.Since(start); took < 4*time.Second || took > 6*time.Second {
			t.Errorf("two tries of two seconds took %s", took)
		}
	})
}

func TestTheCallersContextRules(t *testing.T) {
	hang := func(ctx context.Context, _ ...gax.CallOption) (string, error) {
		<-ctx.Done()
		return "", ctx.Err()
	}
	down := func(context.Context, ...gax.CallOption) (string, error) {
		return "", status.Error(codes.Unavailable, "down")
	}
	for _, tc := range []struct {
		name   string
		try    func(context.Context, ...gax.CallOption) (string, error)
		cancel bool
		code   codes.Code
		is     error
	}{
		{"a deadline in a try", hang, false, codes.DeadlineExceeded, context.DeadlineExceeded},
		{"a cancellation in a try", hang, true, codes.Canceled, context.Canceled},
		{"a cancellation in a wait", down, true, codes.Canceled, context.Canceled},
		{"a deadline in a wait tells why it waited", down, false, codes.Unavailable, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
				defer cancel()
				if tc.cancel {
					time.AfterFunc(time.Second, cancel)
				}
				start := time.Now()
				_, _, err := Do(ctx, Default(REST, time.Minute, nil), Call[string]{Method: "M", Try: tc.try})
				if fault.Code(err) != tc.code || tc.is != nil && !errors.Is(err, tc.is) {
					t.Errorf("error %v", err)
				}
				if took := time.Since(start); took > 5*time.Second || tc.cancel && took != time.Second {
					t.Errorf("took %s", took)
				}
			})
		})
	}
}
