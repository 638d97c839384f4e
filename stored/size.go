package stored

import (
	"encoding/json"

	"github.com/go-preflight/preflight"
)

// This file counts the bytes of messages in a store.

// partBytes returns the size of the JSON form of a part, up to a constant. Encoding it cannot fail,
// since the message was encoded before.
func partBytes(p preflight.Part) int {
	body, _ := json.Marshal(preflight.Message{Parts: []preflight.Part{p}})
	return len(body)
}

// jsonBytes returns the size of s as a JSON string.
func jsonBytes(s string) int {
	body, _ := json.Marshal(s)
	return len(body)
}

// mostBytes returns an upper bound of the size of the JSON form of m without reading its content.
func mostBytes(m *preflight.Message) int {
	const (
		escaped = 6 // most bytes of one byte of text: \u0000
		names   = 320
	)
	n := len(m.Role) + len(m.ID) + len(m.Name) + metaBytes(m.Meta) + len(m.Native.JSON) +
		len(m.Native.Format)
	parts := 1
	for _, p := range m.Parts {
		bytes, count := rawBytes(p)
		n, parts = n+bytes, parts+count
	}
	return n*escaped + parts*names
}

func metaBytes(meta preflight.Metadata) int {
	const quotes = 4
	n := 0
	for k, v := range meta {
		n += len(k) + len(v) + quotes
	}
	return n
}

// rawBytes counts the bytes of all values in a part, and the parts in it including itself.
func rawBytes(p preflight.Part) (n, parts int) {
	c := preflight.CarriedBy(p)
	n = metaBytes(c.Meta) + len(c.Cache) + len(c.Native.JSON) + len(c.Native.Format)
	parts = 1
	switch p := p.(type) {
	case *preflight.Text:
		n += len(p.Text)
	case *preflight.Reasoning:
		n += len(p.Text) + len(p.Signature) + len(p.Opaque)
	case *preflight.ToolCall:
		n += len(p.ID) + len(p.Name) + len(p.Input) + len(p.Awaiting) + len(p.Variant)
	case *preflight.ToolResult:
		n += len(p.CallID) + len(p.Name) + len(p.Output) + len(p.Variant)
		for _, nested := range p.Content {
			bytes, count := rawBytes(nested)
			n, parts = n+bytes, parts+count
		}
	case *preflight.Media:
		n += len(p.Kind) + len(p.MediaType) + len(p.Data) + len(p.URL) + len(p.FileID) + len(p.Name)
	case *preflight.Other:
		n += len(p.Kind)
	}
	return n, parts
}
