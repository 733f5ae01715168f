// Package billingapi reads the list prices of Cloud Run jobs from the catalogue of Cloud Billing. It asks once, when a price is
// first wanted, and keeps the answer, good or bad.
package billingapi

import (
	"context"
	"errors"
	"sync"
	"time"

	billing "cloud.google.com/go/billing/apiv1"
	"cloud.google.com/go/billing/apiv1/billingpb"
	"github.com/googleapis/gax-go/v2"
	"golang.org/x/sync/singleflight"
	"google.golang.org/api/iterator"
	"google.golang.org/api/option"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/call"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/fault"
)

const (
	method = "CloudCatalog.ListSkus"
	// cloudRun is the name of Cloud Run in the catalogue, which never changes.
	cloudRun = "services/152E-C115-5142"
	// pageSize is the most that the API gives at once.
	pageSize = 5000
	// A price is worth no long wait: the provider has prices of its own.
	longestTry = 20 * time.Second
	patience   = 10 * time.Second
)

// Options set up a Source.
type Options struct {
	Transport string // "grpc" or "rest"
	// Dial gives the options of Google's client: credentials, endpoint, user agent. It is called at the first question.
	Dial           func(context.Context) ([]option.ClientOption, error)
	RequestTimeout time.Duration // of one try of reading the whole list, and never more than 20 seconds; 0 stands for those
	Log            call.Logger   // hears of calls and retries; may be nil
}

// Source has the prices. It is safe for concurrent use.
type Source struct {
	policy     call.Policy
	connection *call.Connection[*billing.CloudCatalogClient]

	flight singleflight.Group
	mu     sync.Mutex
	known  *answer // nil until the list has been asked for
}

type answer struct {
	prices *Prices
	err    error
}

// New returns a source. It looks nothing up and dials nobody: the first question does.
func New(o Options) *Source {
	policy := call.Default(o.Transport, o.RequestTimeout, o.Log)
	policy.Timeout, policy.Patience = min(policy.Timeout, longestTry), patience
	open := billing.NewCloudCatalogClient
	if o.Transport == call.REST {
		open = billing.NewCloudCatalogRESTClient
	}
	return &Source{policy: policy, connection: call.Connect("CloudCatalog", policy.Timeout, o.Dial, open)}
}

// Prices returns the list prices, which are shared: read them, do not change them. Errors are *fault.Fault and are kept like
// answers; the end of ctx is not.
func (s *Source) Prices(ctx context.Context) (*Prices, error) {
	if a := s.kept(); a != nil {
		return a.prices, a.err
	}
	// The list is read for all who want to know: it does not end with the first of them, only with its own deadlines.
	reading := s.flight.DoChan(cloudRun, func() (any, error) {
		a := s.kept()
		if a == nil {
			a = new(answer)
			a.prices, a.err = s.read(context.WithoutCancel(ctx))
			s.keep(a)
		}
		return a.prices, a.err
	})
	select {
	case flight := <-reading:
		prices, _ := flight.Val.(*Prices)
		return prices, flight.Err
	case <-ctx.Done():
		return nil, fault.From(method, ctx.Err())
	}
}

func (s *Source) kept() *answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.known
}

func (s *Source) keep(a *answer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known = a
}

func (s *Source) read(ctx context.Context) (*Prices, error) {
	client, err := s.connection.Client(ctx)
	if err != nil {
		return nil, err
	}
	skus, _, err := call.Do(ctx, s.policy, call.Call[[]*billingpb.Sku]{
		Method: method, Repeat: call.Reads,
		Try: func(ctx context.Context, opts ...gax.CallOption) ([]*billingpb.Sku, error) {
			opts = append(opts, gax.WithRetry(nil)) // the library would retry unseen
			return all(client.ListSkus(ctx, &billingpb.ListSkusRequest{Parent: cloudRun, CurrencyCode: currency, PageSize: pageSize}, opts...))
		},
	})
	if err != nil {
		return nil, err
	}
	return newPrices(skus), nil
}

// all goes through the pages of a list.
func all(list *billing.SkuIterator) ([]*billingpb.Sku, error) {
	var skus []*billingpb.Sku
	for {
		sku, err := list.Next()
		if errors.Is(err, iterator.Done) {
			return skus, nil
		}
		if err != nil {
			return nil, err
		}
		skus = append(skus, sku)
	}
}
