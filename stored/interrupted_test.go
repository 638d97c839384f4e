package stored_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/msgtest"
	"github.com/go-preflight/preflight/internal/pairing"
	"github.com/go-preflight/preflight/preflighttest/histgen"
	"github.com/go-preflight/preflight/stored"
)

// This file tests RepairInterrupted and Abort.

func TestInterruptedProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := histgen.Any(persistProfile(), nil).Draw(t, "history")
		before := dump(in)
		for name, run := range map[string]msgtest.Step{
			"interrupted": interrupting(nil),
			"abort": func(h []preflight.Message) (preflight.Result, error) {
				return stored.Abort(h, "partial", nil)
			},
		} {
			res, err := run(in)
			if err != nil || dump(in) != before {
				t.Fatalf("%s: %v, or the input was written to\n%s", name, err, dump(in))
			}
			if again, err := run(res.Messages); err != nil || again.Changed {
				t.Fatalf("%s again: %v %s\nin:\n%s\nout:\n%s", name, err, list(again.Warnings),
					dump(in), dump(res.Messages))
			}
		}
	})
}

func TestInterruptedHook(t *testing.T) {
	ask := func(c *preflight.ToolCall) preflight.Part {
		defer func() { c.Name, c.Input = "scribble", nil }() // it is a copy
		switch c.Name {
		case "ask_user":
			return &preflight.Text{Text: "May I?"}
		case "deploy":
			return &preflight.ToolResult{
				Content: []preflight.Part{says("nobody knows")},
				IsError: true,
			}
		case "loop":
			return c
		}
		return nil
	}
	open := func(name string) preflight.Message {
		return botMsg(&preflight.ToolCall{ID: name, Name: name, Input: json.RawMessage(`{}`)})
	}
	o := asInterrupted()
	o.OpenCall = ask
	in := []preflight.Message{open("ask_user"), open("deploy"), open("loop"), open("search")}
	out := runSystem(t, in, interrupting(o))
	require.Equal(t, []string{"May I?"}, texts(out.Messages))
	require.Equal(t, []string{"deploy", "loop", "search"}, callIDs(out.Messages))
	require.Equal(t, "nobody knows", results(out.Messages)["deploy"])
	requireAnswered(t, out.Messages, "search")
	require.NotContains(t, results(out.Messages), "loop", "a call that is returned waits")
	require.Equal(t, []string{"ask_user"}, out.CallIDs(codes.DanglingReplaced))

	signed := botMsg(&preflight.Reasoning{Text: "hm", Signature: "c2ln"}, open("ask_user").Parts[0])
	out = runSystem(t, []preflight.Message{signed}, interrupting(o))
	require.Empty(t, texts(out.Messages), "a signed turn is not cut")
	requireAnswered(t, out.Messages, "ask_user")
}

func TestAbort(t *testing.T) {
	abort := func(partial string, o *preflight.Options) msgtest.Step {
		return func(h []preflight.Message) (preflight.Result, error) {
			return stored.Abort(h, partial, o)
		}
	}
	in := []preflight.Message{user("go"), call("c1")}
	out := runSystem(t, in, abort(" \n", nil))
	require.Empty(t, texts(out.Messages[3-1:]), "nothing was said")
	require.Len(t, out.Messages, 3)

	out = runSystem(t, in,
		abort("so far",
			&preflight.Options{OpenCall: func(c *preflight.ToolCall) preflight.Part { return c }}))
	require.Equal(t, []string{"go", "[INTERRUPTED]\n\nso far"}, texts(out.Messages))
	require.Len(t, out.Messages, 3, "a call that waits stays open")

	out = runSystem(t, nil, abort("", nil))
	require.False(t, out.Changed)

	died := []preflight.Message{user("go"), botMsg()}
	out = runSystem(t, died, abort("so far", nil))
	require.Len(t, out.Messages, 2, "the empty message of the dead stream goes")
}

