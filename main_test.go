package main

import (
	"errors"
	"maps"
	"strings"
	"testing"
)

func TestLogWanted(t *testing.T) {
	for name, tc := range map[string]struct {
		environ []string
		want    bool
	}{
		"nothing set":        {[]string{"HOME=/root", "TF_CLI_CONFIG_FILE=/dev/null"}, false},
		"set but empty":      {[]string{"TF_LOG="}, false},
		"everything":         {[]string{"TF_LOG=debug"}, true},
		"provider only":      {[]string{"TF_LOG_PROVIDER=info"}, true},
		"protocol only":      {[]string{"TF_LOG_SDK_PROTO=trace"}, true},
		"another's variable": {[]string{"TF_LOGIN=x"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := logWanted(tc.environ); got != tc.want {
				t.Errorf("logWanted(%q) is %t", tc.environ, got)
			}
		})
	}
}

func TestSilenceLogs(t *testing.T) {
	got := map[string]string{}
	if err := silenceLogs(func(name, value string) error { got[name] = value; return nil }); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"TF_LOG_SDK": "off", "TF_LOG_PROVIDER_CLOUDRUNGPU": "off"}
	if !maps.Equal(got, want) {
		t.Errorf("set %v, want %v", got, want)
	}

	err := silenceLogs(func(string, string) error { return errors.New("read only") })
	if err == nil || !strings.Contains(err.Error(), "TF_LOG_SDK") {
		t.Errorf("error is %v, want one that names the variable", err)
	}
}
