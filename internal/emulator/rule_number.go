package emulator

import "cloud.google.com/go/run/apiv2/runpb"

const (
	maxTasks   = 10000
	maxRetries = 10
)

// numberRules are the ranges of the numbers of a job. A parallelism above the number of tasks is no mistake to the service.
var numberRules = []struct {
	field    string
	value    func(*runpb.Job) int32
	min, max int32
	text     string
}{
	{
		"template.task_count", func(job *runpb.Job) int32 { return job.GetTemplate().GetTaskCount() },
		0, maxTasks, "must be a number between 0 and 10000",
	},
	{
		"template.parallelism", func(job *runpb.Job) int32 { return job.GetTemplate().GetParallelism() },
		0, 1<<31 - 1, "must not be negative",
	},
	{
		"template.template.max_retries", func(job *runpb.Job) int32 { return job.GetTemplate().GetTemplate().GetMaxRetries() },
		0, maxRetries, "must be a number between 0 and 10",
	},
}

func (c *checker) checkNumbers() {
	for _, rule := range numberRules {
		if value := rule.value(c.job); value < rule.min || value > rule.max {
			c.request(rule.field, "%s", rule.text)
		}
	}
}
