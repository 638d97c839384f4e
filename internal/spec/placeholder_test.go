package spec

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
)

// TestForeignPlaceholders: what agents answer a call with that never finished, in their own words,
// is replaced by the real result that comes later, wherever that is.
func TestForeignPlaceholders(t *testing.T) {
	for _, c := range []struct{ text, source string }{
		{"[openclaw] missing tool result in session history; inserted synthetic error result for " +
			"transcript repair.", "openclaw/openclaw"},
		{"Tool call f with id a was cancelled - another message came in before it could be " +
			"completed.", "langchain-ai/deepagents patch_tool_calls.py"},
		{"[Tool execution was interrupted]", "anomalyco/opencode message-v2.ts"},
		{"Tool execution aborted", "anomalyco/opencode"},
		{"No result provided", "badlogic/pi-mono"},
		{"[Request interrupted by user for tool use]", "anthropics/claude-code"},
		{"Tool call was interrupted before a result was recorded.", "cloudflare/agents"},
		{"[Aborted: tool execution was interrupted]", "transcript repair of an agent"},
		{"Tool execution was interrupted before it completed because the run was stopped. No " +
			"output was produced.", "an agent's abort handler"},
		{"Error: The tool execution was interrupted or failed to return a result. You may need " +
			"to retry this operation.", "snow-cli"},
		{"[tool call interrupted; no result recorded]", "a gateway's transform"},
		{"Tool call interrupted by user", "an agent's session log"},
		{"Tool execution was cancelled.", "turnstonelabs/turnstone#219"},
		{"[ocx] no tool result was recorded", "lidge-jun/opencodex#1912"},
		{"interrupted - tool was not executed before recovery; safe to retry",
			"everruns/everruns#2097"},
		{`{"error":"Tool execution was interrupted"}`, "a Gemini agent's structured error"},
		{"Tool call was cancelled — a new message arrived before it could complete.",
			"an agent's history middleware"},
	} {
		in := history(userMsg(says("q")), botMsg(calls("a")), toolMsg(answers("a", c.text)),
			userMsg(says("r")), toolMsg(answers("a", "real")), botMsg(says("x")))
		out, warnings := preflight.Fixers.PairToolCalls.Apply(in, &preflight.Profile{}, nil)
		require.Equal(t, "real", resultText(out[2]), "%s: %s", c.source, c.text)
		require.Len(t, warnings, 2, c.text)
		require.Equal(t, codes.PlaceholderReplaced, warnings[0].Code, c.text)
		require.False(t, warnings[0].Ambiguous, c.text)
	}
}

// TestWhatMayBeData: a text that may be data is replaced by a later result only with Ambiguous, and
// never once the assistant has spoken: then its call is repeated for the later result. What is no
// placeholder stays beside the later result.
func TestWhatMayBeData(t *testing.T) {
	for _, text := range []string{"Cancelled", "aborted", "Interrupted."} {
		in := history(userMsg(says("q")), botMsg(calls("a")), toolMsg(answers("a", text)),
			toolMsg(answers("a", "real")))
		out, warnings := preflight.Fixers.PairToolCalls.Apply(in, &preflight.Profile{}, nil)
		require.Equal(t, "real", resultText(out[2]), text)
		require.True(t, warnings[0].Ambiguous, text)

		in = history(userMsg(says("q")), botMsg(calls("a")), toolMsg(answers("a", text)),
			botMsg(says("x")), toolMsg(answers("a", "real")))
		out, warnings = preflight.Fixers.PairToolCalls.Apply(in, &preflight.Profile{}, nil)
		require.Equal(t, text, resultText(out[2]), text)
		require.Equal(t, botMsg(calls("a_2")), out[4], text)
		require.Equal(t, toolMsg(answers("a_2", "real")), out[5], text)
		require.Len(t, warnings, 1)
		require.Equal(t, codes.CallRepeated, warnings[0].Code)
	}
	for _, text := range []string{
		"No results found", "Order 17 was cancelled by the customer", "job 4411 aborted: disk full",
		"pending", "ok", "exit status 130",
		"The contract may be cancelled at any time", `{"status":"aborted","rows":0}`,
		"build failed: function main is missing in main.go",
	} {
		in := history(userMsg(says("q")), botMsg(calls("a")), toolMsg(answers("a", text)),
			toolMsg(answers("a", "final 42")))
		out, _ := preflight.Fixers.PairToolCalls.Apply(in, &preflight.Profile{}, nil)
		require.Equal(t, text+"|final 42", resultText(out[2]), text)
	}
}

// resultText is the texts of the first result of a message.
func resultText(m preflight.Message) string {
	out := ""
	for k, p := range m.Parts[0].(*preflight.ToolResult).Content {
		if k > 0 {
			out += "|"
		}
		out += p.(*preflight.Text).Text
	}
	return out
}
