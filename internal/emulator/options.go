package emulator

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// Option sets up a Server.
type Option func(*settings) error

type settings struct {
	address          string
	clock            Clock
	quotas           []quotaSetting
	operationLatency time.Duration
	latency          time.Duration
	taskDuration     time.Duration
	projectNumber    string
	record           io.Writer
}

func newSettings(options []Option) (settings, error) {
	set := settings{address: "127.0.0.1:0", clock: systemClock{}, projectNumber: "123456789012"}
	for _, option := range options {
		if err := option(&set); err != nil {
			return settings{}, err
		}
	}
	return set, nil
}

// WithAddr listens on address, HOST:PORT, in place of a free port of 127.0.0.1.
func WithAddr(address string) Option {
	return func(set *settings) error {
		set.address = address
		return nil
	}
}

// WithQuota sets one quota that the server starts with, and returns to on Reset. The key is nvidia-l4, nvidia-rtx-pro-6000,
// cpu or memory, then @, then a region or * for every region; the value is in GPUs, vCPU or GiB, or Unlimited, or NoEntry.
func WithQuota(key string, value int64) Option {
	return func(set *settings) error {
		quota, err := parseQuota(key, value)
		if err != nil {
			return err
		}
		set.quotas = append(set.quotas, quota)
		return nil
	}
}

// WithOperationLatency keeps every long-running operation pending for d.
func WithOperationLatency(d time.Duration) Option {
	return durationOption("operation latency", d, func(set *settings) { set.operationLatency = d })
}

// WithLatency delays every answer by d.
func WithLatency(d time.Duration) Option {
	return durationOption("latency", d, func(set *settings) { set.latency = d })
}

// WithTaskDuration lets every task of an execution run for d.
func WithTaskDuration(d time.Duration) Option {
	return durationOption("task duration", d, func(set *settings) { set.taskDuration = d })
}

func durationOption(what string, d time.Duration, apply func(*settings)) Option {
	return func(set *settings) error {
		if d < 0 {
			return fmt.Errorf("the %s must not be negative, got %s", what, d)
		}
		apply(set)
		return nil
	}
}

// WithProjectNumber sets the number of every project, which appears in the default service account and in quota names.
func WithProjectNumber(number string) Option {
	return func(set *settings) error {
		if number == "" || strings.Trim(number, "0123456789") != "" {
			return fmt.Errorf("the project number must be digits only, got %q", number)
		}
		set.projectNumber = number
		return nil
	}
}

// WithClock takes the time from clock in place of the machine's.
func WithClock(clock Clock) Option {
	return func(set *settings) error {
		if clock == nil {
			return fmt.Errorf("the clock must not be nil")
		}
		set.clock = clock
		return nil
	}
}

// WithRecord writes every request and its answer to w, as one JSON object a line.
func WithRecord(w io.Writer) Option {
	return func(set *settings) error {
		set.record = w
		return nil
	}
}