// TestInsertedResultsAreBesideTheOthers: in messages of the role in which the history keeps its
// results, and as messages of the tool's where it has none yet.
func TestInsertedResultsAreBesideTheOthers(t *testing.T) {
	interrupted := `error b "` + pairing.DanglingText + `"`
	for name, c := range map[string]struct {
		in   []preflight.Message
		want []string
	}{
		"no results": {history(userMsg(says("q")), botMsg(calls("b"))),
			[]string{`user: "q"`, "assistant: call b", "tool: " + interrupted}},
		"the user's": {history(userMsg(nil, says("q")), botMsg(calls("a")),
			userMsg(says("x"), answers("a", "1")), botMsg(calls("b"))),
			[]string{
				`user: "q"`,
				"assistant: call a",
				`user: result a "1" | "x"`,
				"assistant: call b",
				"user: " + interrupted,
			}},
		"the tool's": {history(botMsg(calls("a")), toolMsg(answers("a", "1")), botMsg(calls("b"))),
			[]string{
				"assistant: call a",
				`tool: result a "1"`,
				"assistant: call b",
				"tool: " + interrupted,
			}},
		"first the tool's": {history(botMsg(calls("a"), calls("c")), toolMsg(answers("a", "1")),
			userMsg(answers("c", "2")), botMsg(calls("b"))),
			[]string{
				"assistant: call a | call c",
				`tool: result a "1"`,
				`user: result c "2"`,
				"assistant: call b",
				"tool: " + interrupted,
			}},
		"the provider's own": {
			history(userMsg((*preflight.ToolResult)(nil), finds("s", "[]")), botMsg(calls("b"))),
			[]string{"user: server-result s []", "assistant: call b", "tool: " + interrupted}},
		"inside the turn": {
			history(botMsg(calls("a"), answers("a", "1"), says("x")), botMsg(calls("b"))),
			[]string{
				`assistant: call a | "x"`,
				`tool: result a "1"`,
				"assistant: call b",
				"tool: " + interrupted,
			}},
		"a function's": {history(botMsg(calls("a")),
			preflight.Message{Role: "human", Parts: []preflight.Part{answers("a", "1")}},
			botMsg(calls("b"))),
			[]string{
				"assistant: call a",
				`human: result a "1"`,
				"assistant: call b",
				"user: " + interrupted,
			}},
	} {
		t.Run(name, func(t *testing.T) {
			res, err := stored.RepairInterrupted(context.Background(), c.in, nil)
			require.NoError(t, err)
			require.Empty(t, cmp.Diff(c.want, lines(res.Messages)))
		})
	}
}

// TestInterruptedResults: what the caller answers a call with is that call's result, under its id,
// and under its name unless it bears one; a nil of a type is nil.
func TestInterruptedResults(t *testing.T) {
	in := history(userMsg(says("q")), botMsg(calls("a")))
	unknown := &preflight.ToolResult{CallID: "a", Name: "f", IsError: true,
		Content: []preflight.Part{says(pairing.DanglingText)}}
	for name, c := range map[string]struct {
		gives preflight.Part
		want  *preflight.ToolResult
	}{
		"a bare one": {&preflight.ToolResult{Content: []preflight.Part{says("x")}},
			&preflight.ToolResult{CallID: "a", Name: "f", Content: []preflight.Part{says("x")}}},
		"a named one": {&preflight.ToolResult{Name: "g", Output: json.RawMessage("1")},
			&preflight.ToolResult{CallID: "a", Name: "g", Output: json.RawMessage("1")}},
		"another call's": {
			&preflight.ToolResult{
				CallID: "z", ProviderExecuted: true, IsError: true, Content: []preflight.Part{says("x")},
			},
			&preflight.ToolResult{
				CallID: "a", Name: "f", IsError: true, Content: []preflight.Part{says("x")},
			}},
		"an empty one":      {&preflight.ToolResult{}, unknown},
		"nil":               {nil, unknown},
		"a nil of its type": {(*preflight.ToolResult)(nil), unknown},
		"reasoning":         {thinks("hm", ""), unknown},
	} {
		t.Run(name, func(t *testing.T) {
			res, err := stored.RepairInterrupted(context.Background(), in, &preflight.Options{
				OpenCall: func(*preflight.ToolCall) preflight.Part { return c.gives },
			})
			require.NoError(t, err)
			require.Empty(t, cmp.Diff(history(in[0], in[1], toolMsg(c.want)), res.Messages))
			require.Equal(t, codes.DanglingAnswered, res.Warnings[0].Code)
			require.Equal(t, preflight.TallyOf(toolMsg(c.want)), res.Added)
		})
	}
}

// TestAbortAppendsOnce: what the model had said is appended unless the history ends with it, in the
// assistant's words.
func TestAbortAppendsOnce(t *testing.T) {
	marked := says("[INTERRUPTED]\n\nso far")
	appended := "partial-appended  messages[%d] +1 text +21 byte"
	q := userMsg(says("q"))
	for name, c := range map[string]struct {
		in    []preflight.Message
		said  string
		want  []preflight.Message
		whole []string
	}{
		"to nothing": {nil, "so far", history(botMsg(marked)), []string{fmt.Sprintf(appended, 0)}},
		"to a user turn": {history(q), "so far", history(q, botMsg(marked)),
			[]string{fmt.Sprintf(appended, 0)}},
		"once": {history(q, botMsg(says("x"), marked)), "so far", nil, nil},
		"something else": {history(q, botMsg(says("so far"))), "so far",
			history(q, botMsg(says("so far")), botMsg(marked)), []string{fmt.Sprintf(appended, 1)}},
		"again, where there is more": {history(q, botMsg(marked, says("x"))), "so far",
			history(q, botMsg(marked, says("x")), botMsg(marked)),
			[]string{fmt.Sprintf(appended, 1)}},
		"the user's own words": {history(userMsg(marked)), "so far",
			history(userMsg(marked), botMsg(marked)), []string{fmt.Sprintf(appended, 0)}},
		"after a call that waits": {history(q, botMsg(waits("a"))), "so far",
			history(q, botMsg(waits("a")), botMsg(marked)), []string{fmt.Sprintf(appended, 1)}},
		"nothing": {history(q), " \t\n", nil, nil},
		"to a search that was running": {history(q, botMsg(says("x"), searches("s"))), "so far",
			history(q, botMsg(says("x")), botMsg(marked)),
			[]string{
				fmt.Sprintf(appended, 1),
				"dangling-removed preflight/server-dangling messages[1].parts[1] s -1 call -13 " +
					"byte",
			}},
		"nothing to a search that was running": {history(q, botMsg(says("x"), searches("s"))), "",
			nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			res, err := stored.Abort(c.in, c.said, nil)
			require.NoError(t, err)
			if c.want == nil {
				c.want = c.in
			}
			require.Empty(t, cmp.Diff(c.want, res.Messages))
			require.Empty(t, cmp.Diff(c.whole, wholly(res.Warnings)))
			again, err := stored.Abort(res.Messages, c.said, nil)
			require.NoError(t, err)
			require.False(t, again.Changed, list(again.Warnings))
		})
	}
	hook := preflight.Hook{
		Name: "h",
		History: func(context.Context, []preflight.Message) ([]preflight.Message, error) {
			panic("called")
		},
	}
	res, err := stored.Abort(history(q, botMsg(calls("a"))), "so far",
		&preflight.Options{Hooks: []preflight.Hook{hook}, Dangling: preflight.DanglingRemove})
	require.NoError(t, err)
	require.Equal(t, []string{`user: "q"`, `assistant: "[INTERRUPTED]\n\nso far"`},
		lines(res.Messages), "hooks do not run; a call goes where the options say so")
}

