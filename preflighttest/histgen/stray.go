package histgen

import (
	"encoding/json"
	"strconv"
	"strings"

	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/pairing"
)

// This file makes parts and messages that no provider sends.

// Hostile generates histories without any order: random roles, random parts.
func Hostile() *rapid.Generator[[]preflight.Message] {
	return rapid.Custom(func(t *rapid.T) []preflight.Message {
		n := pick(t, 9, "messages")
		h := make([]preflight.Message, n)
		serial := 0
		for i := range h {
			h[i].Role = drawRole(t)
			for range pick(t, 5, "parts") {
				serial++
				h[i].Parts = append(h[i].Parts, strayPart(t, serial))
			}
		}
		return h
	})
}

// Any generates valid, corrupt and hostile histories.
func Any(p *preflight.Profile, o *preflight.Options) *rapid.Generator[[]preflight.Message] {
	return rapid.OneOf(Corrupt(p, o), Hostile(), Corrupt(p, o))
}

var strayIDs = []string{
	"", " ", "a", "A", " a ", "a|b", "call_0", "call_1", "x.y", "srvtoolu_1", "ü",
	strings.Repeat("i", 60), "\xed\xa0\x80", "n\x00",
}

func drawID(t *rapid.T) string { return rapid.SampledFrom(strayIDs).Draw(t, "id") }

var strayTexts = []string{
	"", " \n", "\u00a0", "hello", "x \n", "\xed\xa0\x80", "a\x00b", "\xff\xfe",
	"\xed\xa0\xbd\x00\xed\xb8\x80", "\u2028<&>", pairing.DanglingText,
}

func drawText(t *rapid.T) string { return rapid.SampledFrom(strayTexts).Draw(t, "text") }

var strayInputs = []string{
	"", "null", "{}", `{"a":`, `"{\"a\":1}"`, `[1]`, "3", " ", "\xff", "{\"a\":\"\xed\xa0\x80\"}",
	`{"a":"\ud83d"}`, `{"a":"\u0000"}`, `"\"\\\"{}\\\"\""`,
	`{"a":1}{"b":2}`, `{"a":1,"a":2}`, `"unfinished {`, "{'a': 1}", "true", `"   "`, `"null"`,
	`{"\ud800":1}`,
}

func drawInput(t *rapid.T) json.RawMessage {
	return json.RawMessage(rapid.SampledFrom(strayInputs).Draw(t, "input"))
}

var strayRoles = []preflight.Role{
	"system", "user", "assistant", "tool", "developer", "human", "ai", "model", "bot", "function",
	"", "User ", "narrator", "\xff",
}

func drawRole(t *rapid.T) preflight.Role { return rapid.SampledFrom(strayRoles).Draw(t, "role") }

// strayPart is any part at all.
func strayPart(t *rapid.T, serial int) preflight.Part {
	c := func(kind string) preflight.Carried {
		out := tagged(kind + strconv.Itoa(serial))
		if chance(t, 8, "cache") {
			out.Cache = json.RawMessage(oneOf(t, "marker", `{"type":"ephemeral"}`,
				`{"type":"ephemeral","ttl":"1h"}`, `null`))
		}
		return out
	}
	switch pick(t, 9, "stray") {
	case 0:
		return &preflight.Text{Carried: c("t"), Text: drawText(t)}
	case 1:
		return &preflight.Reasoning{
			Carried:   c("r"),
			Text:      drawText(t),
			Signature: oneOf(t, "signature", "", "ok==", "enc:foreign!"),
			Opaque:    oneOf(t, "opaque", "", "blob"),
		}
	case 2, 3:
		return &preflight.ToolCall{
			Carried:          c("c"),
			ID:               drawID(t),
			Name:             oneOf(t, "name", "f", "", " f ", "a.b", strings.Repeat("n", 300)),
			Input:            drawInput(t),
			ProviderExecuted: chance(t, 4, "server"),
			Awaiting:         oneOf(t, "awaiting", "", "", "", preflight.AwaitingClient),
			Variant:          oneOf(t, "variant", "", "", "mcp", "custom"),
		}
	case 4, 5:
		return &preflight.ToolResult{
			Carried:          c("y"),
			CallID:           drawID(t),
			Name:             oneOf(t, "name", "", "f", "a.b"),
			IsError:          chance(t, 3, "error"),
			ProviderExecuted: chance(t, 4, "server"),
			Variant:          oneOf(t, "variant", "", "", "mcp"),
			Output:           drawInput(t),
			Content:          strayContent(t),
		}
	case 6:
		return strayMedia(t, c("m"))
	case 7:
		return &preflight.Other{
			Carried: c("o"),
			Kind:    oneOf(t, "kind", "", "fallback", "container_upload", "new-thing"),
		}
	default:
		return oneOf[preflight.Part](t, "nil", nil, (*preflight.Text)(nil),
			(*preflight.ToolCall)(nil), (*preflight.ToolResult)(nil), (*preflight.Media)(nil),
			(*preflight.Other)(nil), (*preflight.Reasoning)(nil))
	}
}

func strayMedia(t *rapid.T, c preflight.Carried) *preflight.Media {
	return &preflight.Media{
		Carried:   c,
		Kind:      oneOf(t, "kind", "image", "document", "audio", ""),
		MediaType: oneOf(t, "type", "", "image/png", "image/jpeg"),
		Data:      oneOf(t, "data", "", pixel, "JVBERi0=", "%"),
		Name:      oneOf(t, "file", "", "a.pdf", "\xff", "  ", "über/uns?"),
		URL:       oneOf(t, "url", "", "https://example.com"),
	}
}

func strayContent(t *rapid.T) []preflight.Part {
	var content []preflight.Part
	for range pick(t, 3, "content") {
		switch pick(t, 4, "content part") {
		case 0, 1:
			content = append(content, &preflight.Text{Text: drawText(t)})
		case 2:
			content = append(content, strayMedia(t, preflight.Carried{}))
		default:
			content = append(content,
				oneOf[preflight.Part](t, "odd", nil, (*preflight.Text)(nil),
					&preflight.ToolCall{ID: "in", Input: json.RawMessage("\xff")},
					&preflight.ToolResult{
						CallID:  "in",
						Content: []preflight.Part{&preflight.Text{Text: "deep"}},
					}, &preflight.Reasoning{Text: "hm"}, &preflight.Other{Kind: "search_result"}))
		}
	}
	return content
}
