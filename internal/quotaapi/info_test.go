package quotaapi

import (
	"reflect"
	"slices"
	"testing"

	"cloud.google.com/go/cloudquotas/apiv1/cloudquotaspb"
	"google.golang.org/protobuf/encoding/protojson"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/quota"
)

func parse(t *testing.T, text string) *Info {
	t.Helper()
	q := new(cloudquotaspb.QuotaInfo)
	if err := protojson.Unmarshal([]byte(text), q); err != nil {
		t.Fatal(err)
	}
	return decode(q)
}

func TestDecode(t *testing.T) {
	got := parse(t, `{
		"name": "projects/123/locations/global/services/run.googleapis.com/quotaInfos/L4", "quotaId": "L4",
		"metric": "run.googleapis.com/l4", "service": "run.googleapis.com", "containerType": "PROJECT", "dimensions": ["region"],
		"metricDisplayName": "L4 GPUs", "quotaDisplayName": "L4 GPUs per region", "metricUnit": "1", "isFixed": true,
		"quotaIncreaseEligibility": {"ineligibilityReason": "NOT_ENOUGH_USAGE_HISTORY"},
		"serviceRequestQuotaUri": "https://console.cloud.google.com/iam-admin/quotas",
		"dimensionsInfos": [
			{"dimensions": {"region": "us-central1"}, "details": {"value": "3"}, "applicableLocations": ["us-central1"]},
			{"dimensions": {"region": "us-east4", "zone": "us-east4-a"}, "details": {"value": "99"}},
			{"details": {}, "applicableLocations": ["us-east4", "europe-west4"]}
		]
	}`)
	want := &Info{
		Name: "projects/123/locations/global/services/run.googleapis.com/quotaInfos/L4", QuotaID: "L4",
		Metric: "run.googleapis.com/l4", DisplayName: "L4 GPUs per region", MetricUnit: "1", Fixed: true,
		Eligibility: quota.Eligibility{Known: true, Reason: "NOT_ENOUGH_USAGE_HISTORY"},
		RequestURL:  "https://console.cloud.google.com/iam-admin/quotas",
		RegionalQuota: []Regional{
			{Region: "us-central1", Locations: []string{"us-central1"}, Value: 3, HasValue: true},
			{Locations: []string{"us-east4", "europe-west4"}, Value: 0, HasValue: true},
		},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("\n%+v\nwant\n%+v", got, want)
	}
}

func TestLimitOfARegion(t *testing.T) {
	const (
		own     = `{"dimensions": {"region": "us-central1"}, "details": {"value": "10"}, "applicableLocations": ["us-central1"]}`
		zero    = `{"dimensions": {"region": "us-central1"}, "details": {}, "applicableLocations": ["us-central1"]}`
		empty   = `{"dimensions": {"region": "us-central1"}, "applicableLocations": ["us-central1"]}`
		rest    = `{"details": {"value": "3"}, "applicableLocations": ["us-central1", "europe-west4"]}`
		other   = `{"dimensions": {"region": "europe-west4"}, "details": {"value": "50"}, "applicableLocations": ["europe-west4"]}`
		zone    = `{"dimensions": {"region": "us-central1", "zone": "us-central1-a"}, "details": {"value": "99"}}`
		endless = `{"details": {"value": "-1"}, "applicableLocations": ["global"]}`
		bare    = `{"details": {"value": "7"}}`
	)
	for _, tc := range []struct {
		name, entries string
		state         quota.LimitState
		value         int64
		locations     []string
	}{
		{"an entry of its own", own + "," + rest, quota.Known, 10, []string{"us-central1"}},
		{"an entry of several regions", other + "," + rest, quota.Known, 3, []string{"us-central1", "europe-west4"}},
		{"a value of 0 is left out", zero + "," + rest, quota.Known, 0, []string{"us-central1"}},
		{"an entry without details", empty, quota.Absent, 0, []string{"us-central1"}},
		{"the entry of another region", other, quota.Absent, 0, nil},
		{"no entry", "", quota.Absent, 0, nil},
		{"a part of the region", zone, quota.Absent, 0, nil},
		{"a part of the region before the whole", zone + "," + own, quota.Known, 10, []string{"us-central1"}},
		{"unlimited, everywhere", endless, quota.Known, quota.Unlimited, []string{"global"}},
		{"an entry that names no place", bare, quota.Known, 7, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := parse(t, `{"dimensionsInfos": [`+tc.entries+`]}`).Limit("us-central1")
			want := quota.Limit{State: tc.state, Value: tc.value, Locations: tc.locations}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%+v, want %+v", got, want)
			}
		})
	}
}

func TestEligibility(t *testing.T) {
	for text, want := range map[string]quota.Eligibility{
		`{}`:                               {},
		`{"quotaIncreaseEligibility": {}}`: {Known: true},
		`{"quotaIncreaseEligibility": {"isEligible": true}}`:                                {Known: true, Eligible: true},
		`{"quotaIncreaseEligibility": {"ineligibilityReason": "NO_VALID_BILLING_ACCOUNT"}}`: {Known: true, Reason: "NO_VALID_BILLING_ACCOUNT"},
		`{"quotaIncreaseEligibility": {"ineligibilityReason": 77}}`:                         {Known: true, Reason: "77"},
	} {
		if got := parse(t, text).Limit("us-central1").Eligibility; got != want {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
}

func BenchmarkLimit(b *testing.B) {
	info := &Info{RegionalQuota: []Regional{{Region: "a", HasValue: true}, {Locations: []string{"b", "us-central1"}, Value: 3, HasValue: true}}}
	b.ReportAllocs()
	for b.Loop() {
		if info.Limit("us-central1").Value != 3 {
			b.Fatal("another limit")
		}
	}
}

func TestRegionsThatAQuotaNames(t *testing.T) {
	t.Parallel()
	info := Info{RegionalQuota: []Regional{
		{Region: "us-central1", Locations: []string{"us-central1"}}, {Locations: []string{"global", "europe-west4", "asia-south1"}}, {},
	}}
	if got := info.Regions(); !slices.Equal(got, []string{"asia-south1", "europe-west4", "us-central1"}) {
		t.Errorf("%v", got)
	}
}
