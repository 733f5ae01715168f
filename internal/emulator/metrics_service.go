package emulator

import (
	"cloud.google.com/go/monitoring/apiv3/v2/monitoringpb"
)

// metricsServer answers google.monitoring.v3.MetricService, for the use and the limits of the quotas.
type metricsServer struct {
	monitoringpb.UnimplementedMetricServiceServer
	*state
}
