package emulator

import (
	"sync"
	"time"
)

// requestsKept is how many requests the log holds; beyond it, the oldest go.
const requestsKept = 10000

// Request is one call that the emulator has answered.
type Request struct {
	Time     time.Time `json:"time"`
	Method   string    `json:"method"`   // as in Jobs.CreateJob; for a path that no method has, the HTTP method and the path
	Resource string    `json:"resource"` // the full name of what it was about, or of its parent
	Door     string    `json:"door"`     // grpc or rest
	Status   string    `json:"status"`   // the code by its name: OK, NOT_FOUND
}

const (
	doorGRPC = "grpc"
	doorREST = "rest"
)

// requestLog is a ring of the latest requests.
type requestLog struct {
	mu     sync.Mutex
	ring   []Request
	oldest int
}

func (l *requestLog) add(request Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.ring) < requestsKept {
		l.ring = append(l.ring, request)
		return
	}
	l.ring[l.oldest] = request
	l.oldest = (l.oldest + 1) % requestsKept
}

// list returns the requests, oldest first.
func (l *requestLog) list() []Request {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := make([]Request, 0, len(l.ring))
	all = append(all, l.ring[l.oldest:]...)
	return append(all, l.ring[:l.oldest]...)
}

func (l *requestLog) clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ring, l.oldest = nil, 0
}
