package emulator

import (
	"context"
	"time"

	"cloud.google.com/go/iam/apiv1/iampb"
	"cloud.google.com/go/longrunning/autogen/longrunningpb"
	"cloud.google.com/go/run/apiv2/runpb"
	"google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"
)

const (
	conditionReady = "Ready"
	// jobsPerRegion is the limit that the documentation gives per project and region.
	jobsPerRegion = 1000
	// expiry is how long the service may still show what was deleted.
	expiry = 30 * 24 * time.Hour
	// deletedKept is how many deleted jobs are remembered for show_deleted.
	deletedKept = 1000
)

// job is one job with all that hangs on it.
type job struct {
	name       resourceName
	message    *runpb.Job
	policy     *iampb.Policy
	executions map[string]*execution // by id
	completed  []*execution          // those that have ended, oldest first
}

// jobsServer answers google.cloud.run.v2.Jobs.
type jobsServer struct {
	*state
}

// snapshot is the job as an answer shows it.
func (j *job) snapshot() *runpb.Job {
	return proto.CloneOf(j.message)
}

// metadata is the job as the metadata of an operation shows it: without a uid, and as if ready.
func (j *job) metadata() *runpb.Job {
	message := j.snapshot()
	message.Uid = ""
	message.Reconciling = false
	message.TerminalCondition = readyCondition(runpb.Condition_CONDITION_SUCCEEDED, message.GetUpdateTime())
	return message
}

func readyCondition(state runpb.Condition_State, since *timestamppb.Timestamp) *runpb.Condition {
	return &runpb.Condition{Type: conditionReady, State: state, LastTransitionTime: since}
}

// reconcile shows the job as being worked on until the operation ends, and then as ready, or as failed for that cause.
func (s *state) reconcile(now time.Time, j *job, op *operation, cause *status.Status) {
	j.message.Reconciling = true
	j.message.TerminalCondition = readyCondition(runpb.Condition_CONDITION_RECONCILING, stamp(now))
	s.after(now, func(now time.Time) {
		j.message.Reconciling = false
		j.message.ObservedGeneration = j.message.GetGeneration()
		if cause != nil {
			// The job stays, as on the real service: what failed is to make it ready.
			j.message.TerminalCondition = readyCondition(runpb.Condition_CONDITION_FAILED, stamp(now))
			j.message.TerminalCondition.Message = cause.GetMessage()
			op.fail(cause)
			return
		}
		j.message.TerminalCondition = readyCondition(runpb.Condition_CONDITION_SUCCEEDED, stamp(now))
		s.runByToken(now, j, op)
	})
}

// findJob returns a job, or the service's words that there is none.
func (s *state) findJob(name resourceName) (*job, error) {
	found, exists := s.jobs[name.String()]
	if !exists {
		return nil, notFound("JOB", name)
	}
	return found, nil
}

// GetJob implements runpb.JobsServer.
func (s jobsServer) GetJob(_ context.Context, request *runpb.GetJobRequest) (*runpb.Job, error) {
	name, err := parseJob("name", request.GetName())
	if err != nil {
		return nil, err
	}
	_, leave := s.enter()
	defer leave()
	found, err := s.findJob(name)
	if err != nil {
		return nil, err
	}
	return found.snapshot(), nil
}

// validated answers a request that only asks: an operation that is done at once and that nobody can ask for later.
func (s *state) validated(location resourceName, metadata, response proto.Message) (*longrunningpb.Operation, error) {
	op, err := s.newOperation(location, metadata)
	if err != nil {
		return nil, err
	}
	op.finish(response)
	return op.snapshot(), nil
}
