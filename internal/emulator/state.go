package emulator

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"
	"time"

	"cloud.google.com/go/run/apiv2/runpb"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/types/known/timestamppb"
)

// Who created everything: the emulator asks nobody who they are.
const caller = "developer@example.com"

// state is all that the emulator knows. Every method expects the lock to be held by enter, and no message of it ever leaves
// without being cloned.
type state struct {
	mu         sync.Mutex
	set        settings
	events     eventQueue
	random     *rand.Rand
	revision   int64
	serial     int
	quotas     *quotaTable
	jobs       map[string]*job
	deleted    []*runpb.Job
	operations operationStore
	running    []*execution
	failures   taskFailures
}

func newState(set settings) *state {
	s := &state{set: set}
	s.reset()
	return s
}

// reset goes back to the beginning. What is still awaited ends as cancelled.
func (s *state) reset() {
	s.operations.abandon()
	s.events = eventQueue{}
	// The same seed each time: a test that makes the same calls gets the same ids.
	s.random = rand.New(rand.NewPCG(1, 2)) //nolint:gosec // ids need not be secret
	s.quotas = newQuotaTable(s.set.quotas)
	s.jobs = map[string]*job{}
	s.deleted = nil
	s.operations = newOperationStore()
	s.running = nil
	s.failures = nil
}

// enter locks the state and lets happen what is due by now.
func (s *state) enter() (now time.Time, leave func()) {
	s.mu.Lock()
	now = s.set.clock.Now()
	s.events.runUntil(now)
	return now, s.mu.Unlock
}

// settle lets happen what a change made due at once, as an operation or a task that takes no time.
func (s *state) settle(now time.Time) {
	s.events.runUntil(now)
}

// nextVersion is a number that only grows, in the manner of the service: microseconds where the clock allows it.
func (s *state) nextVersion(now time.Time) int64 {
	s.revision = max(s.revision+1, now.UnixMicro())
	return s.revision
}

// nextSerial numbers what must be kept in the order of creation.
func (s *state) nextSerial() int {
	s.serial++
	return s.serial
}

func (s *state) newUID() string {
	a, b := s.random.Uint64(), s.random.Uint64()
	return fmt.Sprintf("%08x-%04x-4%03x-a%03x-%012x", a>>32, a>>16&0xffff, a&0xfff, b>>48&0xfff, b&0xffffffffffff)
}

// newSuffix is the end of an execution's name, as in finetune-x7k2p.
func (s *state) newSuffix() string {
	const letters = "bcdfghjklmnpqrstvwxz2456789"
	suffix := make([]byte, 5)
	for i := range suffix {
		suffix[i] = letters[s.random.IntN(len(letters))]
	}
	return string(suffix)
}

// etagOf makes an etag of a version; versionOf reads it back, and gives what it cannot read back unchanged, for the error.
func etagOf(version int64) string {
	raw := protowire.AppendTag(nil, 1, protowire.VarintType)
	return strconv.Quote(base64.StdEncoding.EncodeToString(protowire.AppendVarint(raw, uint64(version)))) //nolint:gosec // never negative
}

func versionOf(etag string) string {
	text, err := strconv.Unquote(etag)
	if err != nil {
		text = etag
	}
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return etag
	}
	number, kind, tagSize := protowire.ConsumeTag(raw)
	if tagSize < 0 || number != 1 || kind != protowire.VarintType {
		return etag
	}
	version, size := protowire.ConsumeVarint(raw[tagSize:])
	if size < 0 {
		return etag
	}
	return strconv.FormatUint(version, 10)
}

// checkEtag compares the etag of a request, if it sent one, with the current one.
func checkEtag(id, specified, current string) error {
	if specified == "" || specified == current {
		return nil
	}
	return etagConflict(id, versionOf(specified), versionOf(current))
}

func stamp(t time.Time) *timestamppb.Timestamp {
	return timestamppb.New(t.Truncate(time.Microsecond))
}
