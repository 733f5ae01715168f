package main

import (
	"fmt"
	"html"
	"strings"
	"unicode/utf8"
)

// The terminal, in columns and rows, and its letters, in pixels.
const (
	columns    = 112
	rows       = 30
	lineHeight = 18
	letter     = 7.25
	margin     = 16
)

// How long a stop lasts, and the way to the next one, in seconds.
const (
	hold = 5.0
	move = 0.6
)

const style = `
  text { font-size: 12px; font-family: Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #d0d7de; white-space: pre }
  .step { fill: #79c0ff; font-weight: bold }
  .command { fill: #ffffff; font-weight: bold }
  .error { fill: #ff7b72; font-weight: bold }
  .warning { fill: #e3b341; font-weight: bold }
  .added { fill: #7ee787 }
  .changed { fill: #e3b341 }
  .removed { fill: #ff7b72 }
`

// draw is the whole picture.
func draw(lines []string) string {
	width, height := int(columns*letter)+2*margin, rows*lineHeight+2*margin
	at := stops(lines)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img">`+"\n", width, height, width, height)
	b.WriteString("<title>The demo: a GPU job is refused at plan, created, changed by somebody else, mended and destroyed</title>\n")
	fmt.Fprintf(&b, "<style>%s%s</style>\n", style, scroll(at))
	b.WriteString(`<rect width="100%" height="100%" rx="8" fill="#0d1117"/>` + "\n")
	fmt.Fprintf(&b, `<svg x="%d" y="%d" width="%d" height="%d"><g class="screen">`+"\n", margin, margin, width-2*margin, rows*lineHeight)
	for i, line := range lines {
		if strings.TrimSpace(line) == "" {
			continue
		}
		fmt.Fprintf(&b, `<text y="%d"%s>%s</text>`+"\n", i*lineHeight+lineHeight-5, class(line), html.EscapeString(cut(line)))
	}
	b.WriteString("</g></svg>\n</svg>\n")
	return b.String()
}

// stops are the rows that come to the top of the terminal, in their order: the end of each step, after its beginning where the
// step is longer than the terminal. The first step, which ends in the plan that is refused, begins with its end.
func stops(lines []string) []int {
	var starts []int
	for i, line := range lines {
		if isStep(line) {
			starts = append(starts, i)
		}
	}
	var out []int
	for i, start := range starts {
		end := len(lines)
		if i+1 < len(starts) {
			end = starts[i+1]
		}
		if i > 0 && end-start > rows {
			out = append(out, start)
		}
		out = append(out, max(end-rows, 0))
	}
	return append(out, 0)
}

// scroll is the animation from stop to stop and back to the first.
func scroll(stops []int) string {
	total := float64(len(stops)) * (hold + move)
	var frames strings.Builder
	for i, row := range stops {
		from := float64(i) * (hold + move) / total * 100
		until := (float64(i)*(hold+move) + hold) / total * 100
		fmt.Fprintf(&frames, "    %.2f%%, %.2f%% { transform: translateY(%dpx) }\n", from, until, -row*lineHeight)
	}
	first := -stops[0] * lineHeight
	fmt.Fprintf(&frames, "    100%% { transform: translateY(%dpx) }\n", first)
	return fmt.Sprintf(`  .screen { transform: translateY(%dpx); animation: scroll %.1fs infinite }
  @media (prefers-reduced-motion: reduce) { .screen { animation: none } }
  @keyframes scroll {
%s  }
`, first, total, frames.String())
}

// cut keeps a line within the terminal.
func cut(line string) string {
	if utf8.RuneCountInString(line) <= columns {
		return line
	}
	return string([]rune(line)[:columns-1]) + "…"
}

// class colours a line as a terminal would.
func class(line string) string {
	text := strings.TrimSpace(line)
	for _, kind := range []struct {
		name   string
		prefix string
	}{
		{"command", "$ "}, {"error", "Error: "}, {"warning", "Warning: "},
		{"added", "+ "}, {"changed", "~ "}, {"removed", "- "},
	} {
		if strings.HasPrefix(text, kind.prefix) {
			return ` class="` + kind.name + `"`
		}
	}
	if isStep(line) {
		return ` class="step"`
	}
	return ""
}
