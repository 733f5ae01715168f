package job

import "cloud.google.com/go/run/apiv2/runpb"

// ready is true of a job whose last change the server has carried out.
func ready(job *runpb.Job) bool {
	return !job.GetReconciling() && job.GetTerminalCondition().GetState() == runpb.Condition_CONDITION_SUCCEEDED
}
