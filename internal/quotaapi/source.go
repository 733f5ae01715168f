// Package quotaapi reads quotas of Cloud Run from the Cloud Quotas API. It asks for each quota of a project once, keeps the
// answer, good or bad, and hands it out as the limits that package quota compares with.
package quotaapi

import (
	"context"
	"time"

	cloudquotas "cloud.google.com/go/cloudquotas/apiv1"
	"cloud.google.com/go/cloudquotas/apiv1/cloudquotaspb"
	"github.com/googleapis/gax-go/v2"
	"golang.org/x/sync/singleflight"
	"google.golang.org/api/option"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/call"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/fault"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/quota"
)

const method = "CloudQuotas.GetQuotaInfo"

// A quota is good advice, not a condition: nobody should wait for it as long as for a job.
const (
	longestTry = 15 * time.Second
	patience   = 10 * time.Second
)

// Options set up a Source.
type Options struct {
	Transport string // "grpc" or "rest"
	// Dial gives the options of Google's client: credentials, endpoint, user agent. It is called at the first question,
	// once unless it fails for a reason that passes.
	Dial           func(context.Context) ([]option.ClientOption, error)
	RequestTimeout time.Duration // of one try of a call, and never more than 15 seconds; 0 stands for those
	Log            call.Logger   // hears of calls and retries; may be nil

	policy *call.Policy // of a test that cannot wait
}

// Source is a quota.Source. It is safe for concurrent use.
type Source struct {
	policy     call.Policy
	connection *call.Connection[*cloudquotas.Client]

	flights singleflight.Group
	known   store
}

var _ quota.Source = (*Source)(nil)

// New returns a source. It looks nothing up and dials nobody: the first question does.
func New(o Options) *Source {
	policy := call.Default(o.Transport, o.RequestTimeout, o.Log)
	policy.Timeout, policy.Patience = min(policy.Timeout, longestTry), patience
	if o.policy != nil {
		policy = *o.policy
	}
	open := cloudquotas.NewClient
	if o.Transport == call.REST {
		open = cloudquotas.NewRESTClient
	}
	return &Source{policy: policy, connection: call.Connect("CloudQuotas", policy.Timeout, o.Dial, open)}
}

// Close ends the source's connections. Questions whose answer is not known yet fail after it.
func (s *Source) Close() error { return s.connection.Close() }

// Limit returns what the project may hold of a quota in a region. Errors are *fault.Fault.
func (s *Source) Limit(ctx context.Context, project, quotaID, region string) (quota.Limit, error) {
	info, err := s.Info(ctx, project, quotaID)
	if err != nil {
		return quota.Limit{}, err
	}
	return info.Limit(region), nil
}

// Info returns all that the API says of a quota, which is shared: read it, do not change it. Errors are *fault.Fault and
// are kept like answers; the end of ctx is not.
func (s *Source) Info(ctx context.Context, project, quotaID string) (*Info, error) {
	name := "projects/" + project + "/locations/global/services/run.googleapis.com/quotaInfos/" + quotaID
	if a, found := s.known.get(name); found {
		return a.info, a.err
	}
	// The question is asked for all who want to know: it does not end with the first of them, only with its own deadlines.
	asking := s.flights.DoChan(name, func() (any, error) {
		a, found := s.known.get(name)
		if !found {
			a.info, a.err = s.ask(context.WithoutCancel(ctx), name)
			s.known.put(name, a)
		}
		return a.info, a.err
	})
	select {
	case flight := <-asking:
		info, _ := flight.Val.(*Info)
		return info, flight.Err
	case <-ctx.Done():
		return nil, fault.From(method, ctx.Err())
	}
}

func (s *Source) ask(ctx context.Context, name string) (*Info, error) {
	client, err := s.connection.Client(ctx)
	if err != nil {
		return nil, err
	}
	info, _, err := call.Do(ctx, s.policy, call.Call[*cloudquotaspb.QuotaInfo]{
		Method: method, Repeat: call.Reads,
		Try: func(ctx context.Context, opts ...gax.CallOption) (*cloudquotaspb.QuotaInfo, error) {
			opts = append(opts, gax.WithRetry(nil)) // the library would retry unseen
			return client.GetQuotaInfo(ctx, &cloudquotaspb.GetQuotaInfoRequest{Name: name}, opts...)
		},
	})
	if err != nil {
		return nil, err
	}
	return decode(info), nil
}
