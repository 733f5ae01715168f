// Package usageapi asks Cloud Monitoring how much of a quota of Cloud Run is in use.
package usageapi

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"google.golang.org/api/option"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/call"
)

const (
	// lookBack is how far back to look for the newest point: series of allocation quotas are sparse and late.
	lookBack = 25 * time.Hour
	// patience is short: nothing depends on what is in use.
	patience = 5 * time.Second
	tries    = 2
)

// Options set up a Source.
type Options struct {
	Transport      string                                               // "grpc" or "rest"
	Dial           func(context.Context) ([]option.ClientOption, error) // called at the first question
	RequestTimeout time.Duration                                        // of one try of a call
	Log            call.Logger                                          // hears of calls and retries; may be nil
}

// Source knows what is in use. It is safe for concurrent use.
type Source struct {
	policy     call.Policy
	connection *call.Connection[metrics]
	now        func() time.Time
}

// New returns a source. It looks nothing up and dials nobody: the first question does.
func New(o Options) *Source {
	policy := call.Default(o.Transport, o.RequestTimeout, o.Log)
	policy.Patience, policy.Tries = patience, tries
	open := openGRPC
	if o.Transport == call.REST {
		open = openREST
	}
	return &Source{policy: policy, connection: call.Connect("MetricService", policy.Timeout, o.Dial, open), now: time.Now}
}

// point is a value of a series and its time.
type point struct {
	at    time.Time
	value int64
}

// metrics asks Cloud Monitoring through either transport for the points of series, in no order.
type metrics interface {
	io.Closer
	points(ctx context.Context, project, filter string, from, to time.Time, opts ...gaxOption) ([]point, error)
}

// Used returns how much of the quota with this metric is in use in a region, in quota units. It is not known (false, without
// an error) where Cloud Monitoring has no series: that a project's use of GPUs is published at all, only the real service can
// tell.
func (s *Source) Used(ctx context.Context, project, metric, region string) (used int64, known bool, err error) {
	client, err := s.connection.Client(ctx)
	if err != nil {
		return 0, false, err
	}
	now := s.now()
	points, _, err := call.Do(ctx, s.policy, call.Call[[]point]{
		Method: "MetricService.ListTimeSeries", Repeat: call.Reads,
		Try: func(ctx context.Context, opts ...gaxOption) ([]point, error) {
			return client.points(ctx, project, filterFor(metric, region), now.Add(-lookBack), now, opts...)
		},
	})
	if err != nil {
		return 0, false, err
	}
	used, known = newest(points)
	return used, known, nil
}

// newest is the value of the newest point; false where there is none.
func newest(points []point) (value int64, found bool) {
	if len(points) == 0 {
		return 0, false
	}
	return slices.MaxFunc(points, func(a, b point) int { return a.at.Compare(b.at) }).value, true
}

func filterFor(metric, region string) string {
	return fmt.Sprintf(`metric.type="serviceruntime.googleapis.com/quota/allocation/usage" AND resource.type="consumer_quota" AND `+
		`resource.labels.service="run.googleapis.com" AND metric.labels.quota_metric=%q AND resource.labels.location=%q`, metric, region)
}
