package spec

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/provider"
)

// TestResultsKeepTheirCalls: histories in which position spoke for a call, and an id or a user's
// words against it.
func TestResultsKeepTheirCalls(t *testing.T) {
	q, stop := userMsg(says("q")), userMsg(says("stop! what is on the page?"))
	pay, fetch := namedCall("call_pay", "pay"), namedCall("call_fetch", "fetch")
	read := namedCall("call_read", "read")
	for _, c := range []struct {
		name string
		in   []preflight.Message
		want []string
	}{
		{"an aborted call, a user's words, and the result of a lost call",
			history(q, botMsg(pay), stop, toolMsg(namedResult("call_fetch", "fetch", "page")), q),
			[]string{`user: "q"`, `user: "stop! what is on the page?"`, `user: "q"`}},
		{"the same without words",
			history(q, botMsg(pay), toolMsg(namedResult("call_fetch", "fetch", "page")), q),
			[]string{`user: "q"`, `user: "q"`}},
		{"a result without an id, after a user's words",
			history(q, botMsg(pay), stop, toolMsg(answers("", "page")), q),
			[]string{`user: "q"`, `user: "stop! what is on the page?"`, `user: "q"`}},
		{"an id that a first turn had, on both results of a second one",
			history(q, botMsg(namedCall("x", "pay")), toolMsg(failed("x", "pay")), botMsg(fetch, read),
				toolMsg(namedResult("x", "fetch", "page")), toolMsg(namedResult("x", "read", "file")),
				q),
			[]string{`user: "q"`, `assistant: call x`, `tool: error x "exit status 1"`, `user: "q"`}},
		{"an id that no call has, on the results of both turns",
			history(q, botMsg(pay), toolMsg(namedResult("x", "pay", "paid")), botMsg(fetch, read),
				toolMsg(namedResult("x", "fetch", "page")), toolMsg(namedResult("x", "read", "file")),
				q),
			[]string{`user: "q"`, `user: "q"`}},
	} {
		for _, p := range []*preflight.Profile{
			provider.Anthropic(""), provider.Bedrock(""), provider.OpenAIChat(""),
			provider.OpenAIResponses(""),
		} {
			res, err := preflight.Sanitize(context.Background(), c.in, p, nil)
			require.NoError(t, err)
			if p.IDs.Call.Matches("x") {
				require.Empty(t, cmp.Diff(parts(c.want), parts(lines(res.Messages))), "%s, %s", c.name,
					p.Provider)
			}
			require.Empty(t, preflight.Check(res.Messages, p, nil))
		}
	}
}

// TestLongRunningTool: a tool answers "pending" at once, and with its result once the assistant has
// responded to that. ADK sends the last response only, in the place of the first (google/adk-go,
// internal/llminternal/contents_processor_test.go, "Rearrangement with intermediate response" and
// "Rearrangement in history"). DuplicateLast does the same; by default both stay, so that nothing
// that was sent changes, and the last one is the last that the model reads.
func TestLongRunningTool(t *testing.T) {
	q := userMsg(says("q"))
	run := namedCall("call_1", "deploy")
	in := history(q, botMsg(run), toolMsg(namedResult("call_1", "deploy", `{"status":"pending"}`)),
		botMsg(says("I am waiting.")), userMsg(says("and now?")),
		toolMsg(namedResult("call_1", "deploy", `{"status":"done"}`)))
	for _, p := range []*preflight.Profile{
		provider.Anthropic("claude-sonnet-4-5"), provider.Bedrock(""), provider.OpenAIChat(""),
		provider.OpenAIResponses(""), provider.Gemini("gemini-2.5-pro"), provider.Mistral(""),
	} {
		t.Run(p.Provider, func(t *testing.T) {
			res, err := preflight.Sanitize(context.Background(), in, p, nil)
			require.NoError(t, err)
			require.Empty(t, preflight.Check(res.Messages, p, nil))
			before := len(in) - 1
			sent, err := preflight.Sanitize(context.Background(), in[:before], p, nil)
			require.NoError(t, err)
			n := len(sent.Messages)
			require.Empty(t, cmp.Diff(sent.Messages, res.Messages[:n]), "what was sent stays")
			require.Len(t, res.Messages, n+2)
			again := res.Messages[n].Parts[0].(*preflight.ToolCall)
			require.Equal(t, preflight.RoleAssistant, res.Messages[n].Role)
			require.Equal(t, run.Name, again.Name)
			require.JSONEq(t, string(run.Input), string(again.Input))
			last := res.Messages[n+1].Parts[0].(*preflight.ToolResult)
			require.Equal(t, again.ID, last.CallID)
			require.Equal(t, `{"status":"done"}`, resultText(res.Messages[n+1]))
			require.Equal(t, codes.CallRepeated, res.Warnings[0].Code)

			res, err = preflight.Sanitize(context.Background(), in, p,
				&preflight.Options{Duplicates: preflight.DuplicateLast})
			require.NoError(t, err)
			var results []string
			for _, m := range res.Messages {
				for _, part := range m.Parts {
					if r, ok := part.(*preflight.ToolResult); ok {
						results = append(results, r.Content[0].(*preflight.Text).Text)
					}
				}
			}
			require.Equal(t, []string{`{"status":"done"}`}, results)
			require.Empty(t, preflight.Check(res.Messages, p, nil))
		})
	}
	t.Run("a thinking budget", func(t *testing.T) {
		// the repeated call would need the reasoning that the model begins such a turn with
		p := provider.Anthropic("claude-sonnet-4-5")
		o := &preflight.Options{Request: preflight.Request{Thinking: provider.ThinkingBudget}}
		res, err := preflight.Sanitize(context.Background(), in, p, o)
		require.NoError(t, err)
		require.Equal(t, codes.DuplicatesMerged, res.Warnings[0].Code)
		require.Equal(t, `{"status":"pending"}|{"status":"done"}`, resultText(res.Messages[2]))
	})
}
