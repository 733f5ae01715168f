package gpu

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/agext/levenshtein"
)

// Nearest returns the name of the GPU type that the writer of name most likely means: another spelling
// ("nvidia_l4", "L4"), a name of the same GPU elsewhere in Google Cloud ("nvidia-rtx-pro-6000-96gb"), a slip of the
// finger. It returns "" when nothing is near: "nvidia-tesla-t4" is another GPU, not a misspelt one.
func (c *Catalogue) Nearest(name string) string {
	wanted := squeeze(name)
	if exact, found := c.spellings[wanted]; found {
		return exact
	}
	best, distance := "", len(wanted)/charactersPerSlip+1
	for _, spelling := range slices.Sorted(maps.Keys(c.spellings)) {
		// The digits are the model: an L40 or an RTX PRO 4000 is not a slip away from what there is, it is another GPU.
		if digits(spelling) != digits(wanted) {
			continue
		}
		if d := levenshtein.Distance(wanted, spelling, nil); d < distance {
			best, distance = c.spellings[spelling], d
		}
	}
	return best
}

// charactersPerSlip is how long a model's name is for each wrong character that it may have: none in "l4".
const charactersPerSlip = 4

const (
	vendor = "nvidia"
	brand  = "tesla" // Compute Engine still says nvidia-tesla-t4 where Cloud Run would say nvidia-t4
)

var (
	separators = regexp.MustCompile(`[^a-z0-9]+`)
	memorySize = regexp.MustCompile(`^[0-9]+gb$`)
	notDigits  = regexp.MustCompile(`[^0-9]+`)
)

// squeeze reduces a name to its model: lower case, no separators, no vendor or brand, no memory size.
func squeeze(name string) string {
	words := strings.Fields(separators.ReplaceAllString(strings.ToLower(name), " "))
	if len(words) > 1 && levenshtein.Distance(words[0], vendor, nil) <= len(vendor)/charactersPerSlip+1 {
		words = words[1:]
	}
	if len(words) > 1 && words[0] == brand {
		words = words[1:]
	}
	if last := len(words) - 1; last > 0 && memorySize.MatchString(words[last]) {
		words = words[:last]
	}
	return strings.TrimPrefix(strings.Join(words, ""), vendor)
}

func digits(s string) string { return notDigits.ReplaceAllString(s, "") }

// spellings maps the squeezed names and aliases of all types to the types' names.
func (b *builder) spellings(types map[string]*typeEntry) map[string]string {
	spellings := make(map[string]string)
	for _, name := range slices.Sorted(maps.Keys(types)) {
		known := []string{name}
		if types[name] != nil {
			known = append(known, types[name].Aliases...)
		}
		for _, spelling := range known {
			model := squeeze(spelling)
			if other, taken := spellings[model]; taken && other != name {
				b.fault("%s and %s cannot both be spelt %q", other, name, spelling)
			}
			spellings[model] = name
		}
	}
	return spellings
}
