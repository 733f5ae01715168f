package job_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	ctyjson "github.com/zclconf/go-cty/cty/json"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/gpu"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/job"
)

// body is the configuration of one job as data, so that a test can take a part of it away or put another in its place.
type body map[string]any

// bodyOf reads the block of a job that has only literal values.
func bodyOf(t *testing.T, config string) body {
	t.Helper()
	file, diags := hclsyntax.ParseConfig([]byte(config), "main.tf", hcl.InitialPos)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	syntax, ok := file.Body.(*hclsyntax.Body)
	if !ok || len(syntax.Blocks) != 1 {
		t.Fatalf("want one block:\n%s", config)
	}
	out := body{}
	for name, attribute := range syntax.Blocks[0].Body.Attributes {
		value, diags := attribute.Expr.Value(nil)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		raw, err := ctyjson.Marshal(value, value.Type())
		if err != nil {
			t.Fatal(err)
		}
		var plain any
		if err := json.Unmarshal(raw, &plain); err != nil {
			t.Fatal(err)
		}
		out[name] = plain
	}
	return out
}

// place is where a value stands in a body: attributes, keys of maps, indexes of lists.
type place []string

// String is a name for the place that can be that of a resource in Terraform, and of a job.
func (p place) String() string {
	return strings.Trim(strings.NewReplacer("_", "-", "/", "-", ".", "-").Replace(strings.ToLower(strings.Join(p, "-"))), "-")
}

// at returns what is at a place.
func (b body) at(p place) any {
	var here any = map[string]any(b)
	for _, step := range p {
		switch of := here.(type) {
		case map[string]any:
			here = of[step]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil {
				panic(fmt.Sprintf("a list has no %q", step))
			}
			here = of[i]
		default:
			panic(fmt.Sprintf("there is nothing at %v", p))
		}
	}
	return here
}

// without is a copy that has nothing at these places.
func (b body) without(places ...place) body {
	for _, p := range places {
		if len(p) > 0 {
			b = b.with(p, nil)
		}
	}
	return b
}

// with is a copy with another value at a place; nil takes away what is there.
func (b body) with(p place, value any) body {
	changed, ok := replaced(map[string]any(b), p, value).(map[string]any)
	if !ok {
		panic("a body has attributes")
	}
	return changed
}

func replaced(in any, p place, value any) any {
	if len(p) == 0 {
		return value
	}
	switch of := in.(type) {
	case map[string]any:
		out := make(map[string]any, len(of))
		for key, v := range of {
			out[key] = v
		}
		if out[p[0]] = replaced(of[p[0]], p[1:], value); out[p[0]] == nil {
			delete(out, p[0])
		}
		return out
	case []any:
		i, err := strconv.Atoi(p[0])
		if err != nil {
			panic(fmt.Sprintf("a list has no %q", p[0]))
		}
		out := slices.Clone(of)
		if out[i] = replaced(of[i], p[1:], value); out[i] == nil {
			out = slices.Delete(out, i, i+1)
		}
		return out
	}
	panic(fmt.Sprintf("there is nothing at %v", p))
}

// called is a copy with another name.
func (b body) called(name string) body { return b.with(place{"name"}, name) }

// values are the places of a body, those within others too, in order: each attribute, and each entry of a map or list of
// nested objects. What a map or list of plain values contains is one value with it.
func (b body) values() []place {
	var out []place
	var walk func(at place, value any, attributes map[string]schema.Attribute)
	below := func(at place, value any, a schema.Attribute) {
		switch a := a.(type) {
		case schema.SingleNestedAttribute:
			walk(at, value, a.Attributes)
		case schema.ListNestedAttribute:
			list, _ := value.([]any)
			for i, element := range list {
				here := append(slices.Clone(at), strconv.Itoa(i))
				out = append(out, here)
				walk(here, element, a.NestedObject.Attributes)
			}
		case schema.MapNestedAttribute:
			entries, _ := value.(map[string]any)
			for _, key := range sortedKeys(entries) {
				here := append(slices.Clone(at), key)
				out = append(out, here)
				walk(here, entries[key], a.NestedObject.Attributes)
			}
		}
	}
	walk = func(at place, value any, attributes map[string]schema.Attribute) {
		object, _ := value.(map[string]any)
		for _, name := range sortedKeys(object) {
			here := append(slices.Clone(at), name)
			out = append(out, here)
			below(here, object[name], attributes[name])
		}
	}
	walk(nil, map[string]any(b), jobSchema().Attributes)
	return out
}

// attributeAt is the attribute, or the nested object, that a place belongs to; entry is true of an element of a collection.
func attributeAt(p place) (a schema.Attribute, entry bool) {
	attributes := jobSchema().Attributes
	for i := 0; i < len(p); i++ {
		a, entry = attributes[p[i]], false
		switch of := a.(type) {
		case schema.SingleNestedAttribute:
			attributes = of.Attributes
		case schema.ListNestedAttribute:
			attributes = of.NestedObject.Attributes
			i++
			entry = i < len(p)
		case schema.MapNestedAttribute:
			attributes = of.NestedObject.Attributes
			i++
			entry = i < len(p)
		}
	}
	return a, entry
}

// nested is true of a place that has others below it: the whole body, an object, a collection of objects and its entries.
func nested(p place) bool {
	if len(p) == 0 {
		return true
	}
	a, _ := attributeAt(p)
	_, ok := a.(schema.NestedAttribute)
	return ok
}

func jobSchema() schema.Schema {
	var resp resource.SchemaResponse
	job.NewResource(gpu.Default).Schema(nil, resource.SchemaRequest{}, &resp) //nolint:staticcheck // the context is not looked at
	return resp.Schema
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// module is a root module, as JSON, with these jobs and whatever else.
func module(t *testing.T, jobs map[string]body, others map[string]any) string {
	t.Helper()
	resources := map[string]any{"cloudrungpu_job": jobs}
	for kind, of := range others {
		resources[kind] = of
	}
	raw, err := json.MarshalIndent(map[string]any{
		"terraform": map[string]any{"required_providers": map[string]any{"cloudrungpu": map[string]any{"source": "cloudrungpu/cloudrungpu"}}},
		"resource":  resources,
	}, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
