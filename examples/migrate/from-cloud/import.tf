terraform {
  required_providers {
    cloudrungpu = { source = "cloudrungpu/cloudrungpu" }
  }
}

# terraform plan -generate-config-out=generated.tf
import {
  id = "us-central1/finetune"
  to = cloudrungpu_job.finetune
}
