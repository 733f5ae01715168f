terraform {
  required_providers {
    cloudrungpu = { source = "cloudrungpu/cloudrungpu" }
  }
}

resource "cloudrungpu_job" "finetune" {
  name       = "finetune"
  location   = "us-central1"
  gpu        = { type = "nvidia-l4" }
  task_count = 2
  containers = [{ image = "us-docker.pkg.dev/cloudrun/container/job:latest" }]

  run = {
    triggers = { data = "2026-12-01" }
    timeout  = "2h"
  }

  # Lets the apply fail, too, where the first run of a new job does not succeed.
  lifecycle {
    postcondition {
      condition     = self.last_run.state == "EXECUTION_SUCCEEDED"
      error_message = "The run did not succeed: see the warning."
    }
  }
}
