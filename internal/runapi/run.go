package runapi

import (
	"context"
	"maps"
	"slices"
	"time"

	run "cloud.google.com/go/run/apiv2"
	"cloud.google.com/go/run/apiv2/runpb"
	"github.com/cenkalti/backoff/v5"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/call"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/fault"
)

// MarkVariable is the environment variable by which an execution is told from every other one: a run has no name until
// the API has answered, and nothing else of it can be chosen by who asks for it.
const MarkVariable = "CLOUDRUNGPU_RUN"

const methodRun = "Jobs.RunJob"

// Run is one execution to be started, and how it differs from its job; what is zero is as in the job.
type Run struct {
	Mark      string            // the value of MarkVariable; whoever runs a job twice takes two of them
	Container string            // that args, env and mark are for; "" is the only one
	Args      []string          // in place of the job's
	ClearArgs bool              // no arguments
	Env       map[string]string // over the job's
	TaskCount int32
	Timeout   time.Duration // of one try of a task
}

// overrides are in a fixed order, so that the same run is the same request.
func (r Run) overrides() *runpb.RunJobRequest_Overrides {
	container := &runpb.RunJobRequest_Overrides_ContainerOverride{Name: r.Container, Args: r.Args, ClearArgs: r.ClearArgs}
	for _, name := range slices.Sorted(maps.Keys(r.Env)) {
		container.Env = append(container.Env, variable(name, r.Env[name]))
	}
	container.Env = append(container.Env, variable(MarkVariable, r.Mark))
	overrides := &runpb.RunJobRequest_Overrides{
		TaskCount: r.TaskCount, ContainerOverrides: []*runpb.RunJobRequest_Overrides_ContainerOverride{container},
	}
	if r.Timeout > 0 {
		overrides.Timeout = durationpb.New(r.Timeout)
	}
	return overrides
}

func variable(name, value string) *runpb.EnvVar {
	return &runpb.EnvVar{Name: name, Values: &runpb.EnvVar_Value{Value: value}}
}

// RunJob starts one execution of a job and returns it as the API has made it, however many answers are lost. A run that is sent
// twice is two runs, so after a lost answer the executions are searched for the mark; where it is not found, the run is sent again
// with the etag that the job had before, which every run changes: one of the two is refused. Where that still leaves
// a doubt, the error is one of which fault.MaybeDone is true, and FindExecution tells later.
//
// That a run changes the etag only the real service can confirm; the search does not rely on it.
func (c *Client) RunJob(ctx context.Context, name JobName, r Run) (*runpb.Execution, error) {
	s := launch{client: c, job: name, run: r, pauses: &backoff.ExponentialBackOff{
		InitialInterval: c.policy.Initial, MaxInterval: c.policy.Longest, Multiplier: 2, RandomizationFactor: 0.5,
	}}
	for tries := 1; ; tries++ {
		execution, err := s.try(ctx)
		if err == nil {
			return execution, nil
		}
		execution, found, searchErr := s.search(ctx, err)
		if found {
			return execution, nil
		}
		if searchErr != nil || tries == c.policy.Tries || !s.mayRepeat(err) || ctx.Err() != nil {
			return nil, s.verdict(err)
		}
	}
}

// launch is a run on its way.
type launch struct {
	client *Client
	job    JobName
	run    Run
	etag   string // of the job before the run; "" to be read
	doubt  bool   // a try may have been carried out
	pauses *backoff.ExponentialBackOff
}

func (s *launch) try(ctx context.Context) (*runpb.Execution, error) {
	if s.etag == "" {
		job, err := s.client.GetJob(ctx, s.job)
		if err != nil {
			return nil, err
		}
		s.etag = job.GetEtag()
	}
	request := &runpb.RunJobRequest{Name: s.job.String(), Etag: s.etag, Overrides: s.run.overrides()}
	operation, _, err := do(ctx, s.client, methodRun, call.Once,
		func(ctx context.Context, client *run.JobsClient, opts ...gaxOption) (*run.RunJobOperation, error) {
			return client.RunJob(ctx, request, opts...)
		})
	if err != nil {
		s.doubt = s.doubt || fault.MaybeDone(err)
		return nil, err
	}
	execution, err := operation.Metadata()
	if err != nil || execution.GetName() == "" {
		s.doubt = true
		return nil, &fault.Fault{Method: methodRun, Code: codes.Unknown, Message: "the answer does not say which execution was started", AfterRetry: true}
	}
	return execution, nil
}

// search looks for what a lost answer may have been about, even if ctx is over.
func (s *launch) search(ctx context.Context, err error) (execution *runpb.Execution, found bool, searchErr error) {
	if !s.doubt || (!fault.MaybeDone(err) && !fault.IsConflict(err)) {
		return nil, false, nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), secondLook)
	defer cancel()
	sleep(ctx, s.pauses.NextBackOff()) // the run may be carried out at this moment, and the server needs a rest before another try
	return s.client.FindExecution(ctx, s.job, s.run.Mark)
}

// mayRepeat is true where another try cannot make a second execution: the etag guards it, or the last one was refused because
// somebody else has changed or run the job.
func (s *launch) mayRepeat(err error) bool {
	if fault.IsConflict(err) && !s.doubt {
		s.etag = ""
		return true
	}
	return fault.MaybeDone(err) && s.etag != ""
}

func (s *launch) verdict(err error) error {
	if f, ok := fault.As(err); ok {
		f.AfterRetry = s.doubt
	}
	return err
}

// FindExecution looks for the execution of a job with a mark.
func (c *Client) FindExecution(ctx context.Context, job JobName, mark string) (execution *runpb.Execution, found bool, err error) {
	for execution, err := range c.ListExecutions(ctx, job) {
		if err != nil {
			return nil, false, err
		}
		if hasMark(execution, mark) {
			return execution, true, nil
		}
	}
	return nil, false, nil
}

func hasMark(e *runpb.Execution, mark string) bool {
	for _, container := range e.GetTemplate().GetContainers() {
		for _, v := range container.GetEnv() {
			if v.GetName() == MarkVariable && v.GetValue() == mark {
				return true
			}
		}
	}
	return false
}
