package respell

import (
	"strings"

	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/internal/shorten"
)

// This file applies a function to the texts in JSON.

// Data returns raw with f applied to every string value in it, at any depth. A string that holds a
// JSON object or array is mapped inside. Keys are kept. Input that is not JSON is mapped as one
// text. raw is not written to, and returned when nothing changes.
func Data(raw []byte, f func(string) string) []byte {
	return mapped(raw, f, true)
}

// Native is Data for a provider's own JSON of a message or part: names, ids, kinds, addresses,
// signed reasoning, and opaque payloads are kept.
func Native(raw []byte, f func(string) string) []byte {
	return mapped(raw, f, false)
}

func mapped(raw []byte, f func(string) string, data bool) []byte {
	doc, err := jsonscan.Parse(raw)
	if err != nil {
		if now := f(string(raw)); now != string(raw) {
			return []byte(now)
		}
		return raw
	}
	m := texts{apply: f}
	if m.value(doc.Root(), data); m.edits.Len() == 0 {
		return raw
	}
	out, err := m.edits.Apply(raw)
	if err != nil {
		return raw // cannot happen: the edits are within raw and do not overlap
	}
	return out
}

// texts collects the edits of texts.
type texts struct {
	apply func(string) string
	edits jsonscan.Edits
}

// value maps the texts in v. data reports that all strings in it are the caller's or the model's,
// not words of the format. The scanner's nesting limit bounds the depth.
func (m *texts) value(v jsonscan.Value, data bool) {
	switch v.Kind() {
	case jsonscan.String:
		if now, changed := m.text(v.Str()); changed {
			m.edits.Replace(v.Start(), v.End(), jsonscan.AppendString(nil, now))
		}
	case jsonscan.Array:
		for c := v.First(); c.Exists(); c = c.Next() {
			m.value(c, data)
		}
	case jsonscan.Object:
		if !data && sealed(v) {
			return
		}
		for c := v.First(); c.Exists(); c = c.Next() {
			key := c.Key().Str()
			if data || dataKeys[key] {
				m.value(c, true)
			} else if isDocument(v, key) || !shorten.IsOpaqueMember(v, c) && !isFormat(c, key) {
				m.value(c, false)
			}
		}
	}
}

// text maps one text, inside if it holds JSON.
func (m *texts) text(s string) (now string, changed bool) {
	if t := strings.TrimSpace(s); t != "" && (t[0] == '{' || t[0] == '[') {
		if doc, err := jsonscan.Parse([]byte(s)); err == nil && doc.Root().Exists() {
			now = string(Data([]byte(s), m.apply))
			return now, now != s
		}
	}
	now = m.apply(s)
	return now, now != s
}

// sealed reports whether an object is reasoning, or the result of a search, that the provider
// verifies. The call of a search is the model's words, and not sealed.
func sealed(v jsonscan.Value) bool {
	if kind := v.Get("type"); kind.Kind() == jsonscan.String && shorten.IsOpaque(kind.Str()) &&
		!strings.HasSuffix(kind.Str(), "_call") {
		return true
	}
	if s := v.Get("signature"); s.Kind() == jsonscan.String && !s.StrIs("") {
		return true
	}
	thought, _ := v.Get("thought").Bool()
	if s := v.Get("encrypted_content"); s.Kind() == jsonscan.String && !s.StrIs("") {
		return true
	}
	return thought && (v.Has("thoughtSignature") || v.Has("thought_signature"))
}

// isDocument reports whether the member key of an object is the text of a document, which may
// consist of the characters of base64 alone.
func isDocument(parent jsonscan.Value, key string) bool {
	return key == "data" && parent.Get("type").StrIs("text")
}

// isFormat reports whether v, the member key of an object, is a word of the format, a name or an
// id.
func isFormat(v jsonscan.Value, key string) bool {
	return formatKeys[key] && v.Kind() != jsonscan.Object && v.Kind() != jsonscan.Array
}

// dataKeys are the members whose value is arguments or structured output.
var dataKeys = setOf("input", "arguments", "args", "response", "json")

// formatKeys are the members whose strings are words of a format, names or ids.
var formatKeys = setOf("type", "role", "id", "call_id", "tool_call_id", "tool_use_id",
	"toolUseId", "item_id", "name", "tool_name", "status", "format", "media_type", "mimeType",
	"mime_type", "detail", "url", "file_id", "fileUri", "file_uri", "uri", "image_url", "ttl",
	"phase", "object", "model", "server_name", "server_label", "namespace", "caller", "effort",
	"language", "outcome", "data", "file_data", "bytes")

func setOf(words ...string) map[string]bool {
	set := make(map[string]bool, len(words))
	for _, w := range words {
		set[w] = true
	}
	return set
}
