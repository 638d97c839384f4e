package preflight

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/go-preflight/preflight/internal/neutraljson"
)

// This file is the JSON form of messages.

// errPart is wrapped by the errors of reading a part.
var errPart = errors.New("preflight: not a message part")

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
	out := neutraljson.Message{
		Role: string(m.Role), ID: m.ID, Name: m.Name, Meta: m.Meta, Native: m.Native.form(),
		Parts: make([]neutraljson.Part, 0, len(m.Parts)),
	}
	for j, p := range m.Parts {
		f, err := formOf(p)
		if err != nil {
			return nil, fmt.Errorf("parts[%d]: %w", j, err)
		}
		out.Parts = append(out.Parts, f)
	}
	return neutraljson.Encode(out)
}

// UnmarshalJSON reads the JSON form that MarshalJSON writes. On error the message stays as it was.
func (m *Message) UnmarshalJSON(data []byte) error {
	var in neutraljson.Message
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	out := Message{Role: Role(in.Role), ID: in.ID, Name: in.Name, Meta: in.Meta,
		Native: nativeOf(in.Native)}
	for j := range in.Parts {
		p, err := partOf(&in.Parts[j])
		if err != nil {
			return fmt.Errorf("parts[%d]: %w", j, err)
		}
		out.Parts = append(out.Parts, p)
	}
	*m = out
	return nil
}

func (n Native) form() *neutraljson.Native {
	if n.JSON == nil && n.Format == "" {
		return nil
	}
	return &neutraljson.Native{Format: n.Format, JSON: string(n.JSON)}
}

func nativeOf(n *neutraljson.Native) Native {
	if n == nil {
		return Native{}
	}
	return Native{n.Format, json.RawMessage(n.JSON)}
}

// formOf is the JSON form of a part.
func formOf(p Part) (neutraljson.Part, error) {
	if isNil(p) {
		return neutraljson.Part{}, fmt.Errorf("%w: it is nil", errPart)
	}
	c := p.carried()
	f := neutraljson.Part{Type: PartKind(p), Meta: c.Meta, Cache: c.Cache, Native: c.Native.form()}
	switch p := p.(type) {
	case *Text:
		f.Text = p.whole()
	case *Reasoning:
		f.Text, f.Signature, f.Opaque = p.whole(), p.Signature, p.Opaque
	case *ToolCall:
		f.ID, f.Name, f.ProviderExecuted, f.Awaiting, f.Variant = p.ID, p.Name, p.ProviderExecuted,
			string(p.Awaiting), p.Variant
		f.Signature = p.Signature
		f.Input, f.InputText = neutraljson.RawOrText(p.Input)
	case *ToolResult:
		f.CallID, f.Name, f.IsError, f.ProviderExecuted, f.Variant = p.CallID, p.Name, p.IsError,
			p.ProviderExecuted, p.Variant
		f.Output, f.OutputText = neutraljson.RawOrText(p.Output)
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

// partOf returns the part of a JSON form.
func partOf(f *neutraljson.Part) (Part, error) {
	c := Carried{Meta: f.Meta, Cache: f.Cache, Native: nativeOf(f.Native)}
	switch f.Type {
	case "text":
		return &Text{c, f.Text}, nil
	case "reasoning":
		return &Reasoning{c, f.Text, f.Signature, f.Opaque}, nil
	case "tool_call":
		return &ToolCall{c, f.ID, f.Name, neutraljson.TextOrRaw(f.InputText, f.Input),
			f.ProviderExecuted, Awaiting(f.Awaiting), f.Variant, f.Signature}, nil
	case "tool_result":
		r := &ToolResult{Carried: c, CallID: f.CallID, Name: f.Name,
			Output: neutraljson.TextOrRaw(f.OutputText, f.Output), IsError: f.IsError,
			ProviderExecuted: f.ProviderExecuted, Variant: f.Variant}
		for k := range f.Content {
			p, err := partOf(&f.Content[k])
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
