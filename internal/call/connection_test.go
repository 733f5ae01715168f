package call

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/api/option"
	"google.golang.org/grpc/codes"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/fault"
)

type fakeClient struct{ closed int }

func (c *fakeClient) Close() error {
	c.closed++
	return nil
}

// opener counts what a connection does to get its client.
type opener struct {
	dials, opens int
	dialErr      error
	dialTakes    time.Duration
	client       fakeClient
}

func (o *opener) connection() *Connection[*fakeClient] {
	return Connect("Jobs", 10*time.Second, o.dial, o.open)
}

func (o *opener) dial(ctx context.Context) ([]option.ClientOption, error) {
	o.dials++
	select {
	case <-time.After(o.dialTakes):
		return []option.ClientOption{option.WithUserAgent("x")}, o.dialErr
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (o *opener) open(_ context.Context, options ...option.ClientOption) (*fakeClient, error) {
	if o.opens++; len(options) != 1 {
		return nil, errors.New("the options are lost")
	}
	return &o.client, nil
}

func TestConnectionIsMadeOnceForAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := &opener{dialTakes: time.Second}
		c := o.connection()
		if o.dials != 0 {
			t.Fatal("Connect dialled")
		}
		var callers sync.WaitGroup
		for range 10 {
			callers.Go(func() {
				if client, err := c.Client(t.Context()); err != nil || client != &o.client {
					t.Errorf("client %v, error %v", client, err)
				}
			})
		}
		callers.Wait()
		if o.dials != 1 || o.opens != 1 {
			t.Errorf("%d dials, %d opens", o.dials, o.opens)
		}
	})
}

func TestConnectionKeepsALastingFailure(t *testing.T) {
	own := errors.New("no credentials")
	o := &opener{dialErr: own}
	c := o.connection()
	for range 2 {
		_, err := c.Client(t.Context())
		if f, found := fault.As(err); !found || !f.Credentials || !errors.Is(err, own) {
			t.Errorf("error %v", err)
		}
	}
	if o.dials != 1 || o.opens != 0 {
		t.Errorf("%d dials, %d opens", o.dials, o.opens)
	}
	if err := c.Close(); err != nil || o.client.closed != 0 {
		t.Errorf("closed %d times, error %v", o.client.closed, err)
	}
}

func TestConnectionForgetsWhatPasses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := &opener{dialTakes: time.Minute}
		c := o.connection()
		if _, err := c.Client(t.Context()); fault.Code(err) != codes.DeadlineExceeded {
			t.Errorf("a dial without end: %v", err)
		}
		o.dialTakes = 0
		if _, err := c.Client(t.Context()); err != nil {
			t.Errorf("the second caller: %v", err)
		}
	})
}

func TestACallerNeedNotWaitForAnothersDial(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := &opener{dialTakes: 5 * time.Second}
		c := o.connection()
		var first sync.WaitGroup
		first.Go(func() {
			if _, err := c.Client(t.Context()); err != nil {
				t.Error(err)
			}
		})
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := c.Client(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v", err)
		}
		first.Wait()
	})
}

func TestClose(t *testing.T) {
	o := new(opener)
	c := o.connection()
	if _, err := c.Client(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if o.client.closed != 1 {
		t.Errorf("closed %d times", o.client.closed)
	}
	if _, err := c.Client(t.Context()); fault.Code(err) != codes.FailedPrecondition {
		t.Errorf("a call after Close: %v", err)
	}
	unused := new(opener)
	if err := unused.connection().Close(); err != nil || unused.dials != 0 {
		t.Errorf("closing an unused connection: %v, %d dials", err, unused.dials)
	}
}
