package emulator

import (
	"container/heap"
	"time"
)

// eventQueue holds what will happen, in the order of time and, at one moment, in the order of arrival. Nothing runs by itself:
// every call first lets happen what was due, so that the state depends on the clock alone.
type eventQueue struct {
	events   eventHeap
	sequence int
	added    chan struct{} // closed by the next add; nil while nobody waits for one
}

type event struct {
	at       time.Time
	sequence int
	run      func(now time.Time)
}

func (q *eventQueue) add(at time.Time, run func(now time.Time)) {
	q.sequence++
	heap.Push(&q.events, event{at: at, sequence: q.sequence, run: run})
	if q.added != nil {
		close(q.added)
		q.added = nil
	}
}

// awaitAdd is closed when the next event is added.
func (q *eventQueue) awaitAdd() <-chan struct{} {
	if q.added == nil {
		q.added = make(chan struct{})
	}
	return q.added
}

// runUntil lets everything happen that is due at now, and what follows from it.
func (q *eventQueue) runUntil(now time.Time) {
	for len(q.events) > 0 && !q.events[0].at.After(now) {
		due, ok := heap.Pop(&q.events).(event)
		if !ok {
			continue
		}
		due.run(due.at)
	}
}

// next is the moment of the next event.
func (q *eventQueue) next() (at time.Time, some bool) {
	if len(q.events) == 0 {
		return time.Time{}, false
	}
	return q.events[0].at, true
}

type eventHeap []event

func (h eventHeap) Len() int { return len(h) }
func (h eventHeap) Less(i, j int) bool {
	if !h[i].at.Equal(h[j].at) {
		return h[i].at.Before(h[j].at)
	}
	return h[i].sequence < h[j].sequence
}
func (h eventHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *eventHeap) Push(x any) {
	if e, ok := x.(event); ok {
		*h = append(*h, e)
	}
}
func (h *eventHeap) Pop() any {
	old := *h
	last := old[len(old)-1]
	old[len(old)-1] = event{}
	*h = old[:len(old)-1]
	return last
}
