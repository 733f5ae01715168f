# terraform query: the jobs with a GPU in all regions, ready to be imported.
list "cloudrungpu_job" "with_gpu" {
  provider = cloudrungpu

  config {
    location = "-"
    gpu_type = "*"
  }
}
