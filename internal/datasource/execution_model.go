package datasource

import (
	"context"
	"path"
	"strconv"

	"cloud.google.com/go/run/apiv2/runpb"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/runapi"
)

// executionModel is an execution as the data sources show it.
type executionModel struct {
	Name           string        `tfsdk:"name"`
	State          string        `tfsdk:"state"`
	Message        types.String  `tfsdk:"message"`
	Creator        types.String  `tfsdk:"creator"`
	CreateTime     types.String  `tfsdk:"create_time"`
	StartTime      types.String  `tfsdk:"start_time"`
	CompletionTime types.String  `tfsdk:"completion_time"`
	TaskCount      int32         `tfsdk:"task_count"`
	Parallelism    int32         `tfsdk:"parallelism"`
	RunningCount   int32         `tfsdk:"running_count"`
	SucceededCount int32         `tfsdk:"succeeded_count"`
	FailedCount    int32         `tfsdk:"failed_count"`
	CancelledCount int32         `tfsdk:"cancelled_count"`
	RetriedCount   int32         `tfsdk:"retried_count"`
	GPUType        types.String  `tfsdk:"gpu_type"`
	GPUSeconds     types.Float64 `tfsdk:"gpu_seconds"`
	LogURI         types.String  `tfsdk:"log_uri"`
}

func executionOf(e *runpb.Execution, gpuSeconds float64) executionModel {
	message := runapi.WaitingFor(e)
	if message == "" {
		message = runapi.Completed(e).GetMessage()
	}
	return executionModel{
		Name: path.Base(e.GetName()), State: runapi.StateOf(e).String(), Message: textOrNull(message), Creator: textOrNull(e.GetCreator()),
		CreateTime: moment(e.GetCreateTime()), StartTime: moment(e.GetStartTime()), CompletionTime: moment(e.GetCompletionTime()),
		TaskCount: e.GetTaskCount(), Parallelism: e.GetParallelism(), RunningCount: e.GetRunningCount(), SucceededCount: e.GetSucceededCount(),
		FailedCount: e.GetFailedCount(), CancelledCount: e.GetCancelledCount(), RetriedCount: e.GetRetriedCount(),
		GPUType: textOrNull(e.GetTemplate().GetNodeSelector().GetAccelerator()), GPUSeconds: types.Float64Value(gpuSeconds), LogURI: textOrNull(e.GetLogUri()),
	}
}

// taskModel is a task as the data source shows it.
type taskModel struct {
	Index          int32        `tfsdk:"index"`
	State          string       `tfsdk:"state"`
	StartTime      types.String `tfsdk:"start_time"`
	CompletionTime types.String `tfsdk:"completion_time"`
	Attempts       int32        `tfsdk:"attempts"`
	ExitCode       types.Int64  `tfsdk:"exit_code"`
	Signal         types.Int64  `tfsdk:"signal"`
	Message        types.String `tfsdk:"message"`
	LogURI         types.String `tfsdk:"log_uri"`
}

func taskOf(t *runpb.Task) taskModel {
	m := taskModel{
		Index: t.GetIndex(), State: runapi.TaskStateOf(t).String(), StartTime: moment(t.GetStartTime()), CompletionTime: moment(t.GetCompletionTime()),
		ExitCode: types.Int64Null(), Signal: types.Int64Null(), Message: types.StringNull(), LogURI: textOrNull(t.GetLogUri()),
	}
	if t.GetStartTime() != nil {
		m.Attempts = t.GetRetried() + 1
	}
	if last := t.GetLastAttemptResult(); last != nil {
		m.ExitCode, m.Message = types.Int64Value(int64(last.GetExitCode())), textOrNull(last.GetStatus().GetMessage())
		if last.GetTermSignal() != 0 {
			m.Signal = types.Int64Value(int64(last.GetTermSignal()))
		}
	}
	return m
}

// tasksOf reads the tasks of an execution.
func (c *configured) tasksOf(ctx context.Context, name runapi.ExecutionName) ([]*runpb.Task, error) {
	var tasks []*runpb.Task
	for t, err := range c.data.Run.ListTasks(ctx, name) {
		if err != nil {
			return nil, err
		}
		tasks = append(tasks, t)
	}
	return tasks, nil
}

// hasGPU is true of an execution whose tasks hold GPUs.
func hasGPU(e *runpb.Execution) bool { return gpusPerTask(e.GetTemplate().GetContainers()) > 0 }

func gpusPerTask(containers []*runpb.Container) (count float64) {
	for _, c := range containers {
		if n, err := strconv.ParseFloat(c.GetResources().GetLimits()["nvidia.com/gpu"], 64); err == nil {
			count += n
		}
	}
	return count
}

// gpuSeconds are those of the tasks that have ended: those of a task at work would be others at every look.
func gpuSeconds(tasks []*runpb.Task) (seconds float64) {
	for _, t := range tasks {
		if t.GetStartTime() != nil && t.GetCompletionTime() != nil {
			seconds += t.GetCompletionTime().AsTime().Sub(t.GetStartTime().AsTime()).Seconds() * gpusPerTask(t.GetContainers())
		}
	}
	return seconds
}
