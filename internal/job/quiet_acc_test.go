package job_test

import (
	"slices"
	"strings"
	"testing"

	"cloud.google.com/go/run/apiv2/runpb"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/acctest"
)

// quiet are the changes of a job that are nobody's drift.
var quiet = map[string]func(*runpb.Job){
	"saved by gcloud, unchanged": func(j *runpb.Job) { j.Client, j.ClientVersion = "gcloud", "550.0.0" },
	"labels of others": func(j *runpb.Job) {
		j.Labels["goog-managed-by"], j.Labels["someone"] = "x", "else"
		j.Template.Labels["someone"] = "else"
	},
	"annotations of others": func(j *runpb.Job) {
		j.Annotations["client.knative.dev/user-image"] = "x"
		j.Template.Annotations["client.knative.dev/user-image"] = "x"
	},
	"volumes in another order": func(j *runpb.Job) { slices.Reverse(task(j).GetVolumes()) },
	"mounts in another order":  func(j *runpb.Job) { slices.Reverse(trainer(j).GetVolumeMounts()) },
	"variables in another order": func(j *runpb.Job) {
		slices.Reverse(trainer(j).GetEnv())
	},
	"tags in another order": func(j *runpb.Job) { slices.Reverse(task(j).GetVpcAccess().GetNetworkInterfaces()[0].GetTags()) },
	"quantities in another spelling": func(j *runpb.Job) {
		trainer(j).GetResources().Limits["cpu"], trainer(j).GetResources().Limits["memory"] = "8", "32768Mi"
		task(j).GetContainers()[1].GetResources().Limits["memory"] = "1Gi"
		volume(j, "scratch").GetEmptyDir().SizeLimit = "1Gi"
	},
	"the network in full": func(j *runpb.Job) {
		task(j).GetVpcAccess().GetNetworkInterfaces()[0].Network = "projects/acme-ml/global/networks/default"
		task(j).GetVpcAccess().GetNetworkInterfaces()[0].Subnetwork = "projects/acme-ml/regions/us-central1/subnetworks/gpu"
	},
}

func TestAccNothingComesBackThatWasNotAskedFor(t *testing.T) {
	t.Parallel()
	stage := acctest.Start(t, plenty...)
	stage.EmulatorOnly()
	plain := `
		resource "cloudrungpu_job" "plain" {
			name       = "plain"
			gpu        = { type = "nvidia-l4" }
			launch_stage = "BETA" # of which nothing is used, so the server makes it GA
			containers = [{ image = "us-docker.pkg.dev/cloudrun/container/job:latest", startup_probe = { tcp_socket = {} }, volume_mounts = { "/sql" = { volume = "cloudsql" } } }]
			volumes    = { cloudsql = { cloud_sql = { instances = ["acme-ml:us-central1:db"] } } }
			vpc_access = { network = "default" }
		}`
	cli := stage.CLI(map[string]string{"main.tf": required + strings.ReplaceAll(fullJob, "NAME", "full") + plain})
	cli.Must("apply", "-auto-approve")
	cli.Must("plan", "-detailed-exitcode")

	for range 2 {
		stage.RunJob("full")
		stage.RunJob("plain")
	}
	if n := stage.Job("full").GetExecutionCount(); n != 2 {
		t.Fatalf("the job ran %d times, want 2", n)
	}
	cli.Must("plan", "-refresh-only", "-detailed-exitcode")

	for name, change := range quiet {
		stage.Edit("full", change)
		if printed, ok := cli.Run("plan", "-refresh-only", "-detailed-exitcode"); !ok {
			t.Errorf("%s is taken for drift:\n%s", name, printed)
		}
	}
	stage.Edit("plain", func(j *runpb.Job) {
		// What the server fills in, or adds of its own.
		trainer(j).VolumeMounts = append(trainer(j).GetVolumeMounts(), &runpb.VolumeMount{Name: "cloudsql", MountPath: "/cloudsql"})
		task(j).GetVpcAccess().GetNetworkInterfaces()[0].Subnetwork = "default"
		task(j).GetVpcAccess().Egress = runpb.VpcAccess_PRIVATE_RANGES_ONLY
		task(j).ServiceAccount = "123456789012-compute@developer.gserviceaccount.com"
	})
	printed := cli.Must("plan", "-refresh-only", "-detailed-exitcode")
	if strings.Contains(printed, "outside Terraform") {
		t.Errorf("a warning about nothing:\n%s", printed)
	}
	cli.Must("plan", "-detailed-exitcode")
	cli.Must("destroy", "-auto-approve")
}

// What is written as empty stays as it was written.
func TestAccEmptyIsNoDrift(t *testing.T) {
	stage := acctest.Start(t, plenty...)
	stage.Run(resource.TestStep{Config: aJob("volumes = {}\n vpc_access = { subnetwork = \"gpu\" }") + `
		resource "cloudrungpu_job" "empty" {
			name                  = "empty"
			labels                = {}
			annotations           = {}
			execution_labels      = {}
			execution_annotations = {}
			containers = [{
				image         = "us-docker.pkg.dev/cloudrun/container/job:latest"
				command       = []
				args          = []
				env           = {}
				secret_env    = {}
				resources     = {}
				volume_mounts = {}
				depends_on    = []
				startup_probe = { http_get = { headers = {} } }
			}]
			volumes = {
				bucket  = { gcs = { bucket = "models", mount_options = [] } }
				scratch = { empty_dir = {} }
				keys    = { secret = { secret = "keys", items = {} } }
			}
			vpc_access = { network = "default", network_tags = [] }
			timeouts   = {}
		}`})
}
