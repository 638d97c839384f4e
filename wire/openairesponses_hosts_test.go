package wire_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/wire"
)

// TestToolSearchAnswers: an answer that preflight makes up for a search finds no tools, as codex
// has it.
func TestToolSearchAnswers(t *testing.T) {
	options := &wire.Options{Provider: "openai-responses"}
	options.Options.Dangling = preflight.DanglingAnswer
	const head = `{"input":[{"role":"user","content":"q"},` +
		`{"type":"tool_search_call","call_id":"s","execution":"client","status":"completed",` +
		`"arguments":{}}`
	result, err := wire.Sanitize(context.Background(), []byte(head+`]}`), options)
	require.NoError(t, err)
	require.Equal(
		t,
		head+
			`,{"type":"tool_search_output","call_id":"s","execution":"client",`+
			`"status":"completed","tools":[]}]}`,
		string(result.Body),
	)
	require.Len(t, result.Warnings, 1)
	requireGuarantees(t, []byte(head+`]}`), options)
}

// TestForeignItemsKeepTheirMembers: a message of another host that is changed loses nothing that
// only OpenAI refuses.
func TestForeignItemsKeepTheirMembers(t *testing.T) {
	const body = `{"model":"deepseek-v4-flash","input":[{"role":"user","content":"q"},` +
		`{"type":"reasoning","id":"7","status":"completed","summary":[{"type":"summary_text",` +
		`"text":"s"}],` +
		`"content":[{"type":"reasoning_text","text":"t"}]},` +
		`{"type":"message","id":"8","role":"assistant","status":"completed",` +
		`"content":[{"type":"output_text","text":"a"}]}]}`
	r, err := wire.Decode([]byte(body), &wire.Options{Provider: "deepseek-responses"})
	require.NoError(t, err)
	thought := *r.Messages[1].Parts[0].(*preflight.Reasoning)
	thought.Text = "shorter"
	messages := slices.Clone(r.Messages)
	messages[1].Parts = []preflight.Part{&thought}
	out, err := r.Encode(messages)
	require.NoError(t, err)
	require.Contains(
		t,
		string(out),
		`"status":"completed","summary":[{"type":"summary_text","text":"shorter"}],`+
			`"content":[{"type":"reasoning_text","text":"t"}]`,
	)
}
