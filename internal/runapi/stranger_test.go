package runapi

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"google.golang.org/api/option"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/call"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/fault"
)

// stranger is a client of a REST server that is not the emulator.
func stranger(t *testing.T, handler http.HandlerFunc) *Client {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	policy := quick(call.REST, nil)
	c := New(Options{Transport: call.REST, policy: &policy, Dial: func(context.Context) ([]option.ClientOption, error) {
		return plainText(call.REST, "", server.URL), nil
	}})
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

func says(t *testing.T, httpCode int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(httpCode)
		if _, err := fmt.Fprint(w, body); err != nil {
			t.Error(err)
		}
	}
}

func TestAnswersThatAreNotOfTheAPI(t *testing.T) {
	for _, tc := range []struct {
		name     string
		httpCode int
		body     string
		code     codes.Code
		says     string
	}{
		{"a login page", http.StatusOK, "<html><body>Log in</body></html>", codes.Internal, "the answer cannot be read"},
		{"nothing", http.StatusOK, "", codes.Internal, "the answer cannot be read"},
		{"a proxy that knows no such page", http.StatusNotFound, "<html><body>404 Not Found</body></html>", codes.Unknown, `"404 Not Found"`},
		{"a proxy that wants a login", http.StatusForbidden, "<h1>Blocked</h1>", codes.Unknown, `"Blocked"`},
		{"a proxy whose server is down", http.StatusBadGateway, "", codes.Unavailable, "HTTP status 502"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := stranger(t, says(t, tc.httpCode, tc.body))
			_, err := c.GetJob(t.Context(), finetune)
			f, found := fault.As(err)
			if !found || f.Code != tc.code || !f.Malformed || !strings.Contains(f.Message, tc.says) {
				t.Errorf("fault %+v", f)
			}
		})
	}
}

func TestOperationsOfOddShapes(t *testing.T) {
	for name, body := range map[string]string{
		"no response":          `{"name":"projects/p/locations/l/operations/1","done":true}`,
		"an error that is OK":  `{"name":"projects/p/locations/l/operations/1","done":true,"error":{}}`,
		"another response":     `{"done":true,"response":{"@type":"type.googleapis.com/google.protobuf.Empty","value":{}}}`,
		"no name and not done": `{"metadata":{"@type":"type.googleapis.com/google.cloud.run.v2.Job"}}`,
	} {
		t.Run(name, func(t *testing.T) {
			c := stranger(t, says(t, http.StatusOK, body))
			operation, err := c.CreateJob(t.Context(), finetune, gpuJob(), ValidateOnly())
			if err != nil {
				t.Fatal(err)
			}
			if job, err := operation.Wait(t.Context()); err != nil || job.GetUid() != "" {
				t.Errorf("job %v, error %v", job, err)
			}
		})
	}
}

func TestListJobsGoesThroughAllPages(t *testing.T) {
	var asked []string
	c := stranger(t, func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.Query().Get("pageSize")+r.URL.Query().Get("pageToken"))
		body := `{"jobs":[{"name":"projects/p/locations/l/jobs/last"}]}`
		if r.URL.Query().Get("pageToken") == "" {
			body = `{"jobs":[` + strings.TrimSuffix(strings.Repeat(`{"name":"projects/p/locations/l/jobs/x"},`, largestPage), ",") + `],"nextPageToken":"-two"}`
		}
		says(t, http.StatusOK, body)(w, r)
	})
	count, last := 0, ""
	for job, err := range c.ListJobs(t.Context(), "p", "l") {
		if err != nil {
			t.Fatal(err)
		}
		count, last = count+1, job.GetName()
	}
	if count != largestPage+1 || last != "projects/p/locations/l/jobs/last" || strings.Join(asked, " ") != "1000 1000-two" {
		t.Errorf("%d jobs, the last %s, pages %v", count, last, asked)
	}
	for _, err := range c.ListJobs(t.Context(), "p", "l") {
		if err != nil {
			t.Fatal(err)
		}
		break
	}
	if len(asked) != 3 {
		t.Errorf("a list that nobody reads on asked for %d pages", len(asked)-2)
	}
}

func TestTheUserAgentIsSent(t *testing.T) {
	const want = "terraform-test/1.0"
	agent := make(chan string, 1)
	rest := stranger(t, func(w http.ResponseWriter, r *http.Request) {
		agent <- r.UserAgent()
		says(t, http.StatusOK, "{}")(w, r)
	})
	if _, err := rest.GetJob(t.Context(), finetune); err != nil {
		t.Fatal(err)
	}
	if got := <-agent; !strings.Contains(got, want) {
		t.Errorf("REST: %q", got)
	}

	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer(grpc.UnknownServiceHandler(func(_ any, stream grpc.ServerStream) error {
		head, _ := metadata.FromIncomingContext(stream.Context())
		agent <- strings.Join(head.Get("user-agent"), " ")
		return status.Error(codes.NotFound, "nothing here")
	}))
	go func() {
		if err := server.Serve(listener); err != nil {
			t.Error(err)
		}
	}()
	t.Cleanup(server.Stop)
	c := New(Options{Transport: call.GRPC, Dial: func(context.Context) ([]option.ClientOption, error) {
		return plainText(call.GRPC, listener.Addr().String(), ""), nil
	}})
	if _, err := c.GetJob(t.Context(), finetune); !fault.IsNotFound(err) {
		t.Errorf("error %v", err)
	}
	if got := <-agent; !strings.Contains(got, want) {
		t.Errorf("gRPC: %q", got)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

func TestADialThatFails(t *testing.T) {
	dials := 0
	c := New(Options{Dial: func(context.Context) ([]option.ClientOption, error) {
		dials++
		return nil, fmt.Errorf("no credentials")
	}})
	for range 2 {
		_, err := c.GetJob(t.Context(), finetune)
		if f, found := fault.As(err); !found || !f.Credentials {
			t.Errorf("fault %+v", f)
		}
	}
	if dials != 1 {
		t.Errorf("%d dials", dials)
	}
}
