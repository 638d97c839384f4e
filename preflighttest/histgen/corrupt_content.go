package histgen

import (
	"encoding/json"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
)

// This file corrupts roles, content and metadata.

func respellRole(t *rapid.T, _ *preflight.Profile, h []preflight.Message) []preflight.Message {
	i := pick(t, len(h), "message")
	switch h[i].Role {
	case preflight.RoleUser:
		h[i].Role = oneOf[preflight.Role](t, "alias", "human", "USER", " user", "narrator", "")
	case preflight.RoleAssistant:
		h[i].Role = oneOf[preflight.Role](t, "alias", "ai", "model", "bot", "Assistant")
	case preflight.RoleSystem:
		h[i].Role = "developer"
	case preflight.RoleTool:
		h[i].Role = "function"
	}
	return h
}

func wrongRole(t *rapid.T, _ *preflight.Profile, h []preflight.Message) []preflight.Message {
	h[pick(t, len(h), "message")].Role = drawRole(t)
	return h
}

func emptyText(t *rapid.T, _ *preflight.Profile, h []preflight.Message) []preflight.Message {
	c := fresh(h, "e")
	if chance(t, 4, "cache") {
		c.Cache = json.RawMessage(`{"type":"ephemeral"}`)
	}
	x := &preflight.Text{Carried: c, Text: oneOf(t, "blank", "", " ", "\n\t", "\u00a0")}
	if chance(t, 2, "own message") {
		return slices.Insert(h, pick(t, len(h)+1, "where"),
			preflight.Message{Role: drawRole(t), Parts: []preflight.Part{x}})
	}
	insert(h, place(t, h), x)
	return h
}

func emptyMessage(t *rapid.T, _ *preflight.Profile, h []preflight.Message) []preflight.Message {
	m := preflight.Message{Role: drawRole(t)}
	if chance(t, 2, "empty, not nil") {
		m.Parts = []preflight.Part{}
	}
	return slices.Insert(h, pick(t, len(h)+1, "where"), m)
}

func nilPart(t *rapid.T, _ *preflight.Profile, h []preflight.Message) []preflight.Message {
	void := oneOf[preflight.Part](t, "nil", nil, (*preflight.Text)(nil), (*preflight.ToolCall)(nil),
		(*preflight.ToolResult)(nil), (*preflight.Other)(nil))
	if chance(t, 3, "inside a result") {
		return editResult(t, h,
			func(r *preflight.ToolResult) { r.Content = append(slices.Clone(r.Content), void) })
	}
	insert(h, place(t, h), void)
	return h
}

var broken = []string{
	"\xed\xa0\x80", "\xed\xb0\x80", "\xff", "\x00", "\xed\xa0\xbd\xed\xb8\x80", "\xe2\x82",
}

// notUnicode breaks the characters of a part.
func notUnicode(t *rapid.T, _ *preflight.Profile, h []preflight.Message) []preflight.Message {
	a, ok := drawAt(t, h, anyPart)
	if !ok {
		return h
	}
	bad := rapid.SampledFrom(broken).Draw(t, "bytes")
	switch p := h[a.i].Parts[a.j].(type) {
	case *preflight.Text:
		set(h, a, cloneOf(p, func(x *preflight.Text) { x.Text += bad }))
	case *preflight.Reasoning:
		set(h, a, cloneOf(p, func(r *preflight.Reasoning) { r.Text = bad + r.Text }))
	case *preflight.ToolCall:
		raw := oneOf(t, "as", `{"a":"`+bad+`"}`, `{"a":"\ud83d x"}`, `{"a":"\u0000"}`, bad)
		set(h, a, cloneOf(p, func(c *preflight.ToolCall) { c.Input = json.RawMessage(raw) }))
	case *preflight.ToolResult:
		set(h, a, cloneOf(p, func(r *preflight.ToolResult) {
			if chance(t, 2, "output") {
				r.Output = json.RawMessage(`"` + bad + `\udfff"`)
			} else {
				r.Content = append(slices.Clone(r.Content), &preflight.Text{Text: "x" + bad})
			}
		}))
	case *preflight.Media:
		set(h, a, cloneOf(p, func(m *preflight.Media) { m.Name += bad }))
	}
	return h
}

