package acctest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/emulator"
)

const readme = "../../README.md"

// The plan that the README shows is refused in the words that it shows.
func TestReadmePlanIsRefused(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	shown := regexp.MustCompile("(?s)```hcl\n(.*?)```\n```\n\\$ terraform plan\n(.*?)```").FindSubmatch(text)
	if shown == nil {
		t.Fatal("the README shows no plan")
	}
	refusedIn(t, requirement+string(shown[1]), string(shown[2]))
}

// So is the plan of the guide for beginners.
func TestGuidePlanIsRefused(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(docs + "/guides/getting-started.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := regexp.MustCompile("(?s)```\n(Error: .*?)```").FindSubmatch(text)
	if shown == nil {
		t.Fatal("the guide shows no refusal")
	}
	refusedIn(t, treeOf(t, examples+"/quickstart")["main.tf"], string(shown[1]), "-var", "parallelism=8")
}

// refusedIn plans a configuration of the project that it names, with three GPUs of quota, and wants each paragraph to be said.
func refusedIn(t *testing.T, config, words string, args ...string) {
	t.Helper()
	stage := Start(t, append(plenty(), emulator.WithQuota("nvidia-l4@*", 3))...)
	stage.EmulatorOnly()
	stage.Setenv("GOOGLE_PROJECT", "demo")
	cli := stage.CLI(map[string]string{"main.tf": config})
	printed, ok := cli.Run(append([]string{"plan", "-no-color"}, args...)...)
	if ok {
		t.Errorf("the plan is not refused:\n%s", printed)
	}
	said := squeezed(strings.NewReplacer("│", "", "╷", "", "╵", "").Replace(printed))
	for paragraph := range strings.SplitSeq(words, "\n\n") {
		if !strings.Contains(said, squeezed(paragraph)) {
			t.Errorf("the plan does not say\n%s\nbut\n%s", paragraph, printed)
		}
	}
}

// What the README links to is there.
func TestReadmeLinks(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	links := regexp.MustCompile(`\]\(([^):]+)\)`).FindAllSubmatch(text, -1)
	if len(links) < 10 {
		t.Errorf("only %d links were found", len(links))
	}
	for _, link := range links {
		if _, err := os.Stat(filepath.Join(filepath.Dir(readme), string(link[1]))); err != nil {
			t.Error(err)
		}
	}
}

func squeezed(text string) string { return strings.Join(strings.Fields(text), " ") }
