data "cloudrungpu_quota" "l4" {
  gpu_type = "nvidia-l4"
  region   = "us-central1"
}

locals {
  # How many tasks of 16 GiB with a GPU each the project may run at once: null is no bound.
  by_gpus   = coalesce(data.cloudrungpu_quota.l4.limit, 100)
  by_memory = floor(coalesce(data.cloudrungpu_quota.l4.memory.limit, 1600) / 16)
}

resource "cloudrungpu_job" "render" {
  name        = "render"
  location    = "us-central1"
  gpu         = { type = "nvidia-l4" }
  task_count  = 100
  parallelism = max(1, min(local.by_gpus, local.by_memory))

  containers = [{
    image     = "us-docker.pkg.dev/cloudrun/container/job:latest"
    resources = { cpu = "4", memory = "16Gi" }
  }]
}

# Warns, with the reason, where Google would turn down a request for more.
check "can_grow" {
  assert {
    condition     = data.cloudrungpu_quota.l4.increase.eligible != false
    error_message = "No more L4 GPUs to be had: ${coalesce(data.cloudrungpu_quota.l4.increase.reason, "no reason given")}."
  }
}
