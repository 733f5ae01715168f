package datasource_test

import (
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/acctest"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/emulator"
)

// expect checks a value of a data source; below the attribute the path is keys and list indices.
func expect(address string, want knownvalue.Check, attribute string, keys ...any) statecheck.StateCheck {
	at := tfjsonpath.New(attribute)
	for _, key := range keys {
		switch key := key.(type) {
		case string:
			at = at.AtMapKey(key)
		case int:
			at = at.AtSliceIndex(key)
		}
	}
	return statecheck.ExpectKnownValue(address, at, want)
}

func text(s string) knownvalue.Check { return knownvalue.StringExact(s) }

func texts(values ...string) []knownvalue.Check {
	checks := make([]knownvalue.Check, len(values))
	for i, v := range values {
		checks[i] = text(v)
	}
	return checks
}

func whole(n int64) knownvalue.Check { return knownvalue.Int64Exact(n) }

func TestGPUTypes(t *testing.T) {
	stage := acctest.Start(t)
	const all, one = "data.cloudrungpu_gpu_types.all", "data.cloudrungpu_gpu_types.one"
	const rtx = "nvidia-rtx-pro-6000"
	stage.Run(resource.TestStep{
		Config: `
			data "cloudrungpu_gpu_types" "all" {}
			data "cloudrungpu_gpu_types" "one" { region = "us-east4" }
			data "cloudrungpu_gpu_types" "none" { region = "europe-north1" }
			output "cheapest_first" { value = [for name in data.cloudrungpu_gpu_types.all.names : data.cloudrungpu_gpu_types.all.types[name].sizes[0].cpu] }
		`,
		ConfigStateChecks: []statecheck.StateCheck{
			expect(all, knownvalue.SetExact(texts("nvidia-l4", rtx)), "names"),
			expect(one, knownvalue.SetExact(texts("nvidia-l4")), "names"),
			expect("data.cloudrungpu_gpu_types.none", knownvalue.SetSizeExact(0), "names"),
			expect("data.cloudrungpu_gpu_types.none", knownvalue.MapSizeExact(0), "types"),
			expect(all, whole(96), "types", rtx, "memory_gb"),
			expect(all, text("Blackwell"), "types", rtx, "architecture"),
			expect(all, text("580.x"), "types", rtx, "driver_version"),
			expect(all, text("13.0"), "types", rtx, "cuda_version"),
			expect(all, knownvalue.ListExact([]knownvalue.Check{whole(1)}), "types", rtx, "gpus_per_task"),
			expect(all, knownvalue.ListExact([]knownvalue.Check{whole(4), whole(6), whole(8)}), "types", "nvidia-l4", "cpus"),
			expect(all, whole(20), "types", rtx, "sizes", 0, "cpu"),
			expect(all, text("80Gi"), "types", rtx, "sizes", 5, "min_memory"),
			expect(all, text("120Gi"), "types", rtx, "sizes", 5, "max_memory"),
			expect(all, text("GA"), "types", rtx, "launch_stage"),
			expect(all, text("3600s"), "types", rtx, "longest_task", "GA"),
			expect(all, text("43200s"), "types", rtx, "longest_task", "BETA"),
			expect(all, knownvalue.Bool(true), "types", rtx, "regions", "asia-south2", "invitation_only"),
			expect(all, knownvalue.Null(), "types", rtx, "regions", "us-central1", "note"),
			expect(all, text("many GPUs may need a quota request"), "types", "nvidia-l4", "regions", "us-central1", "note"),
			expect(all, text("2026-04-13"), "types", "nvidia-l4", "regions", "us-central1", "source_date"),
			expect(all, text("NvidiaRtxPro6000GpuAllocNoZonalRedundancyPerProjectRegion"), "types", rtx, "quota", "id"),
			expect(all, whole(1000), "types", rtx, "quota", "units_per_gpu"),
			expect(all, text("NvidiaL4GpuAllocPerProjectRegion"), "types", "nvidia-l4", "zonal_redundancy_quota", "id"),
			expect(all, whole(3), "types", rtx, "first_use_grant"),
			expect(all, text("0.00036522"), "types", rtx, "prices", 0, "usd_per_second"),
			expect(all, text("580.x"), "types", "nvidia-l4", "facts", "driver", "value"),
			expect(all, text("certain"), "types", "nvidia-l4", "facts", "driver", "certainty"),
			stage.ExpectCalls("*", 0),
		},
	})
}

func TestGPUTypesRefusesAnotherType(t *testing.T) {
	stage := acctest.Start(t)
	stage.Run(resource.TestStep{
		Config:      `data "cloudrungpu_gpu_types" "x" { type = "l4" }`,
		ExpectError: regexp.MustCompile(`(?s)no GPU type "l4".*nvidia-l4`),
	}, resource.TestStep{
		Config:      `data "cloudrungpu_regions" "x" { gpu_type = "nvidia-tesla-t4" }`,
		ExpectError: regexp.MustCompile(`(?s)no GPU type "nvidia-tesla-t4".*nvidia-l4.*nvidia-rtx-pro-6000`),
	}, resource.TestStep{
		Config: `
			resource "terraform_data" "later" { input = "nvidia-a100" }
			data "cloudrungpu_quota" "x" { gpu_type = terraform_data.later.output }
		`,
		ExpectError: regexp.MustCompile(`no GPU type "nvidia-a100"`),
	})
}

