package preflight_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
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
			name:     "a call in somebody else's message has the id of the call after it",
			property: "G5 answers stay",
			profile:  modelProfile("claude-sonnet-4-5"),
			in: history(userMsg(says("q"), callsWith("a", `{"stray":1}`)),
				botMsg(callsWith("a", `{"own":1}`)), userMsg(answers("a", "done"))),
			want: []string{`user: "q"`, `assistant: call a {"own":1}`, `user: result a "done"`},
		},
		{
			name:     "what kept two turns apart goes, and the second has the result of their id",
			property: "G5 answers stay",
			profile:  modelProfile("claude-sonnet-4-5"),
			in: history(userMsg(says("q")), botMsg(callsWith("a", `{"n":1}`)),
				userMsg(thinks("hm", "sig")), botMsg(callsWith("a", `{"n":2}`)),
				userMsg(answers("a", "done"))),
			want: []string{`user: "q"`, `assistant: call a {"n":2}`, `user: result a "done"`},
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
				botMsg(callsWith("", `{"n":2}`)), userMsg(says("s")), toolMsg(answers("", "done"))),
			want: []string{`user: "q"`, `assistant: call call_db3426e8`, `user: "r"`,
				`assistant: call call_2215e8ac {"n":2}`, `user: "s"`,
				`tool: result call_2215e8ac "done"`},
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
			name:     "a result of an empty text stands in for the one after it",
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
				toolMsg(answers("z", "two"))),
			want: []string{`user: "q"`, `assistant: call a_1 | call b`,
				`tool: result a_1 "one""more"`, `tool: result b "two"`},
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
			want: []string{`user: "q"`, `assistant: call 1`, `assistant: call 1`,
				`user: result 1 "one" | "r" | result 1 "two"`,
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

// What was sent so far is sent again, now that more follows it.
func TestSoakedPrefixes(t *testing.T) {
	for _, c := range []struct {
		name    string
		profile *preflight.Profile
		options preflight.Options
		sent    []preflight.Message
		more    []preflight.Message
		settled int // how many lines of the first output may not change
	}{
		{
			name:    "media leaves a system message at the end, and later does not",
			profile: modelProfile("claude-opus-5-5"),
			sent:    history(userMsg(says("q")), sysMsg(says("a"), image(), says("b"))),
			more:    history(userMsg(says("more"))),
			settled: 2,
		},
		{
			name:    "a later call has the id under which a result without a name was found",
			profile: geminiProfile(),
			sent: history(userMsg(says("q")), botMsg(calls("1")), userMsg(image()),
				userMsg(unnamed("1")), botMsg(says("ok")), userMsg(says("go on"))),
			more:    history(botMsg(calls("1"))),
			settled: 5,
		},
		{
			name: "a late result replaces a placeholder without a name, and then a result of " +
				"the later call with its id comes",
			profile: geminiProfile(),
			sent: history(userMsg(says("q")), botMsg(namedCall("1", "read")),
				userMsg(unnamedPlaceholder("1")), botMsg(says("ok")), userMsg(says("go on")),
				botMsg(namedCall("1", "ls"), namedCall("2", "read")),
				userMsg(failed("1", "read"))),
			more:    history(userMsg(failed("1", "ls"), failed("2", "read"))),
			settled: 5,
		},
		{
			name: "a result with another name made a turn complete, and then one with the " +
				"name of the call comes",
			profile: geminiProfile(),
			sent: history(userMsg(says("q")), botMsg(namedCall("1", "read")),
				userMsg(unnamedPlaceholder("1")), botMsg(namedCall("1", "ls")),
				userMsg(failed("1", "read"))),
			more:    history(userMsg(failed("1", "ls"))),
			settled: 4,
		},
		{
			name:    "an open server tool is between results and their calls, and goes later",
			profile: &preflight.Profile{},
			sent: history(userMsg(says("q")), botMsg(calls("a"), calls("b")),
				botMsg(searches("s")), toolMsg(answers("b", "two"), answers("a", "one"))),
			more:    history(botMsg(says("done"))),
			settled: 3,
		},
		{
			name:    "orphans become text, and a message that begins with one follows",
			profile: modelProfile("claude-opus-5-5"),
			options: preflight.Options{Orphans: preflight.OrphanText},
			sent: history(userMsg(says("q")), userMsg(answers("a", "one")),
				userMsg(answers("b", "two"))),
			more:    history(userMsg(answers("c", "three"), says("r"))),
			settled: 3,
		},
		{
			name:    "an open server tool at the very end is a pause, and goes later",
			profile: &preflight.Profile{},
			sent:    history(userMsg(says("q")), botMsg(says("let me see"), searches("s"))),
			more:    history(userMsg(says("well?"))),
			settled: 1,
		},
		{
			name: "a later call has the id and the tool of a result that was sent as another " +
				"call's of that id",
			profile: geminiProfile(),
			sent: history(userMsg(says("q")), botMsg(namedCall("1", "ls")),
				userMsg(failed("1", "ls"), namedResult("1", "read", "one")),
				botMsg(says("ok")), userMsg(says("go on"))),
			more:    history(botMsg(namedCall("1", "read"))),
			settled: 5,
		},
		{
			name: "a call gets a better result than the one that was sent as its own," +
				" and an earlier call of its id has none",
			profile: geminiProfile(),
			sent: history(userMsg(says("q")), botMsg(namedCall("1", "ls")),
				userMsg(namedResult("1", "ls", "")), botMsg(namedCall("1", "read")),
				userMsg(namedResult("1", "", "one"))),
			more:    history(userMsg(namedResult("1", "read", "two"))),
			settled: 4,
		},
		{
			name: "a result before all calls was sent as that of the first call of its id," +
				" and one of its tool follows",
			profile: geminiProfile(),
			sent: history(userMsg(namedResult("1", "read", "one")), botMsg(namedCall("1", "ls")),
				userMsg(failed("1", "ls")),
				botMsg(says("ok")), userMsg(says("go on"))),
			more:    history(botMsg(namedCall("1", "read"))),
			settled: 5,
		},
		{
			name: "a result before all calls may not wait for a later call of its tool," +
				" whose own result follows",
			profile: geminiProfile(),
			sent: history(userMsg(namedResult("1", "read", "one")), botMsg(namedCall("1", "ls")),
				userMsg(failed("1", "ls")),
				botMsg(namedCall("1", "read"))),
			more:    history(userMsg(failed("1", "read"))),
			settled: 3,
		},
		{
			name: "two results before their call," +
				" of which the assistant spoke after the first: both move to it",
			profile: modelProfile("claude-sonnet-4-5"),
			sent: history(userMsg(says("q")), userMsg(answers("a", "one")), botMsg(says("ok")),
				userMsg(answers("a", "two")),
				userMsg(says("r")), botMsg(says("done"))),
			more:    history(botMsg(calls("a"))),
			settled: 3,
		},
		{
			name: "a result of another name was sent as that of the call it follows," +
				" whose own result comes, and an earlier one is open",
			profile: geminiProfile(),
			sent: history(userMsg(says("q")), botMsg(namedCall("1", "read"), says("a")),
				userMsg(says("r")), botMsg(namedCall("1", "read")),
				userMsg(namedResult("1", "write", "one"))),
			more:    history(userMsg(namedResult("1", "read", "two"))),
			settled: 3,
		},
		{
			name:    "the same with a placeholder that has no name",
			profile: geminiProfile(),
			sent: history(userMsg(says("q")), botMsg(namedCall("1", "read"), says("a")),
				userMsg(says("r")), botMsg(namedCall("1", "ls")),
				userMsg(unnamedPlaceholder("1"))),
			more:    history(userMsg(namedResult("1", "ls", "two"))),
			settled: 3,
		},
		{
			name: "a result before its call," +
				" which gets another one: it is not that of an open call before it",
			profile: modelProfile("claude-sonnet-4-5"),
			sent: history(userMsg(says("q")), botMsg(says("a"), calls("1")),
				userMsg(answers("2", "one")), botMsg(says("b")), userMsg(says("r")),
				botMsg(calls("2"))),
			more:    history(userMsg(answers("2", "two"))),
			settled: 4,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := given{profile: c.profile, options: &c.options}
			before, err := g.sanitize(c.sent)
			require.NoError(t, err)
			after, err := g.sanitize(append(c.sent[:len(c.sent):len(c.sent)], c.more...))
			require.NoError(t, err)
			was, now := lines(before.Messages), lines(after.Messages)
			require.GreaterOrEqual(t, len(was), c.settled, was)
			require.GreaterOrEqual(t, len(now), c.settled, now)
			if diff := cmp.Diff(was[:c.settled], now[:c.settled]); diff != "" {
				t.Errorf("(-sent +now):\n%s", diff)
			}
		})
	}
}

// Media that moved out of the open turn is of the open turn: it may move again when a call of that
// turn gets a result.
func TestSoakedOpenTurn(t *testing.T) {
	h := history(
		userMsg(says("q")),
		botMsg(image(), callsWith("a", `{"n":1}`)),
		botMsg(callsWith("a", `{"n":2}`)),
		toolMsg(answers("a", "one")),
	)
	out := history(h[0], userMsg(h[1].Parts[0]), botMsg(h[2].Parts[0]), h[3])
	require.Equal(t, len(blocks(out)), movedOut(h, out), "an image has no tag, and cannot be told")
	image := h[1].Parts[0].(*preflight.Media)
	image.Meta = preflight.Metadata{"histgen": json.RawMessage(`"m1"`)}
	h[0].Parts[0].(*preflight.Text).Meta = preflight.Metadata{"histgen": json.RawMessage(`"u1"`)}
	require.Equal(t, 1, movedOut(h, out))
	over := append(h[:4:4], botMsg(says("done")))
	require.Equal(t, len(blocks(out)), movedOut(over, out), "the turn is over")
}
