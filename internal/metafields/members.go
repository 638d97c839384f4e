package metafields

import (
	"encoding/json"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// Members are names of the members of JSON objects.
type Members map[string]bool

// HasOnly reports whether the objects in a JSON value have these members alone: all of them where
// deep is set, else the value itself. JSON that cannot be read has others.
func HasOnly(raw json.RawMessage, members Members, deep bool) bool {
	doc, err := jsonscan.Parse(raw)
	return err == nil && hasOnly(doc.Root(), members, deep)
}

func hasOnly(v jsonscan.Value, members Members, deep bool) bool {
	object := v.Kind() == jsonscan.Object
	if !object && v.Kind() != jsonscan.Array {
		return true
	}
	for e := v.First(); e.Exists(); e = e.Next() {
		if object && !members[e.Key().Str()] || deep && !hasOnly(e, members, deep) {
			return false
		}
	}
	return true
}
