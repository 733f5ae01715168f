resource "cloudrungpu_job" "embed" {
  name     = "embed"
  location = "us-central1"
  gpu      = { type = "nvidia-l4" }
  run      = {}

  containers = [{
    image = "us-docker.pkg.dev/cloudrun/container/job:latest"
  }]
}

# The latest runs, whoever started them.
data "cloudrungpu_executions" "embed" {
  job      = cloudrungpu_job.embed.name
  location = cloudrungpu_job.embed.location
  limit    = 30
}

output "failed_runs" {
  value = [for e in data.cloudrungpu_executions.embed.executions : e.name if e.state == "EXECUTION_FAILED"]
}

output "gpu_hours" {
  value = sum(concat([0], data.cloudrungpu_executions.embed.executions[*].gpu_seconds)) / 3600
}
