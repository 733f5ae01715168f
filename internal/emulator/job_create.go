package emulator

import (
	"context"
	"strings"
	"time"

	"cloud.google.com/go/iam/apiv1/iampb"
	"cloud.google.com/go/longrunning/autogen/longrunningpb"
	"cloud.google.com/go/run/apiv2/runpb"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
)

// CreateJob implements runpb.JobsServer.
func (s jobsServer) CreateJob(ctx context.Context, request *runpb.CreateJobRequest) (*longrunningpb.Operation, error) {
	parent, err := parseLocation("parent", request.GetParent())
	if err != nil {
		return nil, err
	}
	// The real words for these two are not known.
	if request.GetJob() == nil {
		return nil, invalidArgument(violation{"Violation in CreateJobRequest.job", "required field not present."})
	}
	if request.GetJob().GetName() != "" {
		return nil, invalidArgument(violation{"Violation in CreateJobRequest.job", "job.name must be empty on CreateJobRequest."})
	}
	now, leave := s.enter()
	defer leave()
	return s.createJob(ctx, now, createCall{
		request: "CreateJobRequest", name: parent.child("jobs", request.GetJobId()), spec: request.GetJob(), validateOnly: request.GetValidateOnly(),
	})
}

// createCall is what CreateJob and an UpdateJob that may create have in common.
type createCall struct {
	request      string
	name         resourceName
	spec         *runpb.Job
	validateOnly bool
}

func (s *state) createJob(ctx context.Context, now time.Time, call createCall) (*longrunningpb.Operation, error) {
	message := s.newJobMessage(now, call.name, call.spec)
	if err := s.check(checkedJob{request: call.request, name: call.name, job: message, validateOnly: call.validateOnly}); err != nil {
		return nil, err
	}
	if _, exists := s.jobs[call.name.String()]; exists {
		return nil, alreadyExists(call.name.id())
	}
	if err := s.checkRoom(call.name); err != nil {
		return nil, err
	}
	created := &job{name: call.name, message: message, policy: &iampb.Policy{}, executions: map[string]*execution{}}
	if call.validateOnly {
		return s.validated(call.name.parent(), created.metadata(), created.snapshot())
	}
	op, err := s.newOperation(call.name.parent(), created.metadata())
	if err != nil {
		return nil, err
	}
	s.grantFirstUse(message, call.name.location())
	s.jobs[call.name.String()] = created
	s.operations.add(op)
	s.reconcile(now, created, op, operationFault(ctx))
	s.settle(now)
	return op.snapshot(), nil
}

// newJobMessage is the job as the service would keep it: what only the service sets, and its defaults for what was left out.
func (s *state) newJobMessage(now time.Time, name resourceName, spec *runpb.Job) *runpb.Job {
	message := s.configured(spec)
	message.Name = name.String()
	message.Uid = s.newUID()
	message.Generation = 1
	message.CreateTime, message.UpdateTime = stamp(now), stamp(now)
	message.Creator, message.LastModifier = caller, caller
	message.TerminalCondition = readyCondition(runpb.Condition_CONDITION_SUCCEEDED, stamp(now))
	message.LatestCreatedExecution = &runpb.ExecutionReference{}
	message.Etag = etagOf(s.nextVersion(now))
	return message
}

// configured keeps of a job what its owner may set, and fills in the defaults.
func (s *state) configured(spec *runpb.Job) *runpb.Job {
	message := proto.CloneOf(spec)
	dropOutputOnly(message.ProtoReflect())
	s.fillDefaults(message)
	return message
}

// checkRoom refuses one job too many. The real words are not known; these follow the service's words for GPUs.
func (s *state) checkRoom(name resourceName) error {
	prefix := name.parent().String() + "/"
	count := 0
	for other := range s.jobs {
		if strings.HasPrefix(other, prefix) {
			count++
		}
	}
	if count >= jobsPerRegion {
		return status.Error(codes.ResourceExhausted, "Quota exceeded for total allowable count of jobs per project per region.")
	}
	return nil
}
