package emulator

import (
	"net/http"
	"strings"
)

// newDoors puts gRPC, REST and the knobs behind one port.
func newDoors(s *Server) (http.Handler, error) {
	rest, err := newRESTDoor(s)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.Handle("/_emulator/", newKnobs(s))
	mux.Handle("/", rest)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.Header.Get("Content-Type"), "application/grpc") {
			s.grpc.ServeHTTP(w, r)
			return
		}
		mux.ServeHTTP(w, r)
	}), nil
}
