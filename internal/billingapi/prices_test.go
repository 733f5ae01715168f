package billingapi

import (
	"slices"
	"testing"

	"cloud.google.com/go/billing/apiv1/billingpb"
	"google.golang.org/genproto/googleapis/type/money"
)

// entry is an SKU of us-central1 with a price a second.
func entry(id, description string, nanos int32, change ...func(*billingpb.Sku)) *billingpb.Sku {
	s := &billingpb.Sku{
		SkuId: id, Description: description, Category: &billingpb.Category{UsageType: "OnDemand"}, ServiceRegions: []string{"us-central1"},
		PricingInfo: []*billingpb.PricingInfo{{PricingExpression: &billingpb.PricingExpression{
			UsageUnit: "s", TieredRates: []*billingpb.PricingExpression_TierRate{{UnitPrice: &money.Money{CurrencyCode: "USD", Nanos: nanos}}},
		}}},
	}
	for _, c := range change {
		c(s)
	}
	return s
}

func TestWhichEntryIsMeant(t *testing.T) {
	t.Parallel()
	unit := func(u string) func(*billingpb.Sku) {
		return func(s *billingpb.Sku) { s.PricingInfo[0].PricingExpression.UsageUnit = u }
	}
	free := func(s *billingpb.Sku) {
		x := s.PricingInfo[0].PricingExpression
		x.TieredRates = slices.Insert(x.TieredRates, 0, &billingpb.PricingExpression_TierRate{UnitPrice: &money.Money{CurrencyCode: "USD"}})
	}
	euros := func(s *billingpb.Sku) {
		s.PricingInfo[0].PricingExpression.TieredRates[0].UnitPrice.CurrencyCode = "EUR"
	}
	for name, c := range map[string]struct {
		skus []*billingpb.Sku
		ask  func(*Prices) (Price, Finding)
		want Finding
		usd  string
		id   string
	}{
		"CPU of jobs, not of worker pools": {
			skus: []*billingpb.Sku{entry("B", "Worker Pools CPU in us-central1", 1), entry("A", "Jobs CPU in us-central1", 18000, free)},
			ask:  func(p *Prices) (Price, Finding) { return p.CPU("us-central1") }, want: Found, usd: "0.000018", id: "A",
		},
		"memory by the hour": {
			skus: []*billingpb.Sku{entry("A", "Jobs Memory in us-central1", 7_200_000, unit("GiBy.h"))},
			ask:  func(p *Prices) (Price, Finding) { return p.Memory("us-central1") }, want: Found, usd: "0.000002", id: "A",
		},
		"memory by the second of what": {
			skus: []*billingpb.Sku{entry("A", "Jobs Memory in us-central1", 2000)},
			ask:  func(p *Prices) (Price, Finding) { return p.Memory("us-central1") }, want: Unreadable,
		},
		"a price in another currency": {
			skus: []*billingpb.Sku{entry("A", "Jobs CPU in us-central1", 18000, euros)},
			ask:  func(p *Prices) (Price, Finding) { return p.CPU("us-central1") }, want: Unreadable,
		},
		"nothing but free": {
			skus: []*billingpb.Sku{entry("A", "Jobs CPU in us-central1", 0)},
			ask:  func(p *Prices) (Price, Finding) { return p.CPU("us-central1") }, want: Unreadable,
		},
		"an entry without prices": {
			skus: []*billingpb.Sku{entry("A", "Jobs CPU in us-central1", 1, func(s *billingpb.Sku) { s.PricingInfo = nil })},
			ask:  func(p *Prices) (Price, Finding) { return p.CPU("us-central1") }, want: Unreadable,
		},
		"another region": {
			skus: []*billingpb.Sku{entry("A", "Jobs CPU in us-central1", 18000)},
			ask:  func(p *Prices) (Price, Finding) { return p.CPU("us-east4") }, want: Missing,
		},
		"paid in advance": {
			skus: []*billingpb.Sku{entry("A", "Jobs CPU in us-central1", 1, func(s *billingpb.Sku) { s.Category.UsageType = "Commit1Yr" })},
			ask:  func(p *Prices) (Price, Finding) { return p.CPU("us-central1") }, want: Missing,
		},
		"two prices": {
			skus: []*billingpb.Sku{entry("A", "Jobs CPU in us-central1", 1), entry("B", "Jobs CPU", 2)},
			ask:  func(p *Prices) (Price, Finding) { return p.CPU("us-central1") }, want: Ambiguous,
		},
		"one price twice": {
			skus: []*billingpb.Sku{entry("B", "Jobs CPU in us-central1", 18000), entry("A", "Jobs CPU", 18000)},
			ask:  func(p *Prices) (Price, Finding) { return p.CPU("us-central1") }, want: Found, usd: "0.000018", id: "A",
		},
		"a GPU without zonal redundancy": {
			skus: []*billingpb.Sku{
				entry("A", "NVIDIA L4 GPU Zonal Redundancy", 290_900), entry("B", "Nvidia L4 GPU, no zonal redundancy", 186_700),
				entry("C", "NVIDIA RTX PRO 6000 GPU without Zonal Redundancy", 365_220),
			},
			ask: func(p *Prices) (Price, Finding) { return p.GPU("nvidia-l4", "us-central1") }, want: Found, usd: "0.0001867", id: "B",
		},
		"a GPU that does not say": {
			skus: []*billingpb.Sku{entry("A", "NVIDIA L4 GPU", 290_900)},
			ask:  func(p *Prices) (Price, Finding) { return p.GPU("nvidia-l4", "us-central1") }, want: Missing,
		},
		"an empty catalogue": {ask: func(p *Prices) (Price, Finding) { return p.CPU("us-central1") }, want: Missing},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			price, finding := c.ask(newPrices(c.skus))
			if finding != c.want {
				t.Fatalf("%s, want %s", finding, c.want)
			}
			if c.want == Found && (price.PerSecond.String() != c.usd || price.SKU != c.id) {
				t.Errorf("%s of %s, want %s of %s", price.PerSecond, price.SKU, c.usd, c.id)
			}
		})
	}
}
