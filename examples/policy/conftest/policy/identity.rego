# Who the tasks are, and what they must not carry in the open.
package main

import data.limits

# The Compute Engine default service account can often do anything in the project.
deny contains msg if {
	some address, job in jobs
	default_account(address, job)
	msg := sprintf("%s runs as the default service account: set service_account to one made for the job.", [address])
}

default_account(address, job) if {
	not unknown(address, "service_account")
	object.get(job, "service_account", null) == null
}

default_account(_, job) if endswith(job.service_account, "-compute@developer.gserviceaccount.com")

# Messages name the variable and never its value.
deny contains msg if {
	some address, job in jobs
	some container in job.containers
	some name, value in container.env
	secret(name, value)
	msg := sprintf("%s has what looks like a secret in env[%q]: put it into Secret Manager and use secret_env.", [address, name])
}

deny contains msg if {
	some address, job in jobs
	some container in job.containers
	some i, value in container.args
	secret_value(value)
	msg := sprintf("%s has what looks like a secret in args[%d]: put it into Secret Manager and use secret_env.", [address, i])
}

secret(name, _) if {
	regex.match(`(?i)(^|_)(token|secret|password|passwd|passphrase|credentials?|api_?key|access_?key|private_?key)$`, name)
	not name in limits.plain_env
}

secret(_, value) if secret_value(value)

# What the keys of well-known issuers begin with.
secret_value(value) if {
	regex.match(`(^|=)(hf_[A-Za-z0-9]{20}|gh[opsu]_[A-Za-z0-9]{20}|github_pat_|glpat-|sk-[A-Za-z0-9_-]{20}|AIza[A-Za-z0-9_-]{30}|ya29\.)`, value)
}

secret_value(value) if contains(value, "PRIVATE KEY-----")
