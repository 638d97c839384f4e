package preflight_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
)

// TestCheck gives Check one fault at a time, under a profile that forbids nothing else, and says what has to be reported and where.
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
	uncached := preflight.Profile{CacheLimit: preflight.NoCache}
	turns := preflight.Profile{UniqueIDs: preflight.ScopeTurn, JoinTurns: true}
	titled := preflight.Profile{UniqueMediaNames: true}
	document := func() *preflight.Media {
		return &preflight.Media{Kind: "document", URL: "https://example.com/a.pdf", Name: "a"}
	}
	for _, c := range []struct {
		name    string
		profile preflight.Profile
		in      []preflight.Message
		want    []string // problem and place
	}{
		// Breakpoints count wherever they stand.
		{"a breakpoint on a text", uncached, history(userMsg(marked(says("x"))...)), []string{"cache-limit messages[0].parts[0]"}},
		{"on a call", uncached, history(botMsg(marked(calls("a"))...), toolMsg(answers("a", "1"))), []string{"cache-limit messages[0].parts[0]"}},
		{"on a result", uncached, history(botMsg(calls("a")), toolMsg(marked(answers("a", "1"))...)), []string{"cache-limit messages[1].parts[0]"}},
		{"on media", uncached, history(userMsg(marked(image())...)), []string{"cache-limit messages[0].parts[0]"}},
		{"on reasoning", uncached, history(botMsg(marked(thinks("hm", ""))...)), []string{"cache-limit messages[0].parts[0]"}},
		{"on a part of another kind", uncached, history(userMsg(marked(&preflight.Other{Kind: "x"})...)), []string{"cache-limit messages[0].parts[0]"}},
		{"on a text in a result", uncached, history(botMsg(calls("a")), toolMsg(inResult(marked(says("x"))[0]))), []string{"cache-limit messages[1].parts[0]"}},
		{"on media in a result", preflight.Profile{CacheLimit: preflight.NoCache, MediaInResult: true}, history(botMsg(calls("a")), toolMsg(inResult(marked(image())[0]))), []string{"cache-limit messages[1].parts[0]"}},
		{"nowhere", uncached, history(q, botMsg(says("x"), calls("a")), toolMsg(answers("a", "1"))), nil},
		{"as many as the provider takes", preflight.Profile{CacheLimit: 1}, history(userMsg(marked(says("x"))...)), nil},
		{"one more", preflight.Profile{CacheLimit: 1}, history(userMsg(marked(says("x"), says("y"))...)), []string{"cache-limit messages[0].parts[1]"}},

		// Pairs of the caller's side.
		{"a call without a result", preflight.Profile{}, history(q, botMsg(says("x"), calls("a")), q), []string{"dangling messages[1].parts[1]"}},
		{"two calls of one id and one result", preflight.Profile{}, history(q, botMsg(calls("a"), calls("a")), toolMsg(answers("a", "1"))), []string{"dangling messages[1].parts[1]"}},
		{"two calls of one id, one of which waits, and one result", preflight.Profile{}, history(q, botMsg(waits("a"), calls("a")), toolMsg(answers("a", "1"))), nil},
		{"two results of one call", preflight.Profile{}, history(q, botMsg(calls("a")), toolMsg(answers("a", "1"), answers("a", "2"))), []string{"duplicate-result messages[2].parts[1]"}},
		{"a result without a call", preflight.Profile{}, history(q, a, toolMsg(answers("x", "1"))), []string{"orphan messages[2].parts[0]"}},
		{"a result of the turn before the last", preflight.Profile{}, history(q, botMsg(calls("a")), toolMsg(answers("a", "1")), botMsg(calls("b")), toolMsg(answers("b", "2"), answers("a", "3"))),
			[]string{"orphan messages[4].parts[1]"}},
		{"a result behind other content", preflight.Profile{ResultRole: preflight.RoleUser}, history(q, botMsg(calls("a")), userMsg(says("x"), answers("a", "1"))),
			[]string{"dangling messages[1].parts[0]", "result-not-first messages[2].parts[1]"}},
		{"a result inside the assistant's turn", preflight.Profile{}, history(q, botMsg(calls("a"), answers("a", "1"))),
			[]string{"dangling messages[1].parts[0]", "result-misplaced messages[1].parts[1]", "orphan messages[1].parts[1]"}},
		{"a message without content does not stand between a call and its result", preflight.Profile{}, history(q, botMsg(calls("a")), empty("user"), toolMsg(answers("a", "1"))), nil},
		{"whosever it is", preflight.Profile{}, history(q, botMsg(calls("a")), empty("assistant"), empty("system"), toolMsg(answers("a", "1"))), nil},
		{"nor does text that goes", preflight.Profile{RefuseEmptyText: true, ResultRole: preflight.RoleUser}, history(q, botMsg(calls("a")), userMsg(says(""), answers("a", "1"))), []string{"empty-text messages[2].parts[0]"}},
		{"neighbours that are one turn", preflight.Profile{JoinTurns: true}, history(q, botMsg(calls("a")), botMsg(calls("b")), toolMsg(answers("a", "1"), answers("b", "2"))), nil},
		{"neighbours that are two", preflight.Profile{}, history(q, botMsg(calls("a")), botMsg(calls("b")), toolMsg(answers("a", "1"), answers("b", "2"))),
			[]string{"dangling messages[1].parts[0]", "orphan messages[3].parts[0]"}},

		{"two results where each is a message of its own", preflight.Profile{OneResultPerMessage: true}, history(q, botMsg(calls("a"), calls("b")), toolMsg(answers("a", "1"), answers("b", "2"))),
			[]string{"result-misplaced messages[2].parts[1]"}},
		{"two calls and their results in a message each", preflight.Profile{OneResultPerMessage: true}, history(q, botMsg(calls("a"), calls("b")), toolMsg(answers("a", "1")), toolMsg(answers("b", "2"))), nil},

		// Ids.
		{"an id again in its turn", turns, history(q, botMsg(calls("a"), calls("a")), toolMsg(answers("a", "1"), answers("a", "2"))), []string{"id-duplicate messages[1].parts[1]"}},
		{"in the other half of a turn", turns, history(q, botMsg(calls("a")), botMsg(calls("a")), toolMsg(answers("a", "1"), answers("a", "2"))), []string{"id-duplicate messages[2].parts[0]"}},
		{"a message without content does not part the halves", turns, history(q, botMsg(calls("a")), empty("user"), botMsg(calls("a")), toolMsg(answers("a", "1"), answers("a", "2"))),
			[]string{"id-duplicate messages[3].parts[0]"}},
		{"in another turn", turns, history(q, botMsg(calls("a")), toolMsg(answers("a", "1")), botMsg(calls("a")), toolMsg(answers("a", "2"))), nil},
		{"anywhere", preflight.Profile{UniqueIDs: preflight.ScopeHistory}, history(q, botMsg(calls("a")), toolMsg(answers("a", "1")), botMsg(calls("a")), toolMsg(answers("a", "2"))),
			[]string{"id-duplicate messages[3].parts[0]"}},

		// Provider-executed calls: rules server-tool-result-missing, server-tool-mixed-turn and pause-turn of Anthropic.
		{"a pause", preflight.Profile{}, history(q, botMsg(searches("s"))), nil},
		{"a pause that is over", preflight.Profile{}, history(q, botMsg(searches("s")), q), []string{"server-dangling messages[1].parts[0]"}},
		{"results alone behind an open call and one of the caller's", preflight.Profile{}, history(q, botMsg(searches("s"), calls("a")), toolMsg(answers("a", "1"))), nil},
		{"more than results", preflight.Profile{}, history(q, botMsg(searches("s"), calls("a")), toolMsg(answers("a", "1")), q), []string{"server-mixed messages[1].parts[0]"}},
		{"a turn behind them", preflight.Profile{}, history(q, botMsg(searches("s"), calls("a")), toolMsg(answers("a", "1")), a), []string{"server-dangling messages[1].parts[0]"}},
		{"no results, but more", preflight.Profile{}, history(q, botMsg(searches("s"), waits("a")), q), []string{"server-dangling messages[1].parts[0]"}},
		{"a result with its call behind it", preflight.Profile{}, history(q, botMsg(finds("s", `[]`), searches("s"), finds("s", `[]`))), []string{"server-orphan messages[1].parts[0]"}},

		// What hosts of the Chat format ask for, each by itself.
		{"nothing but empty text", preflight.Profile{RefuseHollow: []preflight.Role{preflight.RoleUser}}, history(userMsg(says("")), a), []string{"empty-message messages[0]"}},
		{"as the system's message", preflight.Profile{RefuseHollow: []preflight.Role{preflight.RoleSystem}}, history(sysMsg(says("")), q), []string{"system-content messages[0]"}},
		{"a user turn behind results", preflight.Profile{BridgeResults: true}, history(q, botMsg(calls("a")), toolMsg(answers("a", "1")), q), []string{"user-behind-result messages[3]"}},
		{"calls side by side", preflight.Profile{OneCallPerMessage: true}, history(q, botMsg(calls("a"), calls("b")), toolMsg(answers("a", "1"), answers("b", "2"))), []string{"parallel-calls messages[1]"}},
		{"reasoning that is wanted back", preflight.Profile{Replay: preflight.ReplayOnCalls}, history(q, botMsg(calls("a")), toolMsg(answers("a", "1"))), []string{"reasoning-absent messages[1]"}},
		{"and on answers behind calls", preflight.Profile{Replay: preflight.ReplayFromCalls}, history(q, a, botMsg(calls("a")), toolMsg(answers("a", "1")), a),
			[]string{"reasoning-absent messages[2]", "reasoning-absent messages[4]"}},
		{"a tool exchange without tools", preflight.Profile{NoTools: true}, history(q, botMsg(calls("a")), toolMsg(answers("a", "1"))), []string{"tools-refused messages[1].parts[0]", "tools-refused messages[2].parts[0]"}},
		{"a control character", preflight.Profile{RefuseControls: true}, history(userMsg(says("a\x1b"))), []string{"control-character messages[0].parts[0]"}},

		{"NUL, which has a rule of its own", preflight.Profile{RefuseControls: true}, history(userMsg(says("a\x00"))), []string{"nul messages[0].parts[0]"}},

		// Documents.
		{"two of one title", titled, history(userMsg(document(), document())), []string{"media-name-twice messages[0].parts[1]"}},
		{"one of them in a result", preflight.Profile{UniqueMediaNames: true, MediaInResult: true}, history(userMsg(document()), botMsg(calls("a")), toolMsg(inResult(document()))),
			[]string{"media-name-twice messages[2].parts[0].content[1]"}},
		{"images have none", titled, history(userMsg(image(), image())), nil},
		{"alone", preflight.Profile{DocumentNeedsText: true}, history(userMsg(document())), []string{"document-alone messages[0]"}},
		{"more than a message may hold", preflight.Profile{MediaLimits: []preflight.MediaLimit{{Kind: "image", Most: 1}}}, history(userMsg(says("x"), image(), image())), []string{"media-limit messages[0]"}},

		// System messages midway: rule system-role-after of Anthropic.
		{"behind a user turn", preflight.Profile{System: preflight.SystemMidway}, history(q, sysMsg(says("s"))), nil},
		{"behind the assistant's", preflight.Profile{System: preflight.SystemMidway}, history(q, a, sysMsg(says("s"))), []string{"system-after messages[2]"}},
		{"behind one without content", preflight.Profile{System: preflight.SystemMidway}, history(q, empty("assistant"), sysMsg(says("s"))), []string{"system-after messages[2]"}},
		{"behind one that ends in a provider-executed result", preflight.Profile{System: preflight.SystemMidway}, history(q, botMsg(searches("s"), finds("s", `[]`)), sysMsg(says("s"))), nil},
		{"before a user turn", preflight.Profile{System: preflight.SystemMidway}, history(q, sysMsg(says("s")), q), []string{"system-before messages[1]"}},

		// The last turn.
		{"a single message, which the model may not go on from", preflight.Profile{RefusePrefill: true}, history(a), []string{"trailing-turn messages[0]"}},
		{"a message without reasoning needs no order", preflight.Profile{Thinking: preflight.ThinkingBudget}, history(q, a), nil},

		// Thinking.
		{"reasoning of the open turn while thinking is off", preflight.Profile{Thinking: preflight.ThinkingOff}, history(q, botMsg(thinks("hm", "s"), calls("a")), toolMsg(answers("a", "1"))),
			[]string{"reasoning-off messages[1].parts[0]"}},
		{"of a turn that is over", preflight.Profile{Thinking: preflight.ThinkingOff}, history(q, botMsg(thinks("hm", "s"), calls("a")), toolMsg(answers("a", "1")), q), nil},
		{"of a turn with a system message behind it", preflight.Profile{Thinking: preflight.ThinkingOff}, history(q, botMsg(thinks("hm", "s"), says("x")), empty("system")), nil},
		{"reasoning behind other content", preflight.Profile{Thinking: preflight.ThinkingBudget}, history(q, botMsg(says("x"), thinks("hm", "s"))), []string{"reasoning-order messages[1].parts[0]"}},
		{"a tool loop that starts without any", preflight.Profile{Thinking: preflight.ThinkingBudget}, history(q, botMsg(calls("a")), toolMsg(answers("a", "1")), botMsg(thinks("hm", "s"), calls("b")), toolMsg(answers("b", "2"))),
			[]string{"reasoning-missing messages[1].parts[0]"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, v := range preflight.Check(c.in, &c.profile) {
				got = append(got, fmt.Sprint(v.Problem, " ", v.At))
			}
			require.Equal(t, c.want, got)
			require.Equal(t, c.want == nil, preflight.Valid(c.in, &c.profile, nil), "Valid and Check disagree")
		})
	}
}

