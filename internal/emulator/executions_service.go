package emulator

import (
	"context"
	"fmt"
	"math"
	"time"

	"cloud.google.com/go/longrunning/autogen/longrunningpb"
	"cloud.google.com/go/run/apiv2/runpb"
	rpcstatus "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// executionsServer answers google.cloud.run.v2.Executions.
type executionsServer struct {
	*state
}

func (s *state) findExecution(name resourceName) (*execution, error) {
	j, exists := s.jobs[name.parent().String()]
	if !exists {
		return nil, notFound("EXECUTION", name)
	}
	e, exists := j.executions[name.id()]
	if !exists {
		return nil, notFound("EXECUTION", name)
	}
	return e, nil
}

// executionsOf returns the executions of a job, or of all jobs of a location where the job is "-".
func (s *state) executionsOf(parent resourceName) ([]*execution, error) {
	var jobs []*job
	if parent.id() == anyLocation {
		for _, j := range s.jobs {
			if parent.parent().contains(j.name.String()) {
				jobs = append(jobs, j)
			}
		}
	} else {
		j, err := s.findJob(parent)
		if err != nil {
			return nil, err
		}
		jobs = append(jobs, j)
	}
	var executions []*execution
	for _, j := range jobs {
		for _, e := range j.executions {
			executions = append(executions, e)
		}
	}
	return executions, nil
}

// GetExecution implements runpb.ExecutionsServer.
func (s executionsServer) GetExecution(_ context.Context, request *runpb.GetExecutionRequest) (*runpb.Execution, error) {
	name, err := parseExecution("name", request.GetName())
	if err != nil {
		return nil, err
	}
	_, leave := s.enter()
	defer leave()
	e, err := s.findExecution(name)
	if err != nil {
		return nil, err
	}
	return e.snapshot(), nil
}

// ListExecutions implements runpb.ExecutionsServer. The newest come first.
func (s executionsServer) ListExecutions(_ context.Context, request *runpb.ListExecutionsRequest) (*runpb.ListExecutionsResponse, error) {
	parent, err := parseJob("parent", request.GetParent())
	if err != nil {
		return nil, err
	}
	_, leave := s.enter()
	defer leave()
	executions, err := s.executionsOf(parent)
	if err != nil {
		return nil, err
	}
	byKey := make(map[string]*execution, len(executions))
	keys := make([]string, 0, len(executions))
	for _, e := range executions {
		key := fmt.Sprintf("%019d", math.MaxInt64-int64(e.serial))
		keys = append(keys, key)
		byKey[key] = e
	}
	page, next, err := pageRequest{"executions " + parent.String(), request.GetPageSize(), request.GetPageToken()}.cut(keys)
	if err != nil {
		return nil, err
	}
	response := &runpb.ListExecutionsResponse{NextPageToken: next}
	for _, key := range page {
		response.Executions = append(response.Executions, byKey[key].snapshot())
	}
	return response, nil
}

// CancelExecution implements runpb.ExecutionsServer.
func (s executionsServer) CancelExecution(ctx context.Context, request *runpb.CancelExecutionRequest) (*longrunningpb.Operation, error) {
	call := executionCall{name: request.GetName(), etag: request.GetEtag(), validateOnly: request.GetValidateOnly()}
	return s.change(ctx, call, func(now time.Time, e *execution) error {
		if e.ended {
			// The real words are not known.
			return status.Errorf(codes.FailedPrecondition, "Execution '%s' has already completed.", e.name.id())
		}
		s.cancelExecution(now, e)
		return nil
	})
}

// DeleteExecution implements runpb.ExecutionsServer. What runs is cancelled first.
func (s executionsServer) DeleteExecution(ctx context.Context, request *runpb.DeleteExecutionRequest) (*longrunningpb.Operation, error) {
	call := executionCall{name: request.GetName(), etag: request.GetEtag(), validateOnly: request.GetValidateOnly()}
	return s.change(ctx, call, func(now time.Time, e *execution) error {
		if !e.ended {
			s.cancelExecution(now, e)
		}
		e.message.DeleteTime, e.message.ExpireTime = stamp(now), stamp(now.Add(expiry))
		delete(e.job.executions, e.name.id())
		e.job.completed = without(e.job.completed, e)
		return nil
	})
}

type executionCall struct {
	name, etag   string
	validateOnly bool
}

// change does one thing to an execution and answers with an operation that shows it. With a fault of the operation the
// thing is not done.
func (s executionsServer) change(ctx context.Context, call executionCall, act func(now time.Time, e *execution) error) (*longrunningpb.Operation, error) {
	name, err := parseExecution("name", call.name)
	if err != nil {
		return nil, err
	}
	now, leave := s.enter()
	defer leave()
	e, err := s.findExecution(name)
	if err != nil {
		return nil, err
	}
	if err := checkEtag(name.id(), call.etag, e.message.GetEtag()); err != nil {
		return nil, err
	}
	location := name.parent().parent()
	if call.validateOnly {
		return s.validated(location, e.snapshot(), e.snapshot())
	}
	cause := operationFault(ctx)
	if cause == nil {
		if err := act(now, e); err != nil {
			return nil, err
		}
	}
	op, err := s.newOperation(location, e.snapshot())
	if err != nil {
		return nil, err
	}
	s.operations.add(op)
	s.endLater(now, op, e, cause)
	s.settle(now)
	return op.snapshot(), nil
}

func (s executionsServer) endLater(now time.Time, op *operation, e *execution, cause *rpcstatus.Status) {
	s.after(now, func(time.Time) {
		if cause != nil {
			op.fail(cause)
			return
		}
		op.finish(e.snapshot())
	})
}
