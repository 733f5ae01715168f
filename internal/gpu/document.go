package gpu

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// document is the shape of catalogue.yaml. Everything is a pointer or a collection, so that a file which overrides a
// catalogue can leave out what it does not change.
type document struct {
	Sources    map[string]string       `yaml:"sources"`
	Task       *taskEntry              `yaml:"task"`
	Allocation *allocationEntry        `yaml:"allocation"`
	Regions    map[string]*regionEntry `yaml:"regions"`
	Types      map[string]*typeEntry   `yaml:"types"`
}

type taskEntry struct {
	Longest *known[duration]    `yaml:"longest"`
	Sizes   *known[[]sizeEntry] `yaml:"sizes"`
}

type allocationEntry struct {
	CPU    *resourceEntry `yaml:"cpu"`
	Memory *resourceEntry `yaml:"memory"`
}

type resourceEntry struct {
	Quota   *known[quotaEntry] `yaml:"quota"`
	Default *known[int64]      `yaml:"default"`
	Prices  []priceEntry       `yaml:"prices"`
}

type regionEntry struct {
	LowCO2     bool `yaml:"low_co2"`
	PriceTier  int  `yaml:"price_tier"`
	provenance `yaml:",inline"`
}

type typeEntry struct {
	Aliases       []string                    `yaml:"aliases"`
	MemoryGB      *known[int64]               `yaml:"memory_gb"`
	Architecture  *known[string]              `yaml:"architecture"`
	Driver        *known[string]              `yaml:"driver"`
	CUDA          *known[string]              `yaml:"cuda"`
	Stage         *known[string]              `yaml:"stage"`
	PerTask       *known[[]int64]             `yaml:"per_task"`
	Sizes         *known[[]sizeEntry]         `yaml:"sizes"`
	LongestTask   map[string]*known[duration] `yaml:"longest_task"`
	Quota         *known[quotaEntry]          `yaml:"quota"`
	ZonalQuota    *known[quotaEntry]          `yaml:"zonal_quota"`
	FirstUseGrant *known[int64]               `yaml:"first_use_grant"`
	Prices        []priceEntry                `yaml:"prices"`
	Regions       map[string]*offerEntry      `yaml:"regions"`
}

type offerEntry struct {
	InvitationOnly bool   `yaml:"invitation_only"`
	Note           string `yaml:"note"`
	provenance     `yaml:",inline"`
}

type sizeEntry struct {
	CPU       int64    `yaml:"cpu"`
	MinMemory quantity `yaml:"min_memory"`
	MaxMemory quantity `yaml:"max_memory"`
}

type quotaEntry struct {
	ID          string `yaml:"id"`
	Metric      string `yaml:"metric"`
	DisplayName string `yaml:"display_name"`
	PerWhole    int64  `yaml:"per_whole"`
}

type priceEntry struct {
	Tier            int    `yaml:"tier"`
	PerSecondUSD    string `yaml:"per_second_usd"`
	ZonalRedundancy bool   `yaml:"zonal_redundancy"`
	provenance      `yaml:",inline"`
}

// known is a value that says where it comes from: {value: 24, source: gpu, date: 2026-04-13}. Where no source is asked for, the
// value may stand alone.
type known[T any] struct {
	Value      T `yaml:"value"`
	provenance `yaml:",inline"`
}

// UnmarshalYAML reads both forms. That it takes a function and not a node keeps the decoder's eye on unknown keys.
func (k *known[T]) UnmarshalYAML(unmarshal func(any) error) error {
	var form any
	if err := unmarshal(&form); err != nil {
		return err
	}
	fields, mapping := form.(map[string]any)
	_, isQuota := any(k.Value).(quotaEntry) // the one value that is a mapping itself
	if !mapping || isQuota && fields["value"] == nil {
		return unmarshal(&k.Value)
	}
	type withProvenance known[T] // has no UnmarshalYAML
	return unmarshal((*withProvenance)(k))
}

type provenance struct {
	Source    string    `yaml:"source"` // a key of document.Sources, or free words
	Date      date      `yaml:"date"`
	Certainty Certainty `yaml:"certainty"`
}

// quantity is a number of bytes, written 512Mi or 16Gi.
type quantity int64

func (q *quantity) UnmarshalYAML(n *yaml.Node) error {
	for suffix, unit := range map[string]int64{"Mi": 1 << 20, "Gi": 1 << 30} {
		digits, found := strings.CutSuffix(n.Value, suffix)
		if !found {
			continue
		}
		if count, err := strconv.ParseInt(digits, 10, 32); err == nil && count > 0 {
			*q = quantity(count * unit)
			return nil
		}
	}
	return fmt.Errorf("line %d: %q is no memory size, write it as 512Mi or 16Gi", n.Line, n.Value)
}

// duration is written 90m or 12h.
type duration time.Duration

func (d *duration) UnmarshalYAML(n *yaml.Node) error {
	parsed, err := time.ParseDuration(n.Value)
	if err != nil || parsed <= 0 {
		return fmt.Errorf("line %d: %q is no duration, write it as 90m or 12h", n.Line, n.Value)
	}
	*d = duration(parsed)
	return nil
}

// date is written 2006-01-02.
type date string

func (d *date) UnmarshalYAML(n *yaml.Node) error {
	if _, err := time.Parse(time.DateOnly, n.Value); err != nil {
		return fmt.Errorf("line %d: %q is no date, write it as 2026-04-13", n.Line, n.Value)
	}
	*d = date(n.Value)
	return nil
}

// decode reads one YAML document and refuses what the catalogue has no place for.
func decode(data []byte) (*document, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	decoder.KnownFields(true)
	var doc document
	if err := decoder.Decode(&doc); err != nil && !errors.Is(err, io.EOF) {
		return nil, plain(err)
	}
	if err := decoder.Decode(new(document)); !errors.Is(err, io.EOF) {
		return nil, errors.New("a catalogue is one YAML document, this file has more")
	}
	return &doc, nil
}

// plain takes the names of Go types out of the decoder's messages: their reader writes YAML.
func plain(err error) error {
	var typeErr *yaml.TypeError
	if !errors.As(err, &typeErr) {
		return err
	}
	lines := make([]string, len(typeErr.Errors))
	for i, line := range typeErr.Errors {
		line, _, _ = strings.Cut(line, " in type ")
		line, _, _ = strings.Cut(line, " into ")
		lines[i] = strings.NewReplacer(
			"cannot unmarshal !!str", "a text does not belong here:", "cannot unmarshal !!seq", "a list does not belong here",
			"cannot unmarshal !!map", "keys do not belong here", "cannot unmarshal !!", "this does not belong here: ",
		).Replace(line)
	}
	return errors.New(strings.Join(lines, "; "))
}
