data "cloudrungpu_executions" "finetune" {
  job      = cloudrungpu_job.finetune.name
  location = cloudrungpu_job.finetune.location
}

check "runs" {
  assert {
    condition = alltrue([
      for e in data.cloudrungpu_executions.finetune.executions : e.state != "EXECUTION_FAILED"
    ])
    error_message = "One of the last ten runs failed."
  }
}
