package wire_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/wire"
)

// TestTemplateTurns: no turn is made up for a template that was not seen to raise without it.
func TestTemplateTurns(t *testing.T) {
	const (
		call = `{"role":"assistant","content":"","tool_calls":[{"id":"abcdefgh1","type":"function",` +
			`"function":{"name":"f","arguments":"{}"}}]},` +
			`{"role":"tool","tool_call_id":"abcdefgh1","content":"ok"}`
		after = `[{"role":"user","content":"q"},` + call + `,{"role":"user","content":"r"}]`
		last  = `[{"role":"user","content":"q"},{"role":"assistant","content":"a"}]`
		hello = `[{"role":"assistant","content":"a"},{"role":"user","content":"q"}]`
		lone  = `[{"role":"system","content":"s"},` + call + `]`
	)
	for _, c := range []struct {
		model                    string
		after, last, hello, lone bool // what is changed
	}{
		{model: ""},
		{model: "some-model"},
		{model: "qwen2.5-coder-7b-instruct"},
		{model: "qwen/qwen3-4b-instruct-2507"},
		{model: "Qwen3-Coder-30B-A3B-Instruct"},
		{model: "llama-3.1-8b-instruct"},
		{model: "granite-4.0-tiny"},
		{model: "qwen3-8b", last: true},
		{model: "openai/gpt-oss-20b", last: true},
		{model: "qwen3.5-35b-a3b", last: true, lone: true},
		{model: "mistralai/devstral-small-2507", after: true, hello: true, lone: true},
		{model: "ministral-3-8b", after: true, hello: true, lone: true},
		{model: "mistralai/Mistral-Small-4-119B-2603", after: true, hello: true, lone: true},
	} {
		for messages, changed := range map[string]bool{
			after: c.after, last: c.last, hello: c.hello, lone: c.lone,
		} {
			model, _ := json.Marshal(c.model)
			body := `{"model":` + string(model) + `,"messages":` + messages + `}`
			result, err := wire.Sanitize(context.Background(), []byte(body),
				&wire.Options{Provider: "chat-template"})
			require.NoError(t, err)
			require.Equal(t, changed, result.Changed, "%s\n%s", body, result.Body)
		}
	}
	for settings, changed := range map[string]bool{
		`"enable_thinking":true`: true, `"enable_thinking":false`: false, `"x":1`: false,
	} {
		body := `{"model":"some-model","chat_template_kwargs":{` + settings + `},"messages":` + last + `}`
		result, err := wire.Sanitize(context.Background(), []byte(body),
			&wire.Options{Provider: "chat-template"})
		require.NoError(t, err)
		require.Equal(t, changed, result.Changed, body)
	}
}
