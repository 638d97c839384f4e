package spec

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/msgtest"
	"github.com/go-preflight/preflight/provider"
)

// This file keeps what soaking the guarantees found, each history cut down to what matters. The
// source of every case is the property it broke.

func geminiProfile() *preflight.Profile { p := provider.Gemini(""); return p }

func responsesProfile() *preflight.Profile { p := provider.OpenAIResponses(""); return p }

func modelProfile(model string) *preflight.Profile {
	p := provider.Anthropic(model)
	return p
}

// unnamed is a result without the name of its tool, on a call that is named f.
func unnamed(id string) *preflight.ToolResult { return answers(id, "done") }

func TestSoaked(t *testing.T) {
	for _, c := range []struct {
		name     string
		property string // what broke
		profile  *preflight.Profile
		options  *preflight.Options
		in       []preflight.Message
		want     []string
	}{
		{
			name:     "a call in a message of another role has the id of the call after it",
			property: "G5 answers stay",
			profile:  modelProfile("claude-sonnet-4-5"),
			in: history(userMsg(says("q"), callsWith("a", `{"stray":1}`)),
				botMsg(callsWith("a", `{"own":1}`)), userMsg(answers("a", "done"))),
			want: []string{`user: "q"`, `assistant: call a {"own":1}`, `user: result a "done"`},
		},
		{
			name:     "what kept two turns apart is removed, and the second has the result of their id",
			property: "G5 answers stay",
			profile:  modelProfile("claude-sonnet-4-5"),
			in: history(userMsg(says("q")), botMsg(callsWith("a", `{"n":1}`)),
				userMsg(thinks("hm", "sig")), botMsg(callsWith("a", `{"n":2}`)),
				userMsg(answers("a", "done"))),
			want: []string{`user: "q"`, `assistant: call a {"n":2}`, `user: result a "done"`},
		},
		{
			name:     "a call that the provider runs is repaired after those of the caller",
			property: "no result is lost",
			profile:  modelProfile("claude-sonnet-4-5"),
			in: history(userMsg(says("q")), botMsg(calls("a")), botMsg(says("w")),
				userMsg(says("r"), answers("a", "real")), botMsg(searches("s")),
				userMsg(answers("none", "stray"))),
			want: []string{`user: "q"`, "assistant: call a", `assistant: "w"`,
				`user: result a "real" | "r"`, "assistant: server-call srvtoolu_s_fb2d8077"},
		},
		{
			name: "as many results as calls of an id over two messages of a turn: by " +
				"occurrence",
			property: "G5 answers stay",
			profile:  modelProfile("claude-sonnet-4-5"),
			in: history(userMsg(says("q")), botMsg(callsWith("a", `{"n":1}`)),
				botMsg(callsWith("a", `{"n":2}`)),
				userMsg(answers("a", "one"), answers("a", "two"))),
			want: []string{`user: "q"`, `assistant: call a {"n":1}`,
				`assistant: call a_05a9c569 {"n":2}`,
				`user: result a "one" | result a_05a9c569 "two"`},
		},
		{
			name:     "a call that waits shares its id with one that was answered",
			property: "G5 answers stay",
			profile:  modelProfile("claude-sonnet-4-5"),
			in: history(userMsg(says("q")), botMsg(waits("a"), callsWith("a", `{"n":2}`)),
				userMsg(answers("a", "done"))),
			want: []string{`user: "q"`, `assistant: call a | call a_05a9c569 {"n":2}`,
				`user: result a_05a9c569 "done"`},
		},
		{
			name: "the same where ids may repeat: nothing is wrong", property: "G3 identity",
			profile: &preflight.Profile{},
			in: history(userMsg(says("q")), botMsg(waits("a"), callsWith("a", `{"n":2}`)),
				toolMsg(answers("a", "done"))),
			want: []string{`user: "q"`, `assistant: call a | call a {"n":2}`,
				`tool: result a "done"`},
		},
		{
			name:     "a result anywhere after its call is not that of a call of its id that waits",
			property: "G1 valid", profile: responsesProfile(),
			in: history(userMsg(says("q")), botMsg(waits("a")), userMsg(says("r")),
				botMsg(callsWith("a", `{"n":2}`)), userMsg(says("s")),
				toolMsg(answers("a", "done"))),
			want: []string{`user: "q"`, `assistant: call a`, `user: "r"`,
				`assistant: call a {"n":2}`, `user: "s"`, `tool: result a "done"`},
		},
		{
			name: "the same where the id is refused", property: "G5 answers stay",
			profile: responsesProfile(),
			in: history(userMsg(says("q")), botMsg(waits("")), userMsg(says("r")),
				botMsg(callsWith("", `{"n":2}`)), toolMsg(answers("", "done")), userMsg(says("s"))),
			want: []string{`user: "q"`, `assistant: call call_db3426e8`, `user: "r"`,
				`assistant: call call_2215e8ac {"n":2}`, `tool: result call_2215e8ac "done"`,
				`user: "s"`},
		},
		{
			name:     "a placeholder with a nil part beside its text is still one",
			property: "G5 answers stay",
			profile:  modelProfile("claude-sonnet-4-5"),
			in: history(userMsg(says("q")), botMsg(calls("a")),
				userMsg(&preflight.ToolResult{CallID: "a", Content: []preflight.Part{
					says("No result provided"), (*preflight.Other)(nil)}}),
				userMsg(answers("a", "done"))),
			want: []string{`user: "q"`, `assistant: call a`, `user: result a "done"`},
		},
		{
			name:     "a result with an empty text takes the place of the one after it",
			property: "G5 answers stay",
			profile:  modelProfile("claude-sonnet-4-5"),
			in: history(userMsg(says("q")), botMsg(calls("a")), userMsg(answers("a", " ")),
				userMsg(answers("a", "done"))),
			want: []string{`user: "q"`, `assistant: call a`, `user: result a "done"`},
		},
		{
			name:     "results move to a turn, before one that moves on from there",
			property: "no result is lost",
			profile:  modelProfile("claude-sonnet-4-5"),
			in: history(userMsg(says("q")), botMsg(calls("a"), calls("b")),
				userMsg(says("r"), answers("c", "three")),
				userMsg(answers("b", "two"), answers("a", "one")), botMsg(calls("c")),
				userMsg(says("s"))),
			want: []string{`user: "q"`, `assistant: call a | call b`,
				`user: result a "one" | result b "two" | "r"`,
				`assistant: call c`, `user: result c "three" | "s"`},
		},
		{
			name:     "a result without an id leaves its call to the result of that id, before it",
			property: "no result is lost",
			profile:  &preflight.Profile{},
			in: history(userMsg(says("q")), toolMsg(answers("a", "one")),
				botMsg(calls("a"), calls("b")), toolMsg(answers("", "two"))),
			want: []string{`user: "q"`, `assistant: call a | call b`, `tool: result a "one"`,
				`tool: result b "two"`},
		},
		{
			name: "a further result in another spelling is no candidate for the call that " +
				"is left",
			property: "no result is lost",
			profile:  &preflight.Profile{},
			in: history(userMsg(says("q")), botMsg(calls("a_1"), calls("b")),
				toolMsg(answers("A-1", "one")), toolMsg(answers("A-1", "more")),
				toolMsg(answers("", "two"))),
			want: []string{`user: "q"`, `assistant: call a_1 | call b`,
				`tool: result a_1 "one""more"`, `tool: result b "two"`},
		},
		{
			name:     "results of several tools that have one id are told apart by their names",
			property: "G5 answers stay", profile: geminiProfile(),
			options: &preflight.Options{Duplicates: preflight.DuplicateFirst},
			in: history(userMsg(says("q")),
				botMsg(namedCall("1", "read"), namedCall("2", "ls"), namedCall("3", "read")),
				userMsg(namedResult("3", "ls", "two"), failed("3", "read"),
					namedResult("3", "read", "three"))),
			want: []string{`user: "q"`, `assistant: call 1 | call 2 | call 3`,
				`user: result 2 "two" | error 1 "exit status 1" | result 3 "three"`},
		},
		{
			name: "a call moves down to a late result that replaces an earlier one, and gets no " +
				"invented answer",
			property: "G5 answers stay", profile: provider.OpenAIChat(""),
			options: &preflight.Options{
				Dangling: preflight.DanglingAnswer, Duplicates: preflight.DuplicateLast,
			},
			in: history(userMsg(says("q")), botMsg(calls("a")), toolMsg(answers("a", "one")),
				botMsg(says("ok")), userMsg(says("r")), toolMsg(answers("a", "two"))),
			want: []string{`user: "q"`, `assistant: "ok"`, `user: "r"`, `assistant: call a`,
				`tool: result a "two"`},
		},
		{
			name:     "the same where the earlier one is an error",
			property: "G5 answers stay", profile: provider.OpenAIChat(""),
			options: &preflight.Options{
				Dangling: preflight.DanglingAnswer, Duplicates: preflight.DuplicateLast,
			},
			in: history(userMsg(says("q")), botMsg(calls("a")), toolMsg(failed("a", "read")),
				botMsg(says("ok")), userMsg(says("r")), toolMsg(answers("a", "two"))),
			want: []string{`user: "q"`, `assistant: "ok"`, `user: "r"`, `assistant: call a`,
				`tool: result a "two"`},
		},
		{
			name: "a real result with the id of a call answers it before an error does," +
				" although it names another tool",
			property: "G5 answers stay, where the oracle took the name for evidence before the id",
			profile:  geminiProfile(),
			in: history(userMsg(says("q")), botMsg(namedCall("1", "read"), namedCall("2", "ls")),
				userMsg(failed("1", "read"), namedResult("2", "read", "one"), failed("2", "ls"))),
			want: []string{`user: "q"`, `assistant: call 1 | call 2`,
				`user: error 1 "exit status 1" | result 2 "one"`},
		},
		{
			name: "text between results of one message ends nothing where a provider takes " +
				"them together",
			property: "G5 answers stay, where the oracle disagreed with itself",
			profile:  provider.Gemini("gemini-3.8-flash"),
			in: history(userMsg(says("q")), botMsg(namedCall("1", "read")),
				botMsg(namedCall("1", "read")),
				userMsg(namedResult("1", "read", "one"), says("r"),
					namedResult("1", "read", "two")),
				botMsg(says("ok")), userMsg(says("go on"))),
			want: []string{`user: "q"`, `assistant: call 1 | call 1_b05a1103`,
				`user: result 1 "one" | "r" | result 1_b05a1103 "two"`,
				`assistant: "ok"`, `user: "go on"`},
		},
		{
			name:     "an id in another spelling is evidence before the name, as the same id is",
			property: "no result is lost", profile: geminiProfile(),
			in: history(userMsg(says("q")),
				botMsg(namedCall("call_0", "read"), namedCall("call_1", "ls")),
				userMsg(namedResult("call_1", "ls", "one"), namedResult("CALL_1", "read", "two"))),
			want: []string{`user: "q"`, `assistant: call call_1`, `user: result call_1 "one""two"`},
		},
		{
			name: "a result before its call leaves the other call of the name to one " +
				"without an id",
			property: "no result is lost", profile: geminiProfile(),
			in: history(userMsg(says("q"), namedResult("1", "ls", "one")),
				botMsg(namedCall("1", "ls"), namedCall("2", "ls")),
				userMsg(namedResult("", "ls", "two"))),
			want: []string{`user: "q"`, `assistant: call 1 | call 2`,
				`user: result 1 "one" | result  "two"`},
		},
		{
			name: "an inserted result of a second call with the id of the first, and words before" +
				" that one's",
			property: "G5 answers stay", profile: geminiProfile(),
			options: &preflight.Options{Dangling: preflight.DanglingAnswer, DanglingText: "!"},
			in: history(userMsg(says("q")),
				botMsg(namedCall("1", "read"), namedCall("2", "read"), namedCall("1", "read")),
				userMsg(says("r"), failed("1", "read"))),
			want: []string{`user: "q"`, `assistant: call 1 | call 2 | call 1`,
				`user: error 1 "exit status 1" | error 2 "!" | error 1 "!" | "r"`},
		},
		{
			name:     "a result without an id before the calls is none of theirs",
			property: "TestRightCall", profile: geminiProfile(),
			options: &preflight.Options{Duplicates: preflight.DuplicateFirst},
			in: history(userMsg(says("q"), namedResult("", "ls", "early")),
				botMsg(namedCall("", "ls"), namedCall("2", "ls")),
				userMsg(says("r"), namedResult("2", "ls", ""), namedResult("", "ls", "own"))),
			want: []string{`user: "q"`, `assistant: call  | call 2`,
				`user: "r" | result 2 "" | result  "own"`},
		},
		{
			name:     "a call without an id leaves a result to the call of its id that has no real one",
			property: "G5 answers stay", profile: provider.OpenAIChat(""),
			options: &preflight.Options{},
			in: history(userMsg(says("q")), botMsg(calls(""), calls("a")),
				toolMsg(unnamedPlaceholder("a")), toolMsg(answers("a", "real"))),
			want: []string{`user: "q"`, `assistant: call a`, `tool: result a "real"`},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.options == nil {
				c.options = &kept
			}
			res, err := given{profile: c.profile, options: c.options}.sanitize(c.in)
			require.NoError(t, err)
			if diff := cmp.Diff(c.want, lines(res.Messages)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.property, diff)
			}
			require.Empty(t, preflight.Check(res.Messages, c.profile, c.options))
		})
	}
}

