// Package metafields removes entries, and members of entries, from provider metadata. Bytes that it
// does not have to change are kept.
package metafields

import (
	"encoding/json"
	"maps"
	"strings"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// Metadata maps names to JSON values, usually objects.
type Metadata = map[string]json.RawMessage

// Without returns meta without the entry called name, or without the field of an entry for a name
// of the form "entry.field". It may write to meta when owned is true.
func Without(meta Metadata, owned bool, name string) (Metadata, bool) {
	_, changed := meta[name]
	if changed {
		if !owned {
			meta = maps.Clone(meta)
		}
		delete(meta, name)
	}
	if entry, field, ok := strings.Cut(name, "."); ok {
		left, here := WithoutFields(meta, owned || changed, entry, []string{field})
		return left, changed || here
	}
	return meta, changed
}

// WithoutFields returns meta without the given members of the object under name, and without the
// object if it becomes empty. It may write to meta when owned is true.
func WithoutFields(
	meta Metadata, owned bool, name string, fields []string,
) (Metadata, bool) {
	raw, ok := meta[name]
	if !ok {
		return meta, false
	}
	left, changed := lessFields(raw, fields)
	if !changed {
		return meta, false
	}
	if !owned {
		meta = maps.Clone(meta)
	}
	if left == nil {
		delete(meta, name)
	} else {
		meta[name] = left
	}
	return meta, true
}

// lessFields returns the object raw without the given members. It returns nil and true when no
// member is left, also for an object that was empty before.
func lessFields(raw json.RawMessage, fields []string) (left json.RawMessage, changed bool) {
	doc, err := jsonscan.Parse(raw)
	if err != nil || doc.Root().Kind() != jsonscan.Object {
		return raw, false
	}
	edit, members := jsonscan.EditObject(doc.Root()), 0
	for m := doc.Root().First(); m.Exists(); m = m.Next() {
		members++
		for _, field := range fields {
			if m.Key().StrIs(field) {
				edit.DeleteMember(field)
				members--
				break
			}
		}
	}
	if members == 0 {
		return nil, true
	}
	return edit.Bytes(), edit.Changed()
}
