# Against the emulator, with the real provider:
#
#   cloudrun-emulator -- terraform test
#
# Without CLOUDRUNGPU_EMULATOR_HOST these runs would make jobs on Google Cloud.

provider "cloudrungpu" {
  project = "acme-ml"
  region  = "us-central1"
}

variables {
  name                = "embed"
  image               = "us-docker.pkg.dev/cloudrun/container/job:latest"
  service_account     = "batch@acme-ml.iam.gserviceaccount.com"
  deletion_protection = false
}

run "plain" {
  command = apply

  assert {
    condition     = output.id == "projects/acme-ml/locations/us-central1/jobs/embed"
    error_message = "The job is made in the provider's project and region."
  }
  assert {
    condition     = output.resources.cpu == "4" && output.resources.memory == "16Gi"
    error_message = "A task gets the smallest size that an L4 allows."
  }
  assert {
    condition     = output.peak_gpus == 1
    error_message = "One task holds one GPU."
  }
}

run "models_in_memory" {
  command = apply

  variables {
    tasks     = 12
    max_gpus  = 1
    resources = { cpu = "8", memory = "32Gi" }
    models    = { bucket = "acme-models", loading = "cache", cache_size = "12Gi" }
    network   = { network = "ml", subnetwork = "ml-us-central1" }
  }

  assert {
    condition     = output.peak_gpus == 1
    error_message = "No more tasks run at once than there are GPUs."
  }
  assert {
    condition     = cloudrungpu_job.this.volumes["model-cache"].empty_dir.size_limit == "12Gi"
    error_message = "The cache has the size that was asked for."
  }
  assert {
    condition     = cloudrungpu_job.this.vpc_access.egress == "ALL_TRAFFIC"
    error_message = "All traffic takes the network, Cloud Storage included."
  }
}

# The same job again: what the cache needed is gone, in one apply.
run "models_read_ahead" {
  command = apply

  variables {
    tasks    = 12
    max_gpus = 2
    models   = { bucket = "acme-models" }
    network  = { network = "ml", subnetwork = "ml-us-central1" }
  }

  assert {
    condition     = output.peak_gpus == 2 && output.resources.memory == "16Gi"
    error_message = "Resources that are left out are the smallest again."
  }
  assert {
    condition     = keys(cloudrungpu_job.this.volumes) == tolist(["models"])
    error_message = "Read ahead needs no cache volume."
  }
  assert {
    condition     = output.run_command == "gcloud run jobs execute embed --project=acme-ml --region=us-central1 --wait"
    error_message = "The command names job, project and region."
  }
}

run "a_bucket_is_no_address" {
  command = plan

  variables {
    models = { bucket = "gs://acme-models" }
  }

  expect_failures = [var.models]
}

run "the_default_service_account_is_refused" {
  command = plan

  variables {
    service_account = "123456789012-compute@developer.gserviceaccount.com"
  }

  expect_failures = [var.service_account]
}

run "a_slow_way_to_the_models_is_warned_of" {
  command = plan

  variables {
    models = { bucket = "acme-models" }
  }

  expect_failures = [check.models_come_through_a_network]
}

run "a_ceiling_that_holds" {
  command = plan

  variables {
    tasks                 = 10
    max_usd_per_execution = 25
  }

  assert {
    condition     = data.cloudrungpu_cost_estimate.this[0].upper_bound_usd > 20
    error_message = "Ten tasks of an hour, each tried twice, cost about 21 USD."
  }
}

run "more_than_the_ceiling" {
  command = plan

  variables {
    tasks                 = 100
    max_usd_per_execution = 25
  }

  expect_failures = [cloudrungpu_job.this]
}

run "no_gpu_at_all" {
  command = plan

  variables {
    max_gpus = 0
  }

  expect_failures = [var.max_gpus]
}
