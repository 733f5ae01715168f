package emulator

import (
	"slices"
	"time"

	"google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc/codes"
)

// share is what is used up together: the GPUs of one type in one region of one project.
type share struct {
	project, location, gpu string
}

func (e *execution) share() share {
	return share{project: e.name.project(), location: e.name.location(), gpu: e.gpu}
}

// dispatch starts every task that may start: the oldest execution first, up to its parallelism and to the GPUs that are free.
// A job over the quota of its region therefore waits, as tasks do on the real service.
func (s *state) dispatch(now time.Time) {
	used := s.gpusInUse()
	for _, e := range slices.Clone(s.running) {
		before := e.started
		for e.canStart() && s.hasGPUs(e, used[e.share()]) {
			used[e.share()] += e.perTask
			s.startTask(now, e)
		}
		if e.started != before {
			s.describeExecution(now, e)
			s.touchExecution(now, e)
		}
		if before == 0 && e.started > 0 {
			e.message.StartTime = stamp(now)
			s.refer(now, e)
		}
	}
}

func (s *state) gpusInUse() map[share]int64 {
	used := map[share]int64{}
	for _, e := range s.running {
		used[e.share()] += e.perTask * int64(e.message.GetRunningCount())
	}
	return used
}

// hasGPUs tells whether one more task finds its GPUs. A type without a quota of its own has no limit.
func (s *state) hasGPUs(e *execution, used int64) bool {
	gpu, known := findGPU(e.gpu)
	if e.perTask == 0 || !known {
		return true
	}
	limit := s.quotas.limit(gpu.Quota, e.name.location())
	return limit == Unlimited || used+e.perTask <= limit
}

func (e *execution) canStart() bool {
	return !e.ended && e.started < len(e.tasks) && e.message.GetRunningCount() < e.message.GetParallelism()
}

// cancelExecution ends what runs and what has not started.
func (s *state) cancelExecution(now time.Time, e *execution) {
	for i := range e.tasks {
		t := &e.tasks[i]
		if t.state == taskWaiting || t.state == taskRunning {
			t.state, t.ended = taskCancelled, now
			e.message.CancelledCount++
		}
	}
	e.message.RunningCount = 0
	s.touchExecution(now, e)
	s.finishExecution(now, e, &status.Status{Code: int32(codes.Canceled), Message: "The execution was cancelled."})
	s.dispatch(now)
}

func (s *state) touchExecution(now time.Time, e *execution) {
	e.message.UpdateTime = stamp(now)
	e.message.Etag = etagOf(s.nextVersion(now))
}
