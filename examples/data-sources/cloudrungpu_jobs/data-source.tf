# Every job with a GPU, in all regions, whoever made it.
data "cloudrungpu_jobs" "with_gpu" {
  location = "-"
  gpu_type = "*"
}

output "gpus_at_once" {
  value = sum(concat([0], data.cloudrungpu_jobs.with_gpu.jobs[*].peak_gpus))
}
