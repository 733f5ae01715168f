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

const quotaOfL4 = `data "cloudrungpu_quota" "l4" { gpu_type = "nvidia-l4" }`

func TestQuotaNeedsAPlace(t *testing.T) {
	stage := acctest.Start(t)
	stage.Setenv("GOOGLE_PROJECT", "")
	stage.Setenv("GOOGLE_REGION", "")
	stage.Run(resource.TestStep{
		Config:      quotaOfL4,
		ExpectError: regexp.MustCompile(`(?s)Missing project.*GOOGLE_PROJECT.*Missing location.*GOOGLE_REGION`),
	}, resource.TestStep{
		Config: `
			resource "terraform_data" "later" { input = "made-with-the-rest" }
			provider "cloudrungpu" {
				project = terraform_data.later.output
				region  = "us-central1"
			}
		` + quotaOfL4,
		ExpectError: regexp.MustCompile(`(?s)Missing project.*known only after apply.*-target=ADDRESS`),
	}, resource.TestStep{
		Config: `
			resource "terraform_data" "later" { input = "us-central1" }
			provider "cloudrungpu" {
				project = "acme-ml"
				region  = terraform_data.later.output
			}
		` + quotaOfL4,
		ExpectError: regexp.MustCompile(`(?s)Missing location.*known only after apply.*-target=ADDRESS`),
	})
}

func TestQuotaThatMayNotBeRead(t *testing.T) {
	stage := acctest.Start(t)
	stage.EmulatorOnly()
	refuse(t, stage, emulator.Fault{Method: "CloudQuotas.GetQuotaInfo", Code: codes.PermissionDenied, Times: emulator.Always})
	stage.Run(resource.TestStep{
		Config: quotaOfL4,
		ExpectError: regexp.MustCompile(
			`(?s)Quota could not be read.*NvidiaL4GpuAllocNoZonalRedundancyPerProjectRegion.*roles/cloudquotas.viewer.*cloudquotas.googleapis.com`),
	})
}

// What is in use is worth no failure, and no long wait.
func TestQuotaWithoutMonitoring(t *testing.T) {
	stage := acctest.Start(t)
	stage.EmulatorOnly()
	refuse(t, stage, emulator.Fault{Method: "MetricService.ListTimeSeries", Code: codes.PermissionDenied, Times: emulator.Always})
	stage.Run(resource.TestStep{
		Config: quotaOfL4,
		ConfigStateChecks: []statecheck.StateCheck{
			expect("data.cloudrungpu_quota.l4", whole(3), "limit"),
			expect("data.cloudrungpu_quota.l4", knownvalue.Null(), "used"),
		},
	})
}

func refuse(t *testing.T, stage *acctest.Stage, fault emulator.Fault) {
	t.Helper()
	if err := stage.Emulator.InjectFault(fault); err != nil {
		t.Fatal(err)
	}
}
