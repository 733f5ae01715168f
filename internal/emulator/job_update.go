package emulator

import (
	"context"
	"time"

	"cloud.google.com/go/longrunning/autogen/longrunningpb"
	"cloud.google.com/go/run/apiv2/runpb"
	"google.golang.org/protobuf/proto"
)

// UpdateJob implements runpb.JobsServer. It has no mask: the job that is sent replaces what its owner may set.
func (s jobsServer) UpdateJob(ctx context.Context, request *runpb.UpdateJobRequest) (*longrunningpb.Operation, error) {
	if request.GetJob() == nil {
		return nil, invalidArgument(violation{"Violation in UpdateJobRequest.job", "required field not present."})
	}
	name, err := parseJob("job.name", request.GetJob().GetName())
	if err != nil {
		return nil, err
	}
	now, leave := s.enter()
	defer leave()
	j, exists := s.jobs[name.String()]
	if !exists {
		if request.GetAllowMissing() {
			return s.createJob(ctx, now, createCall{
				request: "UpdateJobRequest", name: name, spec: request.GetJob(), validateOnly: request.GetValidateOnly(),
			})
		}
		return nil, notFound("JOB", name)
	}
	if err := checkEtag(name.id(), request.GetJob().GetEtag(), j.message.GetEtag()); err != nil {
		return nil, err
	}
	message := s.replaced(now, j.message, request.GetJob())
	checked := checkedJob{request: "UpdateJobRequest", name: name, job: message, previous: j.message, validateOnly: request.GetValidateOnly()}
	if err := s.check(checked); err != nil {
		return nil, err
	}
	if err := checkToken(j, message); err != nil {
		return nil, err
	}
	replaced := &job{name: name, message: message}
	if request.GetValidateOnly() {
		return s.validated(name.parent(), replaced.metadata(), replaced.snapshot())
	}
	op, err := s.newOperation(name.parent(), replaced.metadata())
	if err != nil {
		return nil, err
	}
	s.grantFirstUse(message, name.location())
	j.message = message
	s.operations.add(op)
	s.reconcile(now, j, op, operationFault(ctx))
	s.settle(now)
	return op.snapshot(), nil
}

// replaced is the job as it will be: configured anew, with what only the service sets kept from before. The generation moves
// when the configuration does.
func (s *state) replaced(now time.Time, before, spec *runpb.Job) *runpb.Job {
	message := s.configured(spec)
	kept := proto.CloneOf(before)
	message.Name, message.Uid = kept.GetName(), kept.GetUid()
	message.Generation, message.ObservedGeneration = kept.GetGeneration(), kept.GetObservedGeneration()
	message.CreateTime, message.Creator = kept.GetCreateTime(), kept.GetCreator()
	message.ExecutionCount, message.LatestCreatedExecution = kept.GetExecutionCount(), kept.GetLatestCreatedExecution()
	message.TerminalCondition = kept.GetTerminalCondition()
	message.UpdateTime, message.LastModifier = stamp(now), caller
	if !sameConfiguration(before, message) {
		message.Generation++
	}
	message.Etag = etagOf(s.nextVersion(now))
	return message
}

func sameConfiguration(a, b *runpb.Job) bool {
	only := func(job *runpb.Job) *runpb.Job {
		plain := proto.CloneOf(job)
		dropOutputOnly(plain.ProtoReflect())
		plain.Name, plain.Etag = "", ""
		return plain
	}
	return proto.Equal(only(a), only(b))
}

// checkToken refuses a new token that names an execution which is there already.
func checkToken(before *job, after *runpb.Job) error {
	token, _ := executionToken(after)
	old, _ := executionToken(before.message)
	id := before.name.id() + "-" + token
	if token == "" || token == old || before.executions[id] == nil {
		return nil
	}
	return alreadyExists(id)
}
