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
    strings = ["a", "b"]
    map     = { a = "b" }
    image   = "us-docker.pkg.dev/cloudrun/container/job:latest"
    type    = "nvidia-l4"
  }
}
locals { later = terraform_data.later.output }
`

func TestAccValuesThatAreKnownLater(t *testing.T) {
	for name, lines := range map[string]string{
		"a collection by the values of another": `
			containers = [{
				image         = "us-docker.pkg.dev/cloudrun/container/job:latest"
				env           = { for k, v in local.later.map : upper(k) => v }
				secret_env    = { for k, v in local.later.map : k => { secret = v, version = "1" } if false }
				volume_mounts = { for k, v in local.later.map : "/${k}" => { volume = v } }
			}]
			volumes = { for k, v in local.later.map : v => { empty_dir = {} } }`,
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

// A region of the provider that is made in the same apply is judged as soon as it is known.
func TestAccARegionOfTheProviderThatIsKnownLater(t *testing.T) {
	t.Parallel()
	stage := acctest.Start(t, plenty...)
	stage.EmulatorOnly()
	stage.Setenv("GOOGLE_REGION", "")
	cli := stage.CLI(map[string]string{"main.tf": required + `
		resource "terraform_data" "region" { input = "europe-north1" }
		provider "cloudrungpu" { region = terraform_data.region.output }
		` + aJob(`gpu = { type = "nvidia-l4" }`)})
	cli.Must("plan")
	printed, ok := cli.Run("apply", "-auto-approve", "-no-color")
	if ok || !strings.Contains(printed, "GPU not available in this region") || !strings.Contains(printed, "us-central1") {
		t.Errorf("it is not refused in words that help:\n%s", printed)
	}
	if n := stage.Calls("Jobs.*"); n != 0 {
		t.Errorf("%d calls were made", n)
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
	cli.Must("plan", "-detailed-exitcode", "-out=same")
	if shown := cli.Must("show", "-json", "same"); !strings.Contains(shown, `"sensitive_values":{"containers":[{"env":{"TOKEN":true}`) {
		t.Errorf("the mark is lost:\n%s", shown)
	}
	cli.Must("destroy", "-auto-approve")
}
