locals {
  tasks   = 12
  timeout = "1800s"
  retries = 1
}

data "cloudrungpu_cost_estimate" "finetune" {
  region        = "us-central1"
  gpu_type      = "nvidia-l4"
  cpu           = "8"
  memory        = "32Gi"
  task_count    = local.tasks
  task_duration = local.timeout # the worst case: no attempt may run longer
  max_retries   = local.retries
}

resource "cloudrungpu_job" "finetune" {
  name         = "finetune"
  location     = "us-central1"
  gpu          = { type = "nvidia-l4" }
  task_count   = local.tasks
  parallelism  = 1
  task_timeout = local.timeout
  max_retries  = local.retries

  containers = [{
    image     = "us-docker.pkg.dev/cloudrun/container/job:latest"
    resources = { cpu = "8", memory = "32Gi" }
  }]
}

# Warns when one execution may cost more than 20 dollars, or when nobody knows what it costs.
check "cost_ceiling" {
  assert {
    condition     = try(data.cloudrungpu_cost_estimate.finetune.upper_bound_usd <= 20, false)
    error_message = "An execution of finetune may cost more than 20 USD: ${jsonencode(data.cloudrungpu_cost_estimate.finetune.parts)}."
  }
}
