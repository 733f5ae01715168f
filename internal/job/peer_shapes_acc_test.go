package job_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/acctest"
)

// peerShapes are the shapes of the google provider's own tests of google_cloud_run_v2_job, in our schema: each list is the
// configurations that one job goes through. Two of the peer's have no counterpart: tags, which are Resource Manager's and are
// sent at creation only, and the two execution tokens, which start an execution as a side effect.
var peerShapes = map[string][]string{
	"basic":  {`containers = [{ image = "IMAGE" }]`},
	"limits": {`containers = [{ image = "IMAGE", resources = { cpu = "2", memory = "1024Mi" } }]`},
	"sql": {`
		containers = [{
			image         = "IMAGE"
			env           = { FOO = "bar" }
			secret_env    = { LATEST_DB_SECRET = { secret = "secret", version = "1" } }
			volume_mounts = { "/cloudsql" = { volume = "cloudsql" } }
		}]
		volumes = { cloudsql = { cloud_sql = { instances = ["acme-ml:us-central1:db"] } } }`},
	"vpc connector": {`
		containers = [{ image = "IMAGE" }]
		vpc_access = { connector = "projects/acme-ml/locations/us-central1/connectors/c", egress = "ALL_TRAFFIC" }`},
	"direct vpc": {`
		launch_stage = "GA"
		containers   = [{ image = "IMAGE" }]
		vpc_access   = { network = "default", subnetwork = "default", network_tags = ["tag1", "tag2", "tag3"] }`},
	"secret volume": {`
		containers = [{ image = "IMAGE", volume_mounts = { "/secrets" = { volume = "a-volume" } } }]
		volumes    = { a-volume = { secret = { secret = "secret", default_mode = "0444", items = { my-secret = { version = "1", mode = "0400" } } } } }`},
	"empty dir": {`
		containers = [{ image = "IMAGE", volume_mounts = { "/mnt" = { volume = "v" } } }]
		volumes    = { v = { empty_dir = { medium = "MEMORY", size_limit = "128Mi" } } }`},
	"empty dir on disk": {`
		launch_stage = "BETA"
		containers   = [{ image = "IMAGE", volume_mounts = { "/mnt" = { volume = "v" } } }]
		volumes      = { v = { empty_dir = { medium = "DISK", size_limit = "10Gi" } } }`},
	"several containers": {`containers = [{ name = "job-1", image = "IMAGE" }, { name = "job-2", image = "IMAGE" }]`},
	"gpu without limits": {`
		gpu        = { type = "nvidia-l4" }
		containers = [{ image = "IMAGE" }]`},
	"full update": {`
		labels                = { label-1 = "value-1" }
		annotations           = { annotation-1 = "annotation-value-1" }
		execution_labels      = { label-1 = "value-1" }
		execution_annotations = { temp-annotation-1 = "temp-annotation-value-1" }
		parallelism           = 4
		task_count            = 4
		task_timeout          = "300s"
		max_retries           = 5
		service_account       = "old@acme-ml.iam.gserviceaccount.com"
		containers = [{
			name      = "container-1"
			image     = "IMAGE"
			args      = ["https://cloud.google.com/run", "www.google.com"]
			command   = ["/bin/echo"]
			env       = { SOURCE = "remote", TARGET = "home" }
			resources = { cpu = "4", memory = "2Gi" }
		}]`, `
		labels                = { label-1 = "value-update" }
		annotations           = { annotation-1 = "annotation-value-update" }
		execution_labels      = { label-1 = "value-update" }
		execution_annotations = { temp-annotation-1 = "temp-annotation-value-update" }
		parallelism           = 2
		task_count            = 8
		task_timeout          = "500s"
		max_retries           = 0
		service_account       = "new@acme-ml.iam.gserviceaccount.com"
		binary_authorization  = { use_default = true, breakglass_justification = "some justification" }
		vpc_access            = { connector = "projects/acme-ml/locations/us-central1/connectors/c", egress = "ALL_TRAFFIC" }
		containers = [{
			name      = "container-update"
			image     = "IMAGE"
			args      = ["https://cloud.google.com/run"]
			command   = ["/bin/echo", "/bin/bash"]
			env       = { SOURCE_UPDATE = "remote-update", TARGET_UPDATE = "home-update" }
			resources = { cpu = "2", memory = "8Gi" }
		}]`},
	"direct vpc update": {`
		launch_stage = "BETA"
		containers   = [{ image = "IMAGE" }]
		vpc_access   = { network = "default" }`, `
		launch_stage         = "BETA"
		containers           = [{ image = "IMAGE" }]
		vpc_access           = { network = "my-network", subnetwork = "my-network", network_tags = ["tag1", "tag2", "tag3"] }
		binary_authorization = { policy = "projects/acme-ml/platforms/cloudRun/policy-name", breakglass_justification = "Some justification" }`},
	"bucket update": {`containers = [{ image = "IMAGE" }]`, `
		containers = [{ image = "IMAGE", volume_mounts = { "/mnt/landmarks" = { volume = "gcs", sub_path = "LM01" } } }]
		volumes    = { gcs = { gcs = { bucket = "gcp-public-data-landsat", read_only = true, mount_options = ["log-severity=info"] } } }`},
	"file server update": {`containers = [{ image = "IMAGE" }]`, `
		containers = [{ image = "IMAGE", volume_mounts = { "/mnt/nfs" = { volume = "nfs" } } }]
		volumes    = { nfs = { nfs = { server = "10.0.10.10", path = "/", read_only = true } } }
		vpc_access = { network = "default", subnetwork = "default" }`},
	"tcp probe update": {`containers = [{ image = "IMAGE", startup_probe = { tcp_socket = {} } }]`,
		`containers = [{ image = "IMAGE", startup_probe = {
			initial_delay_seconds = 2, period_seconds = 5, timeout_seconds = 5, failure_threshold = 2, tcp_socket = { port = 8080 } } }]`},
	"http probe update": {`containers = [{ image = "IMAGE", startup_probe = { http_get = {} } }]`,
		`containers = [{ image = "IMAGE", startup_probe = {
			initial_delay_seconds = 3, period_seconds = 6, timeout_seconds = 6, failure_threshold = 3
			http_get = { path = "/some-path", port = 8080, headers = { User-Agent = "magic-modules", Some-Name = "" } } } }]`},
	"grpc probe update": {`containers = [{ image = "IMAGE", startup_probe = { grpc = {} } }]`,
		`containers = [{ image = "IMAGE", startup_probe = { grpc = { port = 8080, service = "grpc.health.v1.Health" } } }]`},
	"depends on update": {`containers = [{ name = "foo", image = "IMAGE" }]`,
		`containers = [{ name = "foo", image = "IMAGE", startup_probe = { tcp_socket = {} } }, { name = "bar", image = "IMAGE", depends_on = ["foo"] }]`,
		`containers = [{ name = "baz", image = "IMAGE", startup_probe = { tcp_socket = {} } }, { name = "bar", image = "IMAGE", depends_on = ["baz"] }]`},
	"gpu update": {`containers = [{ image = "IMAGE" }]`, `
		gpu        = { type = "nvidia-l4" }
		containers = [{ image = "IMAGE", resources = { cpu = "4", memory = "16Gi" } }]`, `containers = [{ image = "IMAGE" }]`},
}