func namedCall(id, tool string) *preflight.ToolCall {
	return &preflight.ToolCall{ID: id, Name: tool, Input: json.RawMessage(`{}`)}
}

func namedResult(id, tool, text string) *preflight.ToolResult {
	r := answers(id, text)
	r.Name = tool
	return r
}

func unnamedPlaceholder(id string) *preflight.ToolResult {
	r := answers(id, "Tool execution aborted")
	r.IsError = true
	return r
}

func failed(id, tool string) *preflight.ToolResult {
	r := namedResult(id, tool, "exit status 1")
	r.IsError = true
	return r
}

// What moved into a tool result, and out of it again, still comes from where it was.
func TestSoakedOrigins(t *testing.T) {
	for name, c := range map[string]struct {
		in   []preflight.Message
		want []preflight.Position
	}{
		"content of a tool message that answers no call": {
			in:   history(toolMsg(says("found"), image()), userMsg(says("q"))),
			want: []preflight.Position{preflight.At(0, 0), preflight.At(0, 1)},
		},
		"content of which some is repaired and some removed": {
			in: history(userMsg(says("q")), botMsg(calls("a")),
				userMsg(&preflight.ToolResult{CallID: "a", Content: []preflight.Part{image()}},
					&preflight.ToolResult{CallID: "a", Content: []preflight.Part{
						&preflight.Media{Kind: "image"},
						&preflight.Media{Kind: "image", MediaType: "image/gif",
							Data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"},
					}})),
			want: []preflight.Position{preflight.At(2, 0), preflight.At(2, 1)},
		},
		"media of two results of one call": {
			in: history(userMsg(says("q")), botMsg(calls("a")),
				userMsg(&preflight.ToolResult{CallID: "a", Content: []preflight.Part{image()}},
					&preflight.ToolResult{CallID: "a", Content: []preflight.Part{says("b"), image()}})),
			want: []preflight.Position{preflight.At(2, 0), preflight.At(2, 1)},
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := *modelProfile("claude-sonnet-4-5")
			p.Media.InResult = false
			res, err := preflight.Sanitize(t.Context(), c.in, &p,
				&preflight.Options{Orphans: preflight.OrphanText})
			require.NoError(t, err)
			var got []preflight.Position
			for i, m := range res.Messages {
				for j, part := range m.Parts {
					_, media := part.(*preflight.Media)
					if text, ok := part.(*preflight.Text); media ||
						ok && strings.HasPrefix(text.Text, "Result of a tool, whose call is missing") {
						got = append(got, res.PartOrigins[i][j])
					}
				}
			}
			require.Equal(t, c.want, got, msgtest.Dump(res.Messages))
		})
	}
}

