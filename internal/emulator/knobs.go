package emulator

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"

	"google.golang.org/grpc/codes"
)

// knobs are the calls under /_emulator/ by which a test in any language sets the emulator up and looks into it.
type knobs struct {
	server *Server
}

func newKnobs(s *Server) http.Handler {
	k := knobs{server: s}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /_emulator/health", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, http.StatusOK, map[string]string{"status": "ok"})
	})
	mux.HandleFunc("GET /_emulator/requests", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, http.StatusOK, s.Requests())
	})
	mux.HandleFunc("DELETE /_emulator/requests", func(w http.ResponseWriter, _ *http.Request) {
		s.ClearRequests()
		writeJSON(w, http.StatusOK, struct{}{})
	})
	mux.HandleFunc("PUT /_emulator/quotas", k.putQuotas)
	mux.HandleFunc("POST /_emulator/faults", k.postFault)
	mux.HandleFunc("GET /_emulator/faults", k.getFaults)
	mux.HandleFunc("DELETE /_emulator/faults", func(w http.ResponseWriter, _ *http.Request) {
		s.ClearFaults()
		writeJSON(w, http.StatusOK, struct{}{})
	})
	mux.HandleFunc("POST /_emulator/task-failures", k.postTaskFailure)
	mux.HandleFunc("GET /_emulator/task-failures", k.getTaskFailures)
	mux.HandleFunc("DELETE /_emulator/task-failures", func(w http.ResponseWriter, _ *http.Request) {
		s.ClearTaskFailures()
		writeJSON(w, http.StatusOK, struct{}{})
	})
	mux.HandleFunc("POST /_emulator/reset", func(w http.ResponseWriter, _ *http.Request) {
		s.Reset()
		writeJSON(w, http.StatusOK, struct{}{})
	})
	mux.HandleFunc("/_emulator/", func(w http.ResponseWriter, r *http.Request) {
		writeKnobError(w, http.StatusNotFound, fmt.Errorf("there is no %s %s", r.Method, r.URL.Path))
	})
	return mux
}

// putQuotas takes {"nvidia-l4@us-central1": 3, "cpu@*": null}: all of them or, where one is wrong, none.
func (k knobs) putQuotas(w http.ResponseWriter, r *http.Request) {
	var values map[string]*int64
	if err := readJSON(r, &values); err != nil {
		writeKnobError(w, http.StatusBadRequest, err)
		return
	}
	settings := make([]quotaSetting, 0, len(values))
	for key, value := range values {
		limit := NoEntry
		if value != nil {
			limit = *value
		}
		setting, err := parseQuota(key, limit)
		if err != nil {
			writeKnobError(w, http.StatusBadRequest, err)
			return
		}
		settings = append(settings, setting)
	}
	k.server.setQuotas(settings)
	writeJSON(w, http.StatusOK, struct{}{})
}

// faultJSON is a Fault as the knobs write it.
type faultJSON struct {
	Method     string            `json:"method"`
	Code       string            `json:"code"`
	Message    string            `json:"message"`
	Reason     string            `json:"reason,omitempty"`
	Metadata   map[string]string `json:"metadata,omitempty"`
	RetryAfter string            `json:"retry_after,omitempty"`
	Times      int               `json:"times"`
	Skip       int               `json:"skip"`
	Delay      string            `json:"delay"`
	When       string            `json:"when"`
	Operation  bool              `json:"operation"`
}

const (
	whenBefore = "before"
	whenAfter  = "after"
)

func (k knobs) postFault(w http.ResponseWriter, r *http.Request) {
	var given faultJSON
	err := readJSON(r, &given)
	var fault Fault
	if err == nil {
		fault, err = given.fault()
	}
	if err == nil {
		err = k.server.InjectFault(fault)
	}
	if err != nil {
		writeKnobError(w, http.StatusBadRequest, err)
		return
	}
	writeJSON(w, http.StatusOK, struct{}{})
}

func (k knobs) getFaults(w http.ResponseWriter, _ *http.Request) {
	all := []faultJSON{}
	for _, fault := range k.server.Faults() {
		when := whenBefore
		if fault.After {
			when = whenAfter
		}
		shown := faultJSON{
			Method: fault.Method, Code: codeName(fault.Code), Message: fault.Message, Reason: fault.Reason, Metadata: fault.Metadata,
			Times: fault.Times, Skip: fault.Skip, Delay: fault.Delay.String(), When: when, Operation: fault.Operation,
		}
		if fault.RetryAfter > 0 {
			shown.RetryAfter = fault.RetryAfter.String()
		}
		all = append(all, shown)
	}
	writeJSON(w, http.StatusOK, all)
}

func (f faultJSON) fault() (Fault, error) {
	fault := Fault{
		Method: f.Method, Message: f.Message, Reason: f.Reason, Metadata: f.Metadata, Times: f.Times, Skip: f.Skip, Operation: f.Operation,
	}
	var err error
	if fault.Code, err = parseCode(f.Code); err != nil {
		return Fault{}, err
	}
	for name, of := range map[string]struct {
		text string
		into *time.Duration
	}{"delay": {f.Delay, &fault.Delay}, "retry_after": {f.RetryAfter, &fault.RetryAfter}} {
		if of.text == "" {
			continue
		}
		if *of.into, err = time.ParseDuration(of.text); err != nil {
			return Fault{}, fmt.Errorf("%s must be a duration such as 500ms or 2s, got %q", name, of.text)
		}
	}
	switch f.When {
	case "", whenBefore:
	case whenAfter:
		fault.After = true
	default:
		return Fault{}, fmt.Errorf("when must be %s or %s, got %q", whenBefore, whenAfter, f.When)
	}
	return fault, nil
}

// parseCode reads the name of a code; none stands for OK.
func parseCode(name string) (codes.Code, error) {
	if name == "" {
		return codes.OK, nil
	}
	for number := codes.OK; number <= codes.Unauthenticated; number++ {
		if codeName(number) == name {
			return number, nil
		}
	}
	return codes.OK, fmt.Errorf("no code is called %q: codes are written as in UNAVAILABLE", name)
}

// readJSON reads a whole body and takes no field that it does not know.
func readJSON(r *http.Request, into any) error {
	decoder := json.NewDecoder(io.LimitReader(r.Body, maxBody))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return fmt.Errorf("reading the body: %w", err)
	}
	return nil
}

func writeKnobError(w http.ResponseWriter, code int, err error) {
	writeJSON(w, code, map[string]string{"error": err.Error()})
}

func writeJSON(w http.ResponseWriter, code int, value any) {
	body, err := json.Marshal(value)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	restForm{}.write(w, code, body)
}
