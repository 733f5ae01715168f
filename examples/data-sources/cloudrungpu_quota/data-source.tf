data "cloudrungpu_quota" "l4" {
  gpu_type = "nvidia-l4"
  region   = "us-central1"

  # The task whose largest parallelism is asked for.
  task_cpu    = "4"
  task_memory = "16Gi"
}

resource "cloudrungpu_job" "render" {
  name        = "render"
  location    = "us-central1"
  gpu         = { type = "nvidia-l4" }
  task_count  = 100
  parallelism = max(1, coalesce(data.cloudrungpu_quota.l4.largest_parallelism, 100)) # null is no bound

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
