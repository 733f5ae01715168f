package emulator

import (
	"context"
	"fmt"
	"time"

	"cloud.google.com/go/monitoring/apiv3/v2/monitoringpb"
	"google.golang.org/genproto/googleapis/api/metric"
	"google.golang.org/genproto/googleapis/api/monitoredres"
)

const (
	metricUsage     = "serviceruntime.googleapis.com/quota/allocation/usage"
	metricLimit     = "serviceruntime.googleapis.com/quota/limit"
	consumerQuota   = "consumer_quota"
	labelMetric     = "quota_metric"
	labelLimitName  = "limit_name"
	labelProject    = "project_id"
	labelService    = "service"
	labelLocation   = "location"
	fieldMetricType = "metric.type"
)

// metricsServer answers google.monitoring.v3.MetricService, for the use and the limits of the quotas: one point each, of now.
// Whether the real service publishes the use of GPUs there is not known.
type metricsServer struct {
	monitoringpb.UnimplementedMetricServiceServer
	*state
}

// ListTimeSeries implements monitoringpb.MetricServiceServer.
func (s metricsServer) ListTimeSeries(_ context.Context, request *monitoringpb.ListTimeSeriesRequest) (*monitoringpb.ListTimeSeriesResponse, error) {
	project, err := parseName("name", request.GetName(), "projects")
	if err != nil {
		return nil, err
	}
	wanted, err := parseSeriesFilter(request.GetFilter())
	if err != nil {
		return nil, err
	}
	if request.GetInterval().GetEndTime() == nil {
		return nil, invalidArgument(violation{"interval.end_time", "is required"})
	}
	now, leave := s.enter()
	defer leave()
	if end := request.GetInterval().GetEndTime().AsTime(); end.Before(now) {
		now = end
	}
	byKey := map[string]*monitoringpb.TimeSeries{}
	var keys []string
	for _, series := range append(s.limitSeries(now, project.id()), s.usageSeries(now, project.id())...) {
		if !wanted.matches(series) {
			continue
		}
		if request.GetView() == monitoringpb.ListTimeSeriesRequest_HEADERS {
			series.Points = nil
		}
		key := fmt.Sprint(series.GetMetric().GetType(), series.GetMetric().GetLabels()[labelMetric], series.GetResource().GetLabels()[labelLocation])
		byKey[key] = series
		keys = append(keys, key)
	}
	list := "series " + project.String() + " " + request.GetFilter()
	page, next, err := pageRequest{list, request.GetPageSize(), request.GetPageToken()}.cut(keys)
	if err != nil {
		return nil, err
	}
	response := &monitoringpb.ListTimeSeriesResponse{NextPageToken: next}
	for _, key := range page {
		response.TimeSeries = append(response.TimeSeries, byKey[key])
	}
	return response, nil
}

func (s metricsServer) limitSeries(now time.Time, project string) []*monitoringpb.TimeSeries {
	var all []*monitoringpb.TimeSeries
	for _, quota := range quotas {
		for _, region := range s.quotas.entries(quota) {
			labels := map[string]string{labelMetric: quota.Metric, labelLimitName: quota.ID}
			all = append(all, newSeries(now, metricLimit, labels, project, region, quota.wire(s.quotas.limit(quota, region))))
		}
	}
	return all
}

// usageSeries has what running tasks hold. As on the real service there is no series where nothing was ever used: here, in a
// region where the project has no job.
func (s metricsServer) usageSeries(now time.Time, project string) []*monitoringpb.TimeSeries {
	type place struct{ id, region string }
	used := map[place]int64{}
	for _, j := range s.jobs {
		if j.name.project() != project {
			continue
		}
		for _, d := range demands(j.message.GetTemplate().GetTemplate()) {
			used[place{d.quota.ID, j.name.location()}] += 0
		}
	}
	for _, e := range s.running {
		if e.name.project() != project {
			continue
		}
		for _, d := range demands(e.message.GetTemplate()) {
			used[place{d.quota.ID, e.name.location()}] += d.wire(int64(e.message.GetRunningCount()))
		}
	}
	var all []*monitoringpb.TimeSeries
	for _, quota := range quotas {
		for at, value := range used {
			if at.id == quota.ID {
				all = append(all, newSeries(now, metricUsage, map[string]string{labelMetric: quota.Metric}, project, at.region, value))
			}
		}
	}
	return all
}

func newSeries(now time.Time, kind string, labels map[string]string, project, region string, value int64) *monitoringpb.TimeSeries {
	return &monitoringpb.TimeSeries{
		Metric: &metric.Metric{Type: kind, Labels: labels},
		Resource: &monitoredres.MonitoredResource{
			Type:   consumerQuota,
			Labels: map[string]string{labelProject: project, labelService: runService, labelLocation: region},
		},
		MetricKind: metric.MetricDescriptor_GAUGE,
		ValueType:  metric.MetricDescriptor_INT64,
		Points: []*monitoringpb.Point{{
			Interval: &monitoringpb.TimeInterval{StartTime: stamp(now), EndTime: stamp(now)},
			Value:    &monitoringpb.TypedValue{Value: &monitoringpb.TypedValue_Int64Value{Int64Value: value}},
		}},
	}
}
