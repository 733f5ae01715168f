package quotaapi

import "sync"

// answer is what came of a question.
type answer struct {
	info *Info
	err  error
}

// store keeps answers by the name of the quota for the life of the source: one run of Terraform, in which a plan must not
// change its mind half-way.
type store struct {
	mu      sync.RWMutex
	answers map[string]answer
}

func (s *store) get(name string) (answer, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	a, found := s.answers[name]
	return a, found
}

func (s *store) put(name string, a answer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.answers == nil {
		s.answers = make(map[string]answer)
	}
	s.answers[name] = a
}