// TestAlphabets holds every alphabet against the characters that its documentation lists.
func TestAlphabets(t *testing.T) {
	const alnum = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	for alphabet, more := range map[preflight.Alphabet]string{
		preflight.WordChars:  "_-",
		preflight.PlainChars: "_",
		preflight.AlnumChars: "",
		preflight.Base64:     "+/=",
		preflight.FuncChars:  "_.:-",
		preflight.TitleChars: " \t\n\r-()[]",
		preflight.NameChars:  " \t\n\r-()[]",
	} {
		want := make(map[string]bool)
		for _, c := range alnum + more {
			want[string(c)] = true
		}
		for c := rune(0); c < 0x250; c++ {
			require.Equal(t, want[string(c)], preflight.Pattern{Alphabet: alphabet}.Matches("a"+string(c)), "%q in %s", c, alphabet)
		}
	}
	name := preflight.Pattern{Alphabet: preflight.NameChars}
	for s, ok := range map[string]bool{"a b": true, "a  b": false, "  a": false, " a": true, "a \t": false, "a b c": true} {
		require.Equal(t, ok, name.Matches(s), "%q", s)
	}
	function := preflight.Pattern{Alphabet: preflight.FuncChars}
	for s, ok := range map[string]bool{"_a": true, "a1": true, "Z": true, "1a": false, ".a": false, ":a": false, "-a": false} {
		require.Equal(t, ok, function.Matches(s), "%q", s)
	}
}
