# What the check in this folder watches.

terraform {
  required_providers {
    cloudrungpu = { source = "cloudrungpu/cloudrungpu" }
  }
}

provider "cloudrungpu" {
  project = "acme-ml"
  region  = "us-central1"
}

resource "cloudrungpu_job" "embed" {
  name        = "embed"
  gpu         = { type = "nvidia-l4" }
  task_count  = 2
  parallelism = 2

  containers = [{
    image = "us-docker.pkg.dev/cloudrun/container/job:latest"
    env   = { MODEL = "gemma-2b" }
  }]
}
