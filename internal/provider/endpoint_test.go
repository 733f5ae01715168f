package provider

import (
	"strings"
	"testing"
)

func TestParseEndpoint(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]endpoint{
		"https://us-central1-run.googleapis.com": {host: "us-central1-run.googleapis.com"},
		"https://run.googleapis.com/v2/":         {host: "run.googleapis.com"},
		"https://run.googleapis.com/":            {host: "run.googleapis.com"},
		"https://run.example.net:8443":           {host: "run.example.net:8443"},
		"http://127.0.0.1:8123":                  {host: "127.0.0.1:8123", plainText: true},
		"http://[::1]:8123/v2":                   {host: "[::1]:8123", plainText: true},
		"http://localhost:1":                     {host: "localhost:1", plainText: true},
	} {
		if got, err := parseEndpoint(address); err != nil || got != want {
			t.Errorf("%s: %+v, %v; want %+v", address, got, err, want)
		}
	}
	for _, address := range []string{
		"run.googleapis.com", "http://run.googleapis.com", "http://localhost.example.net", "http://10.0.0.1:80", "https://", "ftp://127.0.0.1",
		"https://run.googleapis.com/other", "https://user@run.googleapis.com", "https://run.googleapis.com?key=x", "https://run.googleapis.com#x", "://",
	} {
		if got, err := parseEndpoint(address); err == nil {
			t.Errorf("%s is taken for %+v", address, got)
		}
	}
}

func TestParseEmulator(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"127.0.0.1:8123": "127.0.0.1:8123", "localhost:8123": "localhost:8123", "[::1]:8123": "[::1]:8123", "http://127.0.0.1:8123/": "127.0.0.1:8123",
	} {
		if got, err := parseEmulator(address, false); err != nil || got.host != want || !got.plainText {
			t.Errorf("%s: %+v, %v", address, got, err)
		}
	}
	for _, address := range []string{"127.0.0.1", ":8123", "127.0.0.1:", "https://127.0.0.1:8123", "emulator:8123", "192.168.0.7:8123", "0.0.0.0:8123"} {
		if got, err := parseEmulator(address, false); err == nil {
			t.Errorf("%s is taken for %+v", address, got)
		}
	}
	if got, err := parseEmulator("emulator:8123", true); err != nil || got.host != "emulator:8123" {
		t.Errorf("allowed by the opt-in: %+v, %v", got, err)
	}
}

func TestEndpointsOfTheConfiguration(t *testing.T) {
	t.Parallel()
	env := map[string]string{"GOOGLE_CLOUD_RUN_V2_CUSTOM_ENDPOINT": "https://env.example.net/v2/", "GOOGLE_MONITORING_CUSTOM_ENDPOINT": "http://127.0.0.1:9"}
	set, said := settle(t, map[string]any{"endpoints": map[string]any{"run": "https://written.example.net", "cloud_quotas": "", "monitoring": ""}}, env)
	if said != "" {
		t.Fatal(said)
	}
	if set.endpoints["run"].host != "written.example.net" {
		t.Errorf("run is %+v, want what is written", set.endpoints["run"])
	}
	if _, moved := set.endpoints["cloud_quotas"]; moved {
		t.Errorf("an empty string moved the quotas to %+v", set.endpoints["cloud_quotas"])
	}
	if set.endpoints["monitoring"] != (endpoint{host: "127.0.0.1:9", plainText: true}) {
		t.Errorf("monitoring is %+v, want that of the environment", set.endpoints["monitoring"])
	}
}

func TestRefusedAddresses(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		env  map[string]string
		says []string
	}{
		"an emulator elsewhere": {
			env:  map[string]string{emulatorVariable: "10.1.2.3:8123"},
			says: []string{`CLOUDRUNGPU_EMULATOR_HOST is set to "10.1.2.3:8123"`, "plain text", "CLOUDRUNGPU_EMULATOR_ALLOW_REMOTE=1"},
		},
		"an emulator without a port": {
			env:  map[string]string{emulatorVariable: "localhost"},
			says: []string{"HOST:PORT", "CLOUDRUNGPU_EMULATOR_HOST=127.0.0.1:8123"},
		},
		"an endpoint without TLS": {
			env:  map[string]string{"GOOGLE_CLOUD_QUOTAS_CUSTOM_ENDPOINT": "http://quotas.example.net"},
			says: []string{`"http://quotas.example.net" is not an address`, "Over http", "https://HOST"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, said := settle(t, nil, test.env)
			for _, want := range test.says {
				if !strings.Contains(said, want) {
					t.Errorf("%q is not in %q", want, said)
				}
			}
		})
	}
	if set, said := settle(t, nil, map[string]string{emulatorVariable: "10.1.2.3:8123", emulatorRemoteVariable: "1"}); said != "" || set.emulator == nil {
		t.Errorf("the opt-in does not count: %v, %s", set.emulator, said)
	}
}
