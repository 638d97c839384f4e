package wire_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/wire"
)

func TestOutcome(t *testing.T) {
	failing := preflight.Options{Hooks: []preflight.Hook{{
		Name: "failing",
		History: func(context.Context, []preflight.Message) ([]preflight.Message, error) {
			return nil, errors.New("no")
		},
	}}}
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	const dangling = `{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[
		{"role":"user","content":"Build it."},
		{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"run","input":{}}]},
		{"role":"user","content":"Stop."}]}`
	for _, c := range []struct {
		body    string
		ctx     context.Context
		options wire.Options
		class   string
		changed bool
	}{
		{dangling, context.Background(), wire.Options{}, "", true},
		{"{", context.Background(), wire.Options{}, "not-json", false},
		{"7", context.Background(), wire.Options{}, "not-a-request", false},
		{dangling, context.Background(), wire.Options{Provider: "none"}, "not-a-request",
			false},
		{`{"model":"","messages":[]}`, context.Background(),
			wire.Options{}, "ambiguous", false},
		{`{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[]}`, context.Background(),
			wire.Options{Provider: "anthropic"}, "empty", false},
		{dangling, context.Background(), wire.Options{Options: failing}, "hook", false},
		{dangling, cancelled, wire.Options{}, "cancelled", false},
	} {
		result, err := wire.Sanitize(c.ctx, []byte(c.body), &c.options)
		out := wire.OutcomeOf(result, err)
		require.Equal(t, c.class, out.Class, "%v", err)
		require.Equal(t, c.changed, out.Changed)
		require.Equal(t, err != nil, out.Error != "")
		require.Equal(t, c.changed, len(out.Warnings) > 0)

		text, err := json.Marshal(out)
		require.NoError(t, err)
		require.Contains(t, string(text), `"warnings":[`)
		var back wire.Outcome
		require.NoError(t, json.Unmarshal(text, &back))
		again, err := json.Marshal(back)
		require.NoError(t, err)
		require.Equal(t, string(text), string(again))
	}
	require.Equal(t, "unfixable",
		wire.OutcomeOf(nil, fmt.Errorf("x: %w", preflight.ErrUnfixable)).Class)
	require.Empty(t, wire.OutcomeOf(nil, nil).Provider)

	// a conversion changes the body of a history with nothing to warn of
	converted, err := wire.Convert(context.Background(),
		[]byte(`[{"role":"user","content":"q"}]`),
		"openai-chat", &wire.Options{Provider: "gemini"})
	require.NoError(t, err)
	text, err := json.Marshal(wire.OutcomeOf(converted, nil))
	require.NoError(t, err)
	require.Contains(t, string(text), `"changed":true,"warnings":[]`)
}

// Options are plain data, and can be sent as JSON, unless they hold functions.
func TestOptionsJSON(t *testing.T) {
	given := wire.Options{
		Provider: "openai", Model: "gpt-5", Portable: true, Betas: []string{"b"},
		Options: preflight.Options{Dangling: preflight.DanglingAnswer, Bridge: "b"},
	}
	text, err := json.Marshal(given)
	require.NoError(t, err)
	require.Equal(t, `{"provider":"openai","model":"gpt-5","portable":true,"betas":["b"],`+
		`"options":{"dangling":"answer","bridge":"b"}}`, string(text))
	var back wire.Options
	require.NoError(t, json.Unmarshal(text, &back))
	require.Equal(t, given, back)

	given.Options.OpenCall = func(*preflight.ToolCall) preflight.Part { return nil }
	_, err = json.Marshal(given)
	require.ErrorContains(t, err, "Options.OpenCall holds functions")
}
