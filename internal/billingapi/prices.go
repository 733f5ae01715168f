package billingapi

import (
	"slices"
	"strings"
	"unicode"

	"cloud.google.com/go/billing/apiv1/billingpb"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/cost"
)

const (
	currency = "USD"
	onDemand = "OnDemand"
)

// Prices are the list prices of Cloud Run.
type Prices struct{ skus []sku }

// sku is an entry of the catalogue whose usage is paid as it comes.
type sku struct {
	*billingpb.Sku
	words []string // of its description, in lower case: the catalogue says nowhere else what an entry is for
}

// Price is what one GPU, vCPU or GiB costs for one second.
type Price struct {
	PerSecond *cost.Amount
	SKU       string // id of the entry
	Since     string // "2006-01-02": the day from which the catalogue has the price; "" where it does not say
}

// Finding says what came of looking for a price.
type Finding string

// The findings.
const (
	Found      Finding = "found"
	Missing    Finding = "missing"    // no entry that is known to be the one
	Ambiguous  Finding = "ambiguous"  // entries with different prices
	Unreadable Finding = "unreadable" // an entry whose unit, currency or price makes no sense
)

func newPrices(all []*billingpb.Sku) *Prices {
	p := new(Prices)
	for _, s := range all {
		if s.GetCategory().GetUsageType() == onDemand {
			p.skus = append(p.skus, sku{Sku: s, words: wordsOf(s.GetDescription())})
		}
	}
	return p
}

// GPU is the price of one GPU of a type ("nvidia-l4") in a region, without zonal redundancy: the one that jobs pay. An entry
// has to say that it is without; how the real catalogue words it is not known, and an entry that is silent may be either.
func (p *Prices) GPU(gpuType, region string) (Price, Finding) {
	model := slices.DeleteFunc(wordsOf(gpuType), func(w string) bool { return w == "nvidia" })
	return p.find(region, perSecond, func(s sku) bool {
		return s.says("gpu") && s.says(model...) && s.says("zonal", "redundancy") && (s.says("no") || s.says("without") || s.says("non"))
	})
}

// CPU is the price of one vCPU of a job in a region: "Jobs CPU in us-central1".
func (p *Prices) CPU(region string) (Price, Finding) {
	return p.find(region, perSecond, func(s sku) bool { return s.says("jobs", "cpu") && !s.says("delayed") })
}

// Memory is the price of one GiB of a job in a region: "Jobs Memory in us-central1".
func (p *Prices) Memory(region string) (Price, Finding) {
	return p.find(region, perGiBSecond, func(s sku) bool { return s.says("jobs", "memory") && !s.says("delayed") })
}

// find is the one price of all the entries of a region that are wanted.
func (p *Prices) find(region string, units map[string]int64, wanted func(sku) bool) (Price, Finding) {
	var found Price
	for _, s := range p.skus {
		if !slices.Contains(s.GetServiceRegions(), region) || !wanted(s) {
			continue
		}
		price, ok := s.price(units)
		switch {
		case !ok:
			return Price{}, Unreadable
		case found.PerSecond == nil:
			found = price
		case !found.PerSecond.Equal(price.PerSecond):
			return Price{}, Ambiguous
		case price.SKU < found.SKU:
			found = price // the same one whatever the order of the list
		}
	}
	if found.PerSecond == nil {
		return Price{}, Missing
	}
	return found, Found
}

// The units of usage, and how many seconds each has.
var (
	perSecond    = map[string]int64{"s": 1, "min": 60, "h": 3600}
	perGiBSecond = map[string]int64{"GiBy.s": 1, "GiBy.min": 60, "GiBy.h": 3600}
)

// price is the newest price of an entry. What is free each month comes first and costs nothing: it is passed over.
func (s sku) price(units map[string]int64) (Price, bool) {
	if len(s.GetPricingInfo()) == 0 {
		return Price{}, false
	}
	info := s.GetPricingInfo()[len(s.GetPricingInfo())-1]
	seconds, known := units[info.GetPricingExpression().GetUsageUnit()]
	if !known {
		return Price{}, false
	}
	price := Price{SKU: s.GetSkuId()}
	if since := info.GetEffectiveTime(); since.IsValid() {
		price.Since = since.AsTime().Format("2006-01-02")
	}
	for _, rate := range info.GetPricingExpression().GetTieredRates() {
		money := rate.GetUnitPrice()
		if money.GetCurrencyCode() != currency || money.GetUnits() < 0 || money.GetNanos() < 0 {
			return Price{}, false
		}
		price.PerSecond = cost.Nanos(money.GetUnits(), money.GetNanos(), seconds)
		if !price.PerSecond.IsZero() {
			return price, true
		}
	}
	return Price{}, false
}

// says reports whether all words are in the description.
func (s sku) says(words ...string) bool {
	for _, w := range words {
		if !slices.Contains(s.words, w) {
			return false
		}
	}
	return true
}

func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
