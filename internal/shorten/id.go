package shorten

import (
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

// Path returns the path of a URL as Name does, with "…" in place of each word that may be a key.
func Path(path string) string {
	return Name(Keys(path, func(string) string { return "…" }))
}

// Keys returns a text with what instead returns in place of each long word with digits: keys are
// such words, and names seldom are.
func Keys(text string, instead func(word string) string) string {
	return longWord().ReplaceAllStringFunc(text, func(word string) string {
		if !strings.ContainsAny(word, "0123456789") {
			return word
		}
		return instead(word)
	})
}

var longWord = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[A-Za-z0-9_%+=]{20,}`)
})
