# What one execution may cost, priced by the estimates of the configuration: data "cloudrungpu_cost_estimate".
package main

import data.limits

deny contains msg if {
	some address, job in jobs
	upper_bound(job) > limits.usd_per_execution
	msg := sprintf("One execution of %s may cost %.2f USD, more than the %v allowed: lower task_count, task_timeout or max_retries.", [address, upper_bound(job), limits.usd_per_execution])
}

# A job without a GPU is no matter of money here.
warn contains msg if {
	some address, job in jobs
	gpu_type(job)
	not upper_bound(job)
	msg := sprintf("What an execution of %s costs is not known: add a cloudrungpu_cost_estimate of its GPU type and region.", [address])
}

# Every task uses up its retries, and every attempt its time. The provider says the same in upper_bound_usd of an estimate that
# is made for this very job; computed here, no job gets by with the estimate of a smaller one.
upper_bound(job) := ((job.task_count * (1 + job.max_retries)) * seconds(job)) * usd_per_second(job)

# An attempt is billed for a minute at least.
seconds(job) := max([60, time.parse_duration_ns(job.task_timeout) / 1000000000])

usd_per_second(job) := gpus + (cpu + memory) if {
	some estimate in estimates
	estimate.region == job.location
	estimate.gpu_type == gpu_type(job)
	gpus := job.gpu.count * to_number(estimate.parts.gpu.usd_per_second)
	cpu := sum([units.parse(c.resources.cpu) | some c in job.containers]) * to_number(estimate.parts.cpu.usd_per_second)
	memory := (sum([units.parse_bytes(c.resources.memory) | some c in job.containers]) / 1073741824) * to_number(estimate.parts.memory.usd_per_second)
}

# An estimate is read before the plan is made, wherever it stands in the configuration.
estimates contains resource.values if {
	some part in ["prior_state", "planned_values"]
	walk(input[part], [_, resource])
	resource.mode == "data"
	resource.type == "cloudrungpu_cost_estimate"
}
