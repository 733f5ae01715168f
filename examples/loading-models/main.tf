# Four ways for a task to come by a large model. Each job stands alone.

terraform {
  required_providers {
    cloudrungpu = { source = "cloudrungpu/cloudrungpu" }
  }
}

provider "cloudrungpu" {
  project = "acme-ml"
  region  = "us-central1"
}

locals {
  image           = "us-docker.pkg.dev/cloudrun/container/job:latest"
  service_account = "batch@acme-ml.iam.gserviceaccount.com"

  # The subnetwork has Private Google Access: Cloud Storage is reached without the internet.
  network = { network = "ml", subnetwork = "ml-us-central1", egress = "ALL_TRAFFIC" }
}

# 1. In the image: nothing to set, and nothing to load but the image.
resource "cloudrungpu_job" "in_the_image" {
  name            = "in-the-image"
  gpu             = { type = "nvidia-l4" }
  service_account = local.service_account
  containers      = [{ image = local.image, args = ["--model=/app/model"] }]
}

# 2. In Cloud Storage, mounted: files that are read on demand, here ahead of the program.
resource "cloudrungpu_job" "mounted" {
  name            = "mounted"
  gpu             = { type = "nvidia-l4" }
  service_account = local.service_account
  vpc_access      = local.network

  containers = [{
    image         = local.image
    args          = ["--model=/models/gemma-2b"]
    volume_mounts = { "/models" = { volume = "models" } }
  }]
  volumes = {
    models = { gcs = { bucket = "acme-models", read_only = true, mount_options = ["enable-buffered-read=true"] } }
  }
}

# 2b. Mounted, with a cache in memory for files that are read more than once.
resource "cloudrungpu_job" "cached" {
  name            = "cached"
  gpu             = { type = "nvidia-l4" }
  service_account = local.service_account
  vpc_access      = local.network

  containers = [{
    image         = local.image
    args          = ["--model=/models/gemma-2b"]
    resources     = { cpu = "8", memory = "32Gi" } # the cache and the program
    volume_mounts = { "/models" = { volume = "models" } }
  }]
  volumes = {
    models = { gcs = { bucket = "acme-models", read_only = true, mount_options = ["cache-dir=cr-volume:cache"] } }
    cache  = { empty_dir = { medium = "MEMORY", size_limit = "12Gi" } }
  }
}

# 3. In Cloud Storage, downloaded at the start of the task with many connections at once, into memory.
resource "cloudrungpu_job" "downloaded" {
  name            = "downloaded"
  gpu             = { type = "nvidia-l4" }
  service_account = local.service_account
  vpc_access      = local.network

  containers = [{
    image         = local.image
    command       = ["sh", "-c"]
    args          = ["gcloud storage cp --recursive gs://acme-models/gemma-2b /scratch && exec /app/run --model=/scratch/gemma-2b"]
    resources     = { cpu = "8", memory = "32Gi" } # the model and the program
    volume_mounts = { "/scratch" = { volume = "scratch" } }
  }]
  volumes = {
    scratch = { empty_dir = { medium = "MEMORY", size_limit = "16Gi" } }
  }
}

# 4. From the internet, with a token: to try a model out.
resource "cloudrungpu_job" "from_the_internet" {
  name            = "from-the-internet"
  gpu             = { type = "nvidia-l4" }
  service_account = local.service_account

  containers = [{
    image      = local.image
    args       = ["--model=google/gemma-2b"]
    env        = { HF_HOME = "/scratch" }
    secret_env = { HF_TOKEN = { secret = "hf-token", version = "3" } }
    resources  = { cpu = "8", memory = "32Gi" }

    volume_mounts = { "/scratch" = { volume = "scratch" } }
  }]
  volumes = {
    scratch = { empty_dir = { medium = "MEMORY", size_limit = "16Gi" } }
  }
}
