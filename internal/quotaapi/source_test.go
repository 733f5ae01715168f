package quotaapi

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"google.golang.org/api/option"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/call"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/emulator"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/fault"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/gpu"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/quota"
)

const getQuotaInfo = "CloudQuotas.GetQuotaInfo"

// world is a source that asks an emulator, through one transport.
type world struct {
	*Source
	server  *emulator.Server
	mu      sync.Mutex
	dials   int
	retries int
}

func newWorld(t *testing.T, transport string, options ...emulator.Option) *world {
	t.Helper()
	server, err := emulator.New(options...)
	if err != nil {
		t.Fatal(err)
	}
	w := &world{server: server}
	policy := call.Default(transport, time.Minute, func(_ context.Context, _ string, fields map[string]any) {
		w.mu.Lock()
		defer w.mu.Unlock()
		if _, again := fields["wait"]; again {
			w.retries++
		}
	})
	policy.Initial, policy.Longest, policy.Patience = time.Millisecond, 5*time.Millisecond, time.Second
	w.Source = New(Options{Transport: transport, policy: &policy, Dial: func(context.Context) ([]option.ClientOption, error) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.dials++
		options := []option.ClientOption{option.WithoutAuthentication(), option.WithTelemetryDisabled()}
		if transport == call.REST {
			return append(options, option.WithEndpoint(server.URL())), nil
		}
		return append(options, option.WithEndpoint(server.Addr()), option.WithGRPCDialOption(grpc.WithTransportCredentials(insecure.NewCredentials()))), nil
	}})
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	return w
}

func (w *world) inject(t *testing.T, f emulator.Fault) {
	t.Helper()
	f.Method = getQuotaInfo
	if err := w.server.InjectFault(f); err != nil {
		t.Fatal(err)
	}
}

func through(t *testing.T, test func(t *testing.T, transport string)) {
	for _, transport := range []string{call.GRPC, call.REST} {
		t.Run(transport, func(t *testing.T) { test(t, transport) })
	}
}

func quotaOf(t *testing.T, name string) gpu.Quota {
	t.Helper()
	typ, found := gpu.Default().Type(name)
	if !found {
		t.Fatalf("no %s", name)
	}
	return typ.Quota
}

func TestLimits(t *testing.T) {
	through(t, func(t *testing.T, transport string) {
		w := newWorld(t, transport,
			emulator.WithQuota("nvidia-l4@us-central1", 7), emulator.WithQuota("nvidia-l4@us-east4", 0), emulator.WithQuota("nvidia-l4@europe-west1", emulator.NoEntry),
			emulator.WithQuota("nvidia-rtx-pro-6000@us-central1", 2), emulator.WithQuota("cpu@us-central1", emulator.Unlimited), emulator.WithQuota("memory@us-central1", 40))
		if w.dials != 0 {
			t.Error("New dialled")
		}
		l4, rtx := quotaOf(t, "nvidia-l4"), quotaOf(t, "nvidia-rtx-pro-6000")
		allocation := gpu.Default().AllocationQuotas()
		for _, tc := range []struct {
			id, region string
			state      quota.LimitState
			value      int64
		}{
			{l4.ID, "us-central1", quota.Known, 7},
			{l4.ID, "us-east4", quota.Known, 0},
			{l4.ID, "europe-west1", quota.Absent, 0},
			{l4.ID, "us-west4", quota.Absent, 0},
			{rtx.ID, "us-central1", quota.Known, 2 * rtx.PerGPU},
			{allocation.CPU.ID, "us-central1", quota.Known, quota.Unlimited},
			{allocation.Memory.ID, "us-central1", quota.Known, 40 * allocation.Memory.Unit},
		} {
			got, err := w.Limit(t.Context(), "acme-ml", tc.id, tc.region)
			if err != nil || got.State != tc.state || got.Value != tc.value || got.Eligibility != (quota.Eligibility{Known: true, Eligible: true}) {
				t.Errorf("%s in %s: %+v, %v", tc.id, tc.region, got, err)
			}
		}
		if n := len(w.server.Requests()); n != 4 || w.dials != 1 {
			t.Errorf("%d requests and %d dials for four quotas", n, w.dials)
		}
		info, err := w.Info(t.Context(), "acme-ml", l4.ID)
		if err != nil || info.QuotaID != l4.ID || info.Metric != l4.Metric || info.RequestURL == "" || len(info.RegionalQuota) == 0 {
			t.Errorf("info %+v, %v", info, err)
		}
		if _, err := w.Limit(t.Context(), "another", l4.ID, "us-central1"); err != nil || len(w.server.Requests()) != 5 {
			t.Errorf("another project: %v, %d requests", err, len(w.server.Requests()))
		}
	})
}

func TestManyAskOnce(t *testing.T) {
	through(t, func(t *testing.T, transport string) {
		w := newWorld(t, transport, emulator.WithLatency(20*time.Millisecond))
		var askers sync.WaitGroup
		for range 20 {
			askers.Go(func() {
				if l, err := w.Limit(t.Context(), "p", quotaOf(t, "nvidia-l4").ID, "us-central1"); err != nil || l.Value != 3 {
					t.Errorf("%+v, %v", l, err)
				}
			})
		}
		askers.Wait()
		if n := len(w.server.Requests()); n != 1 {
			t.Errorf("%d requests", n)
		}
	})
}

