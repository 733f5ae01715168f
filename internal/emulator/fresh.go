package emulator

import (
	"net"
	"net/http"
	"sync"
)

// freshConns are the connections on which nothing has been asked yet. Clients open them in store, and http.Server.Shutdown would
// wait for seconds whether something comes.
type freshConns struct {
	mu   sync.Mutex
	open map[net.Conn]struct{}
}

// follow is a http.Server's ConnState.
func (f *freshConns) follow(conn net.Conn, state http.ConnState) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if state != http.StateNew {
		delete(f.open, conn)
		return
	}
	if f.open == nil {
		f.open = map[net.Conn]struct{}{}
	}
	f.open[conn] = struct{}{}
}

// close ends them all. An error would only say that the client was faster.
func (f *freshConns) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for conn := range f.open {
		_ = conn.Close()
	}
}
