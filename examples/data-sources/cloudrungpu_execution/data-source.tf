resource "cloudrungpu_job" "embed" {
  name       = "embed"
  location   = "us-central1"
  gpu        = { type = "nvidia-l4" }
  task_count = 2
  run        = {}

  containers = [{
    image = "us-docker.pkg.dev/cloudrun/container/job:latest"
  }]
}

# The run that Terraform made after the last change.
data "cloudrungpu_execution" "last" {
  job      = cloudrungpu_job.embed.name
  location = cloudrungpu_job.embed.location
  name     = cloudrungpu_job.embed.last_run.execution
}

output "failed_tasks" {
  value = {
    for t in data.cloudrungpu_execution.last.tasks : t.index => "exit code ${t.exit_code} after ${t.attempts} attempts, logs: ${t.log_uri}"
    if t.state == "EXECUTION_FAILED"
  }
}
