package wire

import (
	"slices"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file turns blocks of other formats that have no neutral counterpart into text.

// foreignLabel starts the text of a converted block, so that it is not taken for the user's text.
const foreignLabel = "[Content of type "

// readAsText reads a block without a neutral counterpart as text that names its type.
func readAsText(v, data jsonscan.Value) (preflight.Part, bool) {
	key, _ := kindOf(v)
	lines := []string{foreignLabel + key.kind + "]"}
	collectStrings(data, &lines, 0)
	return &preflight.Text{Text: strings.Join(lines, "\n")}, true
}

// collectStrings collects the readable strings of a value: no types, no ids, no opaque data.
func collectStrings(v jsonscan.Value, lines *[]string, depth int) {
	const deepest = 32 // what is deeper was not meant for reading
	if depth > deepest {
		return
	}
	for c := v.First(); c.Exists(); c = c.Next() {
		key := c.Key().Str()
		if isOpaqueMember(key) || isLabel(key) {
			continue
		}
		switch c.Kind() {
		case jsonscan.String:
			if s := c.Str(); strings.TrimSpace(s) != "" && !isEncoded(s) {
				*lines = append(*lines, s)
			}
		case jsonscan.Array, jsonscan.Object:
			collectStrings(c, lines, depth+1)
		}
	}
}

// isOpaqueMember reports whether only the provider can read a member.
func isOpaqueMember(key string) bool {
	k := strings.ToLower(key)
	contains := func(s string) bool { return strings.Contains(k, s) }
	return slices.ContainsFunc([]string{"encrypted", "signature", "fingerprint"}, contains) ||
		k == "data" || k == "bytes"
}

// isLabel reports whether a member is a type, a status or an id.
func isLabel(key string) bool {
	return slices.Contains([]string{"type", "status", "cache_control", "id"}, key) ||
		strings.HasSuffix(key, "_id") || strings.HasSuffix(key, "Id")
}

// isEncoded reports whether a string is too long for a word, so that it must be an image or a
// signature.
func isEncoded(s string) bool { return len(s) > 512 && !strings.ContainsAny(s, " \n") }
