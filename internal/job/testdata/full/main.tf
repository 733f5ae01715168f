# Every attribute of the resource, none at its default.
resource "cloudrungpu_job" "NAME" {
  name                  = "NAME"
  project               = "acme-ml"
  location              = "us-central1"
  labels                = { team = "ml" }
  annotations           = { owner = "ml" }
  execution_labels      = { cost = "42" }
  execution_annotations = { ticket = "t-1" }
  gpu                   = { type = "nvidia-l4", container = "trainer" }
  task_count            = 12
  parallelism           = 3
  max_retries           = 0
  task_timeout          = "1h"
  service_account       = "trainer@acme-ml.iam.gserviceaccount.com"
  encryption_key        = "projects/acme-ml/locations/us-central1/keyRings/r/cryptoKeys/k"
  launch_stage          = "GA"
  binary_authorization  = { policy = "projects/acme-ml/platforms/cloudRun/strict", breakglass_justification = "incident 7" }
  vpc_access            = { network = "default", subnetwork = "gpu", network_tags = ["b", "a"], egress = "ALL_TRAFFIC" }
  deletion_protection   = false

  containers = [
    {
      name        = "trainer"
      image       = "us-docker.pkg.dev/cloudrun/container/job:latest"
      command     = ["python"]
      args        = ["-m", "train"]
      working_dir = "/app"
      env         = { MODEL = "gemma", EMPTY = "" }
      secret_env  = { HF_TOKEN = { secret = "hf-token", version = "3" } }
      resources   = { cpu = "8000m", memory = "32Gi" }
      depends_on  = ["logger"]
      startup_probe = {
        initial_delay_seconds = 5
        period_seconds        = 20
        timeout_seconds       = 3
        failure_threshold     = 7
        http_get              = { path = "/ready", port = 8081, headers = { X-Probe = "1" } }
      }
      volume_mounts = {
        "/models"   = { volume = "models" }
        "/keys"     = { volume = "keys" }
        "/cloudsql" = { volume = "cloudsql" }
        "/scratch"  = { volume = "scratch", sub_path = "tmp" }
        "/share"    = { volume = "share" }
      }
    },
    {
      name          = "logger"
      image         = "us-docker.pkg.dev/cloudrun/container/job:latest"
      resources     = { cpu = "1", memory = "1024Mi" }
      startup_probe = { tcp_socket = { port = 9000 } }
    },
  ]

  volumes = {
    models   = { gcs = { bucket = "acme-models", read_only = true, mount_options = ["enable-buffered-read=true"] } }
    keys     = { secret = { secret = "keys", default_mode = "0400", items = { "a.pem" = { version = "3", mode = "0440" }, "b.pem" = { version = "latest" } } } }
    cloudsql = { cloud_sql = { instances = ["acme-ml:us-central1:db"] } }
    scratch  = { empty_dir = { medium = "MEMORY", size_limit = "1024Mi" } }
    share    = { nfs = { server = "10.0.0.2", path = "/models", read_only = true } }
  }

  timeouts = { create = "5m" }
}
