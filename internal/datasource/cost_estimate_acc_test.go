package datasource_test

import (
	"math/big"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"google.golang.org/grpc/codes"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/acctest"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/emulator"
)

const (
	listSkus = "CloudCatalog.ListSkus"
	// mostRuns is how often a test step runs the provider at most: apply, two plans and two refreshes, destroy. Three estimates
	// that each read the price list would show as more calls.
	mostRuns = 8
)

// decimal checks a number to the last digit.
func decimal(t *testing.T, number string) knownvalue.Check {
	t.Helper()
	f, _, err := big.ParseFloat(number, 10, 512, big.ToNearestEven)
	if err != nil {
		t.Fatal(err)
	}
	return knownvalue.NumberExact(f)
}

// Two estimates of one run read the price list once. The figures were computed by hand from the list prices.
func TestCostEstimate(t *testing.T) {
	for _, transport := range []string{"grpc", "rest"} {
		t.Run(transport, func(t *testing.T) {
			stage := acctest.Start(t)
			stage.EmulatorOnly()
			const l4, rtx, plain = "data.cloudrungpu_cost_estimate.l4", "data.cloudrungpu_cost_estimate.rtx", "data.cloudrungpu_cost_estimate.plain"
			step := resource.TestStep{
				Config: `
					provider "cloudrungpu" { transport = "` + transport + `" }
					data "cloudrungpu_cost_estimate" "l4" {
						gpu_type      = "nvidia-l4"
						cpu           = "8"
						memory        = "32Gi"
						task_count    = 12
						task_duration = "1h"
					}
					data "cloudrungpu_cost_estimate" "rtx" {
						gpu_type      = "nvidia-rtx-pro-6000"
						region        = "europe-west4"
						task_duration = "1s"
						max_retries   = 0
					}
					data "cloudrungpu_cost_estimate" "plain" {
						region        = "asia-southeast1"
						task_duration = "100s"
					}
					output "bound" { value = data.cloudrungpu_cost_estimate.l4.upper_bound_usd }
				`,
				ConfigStateChecks: []statecheck.StateCheck{
					expect(l4, decimal(t, "17.05104"), "expected_usd"),
					expect(l4, decimal(t, "68.20416"), "upper_bound_usd"),
					expect(l4, decimal(t, "8.06544"), "parts", "gpu", "expected_usd"),
					expect(l4, decimal(t, "6.2208"), "parts", "cpu", "expected_usd"),
					expect(l4, decimal(t, "2.7648"), "parts", "memory", "expected_usd"),
					expect(l4, text("0.0001867"), "parts", "gpu", "usd_per_second"),
					expect(l4, text("billing_catalog"), "parts", "gpu", "price_from"),
					expect(l4, text("2026-09-30"), "parts", "gpu", "source_date"),
					expect(l4, knownvalue.StringRegexp(regexp.MustCompile("^Cloud Billing SKU E000-0000-")), "parts", "memory", "source"),
					expect(l4, knownvalue.Null(), "parts", "gpu", "reason"),
					expect(l4, knownvalue.Null(), "billing_catalog_problem"),
					expect(l4, whole(3), "max_retries"),
					expect(l4, whole(1), "price_tier"),
					expect(rtx, decimal(t, "0.0531132"), "expected_usd"), // a minute of 0.00036522 + 20 x 0.000018 + 80 x 0.000002
					expect(rtx, decimal(t, "0.0531132"), "upper_bound_usd"),
					expect(rtx, decimal(t, "60"), "billed_seconds"),
					expect(rtx, text("20"), "cpu"),
					expect(rtx, text("80Gi"), "memory"),
					expect(plain, decimal(t, "0.00228"), "expected_usd"), // 100 x (0.0000216 + 0.5 x 0.0000024)
					expect(plain, whole(0), "gpu_count"),
					expect(plain, decimal(t, "0"), "parts", "gpu", "expected_usd"),
					expect(plain, text("the job has no GPU"), "parts", "gpu", "reason"),
				},
			}
			stage.Run(step)
			if lists := stage.Calls(listSkus); lists == 0 || lists > mostRuns {
				t.Errorf("%d calls of %s, for at most %d runs of Terraform with three estimates each", lists, listSkus, mostRuns)
			}
		})
	}
}

// The prices of the provider serve where nobody is to be asked, and where Cloud Billing refuses: the same figures, and a problem.
func TestCostEstimateFromTheCatalogue(t *testing.T) {
	const estimate = `
		data "cloudrungpu_cost_estimate" "x" {
			gpu_type      = "nvidia-l4"
			task_duration = "1h"
			max_retries   = 1
			%LIVE%
		}
	`
	for name, c := range map[string]struct {
		written string
		fault   *emulator.Fault
		problem knownvalue.Check
		calls   bool
	}{
		"asked for": {written: "live_prices = false", problem: knownvalue.Null()},
		"denied": {
			fault:   &emulator.Fault{Method: listSkus, Code: codes.PermissionDenied, Times: emulator.Always},
			problem: text("Cloud Billing answered PERMISSION_DENIED"), calls: true,
		},
		"broken": {
			fault:   &emulator.Fault{Method: listSkus, Code: codes.Internal, Times: emulator.Always},
			problem: text("Cloud Billing answered INTERNAL"), calls: true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			stage := acctest.Start(t)
			stage.EmulatorOnly()
			if c.fault != nil {
				refuse(t, stage, *c.fault)
			}
			const x = "data.cloudrungpu_cost_estimate.x"
			stage.Run(resource.TestStep{
				Config: regexp.MustCompile("%LIVE%").ReplaceAllString(estimate, c.written),
				ConfigStateChecks: []statecheck.StateCheck{
					expect(x, decimal(t, "1.04652"), "expected_usd"),
					expect(x, decimal(t, "2.09304"), "upper_bound_usd"),
					expect(x, text("catalogue"), "parts", "gpu", "price_from"),
					expect(x, text("2026-10-01"), "parts", "gpu", "source_date"),
					expect(x, text("certain"), "parts", "cpu", "certainty"),
					expect(x, c.problem, "billing_catalog_problem"),
				},
			})
			if called := stage.Calls(listSkus) > 0; called != c.calls {
				t.Errorf("Cloud Billing was asked: %t, want %t", called, c.calls)
			}
		})
	}
}

