package wire_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/wire"
)

// hooked sanitizes with a message hook.
func hooked(
	t *testing.T,
	provider, body string,
	hook func(preflight.Message) preflight.Message,
) *wire.Result {
	t.Helper()
	options := &wire.Options{Provider: provider}
	options.Options.Hooks = []preflight.Hook{
		{
			Name: "test",
			Message: func(_ context.Context, m preflight.Message) (preflight.Message, error) {
				return hook(m), nil
			},
		},
	}
	result, err := wire.Sanitize(context.Background(), []byte(body), options)
	require.NoError(t, err)
	return result
}

func TestHooks(t *testing.T) {
	const in = `{"model":"claude-sonnet-4-5", "messages":[
  {"role":"user","content":"\u0071", "x":1.0},
  {"role":"assistant","content":[ {"type":"text","text":"\u0061"},` +
		` {"type":"text","text":"secret", "y":1.0}, {"type":"text","text":"\u0063"} ]},
  {"role":"user","content":"r"}
]}`
	none := hooked(t, "anthropic", in, func(m preflight.Message) preflight.Message { return m })
	require.Equal(t, in, string(none.Body))
	require.False(t, none.Changed)

	edited := hooked(t, "anthropic", in, func(m preflight.Message) preflight.Message {
		for _, p := range m.Parts {
			if text, ok := p.(*preflight.Text); ok && text.Text == "secret" {
				text.Text = "***"
			}
		}
		return m
	})
	require.Equal(t, strings.Replace(in, "secret", "***", 1), string(edited.Body))
	require.Len(t, edited.Warnings, 1)
	require.Equal(t, codes.Hook, edited.Warnings[0].Code)
	require.Equal(t, "messages[1]", edited.Warnings[0].Path)

	removed := hooked(t, "anthropic", in, func(m preflight.Message) preflight.Message {
		if len(m.Parts) == 3 {
			m.Parts = slices.Delete(m.Parts, 1, 2)
		}
		return m
	})
	require.Equal(t, strings.Replace(in, `{"type":"text","text":"secret", "y":1.0}, `, "", 1),
		string(removed.Body))

	whole := &wire.Options{}
	whole.Options.Hooks = []preflight.Hook{
		{
			Name: "whole",
			History: func(
				_ context.Context, history []preflight.Message,
			) ([]preflight.Message, error) {
				return append(
					history[1:],
					preflight.Message{
						Role:  preflight.RoleAssistant,
						Parts: []preflight.Part{&preflight.Text{Text: "end"}},
					},
				), nil
			},
		},
	}
	result, err := wire.Sanitize(
		context.Background(),
		[]byte(
			`{"model":"gpt-4o","messages":[ {"role":"user","content":"a"},`+
				` {"role":"user","content":"b", "x":1.0} ]}`,
		),
		whole,
	)
	require.NoError(t, err)
	require.Equal(
		t,
		`{"model":"gpt-4o","messages":[ {"role":"user","content":"b", "x":1.0},`+
			` {"role":"assistant","content":"end"} ]}`,
		string(result.Body),
	)

	gone := hooked(
		t,
		"openai-chat",
		`[ {"role":"user","content":"a"}, {"role":"user","content":"b"} ]`,
		func(m preflight.Message) preflight.Message {
			if m.Parts[0].(*preflight.Text).Text == "a" {
				return preflight.Message{}
			}
			return m
		},
	)
	require.Equal(t, `[ {"role":"user","content":"b"} ]`, string(gone.Body))
}

