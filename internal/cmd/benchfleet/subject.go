package main

import (
	"fmt"
	"strings"
)

// subject is what is measured: a configuration of n resources, before and after an update.
type subject interface {
	name() string
	config(n int, updated bool) string
}

type cloudrungpu struct{}

func (cloudrungpu) name() string { return "cloudrungpu" }

func (cloudrungpu) config(n int, updated bool) string {
	timeout := "600s"
	if updated {
		timeout = "1200s"
	}
	var text strings.Builder
	text.WriteString(`terraform {
  required_providers {
    cloudrungpu = { source = "cloudrungpu/cloudrungpu" }
  }
}
provider "cloudrungpu" {
  project = "bench"
  region  = "us-central1"
}
`)
	for i := range n {
		fmt.Fprintf(&text, `resource "cloudrungpu_job" "j%[1]d" {
  name                = "job-%[1]d"
  gpu                 = { type = "nvidia-l4" }
  task_timeout        = %[2]q
  parallelism         = 1
  deletion_protection = false
  containers = [{
    image = "us-docker.pkg.dev/cloudrun/container/job:latest"
    args  = ["--epochs=3"]
    env   = { MODEL = "gemma-2b" }
  }]
}
`, i, timeout)
	}
	return text.String()
}

type terraformData struct{}

func (terraformData) name() string { return "terraform_data" }

func (terraformData) config(n int, updated bool) string {
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, "resource \"terraform_data\" \"j%d\" {\n  input = \"%d %t\"\n}\n", i, i, updated)
	}
	return text.String()
}
