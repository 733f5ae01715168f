package usageapi

import (
	"context"
	"fmt"
	"time"

	monitoring "google.golang.org/api/monitoring/v3"
	"google.golang.org/api/option"
)

// restMetrics is the older of Google's clients: the newer one speaks gRPC only.
type restMetrics struct{ *monitoring.Service }

func openREST(ctx context.Context, opts ...option.ClientOption) (metrics, error) {
	client, err := monitoring.NewService(ctx, opts...)
	if err != nil {
		return nil, err
	}
	return restMetrics{client}, nil
}

// Close has nothing to end.
func (restMetrics) Close() error { return nil }

func (m restMetrics) points(ctx context.Context, project, filter string, from, to time.Time, _ ...gaxOption) ([]point, error) {
	var points []point
	err := m.Projects.TimeSeries.List("projects/"+project).Filter(filter).
		IntervalStartTime(from.UTC().Format(time.RFC3339)).IntervalEndTime(to.UTC().Format(time.RFC3339)).
		Pages(ctx, func(page *monitoring.ListTimeSeriesResponse) error {
			for _, s := range page.TimeSeries {
				for _, p := range s.Points {
					read, err := restPoint(p)
					if err != nil {
						return err
					}
					points = append(points, read)
				}
			}
			return nil
		})
	return points, err
}

func restPoint(p *monitoring.Point) (point, error) {
	if p.Interval == nil || p.Value == nil || p.Value.Int64Value == nil {
		return point{}, fmt.Errorf("a point without a time or a whole number")
	}
	at, err := time.Parse(time.RFC3339, p.Interval.EndTime)
	if err != nil {
		return point{}, fmt.Errorf("the time of a point: %w", err)
	}
	return point{at: at, value: *p.Value.Int64Value}, nil
}
