package metafields

import (
	"encoding/json"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// Members say what the members of JSON objects hold, by their names.
type Members map[string]Holds

// Holds is what a member holds.
type Holds uint8

// What members hold. The zero value is that of members that are not known.
const (
	Unknown Holds = iota
	Word          // a word of a format, as "text" or "image/png"
	Content       // content, or objects with it
	Calls         // tool calls
	Free          // any text
)

// Says reports whether a JSON value says no more than what is known. Its own members are those of
// outer, and the objects in it have those of inner. A string that is content, or the value itself,
// is known by said; an object or a list may be known by its bytes. JSON that cannot be read says
// more.
func Says(
	raw json.RawMessage, outer, inner Members, said func(string) bool, known func([]byte, Holds) bool,
) bool {
	doc, err := jsonscan.Parse(raw)
	r := reader{inner, said, known}
	return err == nil && r.says(doc.Root(), Content, outer)
}

type reader struct {
	inner Members
	said  func(string) bool
	known func([]byte, Holds) bool
}

// says reports whether v, which holds what as says, says no more.
func (r *reader) says(v jsonscan.Value, as Holds, members Members) bool {
	switch v.Kind() {
	case jsonscan.String:
		switch as {
		case Word:
			return len(v.Raw()) <= mostWord
		case Content, Calls:
			return r.said(v.Str())
		}
		return true
	case jsonscan.Object, jsonscan.Array:
		if r.known(v.Raw(), as) {
			return true
		}
		if as == Word || as == Calls && v.Kind() == jsonscan.Object {
			return false
		}
	default:
		return true
	}
	for e := v.First(); e.Exists(); e = e.Next() {
		holds, inner := as, members
		if v.Kind() == jsonscan.Object {
			holds, inner = members[e.Key().Str()], r.inner
		}
		if holds == Unknown || !r.says(e, holds, inner) {
			return false
		}
	}
	return true
}

// mostWord is how long a word of a format is at most, with its quotation marks.
const mostWord = 100
