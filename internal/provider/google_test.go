package provider

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// google stands in for every host of Google Cloud: an HTTPS proxy leads whatever the process calls to a server of its own,
// whose certificate the process trusts. So the tests see what the real transports really send.
var google *fakeGoogle

func TestMain(m *testing.M) {
	var stop func()
	var err error
	google, stop, err = startGoogle()
	if err != nil {
		fmt.Fprintln(os.Stderr, "starting the server that stands in for Google:", err)
		os.Exit(1)
	}
	code := m.Run()
	stop()
	os.Exit(code)
}

// seen is one request that arrived at a host of Google.
type seen struct {
	host, path, body string
	header           http.Header
}

type fakeGoogle struct {
	mu       sync.Mutex
	requests []seen
	tunnels  int // connections that anything asked the proxy for
}

func (g *fakeGoogle) reset() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.requests, g.tunnels = nil, 0
}

// at returns the requests that arrived at a host, without its domain.
func (g *fakeGoogle) at(host string) []seen {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(g.requests), func(r seen) bool { return r.host != host+".googleapis.com" })
}

func (g *fakeGoogle) connections() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.tunnels
}

// ServeHTTP gives out tokens that say for whom they are, and refuses every call of an API.
func (g *fakeGoogle) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	host, _, _ := strings.Cut(r.Host, ":")
	g.mu.Lock()
	g.requests = append(g.requests, seen{host: host, path: r.URL.Path, body: string(body), header: r.Header.Clone()})
	g.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	switch {
	case strings.Contains(string(body), "revoked"):
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprint(w, `{"error": "invalid_grant", "error_description": "Token has been expired or revoked."}`)
	case host == "oauth2.googleapis.com":
		fmt.Fprint(w, `{"access_token": "user-token", "token_type": "Bearer", "expires_in": 3600}`)
	case host == "sts.googleapis.com":
		fmt.Fprint(w, `{"access_token": "federated-token", "issued_token_type": "urn:ietf:params:oauth:token-type:access_token", "token_type": "Bearer", "expires_in": 3600}`)
	case host == "iamcredentials.googleapis.com" && strings.Contains(r.URL.Path, "forbidden@"):
		w.WriteHeader(http.StatusForbidden)
		fmt.Fprint(w, `{"error": {"code": 403, "message": "Permission 'iam.serviceAccounts.getAccessToken' denied", "status": "PERMISSION_DENIED"}}`)
	case host == "iamcredentials.googleapis.com":
		fmt.Fprintf(w, `{"accessToken": "impersonated-token", "expireTime": %q}`, time.Now().Add(time.Hour).UTC().Format(time.RFC3339))
	case strings.HasPrefix(r.Header.Get("Content-Type"), "application/grpc"):
		w.Header().Set("Content-Type", "application/grpc")
		w.Header().Set("Grpc-Status", "12")
		w.Header().Set("Grpc-Message", "not here")
	default:
		w.WriteHeader(http.StatusNotImplemented)
		fmt.Fprint(w, `{"error": {"code": 501, "message": "not here", "status": "UNIMPLEMENTED"}}`)
	}
}

func startGoogle() (*fakeGoogle, func(), error) {
	certificate, authority, err := selfSigned()
	if err != nil {
		return nil, nil, err
	}
	dir, err := os.MkdirTemp("", "google")
	if err != nil {
		return nil, nil, err
	}
	file := filepath.Join(dir, "ca.pem")
	if err := os.WriteFile(file, authority, 0o600); err != nil {
		return nil, nil, err
	}
	g := &fakeGoogle{}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, nil, err
	}
	server := &http.Server{Handler: g, TLSConfig: &tls.Config{Certificates: []tls.Certificate{certificate}}, ReadHeaderTimeout: time.Minute}
	go server.ServeTLS(listener, "", "")
	proxyListener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, nil, err
	}
	proxy := &http.Server{Handler: g.proxy(listener.Addr().String()), ReadHeaderTimeout: time.Minute}
	go proxy.Serve(proxyListener)
	// Both are read once in the life of a process, so no test can set them for itself.
	os.Setenv("SSL_CERT_FILE", file)
	os.Setenv("HTTPS_PROXY", "http://"+proxyListener.Addr().String())
	return g, func() { server.Close(); proxy.Close(); os.RemoveAll(dir) }, nil
}

// proxy answers CONNECT for any host with a tunnel to addr.
func (g *fakeGoogle) proxy(addr string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		g.mu.Lock()
		g.tunnels++
		g.mu.Unlock()
		there, err := net.Dial("tcp", addr)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		defer there.Close()
		here, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		defer here.Close()
		fmt.Fprint(here, "HTTP/1.1 200 Connection established\r\n\r\n")
		done := make(chan struct{}, 2)
		for _, way := range [][2]net.Conn{{here, there}, {there, here}} {
			go func() { io.Copy(way[0], way[1]); done <- struct{}{} }()
		}
		<-done
	})
}

func selfSigned() (tls.Certificate, []byte, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, nil, err
	}
	template := &x509.Certificate{
		SerialNumber:          big.NewInt(1),
		Subject:               pkix.Name{CommonName: "stand-in"},
		NotBefore:             time.Now().Add(-time.Hour),
		NotAfter:              time.Now().Add(time.Hour),
		DNSNames:              []string{"*.googleapis.com", "run.example.net"},
		BasicConstraintsValid: true,
		IsCA:                  true,
		KeyUsage:              x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return tls.Certificate{}, nil, err
	}
	authority := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, authority, nil
}

// needsGoogle empties the record of the stand-in before a test that calls it.
func needsGoogle(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "darwin" || runtime.GOOS == "windows" {
		t.Skip("the trusted certificates of a process cannot be set by SSL_CERT_FILE on " + runtime.GOOS)
	}
	google.reset()
}
