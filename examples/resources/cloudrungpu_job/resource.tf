resource "cloudrungpu_job" "finetune" {
  name     = "finetune"
  location = "us-central1"
  gpu      = { type = "nvidia-l4" }

  # Twelve tasks, three at once: three GPUs of the project's quota.
  task_count   = 12
  parallelism  = 3
  task_timeout = "3600s"

  containers = [{
    image      = "us-docker.pkg.dev/cloudrun/container/job:latest"
    args       = ["--epochs=3"]
    env        = { MODEL = "gemma-2b" }
    secret_env = { HF_TOKEN = { secret = "hf-token", version = "3" } }
    resources  = { cpu = "8", memory = "32Gi" }
  }]
}

# CPU and memory left out: the smallest that the GPU allows, known at plan.
resource "cloudrungpu_job" "embed" {
  name     = "embed"
  location = "europe-west4"
  gpu      = { type = "nvidia-rtx-pro-6000" }

  containers = [{
    image = "us-docker.pkg.dev/cloudrun/container/job:latest"
  }]
}

# What a policy or a check can rely on before anything is created.
output "gpus_at_once" {
  value = cloudrungpu_job.finetune.peak_gpus
}
