package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/emulator"
)

// settings are the flags, read.
type settings struct {
	address          string
	quotas           quotaFlags
	operationLatency time.Duration
	latency          time.Duration
	taskDuration     time.Duration
	projectNumber    string
	record           string
	showVersion      bool
	command          []string // to run beside the emulator; empty: none
}

func parseFlags(args []string, stderr io.Writer) (settings, error) {
	set := settings{address: "127.0.0.1:8123"}
	if end := slices.Index(args, "--"); end >= 0 {
		args, set.command = args[:end], args[end+1:]
		if len(set.command) == 0 {
			return settings{}, errors.New("no command after --")
		}
		set.address = "127.0.0.1:0" // the command is told; two of them must not meet
	}
	flags := flag.NewFlagSet("cloudrun-emulator", flag.ContinueOnError)
	flags.StringVar(&set.address, "addr", set.address, "listen on `HOST:PORT`; port 0 picks a free one, as it does with a command")
	flags.Var(&set.quotas, "quota", "set a quota, as `KEY=VALUE`; may be given several times\n"+
		"KEY: nvidia-l4, nvidia-rtx-pro-6000, cpu or memory, then @ and a region or * for every region\n"+
		"VALUE: GPUs, vCPU or GiB; -1 for no limit, none for no entry at all\n"+
		"(default a new project's: 3 GPUs of each type, 20 vCPU, 40 GiB in every region)")
	flags.DurationVar(&set.operationLatency, "operation-latency", 0, "keep every operation pending for `DURATION`")
	flags.DurationVar(&set.latency, "latency", 0, "hold every answer back for `DURATION`")
	flags.DurationVar(&set.taskDuration, "task-duration", 0, "let every task run for `DURATION`")
	flags.StringVar(&set.projectNumber, "project-number", "123456789012", "the `number` of every project")
	flags.StringVar(&set.record, "record", "", "write every request and its answer to `FILE`, a JSON object a line")
	flags.BoolVar(&set.showVersion, "version", false, "print the version and stop")
	// The flag package would print all flags after each mistake: one line says it better.
	flags.SetOutput(io.Discard)
	flags.Usage = func() {}
	if err := flags.Parse(args); err != nil {
		if err == flag.ErrHelp { //nolint:errorlint // the flag package returns it as it is
			flags.SetOutput(stderr)
			_, _ = fmt.Fprintln(stderr, "Usage: cloudrun-emulator [flags] [-- COMMAND [ARGUMENT...]]") // as flags.PrintDefaults does
			flags.PrintDefaults()
			_, _ = fmt.Fprintln(stderr, "With a command: run it with "+hostVariable+" set, stop when it ends, and exit as it did.")
			return settings{}, err
		}
		return settings{}, fmt.Errorf("%w (-help lists the flags)", err)
	}
	if flags.NArg() > 0 {
		return settings{}, fmt.Errorf("unexpected argument %q: everything is set by flags (-help lists them); a command to run comes after --", flags.Arg(0))
	}
	return set, nil
}

// options turns the flags into those of the emulator; closeRecord is to be called at the end.
func (set settings) options() (options []emulator.Option, closeRecord func() error, err error) {
	options = []emulator.Option{
		emulator.WithAddr(set.address),
		emulator.WithOperationLatency(set.operationLatency),
		emulator.WithLatency(set.latency),
		emulator.WithTaskDuration(set.taskDuration),
		emulator.WithProjectNumber(set.projectNumber),
	}
	for _, quota := range set.quotas {
		options = append(options, emulator.WithQuota(quota.key, quota.value))
	}
	if set.record == "" {
		return options, func() error { return nil }, nil
	}
	file, err := os.Create(set.record)
	if err != nil {
		return nil, nil, fmt.Errorf("opening the record: %w", err)
	}
	return append(options, emulator.WithRecord(file)), file.Close, nil
}

// quotaFlags are the values of -quota, in the order given.
type quotaFlags []quotaFlag

type quotaFlag struct {
	key   string
	value int64
}

// String implements flag.Value.
func (q *quotaFlags) String() string {
	if q == nil {
		return ""
	}
	texts := make([]string, 0, len(*q))
	for _, quota := range *q {
		texts = append(texts, fmt.Sprintf("%s=%d", quota.key, quota.value))
	}
	return strings.Join(texts, " ")
}

// Set implements flag.Value.
func (q *quotaFlags) Set(text string) error {
	key, value, found := strings.Cut(text, "=")
	if !found {
		return fmt.Errorf("write KEY=VALUE, as in nvidia-l4@us-central1=3")
	}
	limit := emulator.NoEntry
	if value != "none" {
		number, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			return fmt.Errorf("the value must be a whole number, -1 or none, as in nvidia-l4@us-central1=3")
		}
		limit = number
	}
	*q = append(*q, quotaFlag{key: key, value: limit})
	return nil
}
