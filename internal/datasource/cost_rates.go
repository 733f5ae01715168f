package datasource

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/billingapi"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/cost"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/diagnose"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/gpu"
)

// Where a price comes from.
const (
	fromBilling   = "billing_catalog"
	fromCatalogue = "catalogue"
)

// rate is the price of one GPU, vCPU or GiB for one second, and where it is from.
type rate struct {
	perSecond                              *cost.Amount // nil: not known, or nothing of it is used
	text, from, source, date, sure, reason string
}

// rates are the prices of what a job uses.
type rates struct{ gpu, cpu, memory rate }

// rates are the prices of the catalogue of Cloud Billing, and where that has none, our own. What kept it from being read is the
// problem, "" for nothing; it is worth one warning in a run.
func (d *costEstimate) rates(ctx context.Context, model *costModel) (all rates, problem string, diags diag.Diagnostics) {
	region, kind := model.Region.ValueString(), d.kindOf(model)
	prices := new(billingapi.Prices)
	if model.LivePrices.ValueBool() {
		read, err := d.data.Prices.Prices(ctx)
		switch {
		case err == nil:
			prices = read
		case d.data.Once("prices of Cloud Billing"):
			diags.Append(diagnose.PricesUnread(err))
			problem = diagnose.PricesProblem(err)
		default:
			problem = diagnose.PricesProblem(err)
		}
	}
	allocations := d.catalogue().AllocationQuotas()
	all.cpu = d.choose(region, "vCPU", allocations.CPU.Prices, live(prices.CPU(region)))
	all.memory = d.choose(region, "GiB of memory", allocations.Memory.Prices, live(prices.Memory(region)))
	switch {
	case kind == nil:
		all.gpu = rate{reason: diagnose.NoGPUToPay()}
	case !kind.InRegion(region):
		all.gpu = d.choose(region, kind.Name, nil, live(prices.GPU(kind.Name, region)))
	default:
		all.gpu = d.choose(region, kind.Name, kind.Prices, live(prices.GPU(kind.Name, region)))
	}
	return all, problem, diags
}

// found is a price of Cloud Billing, or why it has none.
type found struct {
	billingapi.Price
	billingapi.Finding
}

func live(price billingapi.Price, finding billingapi.Finding) found { return found{price, finding} }

// choose takes the price of Cloud Billing, or the one of our catalogue for the price tier of the region. A price that neither
// has stays unknown: that of another tier would be a guess.
func (d *costEstimate) choose(region, what string, own []gpu.Price, billed found) rate {
	if billed.Finding == billingapi.Found {
		return rate{
			perSecond: billed.PerSecond, text: billed.PerSecond.String(), from: fromBilling,
			source: diagnose.BillingSKU(billed.SKU), date: billed.Since, sure: string(gpu.Certain),
		}
	}
	place, known := d.catalogue().Region(region)
	if !known || place.PriceTier == 0 {
		return rate{reason: diagnose.NoPriceTier(what, region)}
	}
	for _, p := range own {
		if p.Tier != place.PriceTier || p.ZonalRedundancy {
			continue
		}
		amount, err := cost.Parse(p.PerSecondUSD)
		if err != nil {
			continue // a catalogue with such a price is refused when it is read
		}
		return rate{
			perSecond: amount, text: p.PerSecondUSD, from: fromCatalogue, source: p.Source, date: p.Date,
			sure: string(weaker(p.Certainty, place.Certainty)), reason: diagnose.NotBilled(billed.Finding),
		}
	}
	return rate{reason: diagnose.NoPrice(what, region, place.PriceTier)}
}

// weaker is the lesser of two certainties: a price is no better known than the tier of its region.
func weaker(a, b gpu.Certainty) gpu.Certainty {
	for _, c := range []gpu.Certainty{gpu.Unknown, gpu.Likely} {
		if a == c || b == c {
			return c
		}
	}
	return gpu.Certain
}

func (r rate) flatten(p cost.Part) partModel {
	return partModel{
		ExpectedUSD: dollars(p.Once), UpperBoundUSD: dollars(p.Bound), USDPerSecond: textOrNull(r.text),
		PriceFrom: textOrNull(r.from), Source: textOrNull(r.source), SourceDate: textOrNull(r.date),
		Certainty: textOrNull(r.sure), Reason: textOrNull(r.reason),
	}
}
