policy "gpu-jobs" {
  source            = "./gpu-jobs.sentinel"
  enforcement_level = "soft-mandatory"

  params = {
    gpus_per_job      = 8
    gpus_per_region   = 12
    usd_per_execution = 100
    gpu_types         = ["nvidia-l4"]
    regions           = ["us-central1", "europe-west4"]
  }
}
