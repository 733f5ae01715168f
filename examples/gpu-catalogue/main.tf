terraform {
  required_providers {
    cloudrungpu = { source = "cloudrungpu/cloudrungpu" }
  }
}

provider "cloudrungpu" {
  gpu_catalogue = file("${path.root}/gpus.yaml")
}

data "cloudrungpu_gpu_types" "known" {}

# The new type, with what the file says of it.
output "b200" {
  value = data.cloudrungpu_gpu_types.known.types["nvidia-b200"].sizes
}

# A GPU that was already known, checked against the file where the file says something else.
resource "cloudrungpu_job" "finetune" {
  name         = "finetune"
  location     = "europe-west4"
  gpu          = { type = "nvidia-l4" }
  launch_stage = "BETA"
  task_timeout = "7200s"
  containers   = [{ image = "us-docker.pkg.dev/cloudrun/container/job:latest" }]
}
