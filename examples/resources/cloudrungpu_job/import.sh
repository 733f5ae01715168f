terraform import cloudrungpu_job.finetune projects/my-project/locations/us-central1/jobs/finetune

# With the project, or project and region, of the provider:
terraform import cloudrungpu_job.finetune us-central1/finetune
terraform import cloudrungpu_job.finetune finetune
