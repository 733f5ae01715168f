package archtest

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// load asks the go command what every package of the project imports, without its tests.
func load(t *testing.T) graph {
	t.Helper()
	config := &packages.Config{
		Context: t.Context(),
		Mode:    packages.NeedName | packages.NeedImports | packages.NeedDeps,
		Dir:     "../..",
	}
	roots, err := packages.Load(config, "./...")
	if err != nil {
		t.Fatal(err)
	}
	g := graph{}
	packages.Visit(roots, nil, func(p *packages.Package) {
		for _, e := range p.Errors {
			t.Errorf("%s: %s", p.PkgPath, e)
		}
		imports := make([]string, 0, len(p.Imports))
		for path := range p.Imports {
			imports = append(imports, path)
		}
		slices.Sort(imports)
		g[p.PkgPath] = imports
	})
	return g
}

func TestImports(t *testing.T) {
	g := load(t)
	for _, violation := range slices.Concat(stairViolations(g), banViolations(g, bans)) {
		t.Error(violation)
	}
}

// A ban on a misspelt room would never speak up.
func TestBansNameKnownRooms(t *testing.T) {
	known := slices.Concat(slices.Concat(floors...), apart)
	for _, rule := range bans {
		for _, name := range rule.rooms {
			if room, _ := roomOf(internal + name); !slices.Contains(known, room) {
				t.Errorf("a ban names %s, which is no room: %s", name, rule.because)
			}
		}
	}
}

func TestStairViolations(t *testing.T) {
	for name, tc := range map[string]struct {
		pkg, imports string
		says         string
	}{
		"down":                        {"job", internal + "gpu", ""},
		"down past several floors":    {"provider", internal + "fault", ""},
		"within the same room":        {"job", internal + "job/sub", ""},
		"not ours":                    {"gpu", "strings", ""},
		"up":                          {"gpu", internal + "job", "gpu imports job"},
		"sideways":                    {"runapi", internal + "quotaapi", "runapi imports quotaapi"},
		"to a room apart":             {"provider", internal + "emulator", "provider imports emulator"},
		"from a room without a place": {"attic", "strings", "attic has no place"},
		"from a room apart":           {"acctest", internal + "provider", ""},
	} {
		t.Run(name, func(t *testing.T) {
			checkViolations(t, stairViolations(graph{internal + tc.pkg: {tc.imports}}), tc.says)
		})
	}
}

func TestBanViolations(t *testing.T) {
	const framework = "github.com/hashicorp/terraform-plugin-framework/diag"
	for name, tc := range map[string]struct {
		graph graph
		says  string
	}{
		"nothing banned":         {graph{internal + "gpu": {"strings"}}, ""},
		"direct":                 {graph{internal + "gpu": {"net/http"}}, "gpu reaches net/http"},
		"below the banned path":  {graph{internal + "runapi": {framework}}, "runapi reaches " + framework},
		"a longer name":          {graph{internal + "gpu": {"net/httpish"}}, ""},
		"through another":        {graph{internal + "runapi": {"example.com/x"}, "example.com/x": {framework}}, "runapi reaches example.com/x -> " + framework},
		"the emulator and ours":  {graph{internal + "emulator": {internal + "gpu"}}, "emulator reaches " + internal + "gpu"},
		"the emulator's program": {graph{internal + "cmd/cloudrun-emulator": {internal + "emulator"}, internal + "emulator": {"net/http"}}, ""},
		"its program and ours":   {graph{internal + "cmd/cloudrun-emulator": {internal + "quota"}}, "cmd/cloudrun-emulator reaches " + internal + "quota"},
		"another program":        {graph{internal + "cmd/demo": {internal + "quota"}}, ""},
		"a pure room and a room": {graph{internal + "quota": {internal + "gpu"}}, "quota reaches " + internal + "gpu"},
		"test code in a product": {graph{internal + "job": {"github.com/hashicorp/terraform-plugin-testing/helper/resource"}}, "job reaches github.com/hashicorp/terraform-plugin-testing"},
	} {
		t.Run(name, func(t *testing.T) {
			checkViolations(t, banViolations(tc.graph, bans), tc.says)
		})
	}
}

// checkViolations wants exactly one violation that starts with says, or none where says is empty.
func checkViolations(t *testing.T, got []string, says string) {
	t.Helper()
	if says == "" {
		if len(got) > 0 {
			t.Errorf("violations %q, want none", got)
		}
		return
	}
	if len(got) != 1 || !strings.HasPrefix(got[0], says) {
		t.Errorf("violations %q, want one that starts %q", got, says)
	}
}
