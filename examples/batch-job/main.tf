# A batch of embeddings with models from Cloud Storage, by the module next door.

terraform {
  required_providers {
    cloudrungpu = { source = "cloudrungpu/cloudrungpu" }
  }
}

provider "cloudrungpu" {
  project = "acme-ml"
  region  = "us-central1"
}

module "embed" {
  source = "../modules/gpu-batch-job"

  name            = "embed"
  image           = "us-docker.pkg.dev/cloudrun/container/job:latest"
  args            = ["--shards=40"]
  service_account = "batch@acme-ml.iam.gserviceaccount.com"

  tasks    = 40
  max_gpus = 2

  models  = { bucket = "acme-models" }
  network = { network = "ml", subnetwork = "ml-us-central1" }

  deletion_protection = false # true once it matters
}

output "run" {
  value = module.embed.run_command
}
