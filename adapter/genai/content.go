package preflightgenai

import (
	"encoding/json"
	"strings"

	"google.golang.org/genai"

	"github.com/go-preflight/preflight/adapter"
)

// This file makes contents of repaired JSON.

// content returns the content that is sent as raw. It shares parts with the content it was made of.
func content(raw []byte, from **genai.Content) (*genai.Content, error) {
	var c struct {
		Role  string
		Parts []json.RawMessage
	}
	if err := json.Unmarshal(raw, &c); err != nil {
		return nil, err
	}
	own := make(map[string]*genai.Part)
	if from != nil && *from != nil {
		for _, p := range (*from).Parts {
			if written, err := json.Marshal(p); err == nil && p != nil {
				own[string(written)] = p
			}
		}
	}
	out := &genai.Content{Role: c.Role, Parts: make([]*genai.Part, 0, len(c.Parts))}
	for _, raw := range c.Parts {
		p, ok := own[string(raw)]
		if !ok {
			var err error
			if p, err = part(raw); err != nil {
				return nil, err
			}
		}
		out.Parts = append(out.Parts, p)
	}
	return out, nil
}

// part returns the part that is sent as raw, or as near to it as the SDK can.
func part(raw json.RawMessage) (*genai.Part, error) {
	raw, err := sendable(raw)
	if err != nil {
		return nil, err
	}
	p, err := adapter.Exactly[genai.Part](raw, nil)
	return &p, err
}

// sendable returns a part in a form that the SDK can send, which leaves out what is empty.
func sendable(raw json.RawMessage) (json.RawMessage, error) {
	var p map[string]json.RawMessage
	if err := json.Unmarshal(raw, &p); err != nil {
		return nil, err
	}
	if signature, ok := p["thoughtSignature"]; ok {
		// The SDK holds bytes and writes them in the standard alphabet of base64; to the provider
		// both are the same bytes.
		standard := strings.NewReplacer("-", "+", "_", "/").Replace(string(signature))
		p["thoughtSignature"] = json.RawMessage(standard)
	}
	for _, v := range []struct{ data, member, instead string }{
		{"functionCall", "args", ""},
		{"functionResponse", "response", `{"output":""}`},
	} {
		if err := replaceEmpty(p, v.data, v.member, v.instead); err != nil {
			return nil, err
		}
	}
	return json.Marshal(p)
}

// replaceEmpty puts instead, or nothing, in the place of an empty object that is a member of the
// part's data.
func replaceEmpty(p map[string]json.RawMessage, data, member, instead string) error {
	if p[data] == nil {
		return nil
	}
	var d map[string]json.RawMessage
	if err := json.Unmarshal(p[data], &d); err != nil {
		return err
	}
	if v := d[member]; v == nil || !adapter.Equal(v, []byte("{}")) {
		return nil
	}
	delete(d, member)
	if instead != "" {
		d[member] = json.RawMessage(instead)
	}
	out, err := json.Marshal(d)
	p[data] = out
	return err
}
