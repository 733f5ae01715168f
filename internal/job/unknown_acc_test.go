package job_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/acctest"
)

// later is a value that is known only once something else is made.
const later = `
resource "terraform_data" "later" {
  input = {
    text    = "a"
    number  = 2
    flag    = false
    strings = ["a", "b"]
    map     = { a = "b" }
    region  = "us-central1"
    image   = "us-docker.pkg.dev/cloudrun/container/job:latest"
    type    = "nvidia-l4"
    cpu     = "8"
    memory  = "32Gi"
    time    = "1200s"
    account = "a@acme-ml.iam.gserviceaccount.com"
    key     = "projects/p/locations/us-central1/keyRings/r/cryptoKeys/k"
    egress  = "ALL_TRAFFIC"
    stage   = "GA"
    mode    = "0400"
    policy  = "projects/p/platforms/cloudRun/x"
  }
}
locals { later = terraform_data.later.output }
`

func TestAccValuesThatAreKnownLater(t *testing.T) {
	for name, lines := range map[string]string{
		"each scalar": `
			location = local.later.region
			labels   = { a = local.later.text }
			annotations = { a = local.later.text }
			execution_labels = { a = local.later.text }
			execution_annotations = { a = local.later.text }
			gpu = { type = local.later.type, count = local.later.number - 1, zonal_redundancy = local.later.flag }
			task_count = local.later.number
			parallelism = local.later.number
			max_retries = local.later.number
			task_timeout = local.later.time
			service_account = local.later.account
			encryption_key = local.later.key
			launch_stage = local.later.stage
			deletion_protection = local.later.flag
			binary_authorization = { policy = local.later.policy, breakglass_justification = local.later.text }
			vpc_access = { network = local.later.text, subnetwork = local.later.text, network_tags = [local.later.text], egress = local.later.egress }
			containers = [{
				image = local.later.image
				command = [local.later.text]
				args = [local.later.text]
				working_dir = "/${local.later.text}"
				env = { A = local.later.text }
				secret_env = { B = { secret = local.later.text, version = local.later.text } }
				resources = { cpu = local.later.cpu, memory = local.later.memory }
				volume_mounts = { "/a" = { volume = "scratch", sub_path = local.later.text }, "/b" = { volume = "keys" }, "/c" = { volume = "models" }, "/d" = { volume = "share" } }
				startup_probe = { period_seconds = local.later.number, http_get = { path = "/${local.later.text}", port = local.later.number, headers = { A = local.later.text } } }
			}]
			volumes = {
				scratch = { empty_dir = { size_limit = local.later.memory } }
				keys    = { secret = { secret = local.later.text, default_mode = local.later.mode, items = { a = { version = local.later.text, mode = local.later.mode } } } }
				models  = { gcs = { bucket = "bucket-${local.later.text}", read_only = local.later.flag, mount_options = [local.later.text] } }
				share   = { nfs = { server = local.later.text, path = "/${local.later.text}", read_only = local.later.flag } }
			}`,
		"whole collections": `
			labels = local.later.map
			annotations = local.later.map
			execution_labels = local.later.map
			vpc_access = { network = "default", network_tags = local.later.strings }
			containers = [{
				image = "us-docker.pkg.dev/cloudrun/container/job:latest"
				command = local.later.strings
				args = local.later.strings
				env = local.later.map
				secret_env = { for k, v in local.later.map : k => { secret = v, version = "1" } if false }
				volume_mounts = { for k, v in local.later.map : "/${k}" => { volume = v } }
			}]
			volumes = { for k, v in local.later.map : v => { empty_dir = {} } }`,
		"whole objects": `
			gpu = local.later.flag ? null : { type = local.later.type }
			vpc_access = local.later.flag ? null : { network = local.later.text }
			binary_authorization = local.later.flag ? null : { use_default = true }
			containers = [for i in range(1) : {
				image         = local.later.image
				resources     = local.later.flag ? null : { cpu = local.later.cpu, memory = local.later.memory }
				startup_probe = local.later.flag ? null : { tcp_socket = {} }
			}]
			volumes = local.later.flag ? null : { v = { empty_dir = {} } }`,
		"a list of containers": `
			gpu = { type = "nvidia-l4", container = "a" }
			containers = [for s in local.later.strings : { name = s, image = local.later.image }]`,
	} {
		t.Run(name, func(t *testing.T) {
			stage := acctest.Start(t, plenty...)
			stage.Run(resource.TestStep{
				Config: later + "resource \"cloudrungpu_job\" \"case\" {\n name = \"case\"\n" + lines + "\n}",
			})
		})
	}
}

// What is wrong but not known at plan is found at apply, before the first call.
func TestAccMistakesThatAreKnownLater(t *testing.T) {
	for name, test := range map[string]struct{ lines, says string }{
		"region": {`gpu = { type = "nvidia-l4" }
			location = "${terraform_data.later.output.text}sia-nowhere1"
			containers = ` + image, `GPU not available in this region`},
		"sizes": {`gpu = { type = "nvidia-l4" }
			containers = [{ image = "a/b", resources = { cpu = terraform_data.later.output.number, memory = "16Gi" } }]`, `4, 6, 8`},
		"quota": {`gpu = { type = "nvidia-l4" }
			parallelism = terraform_data.later.output.number * 10
			task_count = 100
			containers = ` + image, `GPU quota exceeded`},
	} {
		t.Run(name, func(t *testing.T) {
			stage := acctest.Start(t)
			stage.EmulatorOnly()
			config := later + "resource \"cloudrungpu_job\" \"case\" {\n name = \"case\"\n" + test.lines + "\n}"
			stage.Run(
				resource.TestStep{Config: config, PlanOnly: true, ExpectNonEmptyPlan: true},
				resource.TestStep{Config: config, ExpectError: regexp.MustCompile(strings.ReplaceAll(test.says, " ", `\s+`))},
			)
			if n := stage.Calls("Jobs.CreateJob"); n != 0 {
				t.Errorf("the API was asked %d times to make it", n)
			}
		})
	}
}

func TestAccSensitiveValuesStaySo(t *testing.T) {
	t.Parallel()
	stage := acctest.Start(t, plenty...)
	stage.EmulatorOnly()
	cli := stage.CLI(map[string]string{"main.tf": required + `
		variable "token" {
			sensitive = true
			default   = "sesame-PRIVATE"
		}
		resource "cloudrungpu_job" "case" {
			name       = "case"
			containers = [{ image = "us-docker.pkg.dev/cloudrun/container/job:latest", env = { TOKEN = var.token } }]
		}`})
	for _, printed := range []string{cli.Must("plan"), cli.Must("apply", "-auto-approve"), cli.Must("show")} {
		if strings.Contains(printed, "sesame") {
			t.Errorf("the value is shown:\n%s", printed)
		}
	}
	cli.Must("plan", "-detailed-exitcode")
	cli.Must("destroy", "-auto-approve")
}
