package emulator

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"time"

	"google.golang.org/grpc"
)

// shutdownGrace is how long Close waits for calls to end before it cuts them off.
const shutdownGrace = 2 * time.Second

// Server is one running emulator.
type Server struct {
	state    *state
	faults   faults
	requests requestLog
	record   recorder
	methods  []string // all that can be called, as in Jobs.CreateJob, sorted

	listener net.Listener
	grpc     *grpc.Server
	http     *http.Server
	fresh    freshConns
	done     chan struct{} // closed when serving has ended
	served   error         // why; to be read after done
}

// New starts an emulator and returns at once; it is ready to be called. An address in use is an error.
func New(options ...Option) (*Server, error) {
	set, err := newSettings(options)
	if err != nil {
		return nil, err
	}
	s := &Server{state: newState(set), record: recorder{out: set.record}, done: make(chan struct{})}
	s.grpc = newGRPCServer(s)
	for service, info := range s.grpc.GetServiceInfo() {
		for _, method := range info.Methods {
			s.methods = append(s.methods, shortMethod("/"+service+"/"+method.Name))
		}
	}
	slices.Sort(s.methods)
	handler, err := newDoors(s)
	if err != nil {
		return nil, err
	}
	s.listener, err = (&net.ListenConfig{}).Listen(context.Background(), "tcp", set.address)
	if err != nil {
		return nil, fmt.Errorf("listening on %s: %w", set.address, err)
	}
	s.http = &http.Server{Handler: handler, ReadHeaderTimeout: time.Minute, Protocols: new(http.Protocols), ConnState: s.fresh.follow}
	s.http.RegisterOnShutdown(s.fresh.close)
	s.http.Protocols.SetHTTP1(true)
	s.http.Protocols.SetUnencryptedHTTP2(true)
	go func() {
		defer close(s.done)
		s.served = s.http.Serve(s.listener)
	}()
	return s, nil
}

// Addr is the address to call, HOST:PORT.
func (s *Server) Addr() string {
	return s.listener.Addr().String()
}

// URL is the address to call by REST, http://HOST:PORT.
func (s *Server) URL() string {
	return "http://" + s.Addr()
}

// Close ends the emulator: calls under way get a moment to end. It reports what went wrong while serving, and a record that could not
// be written.
func (s *Server) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), shutdownGrace)
	defer cancel()
	err := s.http.Shutdown(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		err = s.http.Close()
	}
	s.grpc.Stop()
	<-s.done
	if errors.Is(s.served, http.ErrServerClosed) {
		return errors.Join(err, s.record.close())
	}
	return errors.Join(err, s.served, s.record.close())
}

// Done is closed when the emulator has stopped serving: after Close, or because it could not go on, which Close then tells.
func (s *Server) Done() <-chan struct{} {
	return s.done
}

// Requests are the latest calls, oldest first: up to ten thousand of them.
func (s *Server) Requests() []Request {
	return s.requests.list()
}

// ClearRequests forgets the calls so far.
func (s *Server) ClearRequests() {
	s.requests.clear()
}

// SetQuota sets one quota from now on; see WithQuota for key and value. Tasks that waited for it start.
func (s *Server) SetQuota(key string, value int64) error {
	setting, err := parseQuota(key, value)
	if err != nil {
		return err
	}
	s.setQuotas([]quotaSetting{setting})
	return nil
}

func (s *Server) setQuotas(settings []quotaSetting) {
	now, leave := s.state.enter()
	defer leave()
	for _, setting := range settings {
		s.state.quotas.set(setting)
	}
	s.state.dispatch(now)
	s.state.settle(now)
}

// InjectFault lets calls go wrong from now on. Of several faults for one method the oldest comes first.
func (s *Server) InjectFault(fault Fault) error {
	return s.faults.add(fault, s.methods)
}

// Faults are the faults that still wait to happen, with what is left of their skips and times.
func (s *Server) Faults() []Fault {
	return s.faults.list()
}

// ClearFaults drops all faults.
func (s *Server) ClearFaults() {
	s.faults.clear()
}

// Reset goes back to the start: no jobs, no operations, no faults, no requests, and the quotas that New was given.
func (s *Server) Reset() {
	s.faults.clear()
	s.requests.clear()
	_, leave := s.state.enter()
	defer leave()
	s.state.reset()
}