func TestAnErrorIsKept(t *testing.T) {
	through(t, func(t *testing.T, transport string) {
		w := newWorld(t, transport)
		w.inject(t, emulator.Fault{Code: codes.PermissionDenied, Message: "cloudquotas.quotas.get denied"})
		for range 3 {
			_, err := w.Limit(t.Context(), "p", quotaOf(t, "nvidia-l4").ID, "us-central1")
			if f, found := fault.As(err); !found || f.Code != codes.PermissionDenied || f.Method != getQuotaInfo || f.Message != "cloudquotas.quotas.get denied" {
				t.Errorf("fault %+v", f)
			}
		}
		if n := len(w.server.Requests()); n != 1 || w.retries != 0 {
			t.Errorf("%d requests, %d retries", n, w.retries)
		}
		if _, err := w.Limit(t.Context(), "p", "NoSuchQuota", "us-central1"); !fault.IsNotFound(err) {
			t.Errorf("a quota that is not there: %v", err)
		}
	})
}

func TestRetriesAreSeen(t *testing.T) {
	through(t, func(t *testing.T, transport string) {
		w := newWorld(t, transport)
		w.inject(t, emulator.Fault{Code: codes.Unavailable, Times: 2})
		if l, err := w.Limit(t.Context(), "p", quotaOf(t, "nvidia-l4").ID, "us-central1"); err != nil || l.Value != 3 {
			t.Errorf("%+v, %v", l, err)
		}
		if n := len(w.server.Requests()); n != 3 || w.retries != 2 {
			t.Errorf("%d requests, %d retries seen", n, w.retries)
		}
	})
}

// The first who asks may leave: neither do the others lose the answer, nor is the leaving kept as one.
func TestWhoLeavesSpoilsNothing(t *testing.T) {
	through(t, func(t *testing.T, transport string) {
		w := newWorld(t, transport)
		w.inject(t, emulator.Fault{Delay: 150 * time.Millisecond})
		id := quotaOf(t, "nvidia-l4").ID
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(20*time.Millisecond, cancel)
		start := time.Now()
		if _, err := w.Limit(ctx, "p", id, "us-central1"); !errors.Is(err, context.Canceled) || time.Since(start) > 10*time.Second {
			t.Errorf("%v after %s", err, time.Since(start))
		}
		var others sync.WaitGroup
		for range 3 {
			others.Go(func() {
				if l, err := w.Limit(t.Context(), "p", id, "us-central1"); err != nil || l.Value != 3 {
					t.Errorf("%+v, %v", l, err)
				}
			})
		}
		others.Wait()
		if n := len(w.server.Requests()); n != 1 {
			t.Errorf("%d requests", n)
		}
	})
}

// Package quota and this one agree on what a limit is.
func TestCheckThroughTheAPI(t *testing.T) {
	through(t, func(t *testing.T, transport string) {
		w := newWorld(t, transport, emulator.WithQuota("nvidia-l4@us-central1", 3), emulator.WithQuota("nvidia-rtx-pro-6000@us-central1", 3))
		l4, rtx := quotaOf(t, "nvidia-l4"), quotaOf(t, "nvidia-rtx-pro-6000")
		demand := quota.Demand{Project: "p", Region: "us-central1", Parallelism: 3, Needs: []quota.Need{
			{Kind: quota.GPU, QuotaID: l4.ID, PerTask: l4.PerGPU, Unit: l4.PerGPU},
			{Kind: quota.GPU, QuotaID: rtx.ID, PerTask: rtx.PerGPU, Unit: rtx.PerGPU},
		}}
		for parallelism, want := range map[int64]quota.Outcome{3: quota.Fits, 4: quota.Exceeds} {
			demand.Parallelism = parallelism
			for _, v := range quota.Check(t.Context(), demand, w) {
				if v.Outcome != want || v.Largest != 3 {
					t.Errorf("%d of %s: %s, largest %d, %v", parallelism, v.Need.QuotaID, v.Outcome, v.Largest, v.Err)
				}
			}
		}
	})
}

func TestTheWaitIsShort(t *testing.T) {
	for given, want := range map[time.Duration]time.Duration{0: longestTry, time.Second: time.Second, time.Hour: longestTry} {
		if got := New(Options{RequestTimeout: given}).policy; got.Timeout != want || got.Patience != patience {
			t.Errorf("a request timeout of %s: %s a try, %s in all", given, got.Timeout, got.Patience)
		}
	}
}

func TestAfterClose(t *testing.T) {
	through(t, func(t *testing.T, transport string) {
		w := newWorld(t, transport)
		id := quotaOf(t, "nvidia-l4").ID
		if _, err := w.Limit(t.Context(), "p", id, "us-central1"); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Limit(t.Context(), "p", id, "us-east4"); err != nil {
			t.Errorf("what is known stays known: %v", err)
		}
		if _, err := w.Limit(t.Context(), "q", id, "us-east4"); fault.Code(err) != codes.FailedPrecondition {
			t.Errorf("error %v", err)
		}
	})
}
