package usageapi

import (
	"context"
	"errors"
	"time"

	monitoring "cloud.google.com/go/monitoring/apiv3/v2"
	"cloud.google.com/go/monitoring/apiv3/v2/monitoringpb"
	"github.com/googleapis/gax-go/v2"
	"google.golang.org/api/iterator"
	"google.golang.org/api/option"
	"google.golang.org/protobuf/types/known/timestamppb"
)

// gaxOption spares the signatures of this package a long name.
type gaxOption = gax.CallOption

type grpcMetrics struct{ *monitoring.MetricClient }

func openGRPC(ctx context.Context, opts ...option.ClientOption) (metrics, error) {
	client, err := monitoring.NewMetricClient(ctx, opts...)
	if err != nil {
		return nil, err
	}
	return grpcMetrics{client}, nil
}

func (m grpcMetrics) points(ctx context.Context, project, filter string, from, to time.Time, opts ...gaxOption) ([]point, error) {
	series := m.ListTimeSeries(ctx, &monitoringpb.ListTimeSeriesRequest{
		Name:     "projects/" + project,
		Filter:   filter,
		Interval: &monitoringpb.TimeInterval{StartTime: timestamppb.New(from), EndTime: timestamppb.New(to)},
	}, opts...)
	var points []point
	for {
		s, err := series.Next()
		if errors.Is(err, iterator.Done) {
			return points, nil
		}
		if err != nil {
			return nil, err
		}
		for _, p := range s.GetPoints() {
			points = append(points, point{at: p.GetInterval().GetEndTime().AsTime(), value: p.GetValue().GetInt64Value()})
		}
	}
}
