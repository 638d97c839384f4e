package wire

import (
	"encoding/json"
	"slices"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file has what is asked of JSON values, and small objects that are made of them.

// hasValue reports whether a member is there and not null.
func hasValue(v jsonscan.Value) bool { return v.Exists() && v.Kind() != jsonscan.Null }

func isEmptyList(v jsonscan.Value) bool { return v.Kind() == jsonscan.Array && v.Len() == 0 }

// ofMedia are members that media have in some format: labels, and those that hold the data.
var ofMedia = []string{
	"type", "id", "cache_control", "detail", "format", "title", "name", "alt", "caption", "filename",
	"displayName", "display_name", "media_type", "mime_type", "mimeType", "source", "data", "url",
	"uri", "image_url", "file_id", "inlineData", "fileData", "fileUri", "file_uri",
}

// holdsOther reports whether an object has a member that is set, beside those that media have.
// Media without the members that hold the data may have them there, in a form that is not known.
func holdsOther(v jsonscan.Value) bool {
	for m := v.First(); v.Kind() == jsonscan.Object && m.Exists(); m = m.Next() {
		if isSet(m) && !slices.Contains(ofMedia, m.Key().Str()) {
			return true
		}
	}
	return false
}

// isSet reports whether a member is an object or a nonempty string.
func isSet(v jsonscan.Value) bool {
	return v.Kind() == jsonscan.Object || hasText(v)
}

// hasText reports whether a member is a nonempty string.
func hasText(v jsonscan.Value) bool { return v.Kind() == jsonscan.String && !v.StrIs("") }

// spelledEither returns the member of v with one of two spellings of a key.
func spelledEither(v jsonscan.Value, key, alias string) jsonscan.Value {
	return v.Get(keyOf(v, key, alias))
}

// keyOf returns the one of two spellings of a key for which v has a value, the first if it has both
// or neither.
func keyOf(v jsonscan.Value, key, alias string) string {
	if !hasValue(v.Get(key)) && hasValue(v.Get(alias)) {
		return alias
	}
	return key
}

// jsonOf is raw when it is JSON, otherwise a string.
func jsonOf(raw []byte) []byte {
	v := valueOf(raw)
	if !v.Exists() {
		return quoted(string(raw))
	}
	return jsonscan.Unrepeated(v)
}

// wrapped returns an object with one member.
func wrapped(key string, value []byte) json.RawMessage {
	return slices.Concat([]byte("{"), quoted(key), []byte(":"), value, []byte("}"))
}
