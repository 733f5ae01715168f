package call

import (
	"google.golang.org/grpc/codes"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/fault"
)

// Repeat says what a call does when it is carried out twice.
type Repeat int

// The kinds of calls.
const (
	// Reads change nothing.
	Reads Repeat = iota
	// Guarded calls change something once: the API refuses the second one, for it finds the name taken, the etag
	// outdated, the resource gone.
	Guarded
	// Once is for calls that must not be carried out twice.
	Once
)

// hope is what a retry has to offer.
type hope int

const (
	none   hope = iota
	little      // a few tries
	some        // as long as the patience lasts
)

// rateLimit is the reason in google.rpc.ErrorInfo of a limit per minute. A quota that time does not refill has another.
const rateLimit = "RATE_LIMIT_EXCEEDED"

// hope goes by code and reason. What Google's own guide for clients (AIP-194) lets nobody retry is not retried here.
func (r Repeat) hope(f *fault.Fault) hope {
	switch f.Code {
	case codes.Unavailable:
		if f.Unreachable {
			return little
		}
		return r.unlessOnce()
	case codes.DeadlineExceeded:
		return r.unlessOnce()
	case codes.ResourceExhausted:
		return r.exhausted(f)
	default:
		return none
	}
}

func (r Repeat) unlessOnce() hope {
	if r == Once {
		return none
	}
	return some
}

// exhausted calls were refused before anything was done. A read only has limits per minute; a write that names no reason
// may as well have met a limit on how many resources there can be.
func (r Repeat) exhausted(f *fault.Fault) hope {
	switch {
	case f.RetryAfter > 0, f.Reason == rateLimit:
		return some
	case f.Reason != "":
		return none
	case r == Reads:
		return some
	default:
		return little
	}
}

// certainlyNotDone reports whether a failed call has changed nothing for certain.
func certainlyNotDone(f *fault.Fault) bool {
	return f.Unreachable || f.Code != codes.Unavailable && f.Code != codes.DeadlineExceeded
}
