package archtest

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const (
	maxLines     = 400
	maxTestLines = 600
)

// built are the folders of the repository that hold nothing a person wrote; in a work tree of Git's, .git is a file.
var built = []string{".git", ".cache", ".terraform", "bin", "build", "dist"}

// eachFile calls visit with every text file of the repository, its path relative to the root.
func eachFile(t *testing.T, visit func(path string, content []byte)) {
	t.Helper()
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		written := !slices.Contains(built, entry.Name())
		if entry.IsDir() && !written {
			return filepath.SkipDir
		}
		if !written || !entry.Type().IsRegular() {
			return nil
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if bytes.IndexByte(content, 0) >= 0 {
			return nil
		}
		relative, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		visit(filepath.ToSlash(relative), content)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// tooLong returns what to say of a Go file that has become two rooms, or nothing.
func tooLong(path string, content []byte) string {
	limit := maxLines
	if strings.HasSuffix(path, "_test.go") {
		limit = maxTestLines
	}
	if lines := bytes.Count(content, []byte("\n")); lines > limit {
		return fmt.Sprintf("%s has %d lines, more than %d: it has become two files", path, lines, limit)
	}
	return ""
}

// misplaced is a kind of words that does not belong in the repository.
type misplaced struct {
	kind    string
	pattern *regexp.Regexp
}

var misplacedWords = []misplaced{
	{"work left unfinished", regexp.MustCompile(`\b(TODO|FIXME|XXX|HACK)\b|not implemented yet`)},
	{"a path of one machine", regexp.MustCompile(`(^|[\s"'=:(])/(work|farm|tmp/bash_jobs)/`)},
	{"a package server's host", regexp.MustCompile(`(proxy|registry|deb)\.(golang|npmjs|debian)\.`)},
	{"how the project is written", regexp.MustCompile(`(?i)\b(this|previous|next) session\b|\bAI (assistant|agent)\b|\b(claude|chatgpt)\b`)},
}

// misplacedIn returns one line per misplaced word in content.
func misplacedIn(path string, content []byte) []string {
	var out []string
	for i, line := range bytes.Split(content, []byte("\n")) {
		for _, words := range misplacedWords {
			if match := words.pattern.Find(line); match != nil {
				out = append(out, fmt.Sprintf("%s:%d: %q is %s", path, i+1, bytes.TrimSpace(match), words.kind))
			}
		}
	}
	return out
}

func TestFiles(t *testing.T) {
	seen := 0
	eachFile(t, func(path string, content []byte) {
		seen++
		if strings.HasSuffix(path, ".go") {
			if fault := tooLong(path, content); fault != "" {
				t.Error(fault)
			}
		}
		// These patterns would find themselves, and the checksums are not words.
		if strings.HasPrefix(path, "internal/archtest/") || strings.HasSuffix(path, "go.sum") {
			return
		}
		for _, fault := range misplacedIn(path, content) {
			t.Error(fault)
		}
	})
	if seen < 20 {
		t.Fatalf("saw only %d files: the walk looks in the wrong place", seen)
	}
}

func TestTooLong(t *testing.T) {
	for name, tc := range map[string]struct {
		path  string
		lines int
		fault bool
	}{
		"at the limit":        {"a.go", maxLines, false},
		"over it":             {"a.go", maxLines + 1, true},
		"a test at its limit": {"a_test.go", maxTestLines, false},
		"a test over it":      {"a_test.go", maxTestLines + 1, true},
	} {
		t.Run(name, func(t *testing.T) {
			got := tooLong(tc.path, bytes.Repeat([]byte("x\n"), tc.lines))
			if (got != "") != tc.fault {
				t.Errorf("tooLong says %q", got)
			}
		})
	}
}

func TestMisplacedIn(t *testing.T) {
	for line, want := range map[string]int{
		"// TODO: later":                              1,
		"The todo list of a job is its tasks.":        0,
		"cd /work/main":                               1,
		`path = "/farm/x"`:                            1,
		"https://example.com/work/main":               0,
		"working_dir = \"/workspace/app\"":            0,
		"GOPROXY=https://proxy.golang.org":            1,
		"registry.terraform.io/cloudrungpu/x":         0,
		"found in the previous session":               1,
		"written by an AI assistant":                  1,
		"functional_type AGENT":                       0,
		"first line\nsecond FIXME line\nthird HACK":   2,
		"resource that is not implemented yet, sadly": 1,
	} {
		if got := misplacedIn("f", []byte(line)); len(got) != want {
			t.Errorf("%q: %d findings %q, want %d", line, len(got), got, want)
		}
	}
}