// TestCloudflareNormalizesInputs has the twelve values of the reference's normalizeToolInput. Where
// the reference empties what it cannot read, we keep it under _raw.
func TestCloudflareNormalizesInputs(t *testing.T) {
	for _, c := range []struct{ reason, input, want string }{
		{"an object stays", `{"q":"cats"}`, `{"q":"cats"}`},
		{"an empty object stays", `{}`, `{}`},
		{"a nested object stays", `{"a":{"b":[1.0]}}`, `{"a":{"b":[1.0]}}`},
		{"an encoded object is decoded", `"{\"q\":\"cats\"}"`, `{"q":"cats"}`},
		{"null is nothing", `null`, `{}`},
		{"nothing is nothing", ``, `{}`},
		{"an empty string is nothing", `""`, `{}`},
		{"an array is kept", `[1,2]`, `{"_raw":[1,2]}`},
		{"a number is kept", `42`, `{"_raw":42}`},
		{"a boolean is kept", `true`, `{"_raw":true}`},
		{"a string that is not an object is kept", `"cats"`, `{"_raw":"cats"}`},
		{"a cut-off object is kept", `"{\"q\":\"ca"`, `{"_raw":"{\"q\":\"ca"}`},
	} {
		t.Run(c.reason, func(t *testing.T) {
			in := []preflight.Message{
				botMsg(&preflight.ToolCall{
					ID:    "c",
					Name:  "search",
					Input: json.RawMessage(c.input),
				}),
				toolMsg(&preflight.ToolResult{CallID: "c", Output: json.RawMessage(`1`)}),
			}
			out := runSystem(t, in, interrupting(nil))
			require.Equal(t, c.want, string(msgtest.Only[*preflight.ToolCall](t, out.Messages).Input))
			require.Equal(t, c.input != c.want, out.Changed)
		})
	}
}

// TestTunaCodeAbortOrder: the call, its patched result, the partial answer.
func TestTunaCodeAbortOrder(t *testing.T) {
	in := []preflight.Message{user("go"), call("c1")}
	out := runSystem(t, in, func(h []preflight.Message) (preflight.Result, error) {
		return stored.Abort(h, "I was about to", nil)
	})
	require.Len(t, out.Messages, 4)
	require.Same(t, in[1].Parts[0], out.Messages[1].Parts[0])
	require.Equal(t, map[string]string{"c1": pairing.DanglingText},
		results(out.Messages[2:3]))
	require.Equal(t, preflight.RoleAssistant, out.Messages[3].Role)
	require.Equal(t, []string{"[INTERRUPTED]\n\nI was about to"}, texts(out.Messages[3:]))
}

// results are the ids of all results and what they say.
func results(h []preflight.Message) map[string]string {
	out := make(map[string]string)
	for _, r := range msgtest.Every[*preflight.ToolResult](h) {
		out[r.CallID] = r.Content[0].(*preflight.Text).Text
	}
	return out
}

func asInterrupted() *preflight.Options {
	o := preflight.Options{Dangling: preflight.DanglingAnswer}
	o.DanglingText = "The tool call was interrupted before a result was recorded."
	return &o
}

func callIDs(h []preflight.Message) []string {
	var out []string
	for _, c := range msgtest.Every[*preflight.ToolCall](h) {
		out = append(out, c.ID)
	}
	return out
}

// requireAnswered asserts that a call has the error result of the reference after it.
func requireAnswered(t testing.TB, h []preflight.Message, id string) {
	t.Helper()
	for _, r := range msgtest.Every[*preflight.ToolResult](h) {
		if r.CallID == id {
			require.True(t, r.IsError)
			require.Equal(t, "The tool call was interrupted before a result was recorded.",
				r.Content[0].(*preflight.Text).Text)
			return
		}
	}
	t.Fatalf("call %s has no result", id)
}
