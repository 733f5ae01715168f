package emulator

import (
	"fmt"
	"regexp"

	"k8s.io/apimachinery/pkg/api/resource"
)

// plausible bounds what is parsed: the parser needs seconds for an exponent of minus millions, and anybody may send one.
var plausible = regexp.MustCompile(`^[+-]?[0-9.]{1,25}([eE][+-]?[0-9]{1,2}|[A-Za-z]{0,2})$`)

func parseQuantity(s string) (resource.Quantity, error) {
	if !plausible.MatchString(s) {
		return resource.Quantity{}, fmt.Errorf("%.40q is no quantity", s)
	}
	return resource.ParseQuantity(s)
}
