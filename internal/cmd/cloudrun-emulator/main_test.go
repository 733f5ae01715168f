package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/emulator"
)

// begin runs the program until the returned stop, which gives its exit code; address is where it listens.
func begin(t *testing.T, args ...string) (address string, stop func() int) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	out, in := io.Pipe()
	code := make(chan int, 1)
	var complaints strings.Builder
	go func() {
		code <- run(ctx, append([]string{"-addr", "127.0.0.1:0"}, args...), in, &complaints)
		if err := in.Close(); err != nil {
			t.Errorf("closing the pipe: %v", err)
		}
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("the program ended with %d: %s", <-code, complaints.String())
	}
	address, found := strings.CutPrefix(strings.TrimSpace(line), "cloudrun-emulator listening on ")
	if !found {
		t.Errorf("the first line is %q", line)
	}
	return address, func() int {
		cancel()
		return <-code
	}
}

func get(t *testing.T, address, path string) (code int, body string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+address+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	if err := response.Body.Close(); err != nil {
		t.Error(err)
	}
	return response.StatusCode, string(text)
}

func TestServesUntilItIsStopped(t *testing.T) {
	record := filepath.Join(t.TempDir(), "record.jsonl")
	address, stop := begin(t, "-quota", "nvidia-l4@*=1", "-quota", "nvidia-l4@us-central1=7", "-quota", "nvidia-l4@us-east4=none",
		"-project-number", "42", "-record", record)
	if code, body := get(t, address, "/_emulator/health"); code != http.StatusOK {
		t.Errorf("health: %d %s", code, body)
	}
	_, quota := get(t, address, "/v1/projects/p/locations/global/services/run.googleapis.com/quotaInfos/NvidiaL4GpuAllocNoZonalRedundancyPerProjectRegion")
	if !strings.Contains(quota, `"projects/42/`) || !strings.Contains(quota, `"value": "7"`) || !strings.Contains(quota, `"value": "1"`) || strings.Contains(quota, "us-east4") {
		t.Errorf("quota is %s", quota)
	}
	if code := stop(); code != exitOK {
		t.Errorf("exit code is %d", code)
	}
	lines, err := os.ReadFile(record)
	if err != nil || !strings.Contains(string(lines), `"method":"CloudQuotas.GetQuotaInfo"`) {
		t.Errorf("the record is %q, %v", lines, err)
	}
}

func TestMistakesAreOneLine(t *testing.T) {
	server, err := emulator.New()
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	}()
	for says, args := range map[string][]string{
		server.Addr() + " is in use":        {"-addr", server.Addr()},
		"-speed":                            {"-speed", "3"},
		"-task-duration":                    {"-task-duration", "long"},
		"KEY=VALUE":                         {"-quota", "nvidia-l4@us-central1"},
		"whole number":                      {"-quota", "nvidia-l4@us-central1=many"},
		`quota "nvidia-t4@*" is not known`:  {"-quota", "nvidia-t4@*=3"},
		"must not be negative":              {"-latency", "-1s"},
		`unexpected argument "serve"`:       {"serve"},
		"opening the record":                {"-record", filepath.Join(t.TempDir(), "none", "file")},
		"the project number must be digits": {"-project-number", "acme"},
	} {
		var out, complaint strings.Builder
		if code := run(t.Context(), args, &out, &complaint); code != exitStartup {
			t.Errorf("%v: exit code is %d, want %d", args, code, exitStartup)
		}
		text := complaint.String()
		if !strings.HasPrefix(text, "cloudrun-emulator: ") || strings.Count(text, "\n") != 1 || !strings.Contains(text, says) || out.Len() > 0 {
			t.Errorf("%v: got %q, want one line with %q", args, text, says)
		}
	}
}

func TestHelpListsTheFlags(t *testing.T) {
	var out, help strings.Builder
	if code := run(t.Context(), []string{"-help"}, &out, &help); code != exitOK {
		t.Errorf("exit code is %d", code)
	}
	for _, flag := range []string{"addr", "quota", "operation-latency", "latency", "task-duration", "project-number", "record"} {
		if !strings.Contains(help.String(), fmt.Sprintf("  -%s ", flag)) {
			t.Errorf("-%s is not in %s", flag, help.String())
		}
	}
}

func TestVersion(t *testing.T) {
	t.Parallel()
	var out, complaints strings.Builder
	if code := run(t.Context(), []string{"-version"}, &out, &complaints); code != exitOK || out.String() != "cloudrun-emulator dev\n" {
		t.Errorf("exit code %d, %q, %q", code, out.String(), complaints.String())
	}
}

// The flags that the guide explains are those that there are.
func TestTheGuideKnowsTheFlags(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile("../../../templates/guides/emulator-in-ci.md.tmpl")
	if err != nil {
		t.Fatal(err)
	}
	var out, help strings.Builder
	if code := run(t.Context(), []string{"-help"}, &out, &help); code != exitOK {
		t.Fatalf("exit code %d", code)
	}
	explained := regexp.MustCompile("(?m)^\\| `(-[a-z-]+)").FindAllSubmatch(guide, -1)
	if len(explained) < 4 {
		t.Errorf("only %d flags are explained", len(explained))
	}
	for _, flag := range explained {
		if !strings.Contains(help.String(), "\n  "+string(flag[1])+" ") {
			t.Errorf("there is no flag %s", flag[1])
		}
	}
}
