package billingapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"google.golang.org/api/option"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/emulator"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/fault"
)

func startEmulator(t *testing.T) *emulator.Server {
	t.Helper()
	server, err := emulator.New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() })
	return server
}

func sourceAt(server *emulator.Server, transport string) *Source {
	options := []option.ClientOption{option.WithEndpoint(server.URL()), option.WithoutAuthentication()}
	if transport == "grpc" {
		options = []option.ClientOption{
			option.WithEndpoint(server.Addr()), option.WithoutAuthentication(),
			option.WithGRPCDialOption(grpc.WithTransportCredentials(insecure.NewCredentials())),
		}
	}
	return New(Options{Transport: transport, Dial: func(context.Context) ([]option.ClientOption, error) { return options, nil }})
}

// However many ask at once, the list is read once, and both transports read the same.
func TestListIsReadOnce(t *testing.T) {
	t.Parallel()
	for _, transport := range []string{"grpc", "rest"} {
		server := startEmulator(t)
		source := sourceAt(server, transport)
		var group sync.WaitGroup
		for range 20 {
			group.Go(func() {
				prices, err := source.Prices(t.Context())
				if err != nil {
					t.Error(err)
					return
				}
				price, finding := prices.GPU("nvidia-rtx-pro-6000", "us-central1")
				if finding != Found || price.PerSecond.String() != "0.00036522" || price.Since != "2026-09-30" {
					t.Errorf("over %s: %s, %+v", transport, finding, price)
				}
			})
		}
		group.Wait()
		if calls := len(server.Requests()); calls != 1 {
			t.Errorf("over %s: %d calls, want 1", transport, calls)
		}
	}
}

func TestRefusalIsKept(t *testing.T) {
	t.Parallel()
	server := startEmulator(t)
	if err := server.InjectFault(emulator.Fault{Method: method, Code: codes.PermissionDenied}); err != nil {
		t.Fatal(err)
	}
	source := sourceAt(server, "grpc")
	for range 2 {
		if _, err := source.Prices(t.Context()); fault.Code(err) != codes.PermissionDenied {
			t.Errorf("%v", err)
		}
	}
	if calls := len(server.Requests()); calls != 1 {
		t.Errorf("%d calls, want 1", calls)
	}
}

func TestNothingIsAskedBeforeTheFirstQuestion(t *testing.T) {
	t.Parallel()
	dials, broken := 0, errors.New("no credentials")
	source := New(Options{Transport: "rest", Dial: func(context.Context) ([]option.ClientOption, error) { dials++; return nil, broken }})
	if dials != 0 {
		t.Error("it dials before it is asked")
	}
	if _, err := source.Prices(t.Context()); !errors.Is(err, broken) || dials != 1 {
		t.Errorf("%v after %d dials", err, dials)
	}
}

// The list is read to its end for the next one who asks.
func TestWhoHasNoTimeDoesNotWait(t *testing.T) {
	t.Parallel()
	goOn, calls := make(chan struct{}), 0
	source := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		calls++
		<-goOn
		fmt.Fprint(w, `{}`)
	})
	hasty, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := source.Prices(hasty); fault.Code(err) != codes.Canceled {
		t.Errorf("%v, want the end of the context", err)
	}
	close(goOn)
	if _, err := source.Prices(t.Context()); err != nil || calls != 1 {
		t.Errorf("the next one gets %v after %d calls", err, calls)
	}
}

func serve(t *testing.T, answer http.HandlerFunc) *Source {
	t.Helper()
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	return New(Options{Transport: "rest", Dial: func(context.Context) ([]option.ClientOption, error) {
		return []option.ClientOption{option.WithEndpoint(server.URL), option.WithoutAuthentication()}, nil
	}})
}

func TestPagesFollowEachOther(t *testing.T) {
	t.Parallel()
	const body = `{"skus": [{"skuId": "%s", "description": "%s", "category": {"usageType": "OnDemand"}, "serviceRegions": ["r"], "pricingInfo":
		[{"pricingExpression": {"usageUnit": "%s", "tieredRates": [{"unitPrice": {"currencyCode": "USD", "units": "1"}}]}}]}], "nextPageToken": "%s"}`
	source := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if r.URL.Query().Get("currencyCode") != "USD" || r.URL.Path != "/v1/services/152E-C115-5142/skus" {
			http.Error(w, "another question", http.StatusBadRequest)
			return
		}
		if r.URL.Query().Get("pageToken") == "" {
			fmt.Fprintf(w, body, "A", "Jobs CPU in r", "s", "more")
			return
		}
		fmt.Fprintf(w, body, "B", "Jobs Memory in r", "GiBy.s", "")
	})
	prices, err := source.Prices(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, finding := prices.CPU("r"); finding != Found {
		t.Errorf("the first page: %s", finding)
	}
	if _, finding := prices.Memory("r"); finding != Found {
		t.Errorf("the second page: %s", finding)
	}
}

func TestAnswerThatCannotBeRead(t *testing.T) {
	t.Parallel()
	source := serve(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"skus": "many"`) })
	if prices, err := source.Prices(t.Context()); err == nil {
		t.Errorf("%+v", prices)
	}
}
