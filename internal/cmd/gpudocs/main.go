// Command gpudocs writes tables of GPU types, regions and quotas into pages of the documentation, from the provider's catalogue.
//
//	gpudocs templates/guides/gpus-and-regions.md.tmpl templates/guides/quotas.md.tmpl
//
// A table goes between a line "<!-- NAME: ..." and the next line "<!-- end -->"; NAME is types, regions or quotas.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"regexp"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/gpu"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: gpudocs PAGE...")
		os.Exit(2)
	}
	for _, page := range os.Args[1:] {
		if err := rewrite(page); err != nil {
			fmt.Fprintf(os.Stderr, "gpudocs: %s: %v\n", page, err)
			os.Exit(1)
		}
	}
}

func rewrite(page string) error {
	old, err := os.ReadFile(page) //nolint:gosec // the page that was asked for
	if err != nil {
		return fmt.Errorf("reading the page: %w", err)
	}
	c := gpu.Default()
	text, err := fill(old, map[string]string{"types": types(c), "regions": regions(c), "quotas": quotas(c)})
	if err != nil || bytes.Equal(text, old) {
		return err
	}
	if err := os.WriteFile(page, text, 0o644); err != nil { //nolint:gosec // a page for everybody
		return fmt.Errorf("writing the page: %w", err)
	}
	return nil
}

// place is where a table goes.
var place = regexp.MustCompile(`(?s)(<!-- (\w+): [^\n]*\n).*?(<!-- end -->)`)

// fill puts the tables into their places in a page, which has at least one.
func fill(page []byte, tables map[string]string) ([]byte, error) {
	var filled []byte
	rest := 0
	for _, at := range place.FindAllSubmatchIndex(page, -1) {
		name := string(page[at[4]:at[5]])
		table, known := tables[name]
		if !known {
			return nil, fmt.Errorf("there is no table %q", name)
		}
		filled = append(filled, page[rest:at[3]]...)
		filled = append(filled, "\n"+table+"\n"...)
		rest = at[6]
	}
	if rest == 0 {
		return nil, errors.New("the page has no place for a table")
	}
	return append(filled, page[rest:]...), nil
}
