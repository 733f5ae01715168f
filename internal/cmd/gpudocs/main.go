// Command gpudocs writes the tables of GPU types and regions into a page of the documentation, from the provider's catalogue.
//
//	gpudocs templates/guides/gpus-and-regions.md
//
// A table goes between a line "<!-- NAME: ..." and the next line "<!-- end -->"; NAME is types or regions.
package main

import (
	"bytes"
	"fmt"
	"os"
	"regexp"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/gpu"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: gpudocs PAGE")
		os.Exit(2)
	}
	if err := rewrite(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "gpudocs:", err)
		os.Exit(1)
	}
}

func rewrite(page string) error {
	old, err := os.ReadFile(page) //nolint:gosec // the page that was asked for
	if err != nil {
		return fmt.Errorf("reading the page: %w", err)
	}
	text, err := fill(old, map[string]string{"types": types(gpu.Default()), "regions": regions(gpu.Default())})
	if err != nil || bytes.Equal(text, old) {
		return err
	}
	if err := os.WriteFile(page, text, 0o644); err != nil { //nolint:gosec // a page for everybody
		return fmt.Errorf("writing the page: %w", err)
	}
	return nil
}

// fill puts each table into its place in a page.
func fill(page []byte, tables map[string]string) ([]byte, error) {
	for name, table := range tables {
		place := regexp.MustCompile(`(?s)(<!-- ` + name + `: [^\n]*\n).*?(<!-- end -->)`)
		if !place.Match(page) {
			return nil, fmt.Errorf("the page has no place for the table %q", name)
		}
		page = place.ReplaceAll(page, []byte("${1}\n"+table+"\n${2}"))
	}
	return page, nil
}
