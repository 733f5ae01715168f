locals {
  cached = try(var.models.loading == "cache", false)

  # Cloud Storage FUSE: a cache in memory, or blocks that are read ahead of the program. The cache wins where both are set.
  mount_options = local.cached ? ["cache-dir=cr-volume:model-cache"] : ["enable-buffered-read=true"]

  models = var.models == null ? {} : {
    models = { gcs = { bucket = var.models.bucket, read_only = true, mount_options = local.mount_options } }
  }
  cache = local.cached ? {
    model-cache = { empty_dir = { medium = "MEMORY", size_limit = var.models.cache_size } }
  } : {}
}

data "cloudrungpu_cost_estimate" "this" {
  count = var.max_usd_per_execution == null ? 0 : 1

  region        = var.location
  gpu_type      = var.gpu_type
  cpu           = try(var.resources.cpu, null)
  memory        = try(var.resources.memory, null)
  task_count    = var.tasks
  task_duration = var.task_timeout
  max_retries   = var.max_retries
}

resource "cloudrungpu_job" "this" {
  name     = var.name
  project  = var.project
  location = var.location

  gpu          = { type = var.gpu_type }
  task_count   = var.tasks
  parallelism  = min(var.max_gpus, var.tasks)
  task_timeout = var.task_timeout
  max_retries  = var.max_retries

  containers = [{
    image         = var.image
    command       = var.command
    args          = var.args
    env           = var.env
    secret_env    = var.secret_env
    resources     = var.resources
    volume_mounts = var.models == null ? {} : { (var.models.mount_path) = { volume = "models" } }
  }]

  volumes = merge(local.models, local.cache)
  vpc_access = var.network == null ? null : {
    network      = var.network.network
    subnetwork   = var.network.subnetwork
    network_tags = var.network.tags
    egress       = "ALL_TRAFFIC"
  }

  service_account     = var.service_account
  launch_stage        = var.launch_stage
  labels              = var.labels
  execution_labels    = var.labels
  deletion_protection = var.deletion_protection

  lifecycle {
    precondition {
      condition     = var.max_usd_per_execution == null || try(data.cloudrungpu_cost_estimate.this[0].upper_bound_usd <= var.max_usd_per_execution, false)
      error_message = "One execution may cost more than max_usd_per_execution, or nobody knows what it costs: lower tasks, task_timeout or max_retries."
    }
  }
}

# A warning: the job works without, only slower.
check "models_come_through_a_network" {
  assert {
    condition     = var.models == null || var.network != null
    error_message = "Models from Cloud Storage load faster through a VPC network of your own: set network."
  }
}
