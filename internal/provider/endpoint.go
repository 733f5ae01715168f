package provider

import (
	"errors"
	"net"
	"net/url"
	"regexp"
	"strings"
)

// service is an API that the provider calls.
type service struct {
	attribute   string // in endpoints
	variable    string // of the google provider, for the same address
	description string
	// countsCaller marks the APIs that count a user's calls against the project of the login's tool, and so refuse them,
	// where no quota project is named.
	countsCaller bool
}

var (
	runService = service{
		attribute:   "run",
		variable:    "GOOGLE_CLOUD_RUN_V2_CUSTOM_ENDPOINT",
		description: "Address of the Cloud Run Admin API.",
	}
	quotasService = service{
		attribute:    "cloud_quotas",
		variable:     "GOOGLE_CLOUD_QUOTAS_CUSTOM_ENDPOINT",
		description:  "Address of the Cloud Quotas API, which is asked for the project's quotas.",
		countsCaller: true,
	}
	monitoringService = service{
		attribute:    "monitoring",
		variable:     "GOOGLE_MONITORING_CUSTOM_ENDPOINT",
		description:  "Address of the Cloud Monitoring API, which is asked how much of a quota is in use.",
		countsCaller: true,
	}
	billingService = service{
		attribute:    "cloud_billing",
		variable:     "GOOGLE_CLOUD_BILLING_CUSTOM_ENDPOINT",
		description:  "Address of the Cloud Billing API, whose catalogue is asked for list prices.",
		countsCaller: true,
	}
	services = []service{runService, quotasService, monitoringService, billingService}
)

// endpoint is where an API is called in place of Google's own address.
type endpoint struct {
	host      string // HOST or HOST:PORT
	plainText bool   // http: no TLS, and no credentials
}

// versionPath is the end of an address of the google provider, which goes into the path of each call here.
var versionPath = regexp.MustCompile(`^/(v\d+(alpha|beta)?\d*/?)?$`)

// parseEndpoint reads the address of an API: https://HOST[:PORT], with or without the API's version after it as the google
// provider has it.
func parseEndpoint(address string) (endpoint, error) {
	parsed, err := url.Parse(address)
	switch {
	case err != nil, parsed.Host == "", parsed.Scheme != "https" && parsed.Scheme != "http":
		return endpoint{}, errors.New("it has to start with https:// and a host name")
	case parsed.User != nil, parsed.RawQuery != "", parsed.Fragment != "":
		return endpoint{}, errors.New("it may have a host name and a port, but no user, query or fragment")
	case parsed.Path != "" && !versionPath.MatchString(parsed.Path):
		return endpoint{}, errors.New("it may have no path: the APIs' paths are added to it")
	case parsed.Scheme == "http" && !isLoopback(parsed.Hostname()):
		return endpoint{}, errors.New("over http, calls can be read and changed on their way; it is taken for addresses of this machine only")
	}
	return endpoint{host: parsed.Host, plainText: parsed.Scheme == "http"}, nil
}

// parseEmulator reads the address of the emulator, HOST:PORT.
func parseEmulator(address string, remoteAllowed bool) (endpoint, error) {
	host := strings.TrimSuffix(strings.TrimPrefix(address, "http://"), "/")
	name, port, err := net.SplitHostPort(host)
	if err != nil || name == "" || port == "" || strings.Contains(host, "/") {
		return endpoint{}, errors.New("it has to be HOST:PORT, such as 127.0.0.1:8123")
	}
	if !remoteAllowed && !isLoopback(name) {
		return endpoint{}, errors.New("it is not an address of this machine: what the calls carry, secrets in a job's environment among it, would go " +
			"over the network in plain text. If that is what you want, set " + emulatorRemoteVariable + "=1 too")
	}
	return endpoint{host: host, plainText: true}, nil
}

func isLoopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

func (e endpoint) hasPort() bool {
	_, port, err := net.SplitHostPort(e.host)
	return err == nil && port != ""
}
