output "id" {
  description = "Full name of the job: projects/PROJECT/locations/LOCATION/jobs/NAME."
  value       = cloudrungpu_job.this.id
}

output "name" {
  description = "Name of the job."
  value       = cloudrungpu_job.this.name
}

output "location" {
  description = "Region of the job."
  value       = cloudrungpu_job.this.location
}

output "peak_gpus" {
  description = "Most GPUs that one execution holds at once. Known at plan, for a check of all jobs together."
  value       = cloudrungpu_job.this.peak_gpus
}

output "resources" {
  description = "CPU and memory of each task."
  value       = cloudrungpu_job.this.containers[0].resources
}

output "run_command" {
  description = "The command that starts an execution and waits for its end."
  value = format("gcloud run jobs execute %s --project=%s --region=%s --wait",
  cloudrungpu_job.this.name, cloudrungpu_job.this.project, cloudrungpu_job.this.location)
}
