package emulator

import (
	"fmt"
	"testing"

	"cloud.google.com/go/longrunning/autogen/longrunningpb"
	"cloud.google.com/go/run/apiv2/runpb"
	"google.golang.org/protobuf/types/known/emptypb"
)

// Operations that are done go when there are too many; one that is pending never does.
func TestOperationsArePruned(t *testing.T) {
	store := newOperationStore()
	add := func(name string, done bool) {
		op := &operation{message: &longrunningpb.Operation{Name: name}, done: make(chan struct{})}
		if done {
			op.finish(&emptypb.Empty{})
		}
		store.add(op)
	}
	add("pending", false)
	for i := range 3 * operationsKept {
		add(fmt.Sprint("op", i), true)
		if len(store.byName) > operationsKept+1 || len(store.order) != len(store.byName) {
			t.Fatalf("%d operations and %d names are kept", len(store.byName), len(store.order))
		}
	}
	if store.byName["pending"] == nil || store.byName[fmt.Sprint("op", 3*operationsKept-1)] == nil || store.byName["op0"] != nil {
		t.Error("the wrong operations are kept")
	}
}

// What was deleted is remembered for a while, but not without end.
func TestDeletedJobsArePruned(t *testing.T) {
	s := newState(settings{clock: systemClock{}, projectNumber: "1"})
	now, leave := s.enter()
	defer leave()
	for i := range deletedKept + 10 {
		name := resourceName{parts: []string{"projects", "p", "locations", "l", "jobs", fmt.Sprint("j", i)}}
		j := &job{name: name, message: s.newJobMessage(now, name, &runpb.Job{})}
		s.jobs[name.String()] = j
		s.removeJob(now, j)
	}
	if len(s.jobs) != 0 || len(s.deleted) != deletedKept || s.deleted[0].GetName() != "projects/p/locations/l/jobs/j10" {
		t.Errorf("%d jobs, %d deleted, the first of them %s", len(s.jobs), len(s.deleted), s.deleted[0].GetName())
	}
}
