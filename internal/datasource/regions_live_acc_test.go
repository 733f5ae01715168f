package datasource_test

import (
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"google.golang.org/grpc/codes"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/acctest"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/emulator"
)

func TestRegionsLive(t *testing.T) {
	stage := acctest.Start(t, emulator.WithQuota("nvidia-l4@us-east4", emulator.NoEntry), emulator.WithQuota("nvidia-l4@europe-north1", 1))
	stage.EmulatorOnly()
	const live, still = "data.cloudrungpu_regions.live", "data.cloudrungpu_regions.still"
	stage.Run(resource.TestStep{
		Config: `
			data "cloudrungpu_regions" "live" { live = true }
			data "cloudrungpu_regions" "still" { live = false }
		`,
		ConfigStateChecks: []statecheck.StateCheck{
			expect(live, text(acctest.Project), "project"),
			expect(live, knownvalue.ListExact(texts("nvidia-l4", "nvidia-rtx-pro-6000")), "regions", "us-central1", "quota_lists"),
			expect(live, knownvalue.ListExact(texts("nvidia-l4")), "regions", "europe-west1", "quota_lists"),
			expect(live, knownvalue.ListSizeExact(0), "regions", "us-east4", "quota_lists"),
			expect(live, knownvalue.ListExact(texts("europe-north1")), "only_in_quota"),
			expect(still, knownvalue.Null(), "project"),
			expect(still, knownvalue.Null(), "regions", "us-central1", "quota_lists"),
			expect(still, knownvalue.Null(), "only_in_quota"),
		},
	})
}

func TestRegionsLiveThatMayNotBeRead(t *testing.T) {
	stage := acctest.Start(t)
	stage.EmulatorOnly()
	refuse(t, stage, emulator.Fault{Method: "CloudQuotas.GetQuotaInfo", Code: codes.PermissionDenied, Times: emulator.Always})
	stage.Run(resource.TestStep{
		Config:      `data "cloudrungpu_regions" "live" { live = true }`,
		ExpectError: regexp.MustCompile(`(?s)Quota could not be read.*roles/cloudquotas.viewer`),
	})
}
