package emulator

import (
	"context"
	"slices"
	"time"

	"cloud.google.com/go/longrunning/autogen/longrunningpb"
	"cloud.google.com/go/run/apiv2/runpb"
	rpcstatus "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
)

// RunJob implements runpb.JobsServer. The operation ends when the execution does.
func (s jobsServer) RunJob(ctx context.Context, request *runpb.RunJobRequest) (*longrunningpb.Operation, error) {
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
	template := proto.CloneOf(j.message.GetTemplate())
	if err := override(template, request.GetOverrides()); err != nil {
		return nil, err
	}
	if err := s.checkRun(j, template); err != nil {
		return nil, err
	}
	if request.GetValidateOnly() {
		// The shape of this answer is not known: nothing has run, so there is no execution to show.
		return s.validated(name.parent(), &runpb.Execution{}, &runpb.Execution{})
	}
	return s.runJob(ctx, now, j, template)
}

func (s *state) runJob(ctx context.Context, now time.Time, j *job, template *runpb.ExecutionTemplate) (*longrunningpb.Operation, error) {
	// A token is forgotten as soon as the job runs without one, so that a client who sends it again runs the job again.
	j.message.CreateExecution = nil
	id := j.name.id() + "-" + s.newSuffix()
	for j.executions[id] != nil {
		id = j.name.id() + "-" + s.newSuffix()
	}
	e := s.newExecution(now, j, id, template, operationFault(ctx))
	op, err := s.newOperation(j.name.parent(), e.snapshot())
	if err != nil {
		return nil, err
	}
	s.operations.add(op)
	e.whenEnded = append(e.whenEnded, func(now time.Time, cause *rpcstatus.Status) {
		s.after(now, func(time.Time) { op.settleWith(e.snapshot(), cause) })
	})
	s.dispatch(now)
	s.settle(now)
	return op.snapshot(), nil
}

// settleWith ends the operation with the cause, if there is one, and else with the resource.
func (op *operation) settleWith(resource proto.Message, cause *rpcstatus.Status) {
	if cause != nil {
		op.fail(cause)
		return
	}
	op.finish(resource)
}

// runByToken starts the execution that the token of a job asks for, if it asks for one that is not there yet, and ends the operation:
// at once, or with the execution, as the token has it.
func (s *state) runByToken(now time.Time, j *job, op *operation) {
	token, wait := executionToken(j.message)
	id := j.name.id() + "-" + token
	if token == "" || j.executions[id] != nil || j.message.GetDeleteTime() != nil {
		op.finish(j.snapshot())
		return
	}
	e := s.newExecution(now, j, id, proto.CloneOf(j.message.GetTemplate()), nil)
	if wait {
		e.whenEnded = append(e.whenEnded, func(_ time.Time, cause *rpcstatus.Status) { op.settleWith(j.snapshot(), cause) })
	} else {
		op.finish(j.snapshot())
	}
	s.dispatch(now)
}

// executionToken is the token of a job, and whether the job waits for the end of the execution.
func executionToken(job *runpb.Job) (token string, wait bool) {
	if token := job.GetStartExecutionToken(); token != "" {
		return token, false
	}
	return job.GetRunExecutionToken(), job.GetRunExecutionToken() != ""
}

// checkRun holds this run against the rules, which its overrides may break, and against the number of executions at work.
func (s *state) checkRun(j *job, template *runpb.ExecutionTemplate) error {
	overridden := j.snapshot()
	overridden.Template = template
	if err := s.check(checkedJob{request: "RunJobRequest", name: j.name, job: overridden, previous: j.message}); err != nil {
		return err
	}
	location, count := j.name.parent(), 0
	for _, e := range s.running {
		count += btoi(location.contains(e.name.String()))
	}
	if count >= executionsRunning {
		return status.Error(codes.ResourceExhausted, "Quota exceeded for total allowable count of running executions per project per region.")
	}
	return nil
}

// override applies what a run may change.
func override(template *runpb.ExecutionTemplate, overrides *runpb.RunJobRequest_Overrides) error {
	if overrides.GetTaskCount() != 0 {
		template.TaskCount = overrides.GetTaskCount()
	}
	if overrides.GetTimeout() != nil {
		template.Template.Timeout = overrides.GetTimeout()
	}
	if overrides != nil && overrides.DelayExecution != nil {
		template.DelayExecution = overrides.DelayExecution
	}
	for i, change := range overrides.GetContainerOverrides() {
		container, err := overriddenContainer(template.GetTemplate().GetContainers(), i, change.GetName())
		if err != nil {
			return err
		}
		if change.GetClearArgs() {
			container.Args = nil
		}
		if len(change.GetArgs()) > 0 {
			container.Args = change.GetArgs()
		}
		container.Env = mergeEnv(container.GetEnv(), change.GetEnv())
	}
	return nil
}

// overriddenContainer finds the container that an override means: by name, or the only one. The real words of the refusal are not known.
func overriddenContainer(containers []*runpb.Container, i int, name string) (*runpb.Container, error) {
	if name == "" && len(containers) == 1 {
		return containers[0], nil
	}
	at := slices.IndexFunc(containers, func(container *runpb.Container) bool { return container.GetName() == name })
	if name == "" || at < 0 {
		return nil, invalidArgument(violation{indexed("overrides.container_overrides", i) + ".name", "does not exist"})
	}
	return containers[at], nil
}

func mergeEnv(env, changes []*runpb.EnvVar) []*runpb.EnvVar {
	merged := slices.Clone(env)
	for _, change := range changes {
		at := slices.IndexFunc(merged, func(known *runpb.EnvVar) bool { return known.GetName() == change.GetName() })
		if at < 0 {
			merged = append(merged, proto.CloneOf(change))
		} else {
			merged[at] = proto.CloneOf(change)
		}
	}
	return merged
}
