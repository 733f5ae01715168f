terraform {
  required_providers {
    cloudrungpu = { source = "cloudrungpu/cloudrungpu" }
  }
}

# What was google_cloud_run_v2_job.finetune, as cloudrungpu_job writes it.
resource "cloudrungpu_job" "finetune" {
  name         = "finetune"
  location     = "us-central1"
  gpu          = { type = "nvidia-l4" }
  task_count   = 12
  parallelism  = 2
  task_timeout = "3600s"
  containers = [{
    image     = "us-docker.pkg.dev/cloudrun/container/job:latest"
    env       = { MODEL = "gemma-2b" }
    resources = { cpu = "4", memory = "16Gi" }
  }]
}

# Keep this block until every state has been applied with it. Terraform 1.8 and newer.
moved {
  from = google_cloud_run_v2_job.finetune
  to   = cloudrungpu_job.finetune
}
