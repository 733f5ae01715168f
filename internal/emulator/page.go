package emulator

import (
	"encoding/base64"
	"sort"
	"strings"
)

const (
	defaultPageSize = 100
	maxPageSize     = 1000
)

// pageRequest is what every list call has in common.
type pageRequest struct {
	list  string // what is listed: a token is only good for the list that it came from
	size  int32
	token string
}

// cut returns the page of keys that the request asks for, and the token of the next one. The keys are sorted here; the token
// carries the last key shown, so that what is created or deleted between two pages moves nothing across them.
func (r pageRequest) cut(keys []string) (page []string, next string, err error) {
	size, err := r.limit()
	if err != nil {
		return nil, "", err
	}
	after, err := r.after()
	if err != nil {
		return nil, "", err
	}
	sort.Strings(keys)
	start := sort.Search(len(keys), func(i int) bool { return keys[i] > after })
	end := min(start+size, len(keys))
	page = keys[start:end]
	if end < len(keys) {
		next = base64.RawURLEncoding.EncodeToString([]byte(r.list + "\n" + keys[end-1]))
	}
	return page, next, nil
}

func (r pageRequest) limit() (int, error) {
	switch {
	case r.size < 0:
		return 0, invalidArgument(violation{"page_size", "must not be negative"})
	case r.size == 0:
		return defaultPageSize, nil
	default:
		return min(int(r.size), maxPageSize), nil
	}
}

func (r pageRequest) after() (string, error) {
	if r.token == "" {
		return "", nil
	}
	text, err := base64.RawURLEncoding.DecodeString(r.token)
	list, after, found := strings.Cut(string(text), "\n")
	if err != nil || !found || list != r.list {
		return "", invalidArgument(violation{"page_token", "is not a token of this list"})
	}
	return after, nil
}