// All jobs go their way at once; at each stop the plan is empty. In the end an import of them changes nothing.
func TestAccPeerShapes(t *testing.T) {
	t.Parallel()
	stage := acctest.Start(t, plenty...)
	stage.EmulatorOnly()
	stops := 0
	for _, configs := range peerShapes {
		stops = max(stops, len(configs))
	}
	cli := stage.CLI(nil)
	for stop := range stops {
		cli.Write("main.tf", peerModule(stop))
		cli.Must("apply", "-auto-approve")
		cli.Must("plan", "-detailed-exitcode")
	}

	// An import cannot tell a stage that was written and is not made use of.
	imports := strings.NewReplacer(`launch_stage = "GA"`, "", `launch_stage         = "BETA"`, "").Replace(peerModule(stops))
	for _, name := range sortedKeys(peerShapes) {
		imports += fmt.Sprintf("import {\n  to = cloudrungpu_job.%s\n  id = %q\n}\n", peerName(name), peerName(name))
	}
	printed := stage.CLI(map[string]string{"main.tf": imports}).Must("plan", "-no-color")
	if want := fmt.Sprintf("%d to import, 0 to add, 0 to change, 0 to destroy", len(peerShapes)); !strings.Contains(printed, want) {
		t.Errorf("it does not say %q:\n%s", want, printed)
	}
}

func peerName(shape string) string { return strings.ReplaceAll(shape, " ", "-") }

// peerModule has each job as it is at a stop, or at its last one.
func peerModule(stop int) string {
	module := required
	for _, name := range sortedKeys(peerShapes) {
		lines := peerShapes[name][min(stop, len(peerShapes[name])-1)]
		lines = strings.ReplaceAll(lines, "IMAGE", "us-docker.pkg.dev/cloudrun/container/job")
		module += fmt.Sprintf("resource \"cloudrungpu_job\" %q {\n  name = %q\n%s\n}\n", peerName(name), peerName(name), lines)
	}
	return module
}
