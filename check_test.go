package preflight_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule"
)

// TestCheck gives Check one fault at a time, under a profile that forbids nothing else, and says
// what has to be reported and where.
func TestCheck(t *testing.T) {
	q, a := userMsg(says("q")), botMsg(says("a"))
	empty := func(role preflight.Role) preflight.Message { return preflight.Message{Role: role} }
	marked := func(parts ...preflight.Part) []preflight.Part {
		for _, p := range parts {
			carriedOf(p).Cache = json.RawMessage(`{"type":"ephemeral"}`)
		}
		return parts
	}
	inResult := func(p preflight.Part) *preflight.ToolResult {
		return &preflight.ToolResult{CallID: "a", Content: []preflight.Part{says("1"), p}}
	}
	uncached := preflight.Profile{Cache: provider.CacheRules{Limit: provider.NoCache}}
	turns := preflight.Profile{
		IDs:   provider.IDRules{Unique: provider.ScopeTurn},
		Turns: provider.TurnRules{Neighbours: provider.NeighboursJoined},
	}
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
	anywhere := preflight.Profile{Pairing: provider.PairingRules{Results: provider.ResultsAnywhere}}
	words := preflight.Profile{
		IDs: provider.IDRules{
			Call:       provider.Pattern{Alphabet: provider.WordChars},
			ServerCall: provider.Pattern{Prefix: "s_"},
		},
	}
	anyID := map[string]provider.Pattern{"": {}}
	items := preflight.Profile{
		Pairing: provider.PairingRules{Results: provider.ResultsAnywhere},
		Items:   provider.ItemRules{IDs: anyID, Held: true, NeedReasoning: []string{"message"}},
	}
	byName := preflight.Profile{
		IDs:     provider.IDRules{Call: provider.Pattern{Optional: true}},
		Pairing: provider.PairingRules{ByName: true},
	}
	call := func(id, name string) *preflight.ToolCall { c := calls(id); c.Name = name; return c }
	result := func(id, name string) *preflight.ToolResult {
		r := answers(id, "1")
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

		// Pairs of the caller's side.
		{"a call without a result", preflight.Profile{},
			history(q, botMsg(says("x"), calls("a")), q),
			[]string{"dangling messages[1].parts[1]"}},
		{"two calls of one id and one result", preflight.Profile{},
			history(q, botMsg(calls("a"), calls("a")), toolMsg(answers("a", "1"))),
			[]string{"dangling messages[1].parts[1]"}},
		{"two calls of one id, one of which waits, and one result", preflight.Profile{},
			history(q, botMsg(waits("a"), calls("a")), toolMsg(answers("a", "1"))), nil},
		{"two results of one call", preflight.Profile{},
			history(q, botMsg(calls("a")), toolMsg(answers("a", "1"), answers("a", "2"))),
			[]string{"duplicate-result messages[2].parts[1]"}},
		{"a result without a call", preflight.Profile{}, history(q, a, toolMsg(answers("x", "1"))),
			[]string{"orphan messages[2].parts[0]"}},
		{"a result of the turn before the last", preflight.Profile{},
			history(q, botMsg(calls("a")), toolMsg(answers("a", "1")), botMsg(calls("b")),
				toolMsg(answers("b", "2"), answers("a", "3"))),
			[]string{"duplicate-result messages[4].parts[1]"}},
		{"a result after other content",
			preflight.Profile{Pairing: provider.PairingRules{ResultRole: preflight.RoleUser}},
			history(q, botMsg(calls("a")), userMsg(says("x"), answers("a", "1"))),
			[]string{"dangling messages[1].parts[0]", "result-not-first messages[2].parts[1]"}},
		{"a result inside the assistant's turn", preflight.Profile{},
			history(q, botMsg(calls("a"), answers("a", "1"))),
			[]string{
				"dangling messages[1].parts[0]",
				"result-misplaced messages[1].parts[1]",
				"orphan messages[1].parts[1]",
			}},
		{"a message without content is not between a call and its result",
			preflight.Profile{},
			history(q, botMsg(calls("a")), empty("user"), toolMsg(answers("a", "1"))), nil},
		{"whosever it is", preflight.Profile{},
			history(q, botMsg(calls("a")), empty("assistant"), empty("system"),
				toolMsg(answers("a", "1"))), nil},
		{"nor does text that goes",
			preflight.Profile{
				Pairing: provider.PairingRules{ResultRole: preflight.RoleUser},
				Content: provider.ContentRules{RefuseEmptyText: true},
			}, history(q, botMsg(calls("a")), userMsg(says(""), answers("a", "1"))),
			[]string{"empty-text messages[2].parts[0]"}},
		{"of the system's either",
			preflight.Profile{Content: provider.ContentRules{RefuseEmptyText: true}},
			history(q, botMsg(calls("a")), sysMsg(says("")), toolMsg(answers("a", "1"))),
			[]string{"empty-text messages[2].parts[0]"}},
		{"what the system does say is between them", preflight.Profile{},
			history(q, botMsg(calls("a")), sysMsg(says("s")), toolMsg(answers("a", "1"))),
			[]string{"dangling messages[1].parts[0]", "result-not-first messages[3].parts[0]"}},
		{"neighbours that are one turn",
			preflight.Profile{Turns: provider.TurnRules{Neighbours: provider.NeighboursJoined}},
			history(q, botMsg(calls("a")), botMsg(calls("b")),
				toolMsg(answers("a", "1"), answers("b", "2"))), nil},
		{"neighbours that are two", preflight.Profile{},
			history(q, botMsg(calls("a")), botMsg(calls("b")),
				toolMsg(answers("a", "1"), answers("b", "2"))),
			[]string{"dangling messages[1].parts[0]", "orphan messages[3].parts[0]"}},

		{"two results where each is a message of its own",
			preflight.Profile{Pairing: provider.PairingRules{OneResultPerMessage: true}},
			history(q, botMsg(calls("a"), calls("b")),
				toolMsg(answers("a", "1"), answers("b", "2"))), nil},
		{"the same, decoded from the provider's own format",
			preflight.Profile{Provider: "own",
				Pairing: provider.PairingRules{OneResultPerMessage: true}},
			history(q, botMsg(calls("a"), calls("b")),
				decoded("own", toolMsg(answers("a", "1"), answers("b", "2")))),
			[]string{"result-misplaced messages[2].parts[1]"}},
		{"two calls and their results in a message each",
			preflight.Profile{Pairing: provider.PairingRules{OneResultPerMessage: true}},
			history(q, botMsg(calls("a"), calls("b")), toolMsg(answers("a", "1")),
				toolMsg(answers("b", "2"))), nil},

		// Pairs by name, where ids may be missing.
		{"names alone, in any order", byName,
			history(q, botMsg(call("", "f"), call("", "g")),
				toolMsg(result("", "g"), result("", "f"))), nil},
		{"a message without content does not part a call and its result", byName,
			history(q, empty("user"), botMsg(call("", "f")), empty("assistant"),
				toolMsg(result("", "f"))), nil},
		{"nor does text that goes, by name",
			preflight.Profile{
				IDs:     provider.IDRules{Call: provider.Pattern{Optional: true}},
				Pairing: provider.PairingRules{ByName: true, ResultRole: preflight.RoleUser},
				Content: provider.ContentRules{RefuseEmptyText: true},
			}, history(q, botMsg(call("", "f")), userMsg(says(""), result("", "f"))),
			[]string{"empty-text messages[2].parts[0]"}},
		{"other content does",
			preflight.Profile{
				IDs:     provider.IDRules{Call: provider.Pattern{Optional: true}},
				Pairing: provider.PairingRules{ByName: true, ResultRole: preflight.RoleUser},
			}, history(q, botMsg(call("", "f")), userMsg(says("x"), result("", "f"))),
			[]string{"result-not-first messages[2].parts[1]"}},
		{"a system message, too", byName,
			history(q, botMsg(call("", "f")), sysMsg(says("s")), toolMsg(result("", "f"))),
			[]string{"result-not-first messages[3].parts[0]"}},
		{"one id and another name", byName,
			history(q, botMsg(call("a", "f")), toolMsg(result("a", "g"))), nil},
		{"no name", byName, history(q, botMsg(call("a", "f")), toolMsg(result("", ""))),
			[]string{"result-name messages[2].parts[0]"}},
		{"one name and another id", byName,
			history(q, botMsg(call("a", "f")), toolMsg(result("b", "f"))),
			[]string{"dangling messages[1].parts[0]", "orphan messages[2].parts[0]"}},
		{"an id on one side alone", byName,
			history(q, botMsg(call("a", "f"), call("", "g")),
				toolMsg(result("", "f"), result("b", "g"))), nil},
		{"a call without a result, by name", byName,
			history(q, botMsg(call("", "f"), call("", "g")), toolMsg(result("", "g"))),
			[]string{"dangling messages[1].parts[0]"}},
		{"of two of one name the second", byName,
			history(q, botMsg(call("", "f"), call("", "f")), toolMsg(result("", "f"))),
			[]string{"dangling messages[1].parts[1]"}},
		{"unless the first waits", byName,
			history(q, botMsg(waitsFor(call("", "f")), call("", "f")), toolMsg(result("", "f"))),
			nil},
		{"a result without a call, by name", byName,
			history(q, botMsg(call("", "f")), toolMsg(result("", "f"), result("", "g"))),
			[]string{"orphan messages[2].parts[1]"}},
		{"a further one, by its name", byName,
			history(q, botMsg(call("", "f")), toolMsg(result("", "f"), result("", "f"))),
			[]string{"duplicate-result messages[2].parts[1]"}},
		{"and by its id", byName,
			history(q, botMsg(call("a", "f")), toolMsg(result("a", "f"), result("a", "g"))),
			[]string{"duplicate-result messages[2].parts[1]"}},
		{"but not by the name of another id", byName,
			history(q, botMsg(call("a", "f")), toolMsg(result("a", "f"), result("b", "f"))),
			[]string{"orphan messages[2].parts[1]"}},
		{"inside the turn, by name", byName, history(q, botMsg(call("", "f"), result("", "f"))),
			[]string{
				"dangling messages[1].parts[0]",
				"result-misplaced messages[1].parts[1]",
				"orphan messages[1].parts[1]",
			}},
		{"neighbours that are two turns, by name", byName,
			history(q, botMsg(call("", "f")), botMsg(call("", "g")),
				toolMsg(result("", "f"), result("", "g"))),
			[]string{"dangling messages[1].parts[0]", "orphan messages[3].parts[0]"}},
		{"and one, by name",
			preflight.Profile{
				IDs:     provider.IDRules{Call: provider.Pattern{Optional: true}},
				Turns:   provider.TurnRules{Neighbours: provider.NeighboursJoined},
				Pairing: provider.PairingRules{ByName: true},
			},
			history(q, botMsg(call("", "f")), botMsg(call("", "g")),
				toolMsg(result("", "f"), result("", "g"))), nil},
		{"each turn by itself", byName,
			history(q, botMsg(call("", "f")), toolMsg(result("", "f")),
				botMsg(call("", "f"), call("", "h")), toolMsg(result("", "g"))),
			[]string{
				"dangling messages[3].parts[0]",
				"dangling messages[3].parts[1]",
				"orphan messages[4].parts[0]",
			}},
		{"another name in the place of the only one", byName,
			history(q, botMsg(call("", "f")), toolMsg(result("", "call_1"))), nil},

		// Ids.
		{"an id again in its turn", turns,
			history(q, botMsg(calls("a"), calls("a")),
				toolMsg(answers("a", "1"), answers("a", "2"))),
			[]string{"id-duplicate messages[1].parts[1]"}},
		{"in the other half of a turn", turns,
			history(q, botMsg(calls("a")), botMsg(calls("a")),
				toolMsg(answers("a", "1"), answers("a", "2"))),
			[]string{"id-duplicate messages[2].parts[0]"}},
		{"a message without content does not part the halves", turns,
			history(q, botMsg(calls("a")), empty("user"), botMsg(calls("a")),
				toolMsg(answers("a", "1"), answers("a", "2"))),
			[]string{"id-duplicate messages[3].parts[0]"}},
		{"in another turn", turns,
			history(q, botMsg(calls("a")), toolMsg(answers("a", "1")), botMsg(calls("a")),
				toolMsg(answers("a", "2"))), nil},
		{"anywhere", preflight.Profile{IDs: provider.IDRules{Unique: provider.ScopeHistory}},
			history(q, botMsg(calls("a")), toolMsg(answers("a", "1")), botMsg(calls("a")),
				toolMsg(answers("a", "2"))), []string{"id-duplicate messages[3].parts[0]"}},

		// Provider-executed calls: rules server-tool-result-missing, server-tool-mixed-turn and
		// pause-turn of Anthropic.
		{"a pause", preflight.Profile{}, history(q, botMsg(searches("s"))), nil},
		{"a pause that is over", preflight.Profile{}, history(q, botMsg(searches("s")), q),
			[]string{"server-dangling messages[1].parts[0]"}},
		{"results alone after an open call and one of the caller's", preflight.Profile{},
			history(q, botMsg(searches("s"), calls("a")), toolMsg(answers("a", "1"))), nil},
		{"more than results", preflight.Profile{},
			history(q, botMsg(searches("s"), calls("a")), toolMsg(answers("a", "1")), q),
			[]string{"server-mixed messages[1].parts[0]"}},
		{"a turn after them", preflight.Profile{},
			history(q, botMsg(searches("s"), calls("a")), toolMsg(answers("a", "1")), a),
			[]string{"server-dangling messages[1].parts[0]"}},
		{"no results, but more", preflight.Profile{},
			history(q, botMsg(searches("s"), waits("a")), q),
			[]string{"server-dangling messages[1].parts[0]"}},
		{"a result with its call after it", preflight.Profile{},
			history(q, botMsg(finds("s", `[]`), searches("s"), finds("s", `[]`))),
			[]string{"server-orphan messages[1].parts[0]"}},

		// What hosts of the Chat format ask for, each by itself.
		{"nothing but empty text",
			preflight.Profile{
				Content: provider.ContentRules{NeedsText: []preflight.Role{preflight.RoleUser}},
			}, history(userMsg(says("")), a), []string{"empty-message messages[0]"}},
		{"as the system's message",
			preflight.Profile{
				Content: provider.ContentRules{NeedsText: []preflight.Role{preflight.RoleSystem}},
			}, history(sysMsg(says("")), q), []string{"system-content messages[0]"}},
		{"a user turn after results",
			preflight.Profile{Turns: provider.TurnRules{BridgeResults: true}},
			history(q, botMsg(calls("a")), toolMsg(answers("a", "1")), q),
			[]string{"user-after-result messages[3]"}},
		{"calls side by side",
			preflight.Profile{Pairing: provider.PairingRules{OneCallPerMessage: true}},
			history(q, botMsg(calls("a"), calls("b")),
				toolMsg(answers("a", "1"), answers("b", "2"))),
			[]string{"parallel-calls messages[1]"}},
		{"reasoning that is wanted back",
			preflight.Profile{Reasoning: provider.ReasoningRules{Replay: provider.ReplayOnCalls}},
			history(q, botMsg(calls("a")), toolMsg(answers("a", "1"))),
			[]string{"reasoning-absent messages[1]"}},
		{"and on answers after calls",
			preflight.Profile{Reasoning: provider.ReasoningRules{Replay: provider.ReplayFromCalls}},
			history(q, a, botMsg(calls("a")), toolMsg(answers("a", "1")), a),
			[]string{"reasoning-absent messages[2]", "reasoning-absent messages[4]"}},
		{"a tool exchange without tools",
			preflight.Profile{Tools: provider.ToolRules{NoTools: true}},
			history(q, botMsg(calls("a")), toolMsg(answers("a", "1"))),
			[]string{"tools-refused messages[1].parts[0]", "tools-refused messages[2].parts[0]"}},
		{"a control character",
			preflight.Profile{Content: provider.ContentRules{RefuseControls: true}},
			history(userMsg(says("a\x1b"))), []string{"control-character messages[0].parts[0]"}},

		{"NUL, which has a rule of its own",
			preflight.Profile{Content: provider.ContentRules{RefuseControls: true}},
			history(userMsg(says("a\x00"))), []string{"nul-character messages[0].parts[0]"}},

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

		// System messages midway: rule system-role-after of Anthropic.
		{"after a user turn",
			preflight.Profile{System: provider.SystemRules{Placement: provider.SystemMidway}},
			history(q, sysMsg(says("s"))), nil},
		{"after the assistant's",
			preflight.Profile{System: provider.SystemRules{Placement: provider.SystemMidway}},
			history(q, a, sysMsg(says("s"))), []string{"system-after messages[2]"}},
		{"after one without content",
			preflight.Profile{System: provider.SystemRules{Placement: provider.SystemMidway}},
			history(q, empty("assistant"), sysMsg(says("s"))),
			[]string{"system-after messages[2]"}},
		{"after one that ends in a provider-executed result",
			preflight.Profile{System: provider.SystemRules{Placement: provider.SystemMidway}},
			history(q, botMsg(searches("s"), finds("s", `[]`)), sysMsg(says("s"))), nil},
		{"before a user turn",
			preflight.Profile{System: provider.SystemRules{Placement: provider.SystemMidway}},
			history(q, sysMsg(says("s")), q), []string{"system-before messages[1]"}},

		// The last turn.
		{"a single message, which the model may not go on from",
			preflight.Profile{Prefill: provider.PrefillRules{Refused: true}}, history(a),
			[]string{"trailing-turn messages[0]"}},

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

		// Roles and turns.
		{"no message", preflight.Profile{}, nil, []string{"no-messages messages[0]"}},
		{"none but the system's", preflight.Profile{Turns: provider.TurnRules{UserFirst: true}},
			history(sysMsg(says("s"))), []string{"no-messages messages[0]"}},
		{"which is enough where nobody has to speak first", preflight.Profile{},
			history(sysMsg(says("s"))), nil},
		{"the assistant first", preflight.Profile{Turns: provider.TurnRules{UserFirst: true}},
			history(a, q), []string{"first-role messages[0]"}},
		{"the assistant first after the system",
			preflight.Profile{Turns: provider.TurnRules{UserFirst: true}},
			history(sysMsg(says("s")), a, q), []string{"first-role messages[1]"}},
		{"the user first after the system",
			preflight.Profile{Turns: provider.TurnRules{UserFirst: true}},
			history(sysMsg(says("s")), q), nil},
		{"roles in another spelling", preflight.Profile{},
			history(preflight.Message{Role: "human", Parts: q.Parts}, a),
			[]string{"role-unknown messages[0]"}},
		{"names",
			preflight.Profile{
				IDs: provider.IDRules{
					Participant: provider.Pattern{Alphabet: provider.WordChars, Min: 1, Max: 2},
				},
			},
			history(q, preflight.Message{Role: "user", Name: "a b", Parts: q.Parts},
				preflight.Message{Role: "user", Name: "ab", Parts: q.Parts}),
			[]string{"name-pattern messages[1]"}},
		{"messages without content",
			preflight.Profile{Content: provider.ContentRules{RefuseEmptyMessage: true}},
			history(empty("system"), q, empty("assistant")),
			[]string{"system-content messages[0]", "empty-message messages[2]"}},
		{"neighbours of one role",
			preflight.Profile{Turns: provider.TurnRules{Neighbours: provider.NeighboursMerged}},
			history(q, q, a), []string{"alternation messages[1]"}},

		// Text before calls.
		{"text after a call", preflight.Profile{Turns: provider.TurnRules{TextBeforeCalls: true}},
			history(q, botMsg(says("x"), waits("a"), says("y"))),
			[]string{"call-not-last messages[1].parts[2]"}},
		{"in the next message", preflight.Profile{Turns: provider.TurnRules{TextBeforeCalls: true}},
			history(q, botMsg(waits("a")), a), nil},
		{"which the provider joins",
			preflight.Profile{
				Turns: provider.TurnRules{
					TextBeforeCalls: true,
					Neighbours:      provider.NeighboursJoined,
				},
			}, history(a, q, botMsg(waits("a")), empty("user"), a),
			[]string{"call-not-last messages[4].parts[0]"}},
		{"unless somebody else speaks between them",
			preflight.Profile{
				Turns: provider.TurnRules{
					TextBeforeCalls: true,
					Neighbours:      provider.NeighboursJoined,
				},
			}, history(botMsg(waits("a")), q, a), nil},

		// System messages.
		{"refused everywhere",
			preflight.Profile{System: provider.SystemRules{Placement: provider.SystemRefused}},
			history(sysMsg(says("s")), q), []string{"system-refused messages[0]"}},
		{"leading ones only",
			preflight.Profile{System: provider.SystemRules{Placement: provider.SystemLeading}},
			history(sysMsg(says("s")), q, sysMsg(says("s")), sysMsg(says("t")), a,
				sysMsg(says("u"))),
			[]string{
				"system-late messages[2]", "system-late messages[3]", "system-late messages[5]",
			}},
		{"a run of them is judged as one, with what goes anyway between them",
			preflight.Profile{
				System:  provider.SystemRules{Placement: provider.SystemLeading},
				Content: provider.ContentRules{RefuseEmptyMessage: true},
			}, history(q, sysMsg(says("s")), empty("user"), sysMsg(says("t"))),
			[]string{
				"system-late messages[1]", "empty-message messages[2]", "system-late messages[3]",
			}},
		{"an empty one is no concern of the order",
			preflight.Profile{System: provider.SystemRules{Placement: provider.SystemLeading}},
			history(q, empty("system"), sysMsg(says("s")), q), []string{"system-late messages[2]"}},

		// Parts in messages that may not hold them.
		{"text among results", preflight.Profile{},
			history(q, botMsg(calls("a")), toolMsg(answers("a", "1"), says("x"))),
			[]string{"text-misplaced messages[2].parts[1]"}},
		{"reasoning of the system", preflight.Profile{}, history(sysMsg(thinks("hm", "")), q),
			[]string{"reasoning-role messages[0].parts[0]"}},
		{"of one that is midway",
			preflight.Profile{System: provider.SystemRules{Placement: provider.SystemMidway}},
			history(q, sysMsg(thinks("hm", "")), a, userMsg(thinks("hm", ""))),
			[]string{"system-content messages[1].parts[0]", "reasoning-role messages[3].parts[0]"}},
		{"media of anybody but the user",
			preflight.Profile{Media: provider.MediaRules{Roles: []preflight.Role{"user"}}},
			history(sysMsg(image(), &preflight.Other{Kind: "document"}),
				userMsg(image(), &preflight.Other{Kind: "image"}),
				botMsg(says("x"), image(), &preflight.Other{Kind: "x"})),
			[]string{
				"media-role messages[0].parts[0]",
				"media-role messages[0].parts[1]",
				"media-role messages[2].parts[1]",
			}},
		{"where system messages are midway",
			preflight.Profile{
				System: provider.SystemRules{Placement: provider.SystemMidway},
				Media:  provider.MediaRules{Roles: []preflight.Role{"user"}},
			}, history(q, sysMsg(image(), &preflight.Other{Kind: "image"}), botMsg(image())),
			[]string{
				"system-content messages[1].parts[0]",
				"system-content messages[1].parts[1]",
				"media-role messages[2].parts[0]",
			}},
		{"kinds that are output only",
			preflight.Profile{
				Content: provider.ContentRules{
					RefusedKinds: []provider.RefKind{{Kind: "x"}, {Kind: "y", Role: "assistant"}},
				},
			},
			history(userMsg(&preflight.Other{Kind: "x"}, &preflight.Other{Kind: "y"}),
				botMsg(&preflight.Other{Kind: "y"}, &preflight.Other{Kind: "z"})),
			[]string{"kind-refused messages[0].parts[0]", "kind-refused messages[1].parts[0]"}},
		{"results of the provider's own tools are none that need a message each",
			preflight.Profile{Pairing: provider.PairingRules{OneResultPerMessage: true}},
			history(q, botMsg(searches("s"), finds("s", `[]`), searches("t"), finds("t", `[]`))),
			nil},

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
		{"reasoning nobody signed",
			preflight.Profile{Reasoning: provider.ReasoningRules{Signed: true}},
			history(q, botMsg(thinks("hm", ""), says("x"))),
			[]string{"reasoning-unsigned messages[1].parts[0]"}},

		// Results by themselves.
		{"an emptied payload", preflight.Profile{Tools: provider.ToolRules{EncryptedResults: true}},
			history(q, botMsg(searches("s"), finds("s", `[{"type":"web_search_result"}]`))),
			[]string{"opaque-empty messages[1].parts[1]"}},
		{"whose encryption is nobody's business", preflight.Profile{},
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

		// More pairs of the caller's side.
		{"text after a call in its own message", preflight.Profile{},
			history(q, botMsg(calls("a"), says("x")), toolMsg(answers("a", "1"))), nil},
		{"three calls of one id and two results", preflight.Profile{},
			history(q, botMsg(calls("a"), calls("a"), calls("a")),
				toolMsg(answers("a", "1"), answers("a", "2"))),
			[]string{"dangling messages[1].parts[2]"}},
		{"of which the results come late",
			preflight.Profile{Pairing: provider.PairingRules{ResultRole: preflight.RoleUser}},
			history(q, botMsg(calls("a"), calls("a"), calls("a")),
				userMsg(says("x"), answers("a", "1"), answers("a", "2"))),
			[]string{
				"dangling messages[1].parts[0]",
				"dangling messages[1].parts[1]",
				"dangling messages[1].parts[2]",
				"result-not-first messages[2].parts[1]",
				"result-not-first messages[2].parts[2]",
			}},
		{"a result answers the first call of its id, in whatever order results come",
			preflight.Profile{},
			history(q, botMsg(calls("a"), calls("b"), calls("a")),
				toolMsg(answers("b", "1"), answers("a", "2"))),
			[]string{"dangling messages[1].parts[2]"}},
		{"results in another order than their calls", preflight.Profile{},
			history(q, botMsg(calls("b"), calls("a"), calls("c"), calls("a")),
				toolMsg(answers("a", "1"), answers("a", "2"), answers("c", "3"), answers("b", "4"),
					answers("a", "5"))), []string{"duplicate-result messages[2].parts[4]"}},
		{"of calls that wait, one is taken for the call that is answered", preflight.Profile{},
			history(q, botMsg(waits("a"), calls("a"), calls("a")), toolMsg(answers("a", "1"))),
			[]string{"dangling messages[1].parts[2]"}},
		{"a call in a message of the user's is misplaced, and none that a result answers",
			preflight.Profile{}, history(userMsg(calls("a")), toolMsg(answers("a", "1"))),
			[]string{"call-misplaced messages[0].parts[0]", "orphan messages[1].parts[0]"}},

		// Results anywhere after their calls.
		{"one call of three is answered", anywhere,
			history(q, botMsg(calls("a"), calls("b"), calls("a")), q, toolMsg(answers("a", "1"))),
			[]string{"dangling messages[1].parts[1]", "dangling messages[1].parts[2]"}},
		{"one call of two is answered", anywhere,
			history(q, botMsg(calls("a"), calls("b")), q, toolMsg(answers("a", "1"))),
			[]string{"dangling messages[1].parts[1]"}},
		{"the results in another order", anywhere,
			history(q, botMsg(calls("a"), calls("b")), q, toolMsg(answers("b", "1")), a,
				toolMsg(answers("a", "1"))), nil},
		{"the call that waits comes last", anywhere,
			history(q, botMsg(waits("a"), calls("a")), q, toolMsg(answers("a", "1"))), nil},
		{"and may be answered, too", anywhere,
			history(q, botMsg(waits("a"), calls("a"), waits("a")),
				toolMsg(answers("a", "1"), answers("a", "2"), answers("a", "3"),
					answers("a", "4"))), []string{"duplicate-result messages[2].parts[3]"}},
		{"one that waits needs no result", anywhere, history(q, botMsg(waits("a")), q), nil},
		{"a result before its call", anywhere,
			history(q, toolMsg(answers("a", "1")), botMsg(calls("a"))),
			[]string{"orphan messages[1].parts[0]", "dangling messages[2].parts[0]"}},
		{"a call of the user's is none", anywhere,
			history(userMsg(calls("a")), toolMsg(answers("a", "1"))),
			[]string{"call-misplaced messages[0].parts[0]", "orphan messages[1].parts[0]"}},

		// The spelling of ids.
		{"ids of calls and results", words,
			history(botMsg(calls("a"), calls("b c")),
				toolMsg(answers("a", "1"), answers("b c", "1"))),
			[]string{"id-pattern messages[0].parts[1]", "id-pattern messages[1].parts[1]"}},
		{"of the provider's own, which a result takes from its call", words,
			history(botMsg(searches("x"), finds("x", `[]`), searches("s_1"), finds("s_1", `[]`),
				calls("b c")), toolMsg(answers("b c", "1"))),
			[]string{
				"server-id messages[0].parts[0]",
				"id-pattern messages[0].parts[4]",
				"id-pattern messages[1].parts[0]",
			}},
		{"in message after message", turns,
			history(q, botMsg(calls("a"), calls("a")),
				toolMsg(answers("a", "1"), answers("a", "2")), q, empty("assistant"),
				botMsg(calls("b"), calls("b")), toolMsg(answers("b", "1"), answers("b", "2"))),
			[]string{"id-duplicate messages[1].parts[1]", "id-duplicate messages[5].parts[1]"}},

		// Provider-executed calls over several messages.
		{"a provider's result without any call", preflight.Profile{},
			history(q, botMsg(finds("s", `[]`))), []string{"server-orphan messages[1].parts[0]"}},
		{"both kinds under one id, in whatever order", preflight.Profile{},
			history(q, botMsg(searches("s"), mcp("s"), mcpFinds("s"), finds("s", `[]`), says("x")),
				q), nil},
		{"one of another kind than the MCP call of its id", preflight.Profile{},
			history(q, botMsg(mcp("m"), finds("m", `[]`), says("x")), q),
			[]string{"mcp-pairing messages[1].parts[0]", "server-orphan messages[1].parts[1]"}},
		{"one of MCP, and a call without its result", preflight.Profile{},
			history(q, botMsg(mcpFinds("m")), q, botMsg(mcp("n")), q),
			[]string{"mcp-pairing messages[1].parts[0]", "mcp-pairing messages[3].parts[0]"}},
		{"call and result in neighbours that are one turn",
			preflight.Profile{Turns: provider.TurnRules{Neighbours: provider.NeighboursJoined}},
			history(q, botMsg(searches("s")), empty("user"), botMsg(finds("s", `[]`)), q), nil},
		{"in two turns", preflight.Profile{},
			history(q, botMsg(searches("s")), botMsg(finds("s", `[]`)), q),
			[]string{"server-dangling messages[1].parts[0]", "server-orphan messages[2].parts[0]"}},
		{"with somebody between them",
			preflight.Profile{Turns: provider.TurnRules{Neighbours: provider.NeighboursJoined}},
			history(q, botMsg(searches("s")), q, botMsg(finds("s", `[]`)), q),
			[]string{"server-dangling messages[1].parts[0]", "server-orphan messages[3].parts[0]"}},
		{"a call that waits", preflight.Profile{}, history(q, botMsg(waitsFor(searches("s"))), q),
			nil},
		{"text that goes is no more than results",
			preflight.Profile{Content: provider.ContentRules{RefuseEmptyText: true}},
			history(q, botMsg(searches("s"), calls("a")), toolMsg(answers("a", "1")),
				userMsg(says(""))), []string{"empty-text messages[3].parts[0]"}},
		{"results of an earlier turn's calls are not those of this one", preflight.Profile{},
			history(q, botMsg(calls("a")), toolMsg(answers("a", "1")), botMsg(searches("s")),
				toolMsg(answers("x", "1"))),
			[]string{"server-dangling messages[3].parts[0]", "orphan messages[4].parts[0]"}},
		{"results in another order, with calls between them", preflight.Profile{},
			history(botMsg(searches("a"), searches("b"), finds("b", `[]`), finds("a", `[]`),
				searches("c"), finds("c", `[]`))), nil},
		{"the first open call of an id is the one that is answered", preflight.Profile{},
			history(botMsg(searches("a"), finds("a", `[]`), searches("a"), searches("a"),
				finds("a", `[]`)), q), []string{"server-dangling messages[0].parts[3]"}},
		{"an id again once its call is answered", preflight.Profile{},
			history(botMsg(searches("x"), searches("a"), finds("a", `[]`), finds("a", `[]`),
				searches("a"), finds("a", `[]`), finds("x", `[]`))),
			[]string{"server-orphan messages[0].parts[3]"}},

		// Items.
		{"messages without content are between no items", items,
			history(thoughtItem("rs_1", ""), empty("assistant"),
				saidItem("assistant", "msg_1", "x")), nil},
		// OpenAI accepted 41 recorded requests with such ids: an item that was made without
		// reasoning lacks none.
		{"an item with its id at the very beginning", items,
			history(saidItem("assistant", "msg_1", "x")), nil},
		{"in a later turn", items,
			history(thoughtItem("rs_1", ""), saidItem("assistant", "msg_1", "x"), q,
				saidItem("assistant", "msg_2", "y")), nil},
		{"after a result in a turn without reasoning", items,
			history(calledItem("", "a", ""), answeredItem("a", "", "1"),
				saidItem("assistant", "msg_1", "x")), nil},
		{"after a result in a turn with some", items,
			history(thoughtItem("rs_1", ""), calledItem("fc_1", "a", ""),
				toolMsg(answers("a", "1")), saidItem("assistant", "msg_1", "x")), nil},
		{"an item that needs no reasoning", items,
			history(calledItem("fc_1", "a", ""), answeredItem("a", "", "1")), nil},
		{"ids of calls are not those of items",
			preflight.Profile{
				IDs:   provider.IDRules{Unique: provider.ScopeHistory},
				Items: provider.ItemRules{IDs: anyID},
			}, history(calledItem("a", "a", ""), toolMsg(answers("a", "1"))), nil},
		{"an id used before", items,
			history(saidItem("user", "msg_1", "x"), saidItem("user", "msg_1", "x")),
			[]string{"item-duplicate messages[1]"}},
		{"reasoning at the end, and before somebody else", items,
			history(thoughtItem("rs_1", ""), thoughtItem("rs_2", ""), q, thoughtItem("rs_3", "")),
			[]string{
				"reasoning-alone messages[0]", "reasoning-alone messages[1]",
				"reasoning-alone messages[3]",
			}},
		{"reasoning by its id before an item without one", items,
			history(thoughtItem("rs_1", ""), saidItem("assistant", "", "x")),
			[]string{"reasoning-split messages[0]"}},
		{"parts that are items of their own",
			preflight.Profile{Provider: "own",
				Items: provider.ItemRules{IDs: anyID, OnePartPerMessage: true}},
			history(botMsg(says("x"), says("y")), decoded("own", botMsg(says("x"), waits("a")))),
			[]string{"item-mixed messages[1]"}},
		{"parts that the encoder makes items of",
			preflight.Profile{Items: provider.ItemRules{IDs: anyID, OnePartPerMessage: true}},
			history(botMsg(says("x"), says("y")), botMsg(says("x"), calls("a")),
				toolMsg(answers("a", "1"))), nil},
		{"without a rule for items", preflight.Profile{},
			history(saidItem("assistant", "msg_1", "x"), saidItem("assistant", "msg_1", "x")), nil},

		// More of the Chat format's hosts.
		{"a user turn after the very first message",
			preflight.Profile{Turns: provider.TurnRules{BridgeResults: true}},
			history(toolMsg(answers("a", "1")), q),
			[]string{"orphan messages[0].parts[0]", "user-after-result messages[1]"}},
		{"the assistant after results, and the user after the assistant",
			preflight.Profile{Turns: provider.TurnRules{BridgeResults: true}},
			history(q, botMsg(calls("a")), toolMsg(answers("a", "1")), a, q), nil},
		{"a call and one that waits",
			preflight.Profile{Pairing: provider.PairingRules{OneCallPerMessage: true}},
			history(q, botMsg(calls("a")), toolMsg(answers("a", "1")), botMsg(waits("b"))), nil},
		{"text where there are no tools",
			preflight.Profile{Tools: provider.ToolRules{NoTools: true}},
			history(q, botMsg(searches("s"), finds("s", `[]`), says("x"))), nil},
		{"control characters where the profile allows it",
			preflight.Profile{Tools: provider.ToolRules{NoTools: true}},
			history(userMsg(says("a\x1b"))), nil},
		{"tools where control characters are refused",
			preflight.Profile{Content: provider.ContentRules{RefuseControls: true}},
			history(botMsg(calls("a")), toolMsg(answers("a", "\x1b"))),
			[]string{"control-character messages[1].parts[0]"}},

		// More documents.
		{"images of one title", preflight.Profile{Media: provider.MediaRules{UniqueTitles: true}},
			history(userMsg(&preflight.Media{Kind: "image", Data: "A", Name: "a"},
				&preflight.Media{Kind: "image", Data: "A", Name: "a"}, nameless, nameless)), nil},
		{"documents of one title where that is fine",
			preflight.Profile{Media: provider.MediaRules{DocumentNeedsText: true}},
			history(userMsg(document(), says("x"), document())), nil},
		{"beside text that goes",
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

// requireViolations holds Check, and Valid with it, to the problems and positions in want.
func requireViolations(
	t *testing.T,
	want []string,
	in []preflight.Message,
	p *preflight.Profile,
	o *preflight.Options,
) {
	t.Helper()
	var got []string
	for _, v := range preflight.CheckWith(in, p, o) {
		got = append(got, fmt.Sprint(v.Problem, " ", v.At))
	}
	require.Equal(t, want, got)
	valid := preflight.Valid(in, p, o)
	require.Equal(t, want == nil && len(in) > 0, valid, "Valid and Check disagree")
}

// TestCheckRequest: what depends on the state of the request.
func TestCheckRequest(t *testing.T) {
	q, a := userMsg(says("q")), botMsg(says("a"))
	off := preflight.Request{Thinking: provider.ThinkingOff}
	budget := preflight.Request{Thinking: provider.ThinkingBudget}
	held := preflight.Request{ServerHoldsHistory: true}
	anywhere := preflight.Profile{Pairing: provider.PairingRules{Results: provider.ResultsAnywhere}}
	words := anywhere
	words.IDs.Call = provider.Pattern{Alphabet: provider.WordChars}
	for _, c := range []struct {
		name    string
		request preflight.Request
		profile preflight.Profile
		in      []preflight.Message
		want    []string
	}{
		{"reasoning of the open turn while thinking is off", off, preflight.Profile{},
			history(q, botMsg(thinks("hm", "s"), calls("a")), toolMsg(answers("a", "1"))),
			[]string{"reasoning-off messages[1].parts[0]"}},
		{"reasoning of a turn that is over", off, preflight.Profile{},
			history(q, botMsg(thinks("hm", "s"), calls("a")), toolMsg(answers("a", "1")), q), nil},
		{"reasoning of a turn before a system message", off, preflight.Profile{},
			history(q, botMsg(thinks("hm", "s"), says("x")),
				preflight.Message{Role: preflight.RoleSystem}), nil},
		{"a message without reasoning", budget, preflight.Profile{}, history(q, a), nil},
		{"reasoning after other content", budget, preflight.Profile{},
			history(q, botMsg(says("x"), thinks("hm", "s"))),
			[]string{"reasoning-order messages[1].parts[0]"}},
		{"a tool loop that starts without reasoning", budget, preflight.Profile{},
			history(q, botMsg(calls("a")), toolMsg(answers("a", "1")),
				botMsg(thinks("hm", "s"), calls("b")), toolMsg(answers("b", "2"))),
			[]string{"reasoning-missing messages[1].parts[0]"}},
		{"the server holds the call", held, anywhere, history(toolMsg(answers("a", "1"))), nil},
		{"the server cannot have given the id", held, words, history(toolMsg(answers("a b", "1"))),
			[]string{"orphan messages[0].parts[0]", "id-pattern messages[0].parts[0]"}},
		{"the server holds the turn of an open call", held, preflight.Profile{},
			history(q, botMsg(searches("s")), toolMsg(answers("x", "1"))), nil},
		{"an empty history", held, preflight.Profile{}, nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := preflight.Options{KeepWaiting: true, Request: c.request}
			requireViolations(t, c.want, c.in, &c.profile, &o)
		})
	}
}

// kept are the options of a history in which calls may wait.
var kept = preflight.Options{KeepWaiting: true}

// TestAlphabets holds every alphabet against the characters that its documentation lists.
func TestAlphabets(t *testing.T) {
	const alnum = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	for alphabet, more := range map[provider.Alphabet]string{
		provider.WordChars:  "_-",
		provider.PlainChars: "_",
		provider.AlnumChars: "",
		provider.Base64:     "+/=",
		provider.FuncChars:  "_.:-",
		provider.TitleChars: " \t\n\r-()[]",
		provider.NameChars:  " \t\n\r-()[]",
	} {
		want := make(map[string]bool)
		for _, c := range alnum + more {
			want[string(c)] = true
		}
		for c := rune(0); c < 0x250; c++ {
			require.Equal(t, want[string(c)],
				provider.Pattern{Alphabet: alphabet}.Matches("a"+string(c)), "%q in %s", c,
				alphabet)
		}
	}
	name := provider.Pattern{Alphabet: provider.NameChars}
	for s, ok := range map[string]bool{
		"a b":   true,
		"a  b":  false,
		"  a":   false,
		" a":    true,
		"a \t":  false,
		"a b c": true,
	} {
		require.Equal(t, ok, name.Matches(s), "%q", s)
	}
	function := provider.Pattern{Alphabet: provider.FuncChars}
	for s, ok := range map[string]bool{
		"_a": true,
		"a1": true,
		"Z":  true,
		"1a": false,
		".a": false,
		":a": false,
		"-a": false,
	} {
		require.Equal(t, ok, function.Matches(s), "%q", s)
	}
}

// TestValidStopsAtTheFirstBreach: Valid looks no further than it has to, Check at everything.
func TestValidStopsAtTheFirstBreach(t *testing.T) {
	in := history(preflight.Message{Role: "narrator", Parts: []preflight.Part{says("x")}},
		userMsg(says("q")), botMsg(calls("a")))
	for _, trailing := range [][]preflight.Message{nil, {userMsg(says("q"))}} {
		asked := 0
		options := preflight.Options{
			Pending: func(*preflight.ToolCall) bool { asked++; return true },
		}
		require.False(t, preflight.Valid(append(in, trailing...), &preflight.Profile{}, &options))
		require.Zero(t, asked,
			"the breach is in the first message, and nobody has to know which calls wait")
	}
}

// TestCheckQuotesRoles: what is in a violation's detail is cut to a sane length, and clean
// text.
func TestCheckQuotesRoles(t *testing.T) {
	for role, want := range map[string]string{
		"bard\x00":              `"bard"`,
		strings.Repeat("r", 40): `"` + strings.Repeat("r", 40) + `"`,
		strings.Repeat("r", 41): `"` + strings.Repeat("r", 40) + `…"`,
	} {
		found := preflight.Check(history(preflight.Message{
			Role:  preflight.Role(role),
			Parts: []preflight.Part{says("x")},
		}), &preflight.Profile{})
		require.Len(t, found, 1)
		require.Equal(t, rule.RoleUnknown, found[0].Problem)
		require.Contains(t, found[0].Detail, "the role "+want)
	}
}
