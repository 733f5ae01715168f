package emulator

import "slices"

// Google's page on GPUs for jobs: L4 as of 2026-04-13, RTX PRO 6000 as of its preview.
var (
	regionsL4  = []string{"asia-south1", "asia-southeast1", "europe-west1", "europe-west4", "us-central1", "us-east4"}
	regionsRTX = []string{"asia-south2", "asia-southeast1", "europe-west4", "us-central1"}
)

// locations are the regions of Cloud Run, for the quotas that exist in all of them. The emulator takes jobs in any location.
var locations = []string{
	"africa-south1",
	"asia-east1", "asia-east2", "asia-northeast1", "asia-northeast2", "asia-northeast3", "asia-south1", "asia-south2",
	"asia-southeast1", "asia-southeast2", "australia-southeast1", "australia-southeast2",
	"europe-central2", "europe-north1", "europe-north2", "europe-southwest1", "europe-west1", "europe-west2", "europe-west3",
	"europe-west4", "europe-west6", "europe-west8", "europe-west9", "europe-west10", "europe-west12",
	"me-central1", "me-central2", "me-west1",
	"northamerica-northeast1", "northamerica-northeast2", "northamerica-south1", "southamerica-east1", "southamerica-west1",
	"us-central1", "us-east1", "us-east4", "us-east5", "us-south1", "us-west1", "us-west2", "us-west3", "us-west4",
}

// checkRegion refuses a GPU where there is none. The service's own words are not known.
func (c *checker) checkRegion() {
	gpu, known := findGPU(c.accelerator())
	if known && !slices.Contains(gpu.Regions, c.location) {
		c.template("template.template.node_selector.accelerator", "GPU type '%s' is not available in region '%s'.", gpu.Type, c.location)
	}
}