func breakArguments(t *rapid.T, _ *preflight.Profile, h []preflight.Message) []preflight.Message {
	input := drawInput(t)
	if chance(t, 20, "deep") {
		input = json.RawMessage(strings.Repeat(`{"a":`, 20000))
	}
	return editCall(t, h, func(c *preflight.ToolCall) { c.Input = input })
}

func breakReasoning(t *rapid.T, _ *preflight.Profile, h []preflight.Message) []preflight.Message {
	r := &preflight.Reasoning{Carried: fresh(h, "r"), Text: "because"}
	switch pick(t, 5, "reasoning") {
	case 0: // unsigned
	case 1:
		r.Signature = "enc:v1:foreign!"
	case 2:
		r.Text = ""
	case 3:
		r.Signature = "c2ln"
	default:
		r.Text, r.Opaque = "", "blob"
	}
	insert(h, place(t, h), r)
	return h
}

func awaiting(t *rapid.T, _ *preflight.Profile, h []preflight.Message) []preflight.Message {
	return editCall(t, h, func(c *preflight.ToolCall) { c.Awaiting = preflight.AwaitingApproval })
}

func otherKind(t *rapid.T, _ *preflight.Profile, h []preflight.Message) []preflight.Message {
	insert(h, place(t, h), &preflight.Other{
		Carried: fresh(h, "o"),
		Kind:    oneOf(t, "kind", "fallback", "container_upload", "tool_addition", "\xff"),
	})
	return h
}

func breakMedia(t *rapid.T, _ *preflight.Profile, h []preflight.Message) []preflight.Message {
	m := strayMedia(t, fresh(h, "m"))
	if chance(t, 2, "inside a result") {
		return editResult(t, h,
			func(r *preflight.ToolResult) { r.Content = append(slices.Clone(r.Content), m) })
	}
	insert(h, place(t, h), m)
	return h
}

func breakCache(t *rapid.T, _ *preflight.Profile, h []preflight.Message) []preflight.Message {
	for range 1 + pick(t, 6, "breakpoints") {
		a, ok := drawAt(t, h, anyPart)
		if !ok {
			return h
		}
		marker := json.RawMessage(oneOf(t, "marker", `{"type":"ephemeral"}`,
			`{"type":"ephemeral","ttl":"1h"}`))
		set(h, a, withCache(h[a.i].Parts[a.j], marker))
	}
	return h
}

func withCache(p preflight.Part, marker json.RawMessage) preflight.Part {
	p = clonePart(p)
	preflight.CarriedBy(p).Cache = marker
	return p
}

func insertSystem(t *rapid.T, _ *preflight.Profile, h []preflight.Message) []preflight.Message {
	var p preflight.Part = &preflight.Text{Carried: fresh(h, "s"), Text: "From now on, be brief."}
	if chance(t, 4, "directive") {
		p = &preflight.Other{Carried: fresh(h, "o"), Kind: "tool_addition"}
	}
	return slices.Insert(h, pick(t, len(h)+1, "where"),
		preflight.Message{Role: preflight.RoleSystem, Parts: []preflight.Part{p}})
}

func breakNames(t *rapid.T, _ *preflight.Profile, h []preflight.Message) []preflight.Message {
	name := oneOf(t, "name", "", " ", "a.b", "a b", " ls ", "ls.", strings.Repeat("n", 300), "\xff",
		"工具")
	switch pick(t, 3, "whose") {
	case 0:
		h[pick(t, len(h), "message")].Name = name
		return h
	case 1:
		return editResult(t, h, func(r *preflight.ToolResult) { r.Name = name })
	}
	return editCall(t, h, func(c *preflight.ToolCall) { c.Name = name })
}

// joinMessages puts the parts of two neighbours into one message.
func joinMessages(t *rapid.T, _ *preflight.Profile, h []preflight.Message) []preflight.Message {
	i := pick(t, len(h), "message")
	if i+1 == len(h) {
		return h
	}
	h[i].Parts = slices.Concat(h[i].Parts, h[i+1].Parts)
	return slices.Delete(h, i+1, i+2)
}

func ephemeral(t *rapid.T, _ *preflight.Profile, h []preflight.Message) []preflight.Message {
	h[pick(t, len(h), "message")].Meta = preflight.Metadata{
		"openai": json.RawMessage(`{"itemId":"msg_1"}`),
		"azure":  json.RawMessage(`{"itemId":1,"keep":1.0}`),
	}
	return h
}
