package emulator

import (
	"context"
	"fmt"
	"slices"

	"cloud.google.com/go/billing/apiv1/billingpb"
	"google.golang.org/genproto/googleapis/type/money"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/timestamppb"
)

// cloudRunInCatalog is the name of Cloud Run in the catalogue of Cloud Billing.
const cloudRunInCatalog = "services/152E-C115-5142"

// catalogServer answers google.cloud.billing.v1.CloudCatalog, for the prices of Cloud Run jobs and a few beside them that are
// easily taken for those.
type catalogServer struct {
	billingpb.UnimplementedCloudCatalogServer
}

// ListServices implements billingpb.CloudCatalogServer.
func (catalogServer) ListServices(context.Context, *billingpb.ListServicesRequest) (*billingpb.ListServicesResponse, error) {
	return &billingpb.ListServicesResponse{Services: []*billingpb.Service{{
		Name: cloudRunInCatalog, ServiceId: cloudRunInCatalog[len("services/"):], DisplayName: "Cloud Run", BusinessEntityName: "businessEntities/GCP",
	}}}, nil
}

// ListSkus implements billingpb.CloudCatalogServer. They come in the order of their ids.
func (catalogServer) ListSkus(_ context.Context, request *billingpb.ListSkusRequest) (*billingpb.ListSkusResponse, error) {
	if request.GetParent() != cloudRunInCatalog {
		return nil, status.Error(codes.NotFound, "Requested entity was not found.")
	}
	if currency := request.GetCurrencyCode(); currency != "" && currency != "USD" {
		return nil, invalidArgument(violation{"currency_code", "the emulator has prices in USD only"})
	}
	byID := map[string]*billingpb.Sku{}
	var ids []string
	for _, sku := range skus() {
		byID[sku.GetSkuId()] = sku
		ids = append(ids, sku.GetSkuId())
	}
	page, next, err := pageRequest{"skus " + request.GetParent(), request.GetPageSize(), request.GetPageToken()}.cut(ids)
	if err != nil {
		return nil, err
	}
	response := &billingpb.ListSkusResponse{NextPageToken: next}
	for _, id := range page {
		response.Skus = append(response.Skus, byID[id])
	}
	return response, nil
}

// Regions with the higher prices of CPU and memory. Whether GPUs cost more there too is not known, so they have no price there.
var tierTwo = []string{"asia-south1", "asia-south2", "asia-southeast1"}

// What a second costs in billionths of a dollar, and what is free each month, as of the pricing page of 2026-10-01.
const (
	nanosCPU, freeCPU       = 18_000, 240_000
	nanosMemory, freeMemory = 2_000, 450_000
	nanosCPUTierTwo         = 21_600
	nanosMemoryTierTwo      = 2_400
)

// gpuNanos is a second of a GPU without and with zonal redundancy.
var gpuNanos = []struct {
	name          string
	regions       []string
	without, with int32
}{
	{"NVIDIA L4", regionsL4, 186_700, 290_900},
	{"NVIDIA RTX PRO 6000", regionsRTX, 365_220, 569_130},
}

// skus is the catalogue. The descriptions for CPU and memory are those of the real one; those for GPUs are a guess.
func skus() []*billingpb.Sku {
	var all []*billingpb.Sku
	add := func(description, region, unit string, free float64, nanos int32) {
		all = append(all, newSKU(len(all), description, region, unit, free, nanos))
	}
	for _, region := range locations {
		cpu, memory := int32(nanosCPU), int32(nanosMemory)
		if slices.Contains(tierTwo, region) {
			cpu, memory = nanosCPUTierTwo, nanosMemoryTierTwo
		}
		add("Jobs CPU in "+region, region, "s", freeCPU, cpu)
		add("Jobs Memory in "+region, region, "GiBy.s", freeMemory, memory)
		add("Worker Pools CPU in "+region, region, "s", 0, cpu-6_244)
	}
	for _, gpu := range gpuNanos {
		for _, region := range gpu.regions {
			if slices.Contains(tierTwo, region) {
				continue
			}
			add(gpu.name+" GPU (no zonal redundancy) in "+region, region, "s", 0, gpu.without)
			add(gpu.name+" GPU (zonal redundancy) in "+region, region, "s", 0, gpu.with)
		}
	}
	return all
}

func newSKU(number int, description, region, unit string, free float64, nanos int32) *billingpb.Sku {
	id := fmt.Sprintf("E000-0000-%04X", number)
	rates := []*billingpb.PricingExpression_TierRate{{StartUsageAmount: free, UnitPrice: &money.Money{CurrencyCode: "USD", Nanos: nanos}}}
	if free > 0 {
		rates = append([]*billingpb.PricingExpression_TierRate{{UnitPrice: &money.Money{CurrencyCode: "USD"}}}, rates...)
	}
	return &billingpb.Sku{
		Name: cloudRunInCatalog + "/skus/" + id, SkuId: id, Description: description,
		Category: &billingpb.Category{
			ServiceDisplayName: "Cloud Run", ResourceFamily: "ApplicationServices", ResourceGroup: "Compute", UsageType: "OnDemand",
		},
		ServiceRegions: []string{region}, ServiceProviderName: "Google",
		GeoTaxonomy: &billingpb.GeoTaxonomy{Type: billingpb.GeoTaxonomy_REGIONAL, Regions: []string{region}},
		PricingInfo: []*billingpb.PricingInfo{{
			EffectiveTime:          &timestamppb.Timestamp{Seconds: 1_790_809_200}, // 2026-09-30T23:00:00Z: prices do not change while it runs
			PricingExpression:      &billingpb.PricingExpression{UsageUnit: unit, DisplayQuantity: 1, TieredRates: rates},
			CurrencyConversionRate: 1,
		}},
	}
}
