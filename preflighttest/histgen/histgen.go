// Package histgen generates message histories for property tests: valid ones for a profile, and
// corrupt ones of the kinds that aborted runs, trimmed windows, resumed sessions and provider
// switches leave.
//
// Valid is written from the providers' rules and not from preflight.Check, so that each can test
// the other. Every part carries a tag in its metadata. Repairs copy metadata, so a test can find a
// part again after it was moved or edited.
package histgen

import (
	"encoding/json"
	"strconv"

	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
)

// TagKey is the metadata key under which a part carries its tag.
const TagKey = "histgen"

// Tag returns the tag of a part, "" if preflight or a hook made it.
func Tag(p preflight.Part) string {
	carried := preflight.CarriedBy(p)
	if carried == nil || carried.Meta == nil {
		return ""
	}
	tag, _ := strconv.Unquote(string(carried.Meta[TagKey])) // "" where there is none
	return tag
}

// tagged returns what a part carries: a fresh tag and nothing else.
func tagged(tag string) preflight.Carried {
	return preflight.Carried{Meta: preflight.Metadata{TagKey: json.RawMessage(strconv.Quote(tag))}}
}

// chance draws true about once in n times; it shrinks to false.
func chance(t *rapid.T, n int, label string) bool {
	return rapid.IntRange(0, n-1).Draw(t, label) == n-1
}

// pick draws an index below n, which has to be positive.
func pick(t *rapid.T, n int, label string) int {
	return rapid.IntRange(0, n-1).Draw(t, label)
}

// oneOf draws one of values.
func oneOf[T any](t *rapid.T, label string, values ...T) T {
	return values[pick(t, len(values), label)]
}
