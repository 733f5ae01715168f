data "cloudrungpu_gpu_types" "here" {
  region = "us-central1"
}

# What a task with each of them may have.
output "sizes" {
  value = { for name, gpu in data.cloudrungpu_gpu_types.here.types : name => gpu.sizes }
}

# The types with at least 40 GB of memory.
output "large_enough" {
  value = [for name, gpu in data.cloudrungpu_gpu_types.here.types : name if gpu.memory_gb >= 40]
}

# Where the price of an L4 comes from, and of which day it is.
output "l4_price" {
  value = one([for p in data.cloudrungpu_gpu_types.here.types["nvidia-l4"].prices : p if !p.zonal_redundancy && p.price_tier == 1])
}
