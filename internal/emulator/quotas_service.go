package emulator

import (
	"context"
	"fmt"
	"net/url"

	"cloud.google.com/go/cloudquotas/apiv1/cloudquotaspb"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

const (
	runService      = "run.googleapis.com"
	dimensionRegion = "region"
)

// quotasServer answers google.api.cloudquotas.v1.CloudQuotas, for the quotas of Cloud Run that a job draws on.
type quotasServer struct {
	cloudquotaspb.UnimplementedCloudQuotasServer
	*state
}

// GetQuotaInfo implements cloudquotaspb.CloudQuotasServer.
func (s quotasServer) GetQuotaInfo(_ context.Context, request *cloudquotaspb.GetQuotaInfoRequest) (*cloudquotaspb.QuotaInfo, error) {
	name, err := parseName("name", request.GetName(), "projects", "locations", "services", "quotaInfos")
	if err != nil {
		return nil, err
	}
	_, leave := s.enter()
	defer leave()
	for _, quota := range quotas {
		if quota.ID == name.id() && name.parent().id() == runService {
			return s.quotaInfo(name.project(), quota), nil
		}
	}
	return nil, status.Error(codes.NotFound, "Requested entity was not found.")
}

// ListQuotaInfos implements cloudquotaspb.CloudQuotasServer. They come in the order of their ids.
func (s quotasServer) ListQuotaInfos(_ context.Context, request *cloudquotaspb.ListQuotaInfosRequest) (*cloudquotaspb.ListQuotaInfosResponse, error) {
	parent, err := parseName("parent", request.GetParent(), "projects", "locations", "services")
	if err != nil {
		return nil, err
	}
	_, leave := s.enter()
	defer leave()
	byID := map[string]Quota{}
	var ids []string
	for _, quota := range quotas {
		if parent.id() == runService {
			byID[quota.ID] = quota
			ids = append(ids, quota.ID)
		}
	}
	page, next, err := pageRequest{"quotas " + parent.String(), request.GetPageSize(), request.GetPageToken()}.cut(ids)
	if err != nil {
		return nil, err
	}
	response := &cloudquotaspb.ListQuotaInfosResponse{NextPageToken: next}
	for _, id := range page {
		response.QuotaInfos = append(response.QuotaInfos, s.quotaInfo(parent.project(), byID[id]))
	}
	return response, nil
}

// quotaInfo is one quota with an entry for each region that has one.
func (s quotasServer) quotaInfo(project string, quota Quota) *cloudquotaspb.QuotaInfo {
	info := &cloudquotaspb.QuotaInfo{
		Name:    fmt.Sprintf("projects/%s/locations/global/services/%s/quotaInfos/%s", s.set.projectNumber, runService, quota.ID),
		QuotaId: quota.ID, Metric: quota.Metric, Service: runService, ContainerType: cloudquotaspb.QuotaInfo_PROJECT,
		Dimensions: []string{dimensionRegion}, MetricDisplayName: quota.DisplayName,
		QuotaDisplayName: quota.DisplayName + " per project per region", MetricUnit: "1", IsConcurrent: true,
		QuotaIncreaseEligibility: &cloudquotaspb.QuotaIncreaseEligibility{IsEligible: true},
		ServiceRequestQuotaUri:   "https://console.cloud.google.com/iam-admin/quotas?" + url.Values{"project": {project}, "service": {runService}}.Encode(),
	}
	for _, region := range s.quotas.entries(quota) {
		info.DimensionsInfos = append(info.DimensionsInfos, &cloudquotaspb.DimensionsInfo{
			Dimensions:          map[string]string{dimensionRegion: region},
			Details:             &cloudquotaspb.QuotaDetails{Value: quota.wire(s.quotas.limit(quota, region))},
			ApplicableLocations: []string{region},
		})
	}
	return info
}
