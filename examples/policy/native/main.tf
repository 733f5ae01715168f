# The same rules without another tool: Terraform itself stops a plan at a precondition, and warns where a check fails.

terraform {
  required_providers {
    cloudrungpu = { source = "cloudrungpu/cloudrungpu" }
  }
}

provider "cloudrungpu" {
  project = "acme-ml"
  region  = "us-central1"
}

variable "environment" {
  description = "production, or anything else."
  type        = string
  default     = "staging"
}

variable "jobs" {
  description = "The jobs, by name."
  type = map(object({
    location        = optional(string, "us-central1")
    gpu_type        = optional(string, "nvidia-l4")
    tasks           = optional(number, 1)
    parallelism     = optional(number, 1)
    task_timeout    = optional(string, "3600s")
    max_retries     = optional(number, 1)
    service_account = optional(string, "batch@acme-ml.iam.gserviceaccount.com")
    env             = optional(map(string), {})
  }))
  default = {
    embed  = { tasks = 40, parallelism = 2 }
    rerank = { location = "europe-west4" }
  }
}

locals {
  gpu_types    = ["nvidia-l4"]
  regions      = ["us-central1", "europe-west4"]
  gpus_per_job = 8

  usd_per_execution = 100
}

# At the smallest size, which is what a job gets that leaves resources out.
data "cloudrungpu_cost_estimate" "each" {
  for_each = var.jobs

  region        = each.value.location
  gpu_type      = each.value.gpu_type
  task_count    = each.value.tasks
  task_duration = each.value.task_timeout
  max_retries   = each.value.max_retries
}

resource "cloudrungpu_job" "each" {
  for_each = var.jobs

  name                = each.key
  location            = each.value.location
  gpu                 = { type = each.value.gpu_type }
  task_count          = each.value.tasks
  parallelism         = each.value.parallelism
  task_timeout        = each.value.task_timeout
  max_retries         = each.value.max_retries
  service_account     = each.value.service_account
  labels              = { env = var.environment }
  deletion_protection = var.environment == "production"

  containers = [{
    image = "us-docker.pkg.dev/cloudrun/container/job:latest"
    env   = each.value.env
  }]

  lifecycle {
    precondition {
      condition     = contains(local.gpu_types, each.value.gpu_type)
      error_message = "${each.key} uses the GPU type ${each.value.gpu_type}; allowed: ${join(", ", local.gpu_types)}."
    }
    precondition {
      condition     = contains(local.regions, each.value.location)
      error_message = "${each.key} is in the region ${each.value.location}; allowed: ${join(", ", local.regions)}."
    }
    precondition {
      condition     = !endswith(each.value.service_account, "-compute@developer.gserviceaccount.com")
      error_message = "${each.key} runs as the default service account."
    }
    precondition {
      condition     = length([for name in keys(each.value.env) : name if can(regex("(?i)(token|secret|password|_key)$", name))]) == 0
      error_message = "${each.key} has what looks like a secret in env: put it into Secret Manager and use secret_env."
    }
    precondition {
      condition     = try(data.cloudrungpu_cost_estimate.each[each.key].upper_bound_usd <= local.usd_per_execution, false)
      error_message = "One execution of ${each.key} may cost more than ${local.usd_per_execution} USD, or nobody knows what it costs."
    }
    postcondition {
      condition     = self.peak_gpus <= local.gpus_per_job
      error_message = "${each.key} may hold ${self.peak_gpus} GPUs at once, more than the ${local.gpus_per_job} allowed for one job."
    }
  }
}

# Each job alone fits the quota, or its plan would have been refused. All at once they may still not.
data "cloudrungpu_quota" "l4" {
  for_each = toset(values(var.jobs)[*].location)

  gpu_type = "nvidia-l4"
  region   = each.key
}

check "all_jobs_at_once_fit_the_quota" {
  assert {
    condition = alltrue([
      for region, quota in data.cloudrungpu_quota.l4 :
      quota.limit == null ? true : sum([for job in cloudrungpu_job.each : job.location == region ? job.peak_gpus : 0]) <= quota.limit
    ])
    error_message = "Run all at once, the jobs of a region need more GPUs than its quota: not all of their tasks would get one."
  }
}
