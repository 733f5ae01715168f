# The Cloud Run jobs of a plan, for the rules in the files beside this one.
#
#   terraform plan -out=tfplan && terraform show -json tfplan >plan.json
#   conftest test plan.json --policy policy --data limits.yaml
package main

import data.limits

# What each job will be, by its address. A job that is kept as it is counts as well; one that goes away does not.
jobs[change.address] := change.change.after if {
	some change in input.resource_changes
	change.mode == "managed"
	change.type == "cloudrungpu_job"
	is_object(change.change.after)
}

# unknown holds for an attribute whose value is known after the apply only.
unknown(address, attribute) if {
	some change in input.resource_changes
	change.address == address
	change.change.after_unknown[attribute] == true
}

unknown(address, "gpu") if {
	some change in input.resource_changes
	change.address == address
	change.change.after_unknown.gpu.type == true
}

gpu_type(job) := job.gpu.type

region(job) := object.get(job, "location", "a region known after apply")

production(job) if job.effective_labels[limits.production.label] in limits.production.values
