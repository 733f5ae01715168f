# What a job can have in place of what the full one has: the other way into the network, the other policy, the other probes.
resource "cloudrungpu_job" "NAME" {
  name                 = "NAME"
  gpu                  = { type = "nvidia-rtx-pro-6000", count = 1, zonal_redundancy = false }
  task_count           = 2
  launch_stage         = "BETA"
  binary_authorization = { use_default = true, breakglass_justification = "incident 7" }
  vpc_access           = { connector = "projects/acme-ml/locations/us-central1/connectors/c", egress = "ALL_TRAFFIC" }
  timeouts             = { read = "1m", update = "10m", delete = "10m" }

  run = {
    triggers   = { data = "2026-12-01" }
    wait       = true
    timeout    = "5m"
    task_count = 3
    container  = "trainer"
    args       = ["--quick"]
    env        = { EPOCHS = "1" }
  }

  containers = [{
    name          = "trainer"
    image         = "us-docker.pkg.dev/cloudrun/container/job:latest"
    volume_mounts = { "/disk" = { volume = "disk" }, "/all" = { volume = "all" } }
    startup_probe = { grpc = { port = 9000, service = "health" } }
  }]
  volumes = {
    disk = { empty_dir = { medium = "DISK", size_limit = "10Gi" } }
    all  = { secret = { secret = "keys" } }
  }
}
