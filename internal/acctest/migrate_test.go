package acctest

import (
	"path/filepath"
	"strings"
	"testing"
)

const nothingToDo = "0 to add, 0 to change, 0 to destroy"

// peerState is a state in which the google provider holds the job of examples/migrate/from-google.
const peerState = `{
  "version": 4, "terraform_version": "1.8.0", "serial": 1, "lineage": "3f6a0f3c-8d9b-4c57-8f0a-0d6f4f7a1c12", "outputs": {},
  "resources": [{
    "mode": "managed", "type": "google_cloud_run_v2_job", "name": "finetune",
    "provider": "provider[\"registry.terraform.io/hashicorp/google\"]",
    "instances": [{"schema_version": 1, "sensitive_attributes": [], "attributes": {
      "id": "projects/acme-ml/locations/us-central1/jobs/finetune", "name": "finetune", "location": "us-central1", "project": "acme-ml",
      "launch_stage": "GA", "deletion_protection": false, "labels": {}, "annotations": {},
      "template": [{"parallelism": 2, "task_count": 12, "labels": {}, "annotations": {}, "template": [{
        "gpu_zonal_redundancy_disabled": true, "max_retries": 3, "timeout": "3600s", "execution_environment": "EXECUTION_ENVIRONMENT_GEN2",
        "node_selector": [{"accelerator": "nvidia-l4"}],
        "service_account": "123456789012-compute@developer.gserviceaccount.com", "volumes": [], "vpc_access": [],
        "containers": [{
          "image": "us-docker.pkg.dev/cloudrun/container/job:latest", "env": [{"name": "MODEL", "value": "gemma-2b", "value_source": []}],
          "resources": [{"limits": {"cpu": "4", "memory": "16Gi", "nvidia.com/gpu": "1"}}]
        }]
      }]}]
    }}]
  }]
}`

// Each way of examples/migrate takes a job in that is there already, and changes nothing about it.
func TestMigrate(t *testing.T) {
	t.Parallel()
	for way, more := range map[string]map[string]string{
		"from-google": {"terraform.tfstate": peerState},
		"from-yaml":   nil,
		"from-cloud":  nil,
	} {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			stage := Start(t)
			stage.EmulatorOnly()
			folder := filepath.Join(examples, "migrate", way)
			before := "from-google"
			if way == "from-yaml" {
				before = way
			}
			stage.CLI(exampleFiles(t, filepath.Join(examples, "migrate", before))).Must("apply", "-auto-approve", "-no-color")
			uid := stage.Job("finetune").GetUid()

			files := treeOf(t, folder)
			for name, text := range more {
				files[name] = text
			}
			cli := stage.CLI(files)
			plan := []string{"plan", "-no-color", "-out=plan"}
			switch way {
			case "from-google":
				cli.Attach("registry.terraform.io/hashicorp/google", "registry.opentofu.org/hashicorp/google")
			case "from-cloud":
				plan = append(plan, "-generate-config-out=generated.tf")
			}
			if printed := cli.Must(plan...); !strings.Contains(printed, nothingToDo) {
				t.Errorf("the plan changes something:\n%s", printed)
			}
			cli.Must("apply", "-no-color", "plan")
			cli.Must("plan", "-detailed-exitcode", "-no-color")
			if stage.Job("finetune").GetUid() != uid {
				t.Error("it is another job now")
			}
		})
	}
}
