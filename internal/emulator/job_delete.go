package emulator

import (
	"context"
	"time"

	"cloud.google.com/go/longrunning/autogen/longrunningpb"
	"cloud.google.com/go/run/apiv2/runpb"
)

// DeleteJob implements runpb.JobsServer. Whether the real service refuses while an execution is at work is not known; here the
// executions are cancelled, and go with the job.
func (s jobsServer) DeleteJob(ctx context.Context, request *runpb.DeleteJobRequest) (*longrunningpb.Operation, error) {
	name, err := parseJob("name", request.GetName())
	if err != nil {
		return nil, err
	}
	now, leave := s.enter()
	defer leave()
	j, err := s.findJob(name)
	if err != nil {
		return nil, err
	}
	if err := checkEtag(name.id(), request.GetEtag(), j.message.GetEtag()); err != nil {
		return nil, err
	}
	if request.GetValidateOnly() {
		return s.validated(name.parent(), j.metadata(), j.snapshot())
	}
	op, err := s.newOperation(name.parent(), j.metadata())
	if err != nil {
		return nil, err
	}
	s.operations.add(op)
	cause := operationFault(ctx)
	s.after(now, func(now time.Time) {
		if cause != nil {
			op.fail(cause)
			return
		}
		s.removeJob(now, j)
		op.finish(j.snapshot())
	})
	s.settle(now)
	return op.snapshot(), nil
}

// removeJob takes a job out of sight. A second delete that was under way at the same time finds nothing left to do.
func (s *state) removeJob(now time.Time, j *job) {
	if j.message.GetDeleteTime() != nil {
		return
	}
	for _, e := range s.executionsAtWork(j) {
		s.cancelExecution(now, e)
	}
	j.message.DeleteTime, j.message.ExpireTime = stamp(now), stamp(now.Add(expiry))
	j.message.Etag = etagOf(s.nextVersion(now))
	delete(s.jobs, j.name.String())
	s.deleted = append(s.deleted, j.snapshot())
	if len(s.deleted) > deletedKept {
		s.deleted = s.deleted[len(s.deleted)-deletedKept:]
	}
}

func (s *state) executionsAtWork(j *job) []*execution {
	var at []*execution
	for _, e := range s.running {
		if e.job == j {
			at = append(at, e)
		}
	}
	return at
}
