// Package neutraljson holds the JSON form of neutral messages: its members, and how JSON inside it
// is kept byte for byte.
package neutraljson

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// Message is the form of a message.
type Message struct {
	Role   string                     `json:"role"`
	ID     string                     `json:"id,omitempty"`
	Name   string                     `json:"name,omitempty"`
	Parts  []Part                     `json:"parts"`
	Meta   map[string]json.RawMessage `json:"meta,omitempty"`
	Native *Native                    `json:"native,omitempty"`
}

// Native is the form of native JSON, which is a string, so that every byte of it survives.
type Native struct {
	Format string `json:"format,omitempty"`
	JSON   string `json:"json"`
}

// Part is the form of a part. Type says which of the members count.
type Part struct {
	Type string `json:"type"`

	Text      string `json:"text,omitempty"`
	Signature string `json:"signature,omitempty"`
	Opaque    string `json:"opaque,omitempty"`

	ID               string          `json:"id,omitempty"`
	CallID           string          `json:"call_id,omitempty"`
	Name             string          `json:"name,omitempty"`
	Input            json.RawMessage `json:"input,omitempty"`
	InputText        string          `json:"input_text,omitempty"`
	Content          []Part          `json:"content,omitempty"`
	Output           json.RawMessage `json:"output,omitempty"`
	OutputText       string          `json:"output_text,omitempty"`
	IsError          bool            `json:"is_error,omitempty"`
	ProviderExecuted bool            `json:"provider_executed,omitempty"`
	Awaiting         string          `json:"awaiting,omitempty"`
	Variant          string          `json:"variant,omitempty"`

	Kind      string `json:"kind,omitempty"`
	MediaType string `json:"media_type,omitempty"`
	Data      string `json:"data,omitempty"`
	URL       string `json:"url,omitempty"`
	FileID    string `json:"file_id,omitempty"`

	Meta   map[string]json.RawMessage `json:"meta,omitempty"`
	Cache  json.RawMessage            `json:"cache,omitempty"`
	Native *Native                    `json:"native,omitempty"`
}

// Encode is json.Marshal without HTML escaping.
func Encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte{'\n'}), nil
}

// RawOrText returns raw JSON as it is if encoding/json keeps every byte of it, and anything else as
// text: it takes white space out and escapes what HTML would read.
func RawOrText(raw json.RawMessage) (json.RawMessage, string) {
	if len(raw) == 0 {
		return raw, ""
	}
	if written, err := json.Marshal(raw); err == nil && bytes.Equal(written, raw) &&
		utf8.Valid(raw) {
		return raw, ""
	}
	return nil, string(raw)
}

// TextOrRaw returns the JSON that RawOrText was given.
func TextOrRaw(text string, raw json.RawMessage) json.RawMessage {
	if text != "" {
		return json.RawMessage(text)
	}
	return raw
}
