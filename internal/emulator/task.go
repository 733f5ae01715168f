package emulator

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"cloud.google.com/go/run/apiv2/runpb"
	"google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/protobuf/proto"
)

type taskState int8

const (
	taskWaiting taskState = iota
	taskRunning
	taskSucceeded
	taskFailed
	taskCancelled
)

// task is the little that is kept of each task: an execution may have ten thousand. Its message is made when it is asked for.
type task struct {
	state          taskState
	started, ended time.Time
	retried        int32
	result         *attemptResult // of the last try that has ended
}

// tasksServer answers google.cloud.run.v2.Tasks.
type tasksServer struct {
	*state
}

// GetTask implements runpb.TasksServer.
func (s tasksServer) GetTask(_ context.Context, request *runpb.GetTaskRequest) (*runpb.Task, error) {
	name, err := parseTask("name", request.GetName())
	if err != nil {
		return nil, err
	}
	_, leave := s.enter()
	defer leave()
	e, err := s.findExecution(name.parent())
	if err != nil {
		return nil, err
	}
	number, found := strings.CutPrefix(name.id(), e.name.id()+"-task")
	index, err := strconv.Atoi(number)
	if !found || err != nil || index < 0 || index >= len(e.tasks) {
		return nil, notFound("TASK", name)
	}
	return e.taskMessage(index), nil
}

// ListTasks implements runpb.TasksServer. The tasks come in the order of their index; "-" as execution lists those of all.
func (s tasksServer) ListTasks(_ context.Context, request *runpb.ListTasksRequest) (*runpb.ListTasksResponse, error) {
	parent, err := parseExecution("parent", request.GetParent())
	if err != nil {
		return nil, err
	}
	_, leave := s.enter()
	defer leave()
	executions, err := s.executionsOf(parent.parent())
	if err != nil {
		return nil, err
	}
	places := map[string]taskPlace{}
	var keys []string
	for _, e := range executions {
		if parent.id() != anyLocation && parent.id() != e.name.id() {
			continue
		}
		for index := range e.tasks {
			key := fmt.Sprintf("%s/%05d", e.name, index)
			keys = append(keys, key)
			places[key] = taskPlace{e, index}
		}
	}
	page, next, err := pageRequest{"tasks " + parent.String(), request.GetPageSize(), request.GetPageToken()}.cut(keys)
	if err != nil {
		return nil, err
	}
	response := &runpb.ListTasksResponse{NextPageToken: next}
	for _, key := range page {
		response.Tasks = append(response.Tasks, places[key].execution.taskMessage(places[key].index))
	}
	return response, nil
}

type taskPlace struct {
	execution *execution
	index     int
}

func (e *execution) taskID(index int) string { return fmt.Sprintf("%s-task%d", e.name.id(), index) }

// taskMessage is the task as an answer shows it.
func (e *execution) taskMessage(index int) *runpb.Task {
	t, execution := e.tasks[index], e.message
	template := proto.CloneOf(execution.GetTemplate())
	id := e.taskID(index)
	message := &runpb.Task{
		Name: e.name.child("tasks", id).String(), Uid: fmt.Sprintf("%s-%d", execution.GetUid(), index), Generation: 1, ObservedGeneration: 1,
		CreateTime: execution.GetCreateTime(), ScheduledTime: execution.GetCreateTime(), UpdateTime: execution.GetUpdateTime(),
		Job: execution.GetJob(), Execution: e.name.id(), Containers: template.GetContainers(), Volumes: template.GetVolumes(),
		MaxRetries: template.GetMaxRetries(), Timeout: template.GetTimeout(), ServiceAccount: template.GetServiceAccount(),
		ExecutionEnvironment: template.GetExecutionEnvironment(), EncryptionKey: template.GetEncryptionKey(), VpcAccess: template.GetVpcAccess(),
		NodeSelector: template.GetNodeSelector(), GpuZonalRedundancyDisabled: template.GpuZonalRedundancyDisabled,
		Index: int32(index), LogUri: execution.GetLogUri(), //nolint:gosec // at most 10000
		Reconciling: t.state == taskWaiting || t.state == taskRunning, Etag: execution.GetEtag(),
		Conditions: []*runpb.Condition{t.completedCondition()},
	}
	if t.state != taskWaiting && !t.started.IsZero() {
		message.StartTime = stamp(t.started)
	}
	if !t.ended.IsZero() {
		message.CompletionTime = stamp(t.ended)
	}
	message.Retried = t.retried
	switch {
	case t.result != nil:
		message.LastAttemptResult = &runpb.TaskAttemptResult{
			Status: &status.Status{Code: int32(t.result.code), Message: t.result.message}, ExitCode: t.result.exitCode, TermSignal: t.result.signal, //nolint:gosec // a small enumeration
		}
	case t.state == taskSucceeded:
		message.LastAttemptResult = &runpb.TaskAttemptResult{Status: &status.Status{}}
	}
	return proto.CloneOf(message)
}

func (t task) completedCondition() *runpb.Condition {
	condition := &runpb.Condition{Type: conditionCompleted}
	if !t.ended.IsZero() {
		condition.LastTransitionTime = stamp(t.ended)
	}
	switch t.state {
	case taskSucceeded:
		condition.State = runpb.Condition_CONDITION_SUCCEEDED
	case taskFailed:
		condition.State = runpb.Condition_CONDITION_FAILED
		condition.Message = t.result.message
		condition.Reasons = &runpb.Condition_ExecutionReason_{ExecutionReason: runpb.Condition_NON_ZERO_EXIT_CODE}
	case taskCancelled:
		condition.State = runpb.Condition_CONDITION_FAILED
		condition.Reasons = &runpb.Condition_ExecutionReason_{ExecutionReason: runpb.Condition_CANCELLED}
	case taskWaiting:
		condition.State = runpb.Condition_CONDITION_PENDING
	case taskRunning:
		condition.State = runpb.Condition_CONDITION_RECONCILING
	}
	return condition
}
