terraform {
  required_providers {
    cloudrungpu = { source = "cloudrungpu/cloudrungpu" }
  }
}

# gcloud run jobs describe finetune --region us-central1 --format export > job.yaml
locals {
  job = provider::cloudrungpu::parse_job_yaml(file("${path.module}/job.yaml"))
}

resource "cloudrungpu_job" "finetune" {
  name         = local.job.name
  location     = local.job.location
  labels       = local.job.labels
  gpu          = local.job.gpu
  task_count   = local.job.task_count
  parallelism  = local.job.parallelism
  max_retries  = local.job.max_retries
  task_timeout = local.job.task_timeout
  containers   = local.job.containers
}
