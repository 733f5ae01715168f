# The job is there already: take it in, do not make another one.
import {
  id = "us-central1/finetune"
  to = cloudrungpu_job.finetune
}
