# How many GPUs, of which type, and where.
package main

import data.limits

deny contains msg if {
	some address, job in jobs
	job.peak_gpus > limits.gpus_per_job
	msg := sprintf("%s may hold %d GPUs at once, more than the %d allowed for one job: lower parallelism.", [address, job.peak_gpus, limits.gpus_per_job])
}

deny contains msg if {
	some place, gpus in gpus_in
	gpus > allowed_in(place)
	msg := sprintf("The jobs in %s may hold %d GPUs at once, more than the %d allowed there: %s.", [place, gpus, allowed_in(place), concat(", ", holders(place))])
}

deny contains msg if {
	some address, job in jobs
	not gpu_type(job) in limits.gpu_types
	msg := sprintf("%s uses the GPU type %s; allowed: %s.", [address, gpu_type(job), concat(", ", limits.gpu_types)])
}

deny contains msg if {
	some address, job in jobs
	not unknown(address, "location")
	not job.location in limits.regions
	msg := sprintf("%s is in the region %s; allowed: %s.", [address, job.location, concat(", ", limits.regions)])
}

# What nobody can know yet is no offence; `conftest test --fail-on-warn` makes it one.
warn contains msg if {
	some address, _ in jobs
	some attribute in ["peak_gpus", "gpu", "location"]
	unknown(address, attribute)
	msg := sprintf("%s: %s is known after the apply only and could not be judged.", [address, attribute])
}

# All jobs of a region, as if all ran at once.
gpus_in[place] := sum([job.peak_gpus | some job in jobs; region(job) == place]) if {
	some each in jobs
	place := region(each)
}

allowed_in(place) := object.get(limits.gpus_per_region, place, limits.gpus_per_region.default)

holders(place) := sort([sprintf("%s (%d)", [address, job.peak_gpus]) |
	some address, job in jobs
	region(job) == place
	job.peak_gpus > 0
])
