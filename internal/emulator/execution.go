package emulator

import (
	"fmt"
	"net/url"
	"time"

	"cloud.google.com/go/run/apiv2/runpb"
	"google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/protobuf/proto"
)

const (
	// executionsRunning is the documented limit of executions at work per project and region.
	executionsRunning = 1000
	// executionsKept is the documented number of completed executions that a job keeps.
	executionsKept = 1000
)

// execution is one run of a job.
type execution struct {
	name    resourceName
	serial  int
	job     *job
	message *runpb.Execution
	tasks   []task
	started int            // how many tasks have been started; they start in order
	perTask int64          // GPUs of one task
	gpu     string         // GPU type, empty without a GPU
	cause   *status.Status // not nil: its tasks fail with it
	ended   bool
	// whenEnded hears of the end, with the error that it ended in.
	whenEnded []func(now time.Time, cause *status.Status)
}

// newExecution makes an execution of a job and puts it to work; template is the job's own, with the overrides of this run.
func (s *state) newExecution(now time.Time, j *job, id string, template *runpb.ExecutionTemplate, cause *status.Status) *execution {
	name := j.name.child("executions", id)
	spec := template.GetTemplate()
	e := &execution{
		name: name, serial: s.nextSerial(), job: j, cause: cause,
		tasks: make([]task, template.GetTaskCount()),
	}
	if holder := gpuContainer(spec); holder >= 0 {
		e.gpu, e.perTask = spec.GetNodeSelector().GetAccelerator(), gpuCount(spec)
	}
	e.message = &runpb.Execution{
		Name: name.String(), Uid: s.newUID(), Creator: caller, Generation: 1, ObservedGeneration: 1,
		Labels: template.GetLabels(), Annotations: template.GetAnnotations(),
		CreateTime: stamp(now), UpdateTime: stamp(now),
		LaunchStage: j.message.GetLaunchStage(), Job: j.name.id(),
		Parallelism: atOnce(template), TaskCount: template.GetTaskCount(), Template: spec,
		Client: template.GetClient(), ClientVersion: template.GetClientVersion(),
		LogUri: logURI(name), Reconciling: true, Etag: etagOf(s.nextVersion(now)),
	}
	s.describeExecution(now, e)
	j.executions[id] = e
	s.running = append(s.running, e)
	j.message.ExecutionCount++
	s.refer(now, e)
	return e
}

// atOnce is how many tasks run at one time when nothing holds them up.
func atOnce(template *runpb.ExecutionTemplate) int32 {
	if template.GetParallelism() == 0 {
		return template.GetTaskCount()
	}
	return min(template.GetParallelism(), template.GetTaskCount())
}

func logURI(name resourceName) string {
	filter := fmt.Sprintf("resource.type=\"cloud_run_job\"\nlabels.\"run.googleapis.com/execution_name\"=%q", name.id())
	return "https://console.cloud.google.com/logs/viewer?" + url.Values{"project": {name.project()}, "advancedFilter": {filter}}.Encode()
}

// refer shows the execution on its job, where it is the latest.
func (s *state) refer(now time.Time, e *execution) {
	latest := e.job.message.GetLatestCreatedExecution().GetName()
	if created, exists := e.job.executions[latest]; exists && created.serial > e.serial {
		return
	}
	e.job.message.LatestCreatedExecution = &runpb.ExecutionReference{
		Name: e.name.id(), CreateTime: e.message.GetCreateTime(), CompletionTime: e.message.GetCompletionTime(),
		CompletionStatus: e.completionStatus(),
	}
	e.job.message.Etag = etagOf(s.nextVersion(now))
}

func (e *execution) completionStatus() runpb.ExecutionReference_CompletionStatus {
	switch {
	case !e.ended && e.started == 0:
		return runpb.ExecutionReference_EXECUTION_PENDING
	case !e.ended:
		return runpb.ExecutionReference_EXECUTION_RUNNING
	case e.message.GetCancelledCount() > 0:
		return runpb.ExecutionReference_EXECUTION_CANCELLED
	case e.message.GetFailedCount() > 0:
		return runpb.ExecutionReference_EXECUTION_FAILED
	default:
		return runpb.ExecutionReference_EXECUTION_SUCCEEDED
	}
}

func (e *execution) snapshot() *runpb.Execution {
	return proto.CloneOf(e.message)
}

// finishExecution ends an execution whose tasks have all ended.
func (s *state) finishExecution(now time.Time, e *execution, cause *status.Status) {
	e.ended = true
	e.message.CompletionTime = stamp(now)
	e.message.Reconciling = false
	s.describeExecution(now, e)
	s.refer(now, e)
	s.running = without(s.running, e)
	j := e.job
	j.completed = append(j.completed, e)
	for len(j.completed) > executionsKept {
		delete(j.executions, j.completed[0].name.id())
		j.completed = j.completed[1:]
	}
	for _, hear := range e.whenEnded {
		hear(now, cause)
	}
}

func without(all []*execution, gone *execution) []*execution {
	kept := make([]*execution, 0, len(all))
	for _, e := range all {
		if e != gone {
			kept = append(kept, e)
		}
	}
	return kept
}
