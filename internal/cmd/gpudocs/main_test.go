package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/gpu"
)

// The pages in the repository are what the catalogue says today.
func TestPagesAreUpToDate(t *testing.T) {
	t.Parallel()
	for _, page := range []string{"gpus-and-regions.md.tmpl", "quotas.md.tmpl"} {
		upToDate(t, "../../../templates/guides/"+page)
	}
}

func upToDate(t *testing.T, written string) {
	t.Helper()
	old, err := os.ReadFile(written)
	if err != nil {
		t.Fatal(err)
	}
	page := filepath.Join(t.TempDir(), "page.md")
	if err := os.WriteFile(page, old, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := rewrite(page); err != nil {
		t.Fatal(err)
	}
	now, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if string(now) != string(old) {
		t.Errorf("%s is out of date: run make generate", written)
	}
}

func TestTables(t *testing.T) {
	t.Parallel()
	c := gpu.Default()
	for text, lines := range map[string][]string{
		types(c): {
			"| | `nvidia-l4` | `nvidia-rtx-pro-6000` |",
			"| CPU and memory of the container | 4: 16Gi<br>6: 16Gi to 24Gi<br>8: 16Gi to 32Gi | 20: 80Gi<br>",
			"| longest task | 1h, 12h with `launch_stage = \"BETA\"` |",
			"| price per hour, USD | 0.672 (tier 1, ",
		},
		regions(c): {
			"| `asia-south1` | by invitation | – |",
			"| `europe-west4` | yes | yes | 1 | yes |",
		},
		quotas(c): {
			"| `nvidia-l4` | `NvidiaL4GpuAllocNoZonalRedundancyPerProjectRegion` | GPU |",
			"| `nvidia-rtx-pro-6000` | `NvidiaRtxPro6000GpuAllocNoZonalRedundancyPerProjectRegion` | 1/1000 of a GPU: 3 GPUs are 3000 |",
			"| CPU | `CpuAllocPerProjectRegion` | 1/1000 of a vCPU |",
		},
	} {
		for _, line := range lines {
			if !strings.Contains(text, line) {
				t.Errorf("no %q in\n%s", line, text)
			}
		}
	}
}

func TestPlaces(t *testing.T) {
	t.Parallel()
	for page, want := range map[string]string{
		"a\n<!-- x: made -->\nold\n<!-- end -->\nb\n<!-- x: made -->\n<!-- end -->\n": "a\n<!-- x: made -->\n\nX\n<!-- end -->\nb\n<!-- x: made -->\n\nX\n<!-- end -->\n",
		"# Title":                          "the page has no place for a table",
		"<!-- y: made -->\n<!-- end -->\n": `there is no table "y"`,
	} {
		got, err := fill([]byte(page), map[string]string{"x": "X"})
		if err != nil {
			got = []byte(err.Error())
		}
		if string(got) != want {
			t.Errorf("%q becomes %q, want %q", page, got, want)
		}
	}
}
