variable "name" {
  description = "Name of the job."
  type        = string
}

variable "project" {
  description = "Project of the job. Null: the provider's."
  type        = string
  default     = null
}

variable "location" {
  description = "Region of the job. Null: the provider's."
  type        = string
  default     = null
}

variable "image" {
  description = "Image of the container. With a digest (NAME@sha256:...) every execution runs the same code."
  type        = string
}

variable "command" {
  description = "Entry point, as separate words. Null: that of the image."
  type        = list(string)
  default     = null
}

variable "args" {
  description = "Arguments of the entry point. Null: those of the image."
  type        = list(string)
  default     = null
}

variable "env" {
  description = "Environment variables, name to value. Not for secrets: values are stored in the state."
  type        = map(string)
  default     = {}
  nullable    = false
}

variable "secret_env" {
  description = "Environment variables from Secret Manager, by name."
  type = map(object({
    secret  = string
    version = string
  }))
  default  = {}
  nullable = false
}

variable "gpu_type" {
  description = "Type of the GPU of each task."
  type        = string
  default     = "nvidia-l4"
  nullable    = false
}

variable "resources" {
  description = "CPU and memory of each task. Null: the smallest that the GPU type allows."
  type = object({
    cpu    = optional(string)
    memory = optional(string)
  })
  default = null
}

variable "tasks" {
  description = "Number of tasks of one execution, 1 to 10000. A task finds its share of the work by CLOUD_RUN_TASK_INDEX."
  type        = number
  default     = 1
  nullable    = false
}

variable "max_gpus" {
  description = "Most GPUs that one execution may hold at once: tasks beyond it wait. It counts against the quota of the region."
  type        = number
  default     = 1
  nullable    = false

  validation {
    condition     = var.max_gpus >= 1 && floor(var.max_gpus) == var.max_gpus
    error_message = "max_gpus is a whole number of at least 1."
  }
}

variable "task_timeout" {
  description = "How long one try of a task may run: 3600s, 1h30m. At most 1h with a GPU, or 12h where launch_stage is BETA."
  type        = string
  default     = "3600s"
  nullable    = false
}

variable "max_retries" {
  description = "How often a failed task is tried again, 0 to 10. Each try is billed, GPU included."
  type        = number
  default     = 1
  nullable    = false
}

variable "max_usd_per_execution" {
  description = "Most that one execution may cost in US dollars, if every task uses up its retries and every try its time. A plan that may cost more is refused. Null: no ceiling."
  type        = number
  default     = null
}

variable "launch_stage" {
  description = "GA, or BETA to use features in preview. Null: GA."
  type        = string
  default     = null
}

variable "service_account" {
  description = "E-mail of the service account that the tasks run as. It reads the models and the secrets."
  type        = string

  validation {
    condition     = can(regex("^[^@]+@[^@]+$", var.service_account))
    error_message = "service_account is an e-mail address, such as batch@PROJECT.iam.gserviceaccount.com."
  }

  validation {
    condition     = !endswith(var.service_account, "-compute@developer.gserviceaccount.com")
    error_message = "The default service account can often do anything in the project: make one for the job, with no more than it needs."
  }
}

variable "models" {
  description = <<-EOT
    A bucket with models that the tasks read as files. Null: none.
    - mount_path: where they are seen.
    - loading: "buffered" reads ahead, for files that are read once from front to back. "cache" keeps what was read in memory, for files
      that are read again or in pieces.
    - cache_size: how much the cache may hold. It counts against the memory of the task: what the program needs comes on top.
  EOT
  type = object({
    bucket     = string
    mount_path = optional(string, "/models")
    loading    = optional(string, "buffered")
    cache_size = optional(string, "8Gi")
  })
  default = null

  validation {
    condition     = var.models == null || !startswith(try(var.models.bucket, ""), "gs://")
    error_message = "models.bucket is the name of a bucket, without gs://."
  }

  validation {
    condition     = contains(["buffered", "cache"], try(var.models.loading, "buffered"))
    error_message = "models.loading is \"buffered\" or \"cache\"."
  }

  validation {
    condition     = startswith(try(var.models.mount_path, "/models"), "/")
    error_message = "models.mount_path is an absolute path."
  }
}

variable "network" {
  description = <<-EOT
    A VPC network that carries all traffic of the tasks, with Private Google Access on the subnetwork: the fast way to large models in Cloud
    Storage. The subnetwork needs a free address for every task that runs at once. Null: Google's shared path to the internet.
  EOT
  type = object({
    network    = string
    subnetwork = string
    tags       = optional(list(string), [])
  })
  default = null
}

variable "labels" {
  description = "Labels of the job and of its executions, key to value. Those of executions show up in billing."
  type        = map(string)
  default     = {}
  nullable    = false
}

variable "deletion_protection" {
  description = "Whether a plan that would destroy or replace the job is refused."
  type        = bool
  default     = true
  nullable    = false
}
