package wire

import (
	"strings"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file writes a new request, member by member.

// bodyBuilder writes an object with its members in the order in which they were first set.
type bodyBuilder struct {
	keys   []string
	values map[string][]byte
	nested map[string]*bodyBuilder
}

// set sets the member at a path, whose steps are separated by dots.
func (b *bodyBuilder) set(path string, raw []byte) {
	key, deeper, deep := strings.Cut(path, ".")
	if deep {
		b.object(key).set(deeper, raw)
		return
	}
	b.put(key, raw)
}

// put sets the member with this key.
func (b *bodyBuilder) put(key string, raw []byte) {
	b.add(key)
	b.values[key] = raw
}

// object returns the builder of the object that is the member with this key.
func (b *bodyBuilder) object(key string) *bodyBuilder {
	b.add(key)
	if b.nested[key] == nil {
		b.nested[key] = &bodyBuilder{}
	}
	return b.nested[key]
}

func (b *bodyBuilder) add(key string) {
	if b.values == nil {
		b.values, b.nested = make(map[string][]byte), make(map[string]*bodyBuilder)
	}
	if !b.has(key) {
		b.keys = append(b.keys, key)
	}
}

// has reports whether the member was set.
func (b *bodyBuilder) has(key string) bool { return b.values[key] != nil || b.nested[key] != nil }

// merge adds the members of an object. An object that both have is merged, too; it returns the path
// of the first member that both have otherwise, "" if there is none.
func (b *bodyBuilder) merge(object jsonscan.Value) (conflict string) {
	for v := object.First(); v.Exists(); v = v.Next() {
		key := v.Key().Str()
		switch {
		case v.Kind() == jsonscan.Object && b.nested[key] != nil:
			if inner := b.nested[key].merge(v); inner != "" {
				return key + "." + inner
			}
		case b.has(key):
			return key
		default:
			b.put(key, v.Raw())
		}
	}
	return ""
}

// bytes returns the object as JSON.
func (b *bodyBuilder) bytes() []byte {
	out := []byte{'{'}
	for k, key := range b.keys {
		if k > 0 {
			out = append(out, ',')
		}
		out = append(jsonscan.AppendString(out, key), ':')
		if inner := b.nested[key]; inner != nil {
			out = append(out, inner.bytes()...)
		} else {
			out = append(out, b.values[key]...)
		}
	}
	return append(out, '}')
}
