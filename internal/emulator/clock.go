package emulator

import (
	"sync"
	"time"
)

// Clock is where the emulator takes its time from: times in answers, the end of operations and tasks, and every delay.
type Clock interface {
	// Now is the current time.
	Now() time.Time
	// At delivers once, as soon as the clock shows at or later.
	At(at time.Time) <-chan time.Time
}

type systemClock struct{}

func (systemClock) Now() time.Time                   { return time.Now() }
func (systemClock) At(at time.Time) <-chan time.Time { return time.After(time.Until(at)) }

// ManualClock stands still until a test moves it, so that a test decides when an operation or a task ends.
type ManualClock struct {
	mu      sync.Mutex
	changed *sync.Cond // there is one more timer
	now     time.Time
	timers  []manualTimer
}

type manualTimer struct {
	at   time.Time
	fire chan time.Time
}

// NewManualClock returns a clock that shows start until it is moved.
func NewManualClock(start time.Time) *ManualClock {
	clock := &ManualClock{now: start}
	clock.changed = sync.NewCond(&clock.mu)
	return clock
}

// Now implements Clock.
func (c *ManualClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// At implements Clock.
func (c *ManualClock) At(at time.Time) <-chan time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	fire := make(chan time.Time, 1)
	if !at.After(c.now) {
		fire <- c.now
		return fire
	}
	c.timers = append(c.timers, manualTimer{at: at, fire: fire})
	c.changed.Broadcast()
	return fire
}

// AwaitTimers returns as soon as at least n wait for a later moment, so that a test moves the clock only once someone waits for it.
func (c *ManualClock) AwaitTimers(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.timers) < n {
		c.changed.Wait()
	}
}

// Advance moves the clock on by d and wakes everyone who waited for a moment up to the new time.
func (c *ManualClock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	waiting := c.timers[:0]
	for _, timer := range c.timers {
		if timer.at.After(c.now) {
			waiting = append(waiting, timer)
			continue
		}
		timer.fire <- c.now
	}
	c.timers = waiting
}
