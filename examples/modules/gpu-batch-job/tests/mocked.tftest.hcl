# Without the emulator, without the provider's own logic: what the module makes of its variables.

mock_provider "cloudrungpu" {
  mock_resource "cloudrungpu_job" {
    defaults = {
      id        = "projects/acme-ml/locations/us-central1/jobs/embed"
      project   = "acme-ml"
      location  = "us-central1"
      peak_gpus = 1
    }
  }
}

variables {
  name            = "embed"
  image           = "us-docker.pkg.dev/cloudrun/container/job:latest"
  service_account = "batch@acme-ml.iam.gserviceaccount.com"
}

run "no_more_at_once_than_there_are_tasks" {
  variables {
    tasks    = 2
    max_gpus = 5
  }

  assert {
    condition     = cloudrungpu_job.this.parallelism == 2
    error_message = "parallelism is the smaller of tasks and max_gpus."
  }
}

run "protected_unless_told_otherwise" {
  assert {
    condition     = cloudrungpu_job.this.deletion_protection
    error_message = "A job is protected from deletion by default."
  }
  assert {
    condition     = cloudrungpu_job.this.volumes == null || length(cloudrungpu_job.this.volumes) == 0
    error_message = "Without models there is no volume."
  }
}

run "models_are_mounted" {
  variables {
    models  = { bucket = "acme-models", mount_path = "/weights" }
    network = { network = "ml", subnetwork = "ml-us-central1" }
  }

  assert {
    condition     = cloudrungpu_job.this.containers[0].volume_mounts["/weights"].volume == "models"
    error_message = "The models are where mount_path says."
  }
  assert {
    condition     = cloudrungpu_job.this.volumes["models"].gcs.read_only
    error_message = "Tasks cannot change the models."
  }
}