// No price is better than a wrong one.
func TestCostEstimateWithoutAPrice(t *testing.T) {
	stage := acctest.Start(t)
	stage.EmulatorOnly()
	const tier, elsewhere, reported = "data.cloudrungpu_cost_estimate.tier", "data.cloudrungpu_cost_estimate.elsewhere", "data.cloudrungpu_cost_estimate.reported"
	stage.Run(resource.TestStep{
		Config: `
			data "cloudrungpu_cost_estimate" "tier" {
				gpu_type      = "nvidia-l4"
				region        = "asia-southeast1"
				task_duration = "1h"
			}
			data "cloudrungpu_cost_estimate" "elsewhere" {
				gpu_type      = "nvidia-l4"
				region        = "mars-north1"
				task_duration = "1h"
			}
			data "cloudrungpu_cost_estimate" "reported" {
				gpu_type      = "nvidia-l4"
				region        = "us-east4"
				task_duration = "1h"
				live_prices   = false
			}
		`,
		ConfigStateChecks: []statecheck.StateCheck{
			expect(tier, knownvalue.Null(), "expected_usd"),
			expect(tier, knownvalue.Null(), "upper_bound_usd"),
			expect(tier, knownvalue.Null(), "parts", "gpu", "expected_usd"),
			expect(tier, knownvalue.StringRegexp(regexp.MustCompile("price tier 2$")), "parts", "gpu", "reason"),
			expect(tier, decimal(t, "0.31104"), "parts", "cpu", "expected_usd"),
			expect(elsewhere, knownvalue.Null(), "price_tier"),
			expect(elsewhere, knownvalue.Null(), "expected_usd"),
			expect(elsewhere, knownvalue.StringRegexp(regexp.MustCompile("does not know the region")), "parts", "cpu", "reason"),
			expect(reported, text("likely"), "parts", "cpu", "certainty"),
		},
	})
}

func TestCostEstimateRefuses(t *testing.T) {
	stage := acctest.Start(t)
	estimate := func(body string) string {
		return `data "cloudrungpu_cost_estimate" "x" { 
			task_duration = "1h"
			` + body + `
		}`
	}
	stage.Run(
		resource.TestStep{Config: estimate(`gpu_type = "l4"`), ExpectError: regexp.MustCompile(`(?s)no GPU type "l4".*nvidia-l4`)},
		resource.TestStep{Config: estimate(`gpu_count = 1`), ExpectError: regexp.MustCompile(`no\s+gpu_type`)},
		resource.TestStep{
			Config:      estimate("gpu_type = \"nvidia-l4\"\ngpu_count = 2"),
			ExpectError: regexp.MustCompile(`(?s)cannot have 2 GPUs.*it can\s+have are: 1\.`),
		},
		resource.TestStep{Config: estimate(`max_retries = 11`), ExpectError: regexp.MustCompile(`max_retries`)},
		resource.TestStep{Config: estimate(`memory = "much"`), ExpectError: regexp.MustCompile(`memory`)},
	)
}

// The example's ceiling: Terraform warns of an estimate above it.
func TestCostCeiling(t *testing.T) {
	stage := acctest.Start(t)
	stage.EmulatorOnly()
	cli := stage.CLI(map[string]string{"main.tf": `
		terraform {
			required_providers {
				cloudrungpu = { source = "cloudrungpu/cloudrungpu" }
			}
		}
		variable "ceiling" { type = number }
		data "cloudrungpu_cost_estimate" "x" {
			gpu_type      = "nvidia-l4"
			task_duration = "1h"
			max_retries   = 1
		}
		check "ceiling" {
			assert {
				condition     = data.cloudrungpu_cost_estimate.x.upper_bound_usd <= var.ceiling
				error_message = "More than ${var.ceiling} USD."
			}
		}
	`})
	const said = "More than 2.09303 USD."
	if printed := cli.Must("plan", "-no-color", "-var", "ceiling=2.09303"); !strings.Contains(printed, said) {
		t.Errorf("no warning of 2.09304 USD:\n%s", printed)
	}
	if printed := cli.Must("plan", "-no-color", "-var", "ceiling=2.09304"); strings.Contains(printed, "Check block assertion failed") {
		t.Errorf("a warning of what is just the ceiling:\n%s", printed)
	}
}
