package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/gpu"
)

// The page in the repository is what the catalogue says today.
func TestThePageIsUpToDate(t *testing.T) {
	t.Parallel()
	old, err := os.ReadFile("../../../templates/guides/gpus-and-regions.md")
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
		t.Error("the page is out of date: run make generate")
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
			"| quota units in a GPU | 1 | 1000 |",
		},
		regions(c): {
			"| `asia-south1` | by invitation | – |",
			"| `europe-west4` | yes | yes | 1 | yes |",
		},
	} {
		for _, line := range lines {
			if !strings.Contains(text, line) {
				t.Errorf("no %q in\n%s", line, text)
			}
		}
	}
}

func TestAPageWithoutAPlace(t *testing.T) {
	t.Parallel()
	if _, err := fill([]byte("# Title"), map[string]string{"types": "x"}); err == nil {
		t.Error("a table without a place is lost in silence")
	}
}
