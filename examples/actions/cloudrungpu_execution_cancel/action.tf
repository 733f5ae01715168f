variable "execution" {
  type        = string
  default     = null
  description = "Name of the execution to cancel."
}

resource "cloudrungpu_job" "embed" {
  name     = "embed"
  location = "us-central1"
  gpu      = { type = "nvidia-l4" }

  containers = [{
    image = "us-docker.pkg.dev/cloudrun/container/job:latest"
  }]
}

# terraform apply -invoke=action.cloudrungpu_execution_cancel.embed -var execution=embed-x7k2p
action "cloudrungpu_execution_cancel" "embed" {
  config {
    job       = cloudrungpu_job.embed.name
    location  = cloudrungpu_job.embed.location
    execution = coalesce(var.execution, "none")
  }
}
