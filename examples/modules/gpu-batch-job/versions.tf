terraform {
  required_version = ">= 1.8"

  required_providers {
    cloudrungpu = {
      source  = "cloudrungpu/cloudrungpu"
      version = ">= 0.1.0"
    }
  }
}
