package fault

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	longestMessage = 4096 // the longest refusals of the API are lists of a few hundred characters
	longestExcerpt = 200
)

// secret matches what no message may hold. None is expected in an answer; a proxy that echoes a request could send one.
var secret = regexp.MustCompile(strings.Join([]string{
	`(?i:bearer\s+)[\w.~+/=-]{8,}`,
	`ya29\.[\w-]+`,
	`eyJ[\w-]{8,}\.[\w-]+(\.[\w-]*)?`,
	`(?s:-----BEGIN [A-Z ]+-----.*?(-----END [A-Z ]+-----|$))`,
	`"(private_key|refresh_token|client_secret|access_token|id_token|subject_token)"\s*:\s*"[^"]*"?`,
	`AIza[\w-]{30,}`,
}, "|"))

// clean takes secrets and control characters out of a text and bounds its length in bytes.
func clean(text string, longest int) string {
	text = secret.ReplaceAllString(strings.ToValidUTF8(text, "?"), "[redacted]")
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, text)
	text = strings.TrimSpace(text)
	if len(text) <= longest {
		return text
	}
	for !utf8.RuneStart(text[longest]) {
		longest--
	}
	return text[:longest] + "…"
}

var (
	invisible = regexp.MustCompile(`(?is)<(script|style)\b.*?</(script|style)>|<!--.*?-->`)
	tag       = regexp.MustCompile(`(?s)<[^>]*>`)
)

// excerpt returns the first visible words of an HTML page or any other body, ready to follow a sentence; "" for none.
func excerpt(body string) string {
	words := tag.ReplaceAllString(invisible.ReplaceAllString(body, " "), " ")
	short := clean(strings.Join(strings.Fields(words), " "), longestExcerpt)
	if short == "" {
		return ""
	}
	return `: "` + short + `"`
}
