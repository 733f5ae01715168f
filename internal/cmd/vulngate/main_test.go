package main

import (
	"strings"
	"testing"
)

const opening = `{"config": {"protocol_version": "v1.0.0"}}` + "\n"

func TestReport(t *testing.T) {
	const (
		imported    = `{"finding": {"osv": "GO-1", "trace": [{"module": "example.com/a", "version": "v1.0.0", "package": "example.com/a"}]}}`
		inGo        = `{"finding": {"osv": "GO-2", "fixed_version": "v1.26.9", "trace": [{"module": "stdlib", "version": "v1.26.8", "package": "net/http", "function": "Get"}]}}`
		inDep       = `{"finding": {"osv": "GO-3", "fixed_version": "v2.0.1", "trace": [{"module": "example.com/b", "version": "v2.0.0", "package": "example.com/b", "function": "Parse"}]}}`
		inDepUnmend = `{"finding": {"osv": "GO-4", "trace": [{"module": "example.com/c", "version": "v0.1.0", "package": "example.com/c", "function": "Do"}]}}`
	)
	for name, tc := range map[string]struct {
		findings []string
		failures int
		says     []string
	}{
		"nothing found":                  {nil, 0, []string{"0 called vulnerabilities in dependencies, 0 in the Go release"}},
		"imported but not called":        {[]string{imported}, 0, []string{"0 called vulnerabilities in dependencies"}},
		"called in the Go release":       {[]string{inGo}, 0, []string{"note GO-2", "fixed in v1.26.9", "1 in the Go release"}},
		"called in a dependency":         {[]string{inDep}, 1, []string{"FAIL GO-3 example.com/b@v2.0.0: example.com/b.Parse is called; fixed in v2.0.1"}},
		"called by two ways, once a row": {[]string{inDep, inDep}, 1, []string{"1 called vulnerabilities in dependencies"}},
		"no fix known":                   {[]string{inDepUnmend, inGo}, 1, []string{"fixed in no version yet", "note GO-2"}},
	} {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			got, err := report(strings.NewReader(opening+strings.Join(tc.findings, "\n")), &out)
			if err != nil {
				t.Fatal(err)
			}
			if got != tc.failures {
				t.Errorf("%d failures, want %d", got, tc.failures)
			}
			for _, want := range tc.says {
				if !strings.Contains(out.String(), want) {
					t.Errorf("report lacks %q:\n%s", want, out.String())
				}
			}
		})
	}
}

func TestWhatIsNotAReportIsAnError(t *testing.T) {
	for name, in := range map[string]string{
		"empty":     "",
		"cut short": opening + `{"finding": {"osv": `,
		"not JSON":  "No vulnerabilities found.",
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := report(strings.NewReader(in), &strings.Builder{}); err == nil {
				t.Error("no error")
			}
		})
	}
}
