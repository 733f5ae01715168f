resource "cloudrungpu_job" "embed" {
  name     = "embed"
  location = "us-central1"
  gpu      = { type = "nvidia-l4" }

  containers = [{
    image = "us-docker.pkg.dev/cloudrun/container/job:latest"
  }]
}

data "cloudrungpu_job" "embed" {
  name     = cloudrungpu_job.embed.name
  location = cloudrungpu_job.embed.location
}

check "ready" {
  assert {
    condition     = data.cloudrungpu_job.embed.ready
    error_message = "The job cannot run: see the conditions of data.cloudrungpu_job.embed."
  }
}
