resource "cloudrungpu_job" "embed" {
  name     = "embed"
  location = "us-central1"
  gpu      = { type = "nvidia-l4" }

  containers = [{
    image = "us-docker.pkg.dev/cloudrun/container/job:latest"
  }]
}

# terraform apply -invoke=action.cloudrungpu_job_run.backfill
action "cloudrungpu_job_run" "backfill" {
  config {
    job        = cloudrungpu_job.embed.name
    location   = cloudrungpu_job.embed.location
    task_count = 3
    args       = ["--since=2026-01-01"]
    timeout    = "2h"
  }
}
