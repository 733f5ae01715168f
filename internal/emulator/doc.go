// Package emulator is a local server that answers as Cloud Run does for jobs with GPUs, for tests and for users without a project.
//
// One port speaks gRPC (without TLS) and REST, as Google's own clients do. It answers google.cloud.run.v2 Jobs, Executions and Tasks,
// google.longrunning.Operations, the quotas of Cloud Run in Cloud Quotas v1, the use and limits of those quotas in Monitoring v3,
// and the prices of jobs in the catalogue of Cloud Billing v1 (how that words the entries for GPUs is a guess).
// Everything else is refused as UNIMPLEMENTED, by the name of the method.
//
// New starts a server; its methods set quotas, let calls fail and tell what was called. So do these calls, in any language:
//
//	GET    /_emulator/health     200 once ready
//	GET    /_emulator/requests   the latest calls, oldest first; DELETE forgets them
//	PUT    /_emulator/quotas     {"nvidia-l4@us-central1": 3}; null for no entry, -1 for no limit, * for every region
//	POST   /_emulator/faults     {"method": "Jobs.CreateJob", "code": "UNAVAILABLE", "message": "", "times": 2, "skip": 0,
//	                             "delay": "0s", "when": "before", "operation": false}; GET lists them, DELETE drops them;
//	                             "reason", "metadata" and "retry_after" add google.rpc's ErrorInfo and RetryInfo to the error
//	POST   /_emulator/task-failures
//	                             {"job": "finetune", "task": 3, "attempts": 1, "exit_code": 42, "signal": 0}: the first try of that
//	                             task fails; without a task every one, without attempts every try; GET lists, DELETE drops them
//	POST   /_emulator/reset      no jobs, no operations, no faults, no failures of tasks, no requests, the quotas of the start
//
// A fault is met before the call ("before": nothing is done), after it ("after": the call is done and its answer lost), or by the
// long-running operation that the call starts ("operation": true).
//
// # What it is not
//
// It runs no containers: a task is a span of time, and succeeds unless it takes longer than its timeout, was told to fail, or a fault is
// injected into the operation of RunJob. A task that is tried again starts at once and keeps its GPU. It knows no users, so nothing
// is ever forbidden. Images, secrets, networks, buckets and keys are never looked at, only the form of their names.
// All projects have one number and the same quotas, a project's id and its number are two projects, and any location is taken. It has
// no limit on calls per minute. A delayed execution starts at once. Executions do not expire after a week, but a job keeps
// only a thousand that have completed, as the real service does; operations are forgotten after some thousands. The partial
// answers of the query parameter "fields" are complete ones.
//
// # What is certain and what is a guess
//
// The rules, their numbers and their texts come from Google's documentation and from published answers of the real service. Where only
// a part of a text is known, the rest is made up around it. Nothing of this has been compared with the real service by running both.
//
// Guesses are: how CPU and memory are filled in next to a GPU (here the least that the type allows); the refusal of a GPU without a type,
// of a type in a region that has none, and of a timeout; the first line of the refusal of a quota that is exceeded, which is known
// for services only; that CPU and memory quotas are checked for jobs as they are for services; that a parallelism left out counts as one;
// which texts begin with "Violation in"; the texts about labels, tokens, arguments, preview features, malformed names, full regions and
// executions that have ended; the messages of conditions, and the errors of executions that fail; the delete of a job whose execution is at work, which here cancels it; and the
// answer to a run that only validates. Where a limit of GPUs has no entry, the first deployment brings the three GPUs that the
// documentation promises; a limit of zero is a refusal, as reported by users for whom that promise was not kept.
package emulator
