package preflight

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"
)

// This file is the JSON form of messages.

// errPart is wrapped by the errors of reading a part.
var errPart = errors.New("preflight: not a message part")

type messageJSON struct {
	Role   Role        `json:"role"`
	ID     string      `json:"id,omitempty"`
	Name   string      `json:"name,omitempty"`
	Parts  []partJSON  `json:"parts"`
	Meta   Metadata    `json:"meta,omitempty"`
	Native *nativeJSON `json:"native,omitempty"`
}

type nativeJSON struct {
	Format string `json:"format,omitempty"`
	JSON   string `json:"json"`
}

type partJSON struct {
	Type string `json:"type"`

	Text      string `json:"text,omitempty"`
	Signature string `json:"signature,omitempty"`
	Opaque    string `json:"opaque,omitempty"`

	ID               string          `json:"id,omitempty"`
	CallID           string          `json:"call_id,omitempty"`
	Name             string          `json:"name,omitempty"`
	Input            json.RawMessage `json:"input,omitempty"`
	InputText        string          `json:"input_text,omitempty"`
	Content          []partJSON      `json:"content,omitempty"`
	Output           json.RawMessage `json:"output,omitempty"`
	OutputText       string          `json:"output_text,omitempty"`
	IsError          bool            `json:"is_error,omitempty"`
	ProviderExecuted bool            `json:"provider_executed,omitempty"`
	Awaiting         Awaiting        `json:"awaiting,omitempty"`
	Variant          string          `json:"variant,omitempty"`

	Kind      string `json:"kind,omitempty"`
	MediaType string `json:"media_type,omitempty"`
	Data      string `json:"data,omitempty"`
	URL       string `json:"url,omitempty"`
	FileID    string `json:"file_id,omitempty"`

	Meta   Metadata        `json:"meta,omitempty"`
	Cache  json.RawMessage `json:"cache,omitempty"`
	Native *nativeJSON     `json:"native,omitempty"`
}

// MarshalJSON writes the message in its JSON form:
//
//	{"role":"user","id":"…","name":"…","parts":[…],"meta":{"openai":{…}},
//	 "native":{"format":"anthropic","json":"…"}}
//
// A part is an object with a "type":
//
//	{"type":"text","text":"…"}
//	{"type":"reasoning","text":"…","signature":"…","opaque":"…"}
//	{"type":"tool_call","id":"…","name":"…","input":{…},
//	 "provider_executed":true,"awaiting":"approval","variant":"…","signature":"…"}
//	{"type":"tool_result","call_id":"…","name":"…","content":[parts],"output":{…},
//	 "is_error":true,"provider_executed":true,"variant":"…"}
//	{"type":"media","kind":"image","media_type":"…",
//	 "data":"…","url":"…","file_id":"…","name":"…"}
//	{"type":"other","kind":"…"}
//
// Every part may also have "meta", "cache" and "native". Fields with their zero value are left out.
// Native JSON is written as a string, so that every byte of it survives; arguments and outputs that
// are not JSON, or that encoding/json would respell (white space, "<"), are written as "input_text"
// and "output_text". Strings that are not valid UTF-8 cannot survive JSON: repair them first. It
// fails on a nil part, and on parts that no tool result may hold.
func (m Message) MarshalJSON() ([]byte, error) {
	out := messageJSON{Role: m.Role, ID: m.ID, Name: m.Name, Meta: m.Meta, Native: m.Native.form(),
		Parts: make([]partJSON, 0, len(m.Parts))}
	for j, p := range m.Parts {
		f, err := formOf(p)
		if err != nil {
			return nil, fmt.Errorf("parts[%d]: %w", j, err)
		}
		out.Parts = append(out.Parts, f)
	}
	return encode(out)
}

// encode is json.Marshal without HTML escaping.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte{'\n'}), nil
}

// UnmarshalJSON reads the JSON form that MarshalJSON writes. On error the message stays as it was.
func (m *Message) UnmarshalJSON(data []byte) error {
	var in messageJSON
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	out := Message{Role: in.Role, ID: in.ID, Name: in.Name, Meta: in.Meta,
		Native: in.Native.native()}
	for j := range in.Parts {
		p, err := in.Parts[j].part()
		if err != nil {
			return fmt.Errorf("parts[%d]: %w", j, err)
		}
		out.Parts = append(out.Parts, p)
	}
	*m = out
	return nil
}

