package respell

import (
	"strings"

	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/internal/shorten"
)

// This file applies a function to the texts in JSON.

// Text returns f(s). Of a text that holds a JSON object or array, and that f does not change, it
// returns Data: a pattern may be about the text that JSON encodes, or about its members.
func Text(s string, f func(string) string) string {
	if now := f(s); now != s {
		return now
	}
	if now, ok := inside(s, f); ok {
		return now
	}
	return s
}

// inside returns Data of a text that holds a JSON object or array; ok is false for any other.
func inside(s string, f func(string) string) (now string, ok bool) {
	if t := strings.TrimSpace(s); t == "" || t[0] != '{' && t[0] != '[' {
		return "", false
	}
	raw := []byte(s)
	doc, err := jsonscan.Parse(raw)
	if err != nil {
		return "", false
	}
	return string(edited(raw, doc, f, true)), true
}

// Data returns raw with Text applied to every string value in it, at any depth. Keys are kept.
// Input that is not JSON is mapped as one text. raw is not written to, and returned when nothing
// changes.
func Data(raw []byte, f func(string) string) []byte {
	return mapped(raw, f, true)
}

// Native is Data for a provider's own JSON of a message or part: names, ids, kinds, addresses,
// signed reasoning, and opaque payloads are kept. Arguments that are encoded as a string are mapped
// as if they were not.
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
	return edited(raw, doc, f, data)
}

// edited is mapped for raw that was read.
func edited(raw []byte, doc *jsonscan.Doc, f func(string) string, data bool) []byte {
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
		m.replace(v, Text(v.Str(), m.apply))
	case jsonscan.Array:
		for c := v.First(); c.Exists(); c = c.Next() {
			m.value(c, data)
		}
	case jsonscan.Object:
		if !data && sealed(v) {
			return
		}
		members := shorten.Members{Of: v}
		for c := v.First(); c.Exists(); c = c.Next() {
			key := c.Key().Str()
			switch {
			case data, isData(v, key):
				m.value(c, true)
			case dataKeys[key]:
				m.arguments(c)
			case isDocument(v, key), !members.Opaque(c) && !isFormat(c, key):
				m.value(c, false)
			}
		}
	}
}

// arguments maps the texts in v, which may be encoded as a string.
func (m *texts) arguments(v jsonscan.Value) {
	if now, ok := inside(v.Str(), m.apply); ok {
		m.replace(v, now)
		return
	}
	m.value(v, true)
}

// replace makes now the text of the string v.
func (m *texts) replace(v jsonscan.Value, now string) {
	if !v.StrIs(now) {
		m.edits.Replace(v.Start(), v.End(), jsonscan.AppendString(nil, now))
	}
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

// isData reports whether the member key of an object is the content of one of Cohere's documents, a
// string or an object.
func isData(parent jsonscan.Value, key string) bool {
	return key == "data" && parent.Key().StrIs("document")
}

// isFormat reports whether v, the member key of an object, is a word of the format, a name or an
// id.
func isFormat(v jsonscan.Value, key string) bool {
	return formatKeys[key] && v.Kind() != jsonscan.Object && v.Kind() != jsonscan.Array
}

// dataKeys are the members whose value is arguments, structured output, or what the caller or a
// tool says of a source.
var dataKeys = setOf("input", "arguments", "args", "response", "json", "tool_output", "attributes")

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