func TestRegions(t *testing.T) {
	stage := acctest.Start(t)
	const all, rtx = "data.cloudrungpu_regions.all", "data.cloudrungpu_regions.rtx"
	stage.Run(resource.TestStep{
		Config: `
			data "cloudrungpu_regions" "all" {}
			data "cloudrungpu_regions" "rtx" { gpu_type = "nvidia-rtx-pro-6000" }
		`,
		ConfigStateChecks: []statecheck.StateCheck{
			expect(all, knownvalue.SetSizeExact(7), "names"),
			expect(rtx, knownvalue.SetExact(texts("asia-south2", "asia-southeast1", "europe-west4", "us-central1")), "names"),
			expect(rtx, knownvalue.MapSizeExact(4), "regions"),
			expect(all, knownvalue.ListExact(texts("nvidia-l4", "nvidia-rtx-pro-6000")), "regions", "us-central1", "gpu_types"),
			expect(all, knownvalue.ListSizeExact(0), "regions", "us-central1", "invitation_only"),
			expect(all, knownvalue.ListExact(texts("nvidia-l4")), "regions", "asia-south1", "invitation_only"),
			expect(all, knownvalue.ListExact(texts("nvidia-l4: many GPUs may need a quota request")), "regions", "us-east4", "notes"),
			expect(all, knownvalue.Bool(true), "regions", "europe-west4", "low_co2"),
			expect(all, whole(2), "regions", "asia-southeast1", "price_tier"),
			expect(all, text("likely"), "regions", "us-east4", "certainty"),
			stage.ExpectCalls("*", 0),
		},
	})
}

func TestQuota(t *testing.T) {
	for _, transport := range []string{"grpc", "rest"} {
		t.Run(transport, func(t *testing.T) {
			stage := acctest.Start(t,
				emulator.WithQuota("nvidia-l4@us-central1", 7), emulator.WithQuota("nvidia-rtx-pro-6000@europe-west4", 2),
				emulator.WithQuota("cpu@us-central1", 20), emulator.WithQuota("memory@us-central1", emulator.Unlimited),
				emulator.WithQuota("cpu@europe-west4", emulator.NoEntry))
			stage.EmulatorOnly()
			const l4, rtx = "data.cloudrungpu_quota.l4", "data.cloudrungpu_quota.rtx"
			stage.Run(resource.TestStep{
				Config: `
					provider "cloudrungpu" { transport = "` + transport + `" }
					data "cloudrungpu_quota" "l4" { gpu_type = "nvidia-l4" }
					data "cloudrungpu_quota" "rtx" {
						gpu_type = "nvidia-rtx-pro-6000"
						region   = "europe-west4"
						project  = "other"
					}
				`,
				ConfigStateChecks: []statecheck.StateCheck{
					expect(l4, text(acctest.Project), "project"),
					expect(l4, text(acctest.Region), "region"),
					expect(l4, text("NvidiaL4GpuAllocNoZonalRedundancyPerProjectRegion"), "quota_id"),
					expect(l4, whole(7), "limit"),
					expect(l4, whole(7), "raw_value"),
					expect(l4, whole(1), "units_per_gpu"),
					expect(l4, knownvalue.Bool(false), "unlimited"),
					expect(l4, knownvalue.Bool(false), "first_use_grant_assumed"),
					expect(l4, knownvalue.Null(), "used"),
					expect(l4, knownvalue.Float64Exact(20), "cpu", "limit"),
					expect(l4, whole(20000), "cpu", "raw_value"),
					expect(l4, knownvalue.Null(), "memory", "limit"),
					expect(l4, knownvalue.Bool(true), "memory", "unlimited"),
					expect(l4, whole(-1), "memory", "raw_value"),
					expect(l4, knownvalue.Bool(true), "increase", "eligible"),
					expect(l4, knownvalue.Null(), "increase", "reason"),
					expect(rtx, text("other"), "project"),
					expect(rtx, text("europe-west4"), "region"),
					expect(rtx, whole(2), "limit"),
					expect(rtx, whole(2000), "raw_value"),
					expect(rtx, whole(1000), "units_per_gpu"),
					expect(rtx, knownvalue.Null(), "cpu", "limit"),
					expect(rtx, knownvalue.Bool(false), "cpu", "unlimited"),
					expect(rtx, knownvalue.Null(), "cpu", "raw_value"),
					expect(rtx, knownvalue.Float64Exact(40), "memory", "limit"),
				},
			})
		})
	}
}

// A project without any quota is granted some on first use, where everybody may use the GPU type.
func TestQuotaOnFirstUse(t *testing.T) {
	stage := acctest.Start(t, emulator.WithQuota("nvidia-l4@*", 0), emulator.WithQuota("nvidia-l4@us-east4", emulator.NoEntry))
	stage.EmulatorOnly()
	stage.Run(resource.TestStep{
		Config: `
			data "cloudrungpu_quota" "zero" {
				gpu_type = "nvidia-l4"
			}
			data "cloudrungpu_quota" "absent" {
				gpu_type = "nvidia-l4"
				region   = "us-east4"
			}
			data "cloudrungpu_quota" "invited" {
				gpu_type = "nvidia-l4"
				region   = "asia-south1"
			}
		`,
		ConfigStateChecks: []statecheck.StateCheck{
			expect("data.cloudrungpu_quota.zero", whole(3), "limit"),
			expect("data.cloudrungpu_quota.zero", whole(0), "raw_value"),
			expect("data.cloudrungpu_quota.zero", whole(3), "first_use_grant"),
			expect("data.cloudrungpu_quota.zero", knownvalue.Bool(true), "first_use_grant_assumed"),
			expect("data.cloudrungpu_quota.absent", whole(3), "limit"),
			expect("data.cloudrungpu_quota.absent", knownvalue.Null(), "raw_value"),
			expect("data.cloudrungpu_quota.absent", knownvalue.Bool(true), "first_use_grant_assumed"),
			expect("data.cloudrungpu_quota.invited", whole(0), "limit"),
			expect("data.cloudrungpu_quota.invited", knownvalue.Bool(false), "first_use_grant_assumed"),
		},
	})
}
