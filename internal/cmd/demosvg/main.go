// Command demosvg makes a picture of the demo: it reads what the demo prints and writes an SVG of a terminal that scrolls from
// step to step. A viewer without animations shows the first step's end: the plan that is refused.
//
//	go run ./internal/cmd/demo | go run ./internal/cmd/demosvg >demo.svg
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
)

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "demosvg:", err)
		os.Exit(1)
	}
}

func run(in io.Reader, out io.Writer) error {
	lines, err := read(in)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(out, draw(lines)); err != nil {
		return fmt.Errorf("writing the picture: %w", err)
	}
	return nil
}

// read returns the story: the lines from its first step on.
func read(in io.Reader) ([]string, error) {
	var lines []string
	scanner := bufio.NewScanner(in)
	for scanner.Scan() {
		line := scanner.Text()
		if len(lines) == 0 && !isStep(line) {
			continue
		}
		lines = append(lines, line)
	}
	if err := scanner.Err(); err != nil {
		return nil, fmt.Errorf("reading the demo: %w", err)
	}
	if len(lines) == 0 {
		return nil, fmt.Errorf("the demo tells no step")
	}
	return lines, nil
}

// isStep is true for a line such as "3. A second plan has nothing to do."
func isStep(line string) bool {
	number, rest, found := strings.Cut(line, ". ")
	return found && rest != "" && number != "" && strings.Trim(number, "0123456789") == ""
}
