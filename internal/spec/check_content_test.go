package spec

import (
	"encoding/json"
	"testing"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/provider"
)

// TestCheckContent gives Check one fault at a time, under a profile that forbids nothing else:
// parts by themselves.
func TestCheckContent(t *testing.T) {
	q := userMsg(says("q"))
	marked := func(parts ...preflight.Part) []preflight.Part {
		for _, p := range parts {
			preflight.CarriedBy(p).Cache = json.RawMessage(`{"type":"ephemeral"}`)
		}
		return parts
	}
	inResult := func(p preflight.Part) *preflight.ToolResult {
		return &preflight.ToolResult{CallID: "a", Content: []preflight.Part{says("1"), p}}
	}
	uncached := preflight.Profile{Cache: provider.CacheRules{Limit: provider.NoCache}}
	titled := preflight.Profile{Media: provider.MediaRules{UniqueTitles: true}}
	document := func() *preflight.Media {
		return &preflight.Media{Kind: "document", URL: "https://example.com/a.pdf", Name: "a"}
	}
	nameless := &preflight.Media{Kind: "document", URL: "https://example.com/a.txt"}
	pdf := func() *preflight.Media { d := document(); d.MediaType = "application/pdf"; return d }
	hour := func(s string) preflight.Part {
		return &preflight.Text{
			Carried: preflight.Carried{Cache: json.RawMessage(`{"type":"ephemeral","ttl":"1h"}`)},
			Text:    s,
		}
	}
	custom := func(input string) *preflight.ToolCall {
		c := callsWith("x", input)
		c.Variant = "custom"
		return c
	}
	named := func(name string) *preflight.ToolCall { c := calls(name); c.Name = name; return c }
	resultOf := func(name string) *preflight.ToolResult {
		r := answers(name, "1")
		r.Name = name
		return r
	}
	for _, c := range []struct {
		name    string
		profile preflight.Profile
		in      []preflight.Message
		want    []string // problem and place
	}{
		// Breakpoints count wherever they are.
		{"a breakpoint on a text", uncached, history(userMsg(marked(says("x"))...)),
			[]string{"cache-limit messages[0].parts[0]"}},
		{"on a call", uncached, history(botMsg(marked(calls("a"))...), toolMsg(answers("a", "1"))),
			[]string{"cache-limit messages[0].parts[0]"}},
		{"on a result", uncached,
			history(botMsg(calls("a")), toolMsg(marked(answers("a", "1"))...)),
			[]string{"cache-limit messages[1].parts[0]"}},
		{"on media", uncached, history(userMsg(marked(image())...)),
			[]string{"cache-limit messages[0].parts[0]"}},
		{"on reasoning", uncached, history(botMsg(marked(thinks("hm", ""))...)),
			[]string{"cache-limit messages[0].parts[0]"}},
		{"on a part of another kind", uncached,
			history(userMsg(marked(&preflight.Other{Kind: "x"})...)),
			[]string{"cache-limit messages[0].parts[0]"}},
		{"on a text in a result", uncached,
			history(botMsg(calls("a")), toolMsg(inResult(marked(says("x"))[0]))),
			[]string{"cache-limit messages[1].parts[0]"}},
		{"on media in a result",
			preflight.Profile{
				Media: provider.MediaRules{InResult: true},
				Cache: provider.CacheRules{Limit: provider.NoCache},
			}, history(botMsg(calls("a")), toolMsg(inResult(marked(image())[0]))),
			[]string{"cache-limit messages[1].parts[0]"}},
		{"nowhere", uncached, history(q, botMsg(says("x"), calls("a")), toolMsg(answers("a", "1"))),
			nil},
		{"as many as the provider takes", preflight.Profile{Cache: provider.CacheRules{Limit: 1}},
			history(userMsg(marked(says("x"))...)), nil},
		{"one more", preflight.Profile{Cache: provider.CacheRules{Limit: 1}},
			history(userMsg(marked(says("x"), says("y"))...)),
			[]string{"cache-limit messages[0].parts[1]"}},

		// Documents.
		{"two of one title", titled, history(userMsg(document(), document())),
			[]string{"media-name-twice messages[0].parts[1]"}},
		{"one of them in a result",
			preflight.Profile{Media: provider.MediaRules{UniqueTitles: true, InResult: true}},
			history(userMsg(document()), botMsg(calls("a")), toolMsg(inResult(document()))),
			[]string{"media-name-twice messages[2].parts[0].content[1]"}},
		{"images have none", titled, history(userMsg(image(), image())), nil},
		{"alone", preflight.Profile{Media: provider.MediaRules{DocumentNeedsText: true}},
			history(userMsg(document())), []string{"document-alone messages[0]"}},
		{"more than a message may hold",
			preflight.Profile{
				Media: provider.MediaRules{Limits: []provider.MediaLimit{{Kind: "image", Most: 1}}},
			}, history(userMsg(says("x"), image(), image())), []string{"media-limit messages[0]"}},

		// What cannot be read at all ends the reading.
		{"nil parts, and nothing else is said", preflight.Profile{},
			history(userMsg(nil, says("x"), (*preflight.Text)(nil)), botMsg(calls("a")), q),
			[]string{"nil-part messages[0].parts[0]", "nil-part messages[0].parts[2]"}},
		{"nil parts of every kind", preflight.Profile{},
			history(userMsg((*preflight.ToolCall)(nil), (*preflight.ToolResult)(nil),
				(*preflight.Reasoning)(nil), (*preflight.Media)(nil), (*preflight.Other)(nil))),
			[]string{
				"nil-part messages[0].parts[0]",
				"nil-part messages[0].parts[1]",
				"nil-part messages[0].parts[2]",
				"nil-part messages[0].parts[3]",
				"nil-part messages[0].parts[4]",
			}},
		{"results that hold what may not be in one", preflight.Profile{},
			history(toolMsg(says("x"), answers("x", "1"), inResult(calls("b")),
				&preflight.ToolResult{
					CallID:  "c",
					Content: []preflight.Part{nil, thinks("hm", "")},
				})), []string{"nested messages[0].parts[2]", "nested messages[0].parts[3]"}},

		// The spelling of texts and arguments.
		{"text", preflight.Profile{}, history(userMsg(says("a\x00"), says("\xff"), says("a"))),
			[]string{"nul-character messages[0].parts[0]", "invalid-unicode messages[0].parts[1]"}},
		{"arguments", preflight.Profile{},
			history(botMsg(callsWith("a", `{"x":"\ud83d"}`), callsWith("b", `[1]`)),
				toolMsg(answers("a", "1"), answers("b", "2"))),
			[]string{"invalid-unicode messages[0].parts[0]"}},
		{"arguments that have to be an object",
			preflight.Profile{Tools: provider.ToolRules{ObjectArguments: true}},
			history(botMsg(callsWith("a", `{"x":"\ud83d"}`), callsWith("b", `[1]`),
				callsWith("c", `{"x":`), callsWith("d", `["\u0000"]`), callsWith("e", "\xff"),
				callsWith("f", `{}`), custom(`[1]`), custom("\xff")),
				toolMsg(answers("a", "1"), answers("b", "1"), answers("c", "1"), answers("d", "1"),
					answers("e", "1"), answers("f", "1"), answers("x", "1"), answers("x", "1"))),
			[]string{
				"invalid-unicode messages[0].parts[0]",
				"arguments messages[0].parts[1]",
				"arguments messages[0].parts[2]",
				"nul-character messages[0].parts[3]",
				"arguments messages[0].parts[3]",
				"invalid-unicode messages[0].parts[4]",
				"arguments messages[0].parts[4]",
				"invalid-unicode messages[0].parts[7]",
			}},

		// Parts by themselves.
		{"empty text", preflight.Profile{Content: provider.ContentRules{RefuseEmptyText: true}},
			history(userMsg(says(""), says(" "), marked(says(""))[0])),
			[]string{
				"empty-text messages[0].parts[0]",
				"empty-text messages[0].parts[2]",
				"cache-empty-text messages[0].parts[2]",
			}},
		{"blank text", preflight.Profile{Content: provider.ContentRules{RefuseBlankText: true}},
			history(userMsg(says(" \n"), says("x"))), []string{"blank-text messages[0].parts[0]"}},
		{"media without content", preflight.Profile{},
			history(userMsg(&preflight.Media{Kind: "image"}, image())),
			[]string{"media-empty messages[0].parts[0]"}},
		{"names of tools",
			preflight.Profile{
				Tools: provider.ToolRules{
					Name: provider.Pattern{Alphabet: provider.WordChars, Max: 3},
				},
			},
			history(botMsg(named("a b"), named("abcd"), named("abc")),
				toolMsg(resultOf("a b"), resultOf("abcd"), resultOf("abc"))),
			[]string{
				"tool-name-pattern messages[0].parts[0]",
				"tool-name-length messages[0].parts[1]",
				"tool-name-pattern messages[1].parts[0]",
				"tool-name-pattern messages[1].parts[1]",
			}},
		{"reasoning without a signature",
			preflight.Profile{Reasoning: provider.ReasoningRules{Signed: true}},
			history(q, botMsg(thinks("hm", ""), says("x"))),
			[]string{"reasoning-unsigned messages[1].parts[0]"}},

		// Results by themselves.
		{"an emptied payload", preflight.Profile{Tools: provider.ToolRules{EncryptedResults: true}},
			history(q, botMsg(searches("s"), finds("s", `[{"type":"web_search_result"}]`))),
			[]string{"opaque-empty messages[1].parts[1]"}},
		{"a payload that the profile does not judge", preflight.Profile{},
			history(q, botMsg(searches("s"), finds("s", `[{"type":"web_search_result"}]`))), nil},
		{"or which the caller's own tool gave",
			preflight.Profile{Tools: provider.ToolRules{EncryptedResults: true}},
			history(q, botMsg(calls("a")),
				toolMsg(&preflight.ToolResult{
					CallID: "a",
					Output: json.RawMessage(`[{"type":"web_search_result"}]`),
				})), nil},
		{"a result marked as an error",
			preflight.Profile{Tools: provider.ToolRules{NoErrorFlag: true}},
			history(botMsg(calls("a"), calls("b")), toolMsg(fails("a", "1"), answers("b", "1"))),
			[]string{"error-flag messages[1].parts[0]"}},
		{"where errors are known", preflight.Profile{},
			history(botMsg(calls("a")), toolMsg(fails("a", "1"))), nil},
		{"an error without a word",
			preflight.Profile{Content: provider.ContentRules{ErrorNeedsText: true}},
			history(botMsg(calls("a"), calls("b")),
				toolMsg(&preflight.ToolResult{CallID: "a", IsError: true},
					&preflight.ToolResult{CallID: "b"})),
			[]string{"error-empty messages[1].parts[0]"}},
		{"empty text in a result",
			preflight.Profile{Content: provider.ContentRules{RefuseEmptyText: true}},
			history(botMsg(calls("a")), toolMsg(inResult(says("")))),
			[]string{"empty-text messages[1].parts[0].content[1]"}},
		{"media in a result", preflight.Profile{},
			history(botMsg(calls("a")), toolMsg(inResult(image()))),
			[]string{"media-in-result messages[1].parts[0].content[1]"}},
		{"where it is allowed", preflight.Profile{Media: provider.MediaRules{InResult: true}},
			history(botMsg(calls("a")), toolMsg(inResult(image()))), nil},
		{"without content", preflight.Profile{Media: provider.MediaRules{InResult: true}},
			history(botMsg(calls("a")), toolMsg(inResult(&preflight.Media{Kind: "image"}))),
			[]string{"media-empty messages[1].parts[0].content[1]"}},
		{"of which the model takes none",
			preflight.Profile{Media: provider.MediaRules{TextOnly: true}},
			history(botMsg(calls("a")), toolMsg(inResult(image()))),
			[]string{"media-refused messages[1].parts[0].content[1]"}},

		// More documents.
		{"images of one title", preflight.Profile{Media: provider.MediaRules{UniqueTitles: true}},
			history(userMsg(&preflight.Media{Kind: "image", Data: "A", Name: "a"},
				&preflight.Media{Kind: "image", Data: "A", Name: "a"}, nameless, nameless)), nil},
		{"documents of one title where that is fine",
			preflight.Profile{Media: provider.MediaRules{DocumentNeedsText: true}},
			history(userMsg(document(), says("x"), document())), nil},
		{"beside text that is removed",
			preflight.Profile{
				Content: provider.ContentRules{RefuseEmptyText: true},
				Media:   provider.MediaRules{DocumentNeedsText: true},
			}, history(userMsg(document(), says(""))),
			[]string{"document-alone messages[0]", "empty-text messages[0].parts[1]"}},
		{"each message counts for itself, and each kind",
			preflight.Profile{
				Media: provider.MediaRules{
					Limits: []provider.MediaLimit{
						{Kind: "document", Most: 1},
						{Kind: "image", Most: 2},
					},
				},
			},
			history(userMsg(document(), image(), image()), userMsg(document(), says("x")),
				userMsg(image(), image(), image())), []string{"media-limit messages[2]"}},

		// More breakpoints.
		{"on reasoning that may carry none",
			preflight.Profile{Cache: provider.CacheRules{NoReasoning: true}},
			history(botMsg(marked(thinks("hm", ""))...)),
			[]string{"cache-reasoning messages[0].parts[0]"}},
		{"on a document that is no PDF file",
			preflight.Profile{Cache: provider.CacheRules{NoDocument: true}},
			history(userMsg(marked(document(), pdf(), image())...)),
			[]string{"cache-document messages[0].parts[0]"}},
		{"on one inside a result, which is not asked",
			preflight.Profile{
				Media: provider.MediaRules{InResult: true},
				Cache: provider.CacheRules{NoDocument: true},
			}, history(botMsg(calls("a")), toolMsg(inResult(marked(document())[0]))), nil},
		{"on any document", preflight.Profile{}, history(userMsg(marked(document())...)), nil},
		{"long-lived ones after a short-lived one",
			preflight.Profile{Cache: provider.CacheRules{LongFirst: true}},
			history(userMsg(hour("a"), hour("b"), marked(says("x"))[0], hour("c"))),
			[]string{"cache-order messages[0].parts[3]"}},
		{"where the order is free", preflight.Profile{Cache: provider.CacheRules{Limit: 9}},
			history(userMsg(marked(says("x"))[0], hour("c"))), nil},
		{"any number of them", preflight.Profile{Cache: provider.CacheRules{LongFirst: true}},
			history(userMsg(marked(says("1"), says("2"), says("3"), says("4"), says("5"))...)),
			nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			requireViolations(t, c.want, c.in, &c.profile, &kept)
		})
	}
}