func (n Native) form() *nativeJSON {
	if n.JSON == nil && n.Format == "" {
		return nil
	}
	return &nativeJSON{n.Format, string(n.JSON)}
}

func (n *nativeJSON) native() Native {
	if n == nil {
		return Native{}
	}
	return Native{n.Format, json.RawMessage(n.JSON)}
}

// formOf is the JSON form of a part.
func formOf(p Part) (partJSON, error) {
	if isNil(p) {
		return partJSON{}, fmt.Errorf("%w: it is nil", errPart)
	}
	c := p.carried()
	f := partJSON{Type: PartKind(p), Meta: c.Meta, Cache: c.Cache, Native: c.Native.form()}
	switch p := p.(type) {
	case *Text:
		f.Text = p.Text
	case *Reasoning:
		f.Text, f.Signature, f.Opaque = p.Text, p.Signature, p.Opaque
	case *ToolCall:
		f.ID, f.Name, f.ProviderExecuted, f.Awaiting, f.Variant = p.ID, p.Name, p.ProviderExecuted,
			p.Awaiting, p.Variant
		f.Signature = p.Signature
		f.Input, f.InputText = rawOrText(p.Input)
	case *ToolResult:
		f.CallID, f.Name, f.IsError, f.ProviderExecuted, f.Variant = p.CallID, p.Name, p.IsError,
			p.ProviderExecuted, p.Variant
		f.Output, f.OutputText = rawOrText(p.Output)
		for k, c := range p.Content {
			if !nestable(c) {
				return f,
					fmt.Errorf("%w: content[%d]: a tool result may not hold it", errPart, k)
			}
			nested, err := formOf(c)
			if err != nil {
				return f, err
			}
			f.Content = append(f.Content, nested)
		}
	case *Media:
		f.Kind, f.MediaType, f.Data, f.URL, f.FileID, f.Name = p.Kind, p.MediaType, p.Data, p.URL,
			p.FileID, p.Name
	case *Other:
		f.Kind = p.Kind
	}
	return f, nil
}

// rawOrText is raw JSON as it is if encoding/json keeps every byte of it, and anything else as
// text: it takes white space out and escapes what HTML would read.
func rawOrText(raw json.RawMessage) (json.RawMessage, string) {
	if len(raw) == 0 {
		return raw, ""
	}
	if written, err := json.Marshal(raw); err == nil && bytes.Equal(written, raw) &&
		utf8.Valid(raw) {
		return raw, ""
	}
	return nil, string(raw)
}

func textOrRaw(text string, raw json.RawMessage) json.RawMessage {
	if text != "" {
		return json.RawMessage(text)
	}
	return raw
}

// part returns the part of a JSON form.
func (f *partJSON) part() (Part, error) {
	c := Carried{Meta: f.Meta, Cache: f.Cache, Native: f.Native.native()}
	switch f.Type {
	case "text":
		return &Text{c, f.Text}, nil
	case "reasoning":
		return &Reasoning{c, f.Text, f.Signature, f.Opaque}, nil
	case "tool_call":
		return &ToolCall{c, f.ID, f.Name, textOrRaw(f.InputText, f.Input), f.ProviderExecuted,
			f.Awaiting, f.Variant, f.Signature}, nil
	case "tool_result":
		r := &ToolResult{Carried: c, CallID: f.CallID, Name: f.Name,
			Output: textOrRaw(f.OutputText, f.Output), IsError: f.IsError,
			ProviderExecuted: f.ProviderExecuted, Variant: f.Variant}
		for k := range f.Content {
			p, err := f.Content[k].part()
			if err != nil {
				return nil, fmt.Errorf("content[%d]: %w", k, err)
			}
			if !nestable(p) {
				return nil,
					fmt.Errorf("content[%d]: %w: a tool result may not hold it", k, errPart)
			}
			r.Content = append(r.Content, p)
		}
		return r, nil
	case "media":
		return &Media{c, f.Kind, f.MediaType, f.Data, f.URL, f.FileID, f.Name}, nil
	case "other":
		return &Other{c, f.Kind}, nil
	}
	return nil, fmt.Errorf("%w: unknown type", errPart)
}
