terraform {
  required_providers {
    cloudrungpu = { source = "cloudrungpu/cloudrungpu" }
  }
}

# Credentials come from `gcloud auth application-default login`, or from what the google provider takes too.
provider "cloudrungpu" {
  project = "acme-ml"
  region  = "us-central1"

  default_labels = {
    team = "research"
  }
}
