# A GPU job against the emulator, without a cloud account:
#
#   bin/cloudrun-emulator &
#   export CLOUDRUNGPU_EMULATOR_HOST=127.0.0.1:8123
#   terraform -chdir=examples/quickstart apply

terraform {
  required_providers {
    cloudrungpu = { source = "cloudrungpu/cloudrungpu" }
  }
}

provider "cloudrungpu" {
  project = "my-project"
  region  = "us-central1"
}

variable "parallelism" {
  description = "Tasks, and so GPUs, at once. A new project may use 3 L4 GPUs in a region: try 8."
  type        = number
  default     = 2
}

resource "cloudrungpu_job" "hello" {
  name        = "hello-gpu"
  gpu         = { type = "nvidia-l4" }
  task_count  = 8
  parallelism = var.parallelism

  containers = [{
    image = "us-docker.pkg.dev/cloudrun/container/job:latest"
  }]
}

output "job" {
  value = cloudrungpu_job.hello.id
}
