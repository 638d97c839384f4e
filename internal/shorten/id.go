package shorten

import (
	"net/url"
	"regexp"
	"strings"
	"sync"
)

// This file shortens what requests make up and reports print.

// maxID is the greatest length in bytes of a printed id.
const maxID = 64

// ID returns id as logs, reports and errors may print it: shortened if it is long, and "" if it has
// characters that ids of tool calls do not have, since it may be any text then.
func ID(id string) string {
	for k := range len(id) {
		if !idBytes[id[k]] {
			return ""
		}
	}
	if len(id) > maxID {
		return id[:maxID/2] + "…"
	}
	return id
}

// idBytes are the bytes of well-formed ids: letters, digits and some punctuation.
var idBytes = func() (set [256]bool) {
	for _, c := range "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.:|/+=" {
		set[c] = true
	}
	return set
}()

// maxName is the greatest length in bytes of a printed name.
const maxName = 256

// Name returns the name of a model or host as logs and reports may print it: shortened
// if it is longer than any that there are.
func Name(name string) string {
	if len(name) > maxName {
		return strings.ToValidUTF8(name[:maxName/2], "") + "…"
	}
	return name
}

// Path returns the path of a URL as Name does, with "…" in place of each segment that may be a
// key.
func Path(path string) string {
	return Name(Keys(path, func(string) string { return "…" }))
}

// Keys returns a path or a query with what instead returns in place of each segment or value that
// may be a key: one that begins as keys do, a UUID, or one that is long and has a digit. After a
// segment such as "models", a path has the names of models, and no keys.
func Keys(text string, instead func(word string) string) string {
	end := len(text)
	if query := strings.IndexByte(text, '?'); query >= 0 {
		end = query
	}
	names := end
	if at := beforeNames().FindStringIndex(text[:end]); at != nil {
		names = at[1]
	}
	return masked(text[:names], instead) + text[names:end] + masked(text[end:], instead)
}

func masked(text string, instead func(word string) string) string {
	return segment().ReplaceAllStringFunc(text, func(word string) string {
		if word[0] == '$' { // the name of a variable
			return word
		}
		plain, err := url.PathUnescape(word)
		if err != nil {
			plain = word
		}
		if !keyForm().MatchString(plain) &&
			(len(plain) < longWord || !strings.ContainsAny(plain, "0123456789")) {
			return word
		}
		return instead(word)
	})
}

// longWord is the least length in bytes of a segment that is a key if it has a digit.
const longWord = 20

var (
	segment     = pattern(`\$\{\w+\}|[^/?&=,$]+`)
	beforeNames = pattern(`(?i)/(?:[a-z]*models?|deployments|run)/`)
	keyForm     = pattern(`^(?:(?i:sk|pk|rk|ak|gsk|csk|hf|nvapi|pplx|xai)[-_]|AIza|eyJ)|` +
		`^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$`)
)

func pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
