package archtest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

const (
	module   = "github.com/cloudrungpu/terraform-provider-cloudrungpu"
	internal = module + "/internal/"
)

// floors lists the rooms of the provider from the bottom up. A room may import only rooms of lower floors.
var floors = [][]string{
	{"fault", "gpu", "quota", "cost", "jobyaml"},
	{"call"},
	{"runapi", "quotaapi", "usageapi", "billingapi"},
	{"diagnose"},
	{"customtype", "providerdata"},
	{"job"},
	{"action", "datasource", "function"},
	{"provider"},
}

// apart are the rooms outside the stairs: no room of the provider may import them. Programs and the
// tests' own rooms may import anything.
var apart = []string{"acctest", "archtest", "cmd", "emulator"}

// ban is a group of packages that some rooms must not reach, directly or through others.
type ban struct {
	rooms   []string
	targets []string // import paths; a path stands for everything below it too
	because string
}

var bans = []ban{
	{
		rooms:   []string{"gpu", "quota", "cost"},
		targets: []string{"github.com/hashicorp", "google.golang.org/grpc", "google.golang.org/api", "cloud.google.com/go", "net/http", internal},
		because: "a pure room knows neither Terraform nor the network, nor another room",
	},
	{
		rooms:   []string{"fault", "jobyaml", "call", "runapi", "quotaapi", "usageapi", "billingapi"},
		targets: []string{"github.com/hashicorp"},
		because: "an I/O room returns errors, and diagnose alone makes Terraform's diagnostics of them",
	},
	{
		rooms:   []string{"emulator", "cmd/cloudrun-emulator"},
		targets: []string{internal, "github.com/hashicorp"},
		because: "a fake that shares the code it tests proves nothing",
	},
	{
		rooms:   slices.Concat(floors...),
		targets: []string{"github.com/hashicorp/terraform-plugin-sdk", "github.com/hashicorp/terraform-plugin-testing"},
		because: "the legacy SDK and the test libraries have no place in the shipped provider",
	},
}

// except names the targets that a ban leaves alone, by room.
var except = map[string][]string{
	"cmd/cloudrun-emulator": {internal + "emulator"},
	"emulator":              {internal + "emulator"},
}

// graph is what each package imports, by import path.
type graph map[string][]string

// stairViolations returns one line per import that goes up or sideways, and one per room without a place.
func stairViolations(g graph) []string {
	floorOf := map[string]int{}
	for i, floor := range floors {
		for _, room := range floor {
			floorOf[room] = i
		}
	}
	var out []string
	for _, pkg := range slices.Sorted(maps.Keys(g)) {
		room, ours := roomOf(pkg)
		if !ours || slices.Contains(apart, room) {
			continue
		}
		floor, known := floorOf[room]
		if !known {
			out = append(out, fmt.Sprintf("%s has no place in the table of floors", room))
			continue
		}
		for _, imported := range g[pkg] {
			target, ours := roomOf(imported)
			if !ours || target == room {
				continue
			}
			if targetFloor, known := floorOf[target]; !known || targetFloor >= floor {
				out = append(out, fmt.Sprintf("%s imports %s: imports run downwards only", room, target))
			}
		}
	}
	return out
}

// banViolations returns one line per banned package that a room reaches, with the way it gets there.
func banViolations(g graph, rules []ban) []string {
	var out []string
	for _, rule := range rules {
		for _, room := range rule.rooms {
			for _, pkg := range slices.Sorted(maps.Keys(g)) {
				if path, ours := strings.CutPrefix(pkg, internal); ours && within(path, room) {
					out = append(out, reachedFrom(g, rule, room, pkg)...)
				}
			}
		}
	}
	return out
}

// reachedFrom walks the imports of pkg, a package of room, and reports each banned one it comes to first.
func reachedFrom(g graph, rule ban, room, pkg string) []string {
	var out []string
	cameFrom := map[string]string{pkg: ""}
	for queue := []string{pkg}; len(queue) > 0; queue = queue[1:] {
		for _, next := range g[queue[0]] {
			if _, seen := cameFrom[next]; seen {
				continue
			}
			cameFrom[next] = queue[0]
			if banned(rule, room, next) {
				out = append(out, fmt.Sprintf("%s reaches %s: %s", room, way(cameFrom, next), rule.because))
				continue
			}
			queue = append(queue, next)
		}
	}
	return out
}

func banned(rule ban, room, pkg string) bool {
	under := func(target string) bool { return within(pkg, strings.TrimSuffix(target, "/")) }
	own := under(internal + room)
	return !own && slices.ContainsFunc(rule.targets, under) && !slices.ContainsFunc(except[room], under)
}

// within reports whether path is root or lies below it.
func within(path, root string) bool {
	return path == root || strings.HasPrefix(path, root+"/")
}

// way spells out the imports that lead to pkg.
func way(cameFrom map[string]string, pkg string) string {
	steps := []string{pkg}
	for from := cameFrom[pkg]; from != "" && cameFrom[from] != ""; from = cameFrom[from] {
		steps = append(steps, from)
	}
	slices.Reverse(steps)
	return strings.Join(steps, " -> ")
}

// roomOf returns the first folder below internal/, and whether pkg is one of ours.
func roomOf(pkg string) (string, bool) {
	path, ours := strings.CutPrefix(pkg, internal)
	room, _, _ := strings.Cut(path, "/")
	return room, ours
}
