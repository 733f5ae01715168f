data "cloudrungpu_regions" "l4" {
  gpu_type = "nvidia-l4"
}

locals {
  # Regions low in carbon emissions that everybody may use.
  green = toset([
    for name, region in data.cloudrungpu_regions.l4.regions : name
    if region.low_co2 && !contains(region.invitation_only, "nvidia-l4")
  ])
}

# The same regions, compared with those that the project's quota names.
data "cloudrungpu_regions" "checked" {
  gpu_type = "nvidia-l4"
  live     = true
}

output "in_doubt" {
  value = [for name, region in data.cloudrungpu_regions.checked.regions : name if !contains(region.quota_lists, "nvidia-l4")]
}

# The same job in each of them.
resource "cloudrungpu_job" "embed" {
  for_each = local.green

  name     = "embed"
  location = each.key
  gpu      = { type = "nvidia-l4" }

  containers = [{
    image = "us-docker.pkg.dev/cloudrun/container/job:latest"
  }]
}
