package quotaapi

import (
	"maps"
	"slices"

	"cloud.google.com/go/cloudquotas/apiv1/cloudquotaspb"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/quota"
)

// Info is a quota of a project in all regions.
type Info struct {
	Name          string // projects/NUMBER/locations/global/services/run.googleapis.com/quotaInfos/ID
	QuotaID       string
	Metric        string // "run.googleapis.com/nvidia_l4_gpu_allocation_no_zonal_redundancy"
	DisplayName   string
	MetricUnit    string // as the API has it, which says "1" also where it counts thousandths
	Fixed         bool   // nobody can have more
	Eligibility   quota.Eligibility
	RequestURL    string // page of the console on which to ask for more; "" where the API does not say
	RegionalQuota []Regional
}

// Regional is one entry of a quota, as specific as the API makes it.
type Regional struct {
	Region    string   // "" for an entry of all the Locations that have none of their own
	Locations []string // the regions that the entry is good for
	Value     int64    // in quota units; quota.Unlimited
	HasValue  bool     // false: the API names the entry without a value
}

// global stands in the locations of an entry that does not depend on a region.
const global = "global"

// regionDimension is the only dimension that quotas of Cloud Run are known to have.
const regionDimension = "region"

func decode(q *cloudquotaspb.QuotaInfo) *Info {
	info := &Info{
		Name: q.GetName(), QuotaID: q.GetQuotaId(), Metric: q.GetMetric(), DisplayName: q.GetQuotaDisplayName(),
		MetricUnit: q.GetMetricUnit(), Fixed: q.GetIsFixed(), RequestURL: q.GetServiceRequestQuotaUri(),
		Eligibility: eligibility(q.GetQuotaIncreaseEligibility()),
	}
	for _, d := range q.GetDimensionsInfos() {
		dimensions := maps.Clone(d.GetDimensions())
		region := dimensions[regionDimension]
		delete(dimensions, regionDimension)
		if len(dimensions) > 0 {
			continue // a part of a region, by a dimension that is not known here
		}
		info.RegionalQuota = append(info.RegionalQuota, Regional{
			Region: region, Locations: slices.Clone(d.GetApplicableLocations()),
			Value: d.GetDetails().GetValue(), HasValue: d.GetDetails() != nil,
		})
	}
	return info
}

func eligibility(e *cloudquotaspb.QuotaIncreaseEligibility) quota.Eligibility {
	if e == nil {
		return quota.Eligibility{}
	}
	stated := quota.Eligibility{Known: true, Eligible: e.GetIsEligible()}
	unsaid := cloudquotaspb.QuotaIncreaseEligibility_INELIGIBILITY_REASON_UNSPECIFIED
	if reason := e.GetIneligibilityReason(); !stated.Eligible && reason != unsaid {
		stated.Reason = reason.String()
	}
	return stated
}

// Limit returns the limit of a region. Entries go from the most to the least specific, so that the first one that is good for
// the region counts.
func (i *Info) Limit(region string) quota.Limit {
	limit := quota.Limit{State: quota.Absent, Eligibility: i.Eligibility}
	for _, r := range i.RegionalQuota {
		if !r.covers(region) {
			continue
		}
		limit.Locations = r.Locations
		if r.HasValue {
			limit.State, limit.Value = quota.Known, max(r.Value, quota.Unlimited)
		}
		return limit
	}
	return limit
}

// covers reports whether an entry is good for a region. One that names neither a region nor locations leaves nobody out.
func (r Regional) covers(region string) bool {
	if r.Region != "" {
		return r.Region == region
	}
	return len(r.Locations) == 0 || slices.Contains(r.Locations, region) || slices.Contains(r.Locations, global)
}

// Regions returns the regions that the quota names, sorted: those of its entries and those that an entry is good for.
func (i *Info) Regions() []string {
	named := map[string]bool{}
	for _, r := range i.RegionalQuota {
		named[r.Region] = true
		for _, location := range r.Locations {
			named[location] = true
		}
	}
	delete(named, "")
	delete(named, global)
	return slices.Sorted(maps.Keys(named))
}
