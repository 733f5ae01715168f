# What production asks for on top.
package main

deny contains msg if {
	some address, job in jobs
	production(job)
	not job.deletion_protection
	msg := sprintf("%s is in production: set deletion_protection = true.", [address])
}
