// Command vulngate reads the JSON of govulncheck on standard input and fails where the code calls a
// vulnerable function of a dependency. What the Go release itself has to mend is printed, and is no
// failure: the cure is a newer Go, not a change here.
package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
)

// standardLibrary is the module name govulncheck gives to Go's own packages.
const standardLibrary = "stdlib"

// finding is the part of a govulncheck finding that the verdict needs. The first frame of the trace is
// the vulnerable code; a frame with a function means that the code calls it.
type finding struct {
	ID    string  `json:"osv"`
	Fixed string  `json:"fixed_version"`
	Trace []frame `json:"trace"`
}

type frame struct {
	Module   string `json:"module"`
	Version  string `json:"version"`
	Package  string `json:"package"`
	Function string `json:"function"`
}

func main() {
	failures, err := report(os.Stdin, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "vulngate:", err)
		os.Exit(2)
	}
	if failures > 0 {
		os.Exit(1)
	}
}

// report writes one line per vulnerability that the code calls, and returns how many of them are in
// dependencies.
func report(in io.Reader, out io.Writer) (int, error) {
	called, err := readCalled(in)
	if err != nil {
		return 0, err
	}
	failures := 0
	for _, f := range called {
		at := f.Trace[0]
		verdict := "FAIL"
		if at.Module == standardLibrary {
			verdict = "note"
		} else {
			failures++
		}
		_, err := fmt.Fprintf(out, "%s %s %s@%s: %s.%s is called; fixed in %s\n",
			verdict, f.ID, at.Module, at.Version, at.Package, at.Function, cmp.Or(f.Fixed, "no version yet"))
		if err != nil {
			return 0, fmt.Errorf("write the report: %w", err)
		}
	}
	_, err = fmt.Fprintf(out, "%d called vulnerabilities in dependencies, %d in the Go release\n", failures, len(called)-failures)
	if err != nil {
		return 0, fmt.Errorf("write the report: %w", err)
	}
	return failures, nil
}

// readCalled returns the findings whose vulnerable code is called, one per vulnerability, by id. Input
// without govulncheck's opening message is an error: an empty report must not pass for a clean one.
func readCalled(in io.Reader) ([]finding, error) {
	called := map[string]finding{}
	opened := false
	for decoder := json.NewDecoder(in); ; {
		var message struct {
			Config  json.RawMessage `json:"config"`
			Finding *finding        `json:"finding"`
		}
		err := decoder.Decode(&message)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("read the output of govulncheck: %w", err)
		}
		opened = opened || message.Config != nil
		if f := message.Finding; f != nil && len(f.Trace) > 0 && f.Trace[0].Function != "" {
			called[f.ID] = *f
		}
	}
	if !opened {
		return nil, errors.New("the input is not the output of govulncheck -format json")
	}
	return slices.SortedFunc(maps.Values(called), func(a, b finding) int { return cmp.Compare(a.ID, b.ID) }), nil
}