// A call that moves down to its late result takes the result along as it is: its role stays as it
// is spelled.
func TestSoakedRole(t *testing.T) {
	q, ok := userMsg(says("q")), botMsg(says("ok"))
	late := preflight.Message{Role: "function", Parts: []preflight.Part{namedResult("1", "ls", "one")}}
	res, err := preflight.Sanitize(t.Context(), history(q, botMsg(says("a"), namedCall("1", "ls")), q, ok,
		late), geminiProfile(), nil)
	require.NoError(t, err)
	require.EqualValues(t, "call-moved", res.Warnings[0].Code)
	require.Equal(t, late, res.Messages[len(res.Messages)-1])
}

// A result before a second call of its id may be that one's, if that has none and agrees with it
// about who ran the tool: the first call is not made to agree.
func TestSoakedExecutors(t *testing.T) {
	q := userMsg(says("q"))
	begin := history(q, botMsg(says("a"), searches("s")), userMsg(answers("s", "found"), says("r")),
		botMsg(calls("s")))
	for want, h := range map[bool][]preflight.Message{
		true:  begin,
		false: append(begin[:4:4], userMsg(answers("s", "done"))),
	} {
		res, err := preflight.Sanitize(t.Context(), h, provider.Bedrock("us.deepseek.r1-v1:0"), nil)
		require.NoError(t, err)
		first := res.Messages[1].Parts[1].(*preflight.ToolCall)
		require.Equal(t, want, first.ProviderExecuted)
	}
}

// A result of the provider's is in the message of its call: no call of a later message is in doubt.
func TestSoakedServedExecutors(t *testing.T) {
	q := userMsg(says("q"))
	call := searches("s")
	call.ProviderExecuted = false
	sent := history(q, botMsg(call, finds("s", "[1]")), q)
	grown := append(sent[:3:3], botMsg(says("a"), searches("s")))
	p := provider.Anthropic("claude-sonnet-4-5")
	before, err := preflight.Sanitize(t.Context(), sent, p, nil)
	require.NoError(t, err)
	after, err := preflight.Sanitize(t.Context(), grown, p, nil)
	require.NoError(t, err)
	require.Empty(t, cmp.Diff(before.Messages, after.Messages[:len(before.Messages)]))
}
