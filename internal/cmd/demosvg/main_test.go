package main

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
)

const story = `go build

1. A step with <b> & "quotes".
$ terraform plan
    Error: GPU quota exceeded

2. Another.
    + a
`

// The picture is XML that holds every line of the story, and nothing of what came before it.
func TestPicture(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	if err := run(strings.NewReader(story), &out); err != nil {
		t.Fatal(err)
	}
	var texts []string
	decoder := xml.NewDecoder(strings.NewReader(out.String()))
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if start, ok := token.(xml.StartElement); ok && start.Name.Local == "text" {
			var text string
			if err := decoder.DecodeElement(&text, &start); err != nil {
				t.Fatal(err)
			}
			texts = append(texts, text)
		}
	}
	want := []string{`1. A step with <b> & "quotes".`, "$ terraform plan", "    Error: GPU quota exceeded", "2. Another.", "    + a"}
	if !slices.Equal(texts, want) {
		t.Errorf("the picture shows %q", texts)
	}
	for _, colour := range []string{`class="step"`, `class="command"`, `class="error"`, `class="added"`} {
		if !strings.Contains(out.String(), colour) {
			t.Errorf("no %s", colour)
		}
	}
}

func TestNoStory(t *testing.T) {
	t.Parallel()
	if err := run(strings.NewReader("demo: it failed\n"), io.Discard); err == nil {
		t.Error("a demo that tells nothing makes a picture")
	}
}

// The terminal stops at the end of each step, and at the beginning of one that it cannot hold.
func TestStops(t *testing.T) {
	t.Parallel()
	var lines []string
	for i, length := range []int{40, 10, 50} {
		lines = append(lines, fmt.Sprintf("%d. Step.", i+1))
		lines = append(lines, slices.Repeat([]string{"x"}, length-1)...)
	}
	if got, want := stops(lines), []int{40 - rows, 50 - rows, 50, 100 - rows, 0}; !slices.Equal(got, want) {
		t.Errorf("stops %v, want %v", got, want)
	}
	if got := cut(strings.Repeat("é", columns+1)); len([]rune(got)) != columns || !strings.HasSuffix(got, "…") {
		t.Errorf("a long line is %q", got)
	}
}