// TestHooksWithoutNativeJSON: what a format's rules depend on is written although a hook took the
// JSON off that it was read from. Each case was found by TestHooksCannotBreakTheWire; what comes
// out has to be a fixed point.
func TestHooksWithoutNativeJSON(t *testing.T) {
	forgetAll := func(m preflight.Message) preflight.Message {
		m.Native = preflight.Native{}
		forget(m.Parts)
		return m
	}
	for _, c := range []struct {
		reason, provider, in, want string
		hook                       func(preflight.Message) preflight.Message
	}{
		{"the mark of a prefix", "mistral",
			`[{"role":"user","content":"q"},{"role":"assistant","content":"Once ","prefix":true}]`,
			`[{"role":"user","content":"q"},{"role":"assistant","content":"Once ","prefix":true}]`,
			forgetAll},
		{"a mark of the hook's own", "mistral",
			`[{"role":"user","content":"q"},{"role":"assistant","content":"Once "}]`,
			`[{"role":"user","content":"q"},{"role":"assistant","content":"Once ","prefix":true}]`,
			func(m preflight.Message) preflight.Message {
				switch {
				case m.Parts[0].(*preflight.Text).Text == "Continue.":
					return preflight.Message{}
				case m.Role == preflight.RoleAssistant:
					m.Meta = preflight.Metadata{provider.MetaPrefix: json.RawMessage("true")}
				}
				return m
			}},
		{"settings beside text", "anthropic",
			`{"model":"claude-sonnet-4-5","system":"s","messages":[{"role":"user",` +
				`"content":"q"},{"role":"system","content":[],"output_config":{"effort":"low"}}]}`,
			`{"model":"claude-sonnet-4-5","system":"s","messages":[{"role":"user",` +
				`"content":"q"},{"role":"user","content":[{"type":"text","text":"and"}]},` +
				`{"role":"system","output_config":{"effort":"low"},"content":[]}]}`,
			func(m preflight.Message) preflight.Message {
				if _, ok := m.Parts[0].(*preflight.Other); ok {
					m.Parts = append(m.Parts, &preflight.Text{Text: "and"})
				}
				return m
			}},
		{"a name that is none", "openai-chat", `[{"role":"user","content":"q","name":7}]`,
			`[{"role":"user","content":"q"}]`,
			func(m preflight.Message) preflight.Message { m.Name = ""; return m }},
		{"reasoning that nobody can read", "openrouter",
			`[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":"a","reasoning_details":[{"data":"QUJD","n":1.0}]}]`,
			`[{"role":"user","content":"q"},` +
				`{"role":"assistant","reasoning_details":[{"data":"QUJD","n":1.0}],"content":"a"}]`,
			forgetAll},
		{"the call of a result", "ollama",
			`[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":"","tool_calls":[{"id":"c1",` +
				`"function":{"name":"f","arguments":{}}}]},` +
				`{"role":"tool","tool_name":"f","content":"x"}]`,
			`[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":"","tool_calls":[{"id":"c1",` +
				`"function":{"name":"g","arguments":{}}}]},` +
				`{"role":"tool","tool_name":"g","content":"x","tool_call_id":"c1"}]`,
			func(m preflight.Message) preflight.Message {
				if c, ok := m.Parts[len(m.Parts)-1].(*preflight.ToolCall); ok {
					c.Name = "g"
				}
				return m
			}},
		{"the call of a result, where there are no ids", "ollama",
			`[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":"","tool_calls":[{"function":{"name":"f",` +
				`"arguments":{}}}]},{"role":"tool","tool_name":"f","content":"x"}]`,
			`[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":"","tool_calls":[{"function":{"name":"g",` +
				`"arguments":{}}}]},{"role":"tool","tool_name":"g","content":"x"}]`,
			func(m preflight.Message) preflight.Message {
				if c, ok := m.Parts[len(m.Parts)-1].(*preflight.ToolCall); ok {
					c.Name = "g"
				}
				return m
			}},
	} {
		t.Run(c.reason, func(t *testing.T) {
			out := hooked(t, c.provider, c.in, c.hook)
			require.Equal(t, c.want, string(out.Body))
			again, err := wire.Sanitize(context.Background(), out.Body,
				&wire.Options{Provider: c.provider})
			require.NoError(t, err)
			require.False(t, again.Changed, "%v", again.Warnings)
		})
	}
}

// TestHookMovesParts: what a hook left in a place that has no form for it is an error, not lost,
// and neither is a body returned that the next Sanitize would refuse.
func TestHookMovesParts(t *testing.T) {
	for _, c := range []struct {
		provider, in string
		history      func(h []preflight.Message) []preflight.Message
		want         error
	}{
		{
			"openai-chat", `{"messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","audio":{"id":"a"}}]}`,
			func(h []preflight.Message) []preflight.Message {
				return []preflight.Message{{Role: preflight.RoleUser, Parts: h[1].Parts}}
			}, wire.ErrEncode,
		},
		{
			"anthropic", `{"system":[{"type":"tool-call","toolCallId":"c"}],"messages":[` +
				`{"role":"user","content":"q"}]}`,
			func(h []preflight.Message) []preflight.Message {
				return []preflight.Message{h[1], h[0]}
			}, preflight.ErrUnfixable,
		},
	} {
		options := &wire.Options{Provider: c.provider}
		options.Options.Hooks = []preflight.Hook{{
			Name: "move",
			History: func(
				_ context.Context, h []preflight.Message,
			) ([]preflight.Message, error) {
				return c.history(h), nil
			},
		}}
		_, err := wire.Sanitize(context.Background(), []byte(c.in), options)
		require.ErrorIs(t, err, c.want, c.in)
	}
}
