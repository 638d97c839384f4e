package wire_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/wire"
)

const toConvert = `{"model":"claude-sonnet-4-5","max_tokens":100,"system":"be brief","temperature":0.5,"metadata":{"user_id":"u"},
"tools":[{"name":"f","description":"d","input_schema":{"type":"object","properties":{"n":{"type":"number"}}}}],"messages":[
{"role":"user","content":[{"type":"text","text":"q"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}}]},
{"role":"assistant","content":[{"type":"thinking","thinking":"x","signature":"QUJD"},{"type":"tool_use","id":"toolu_1","name":"f","input":{"n":1.0}}]},
{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"ok"},{"type":"text","text":"next"}]}]}`

func TestConvertCarriesWhatItCan(t *testing.T) {
	result, err := wire.Convert(context.Background(), []byte(toConvert), &wire.ConvertOptions{To: "openai-chat", Model: "gpt-5.4"})
	require.NoError(t, err)
	want := `{"model":"gpt-5.4","max_completion_tokens":100,"temperature":0.5,"tools":[{"type":"function","function":{"name":"f",` +
		`"description":"d","parameters":{"type":"object","properties":{"n":{"type":"number"}}}}}],"messages":[` +
		`{"role":"system","content":"be brief"},` +
		`{"role":"user","content":[{"type":"text","text":"q"},{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgo="}}]},` +
		`{"role":"assistant","content":null,"tool_calls":[{"id":"toolu_1","type":"function","function":{"name":"f","arguments":"{\"n\":1.0}"}}]},` +
		`{"role":"tool","tool_call_id":"toolu_1","content":"ok"},` +
		`{"role":"user","content":[{"type":"text","text":"next"}]}]}`
	if diff := cmp.Diff(want, string(result.Body)); diff != "" {
		t.Errorf("converted body (-want +got):\n%s", diff)
	}
	var said []string
	for _, w := range result.Warnings {
		said = append(said, string(w.Code)+" "+w.Path)
	}
	require.Contains(t, said, "not-carried metadata")
	require.Contains(t, said, "reasoning-removed messages[1].content[0]")
}

func TestConvertToTheSameFormatRepairs(t *testing.T) {
	result, err := wire.Convert(context.Background(), []byte(toConvert), &wire.ConvertOptions{To: "anthropic", Model: "claude-opus-4-6"})
	require.NoError(t, err)
	require.Contains(t, string(result.Body), `"model":"claude-opus-4-6"`)
	require.Contains(t, string(result.Body), `"signature":"QUJD"`, "reasoning of the same provider stays")
}

func TestConvertNeedsATarget(t *testing.T) {
	for _, options := range []*wire.ConvertOptions{nil, {}, {To: "nobody"}} {
		result, err := wire.Convert(context.Background(), []byte(toConvert), options)
		require.ErrorIs(t, err, wire.ErrNotARequest)
		require.Equal(t, toConvert, string(result.Body))
	}
}

// TestConvertProperties: what comes out is valid for the target, deterministic, and there and back again keeps every text
// of users and every answered call.
func TestConvertProperties(t *testing.T) {
	for _, from := range generated {
		for _, to := range wire.Providers() {
			if from == to {
				continue
			}
			t.Run(from+" to "+to, func(t *testing.T) {
				rapid.Check(t, func(t *rapid.T) {
					in := body(from).Draw(t, "body")
					clean, err := wire.Sanitize(context.Background(), in, &wire.Options{Provider: from})
					if err != nil {
						return // not a request, or beyond repair
					}
					given := bytes.Clone(clean.Body)
					there := mustConvert(t, clean.Body, from, to)
					require.Equal(t, given, clean.Body, "the input was written to")
					require.Equal(t, there, mustConvert(t, clean.Body, from, to), "two runs differ")
					found, err := wire.Check(there, &wire.Options{Provider: to})
					require.NoError(t, err)
					require.Empty(t, found.Violations, "%s\n%s", clean.Body, there)
					back := mustConvert(t, there, to, from)
					requireKept(t, from, clean.Body, back)
				})
			})
		}
	}
}

// generated are the formats that body makes bodies in.
var generated = []string{"anthropic", "openai-chat", "openai-responses", "gemini", "bedrock", "mistral", "cohere", "ollama"}

func mustConvert(t *rapid.T, in []byte, from, to string) []byte {
	result, err := wire.Convert(context.Background(), in, &wire.ConvertOptions{From: from, To: to})
	require.NoError(t, err, "%s", in)
	require.True(t, json.Valid(result.Body), "%s", result.Body)
	return result.Body
}

// requireKept asserts that the user's texts and the answered calls of before are still there in after.
func requireKept(t *rapid.T, provider string, before, after []byte) {
	was, err := wire.Decode(before, &wire.Options{Provider: provider})
	require.NoError(t, err)
	is, err := wire.Decode(after, &wire.Options{Provider: provider})
	require.NoError(t, err)
	var all strings.Builder
	calls := 0
	for _, m := range is.Messages {
		for _, p := range m.Parts {
			switch p := p.(type) {
			case *preflight.Text:
				all.WriteString(p.Text + "\x00")
			case *preflight.ToolCall:
				calls++
			}
		}
	}
	for _, m := range was.Messages {
		for _, p := range m.Parts {
			switch p := p.(type) {
			case *preflight.Text:
				if text := strings.TrimSpace(p.Text); m.Role == preflight.RoleUser && text != "" {
					require.Contains(t, all.String(), text, "%s\n%s", before, after)
				}
			case *preflight.ToolCall:
				if !p.ProviderExecuted {
					calls--
				}
			}
		}
	}
	require.GreaterOrEqual(t, calls, 0, "%s\n%s", before, after)
}

// A call without an id whose result has one is a pair where names count, and stays one elsewhere (found by
// TestConvertProperties).
func TestConvertPairsByName(t *testing.T) {
	const in = `{"contents":[{"role":"user","parts":[{"text":"q"}]},{"role":"model","parts":[{"functionCall":{"name":"f"}},{"functionCall":{"name":"f","id":"1"}}]},` +
		`{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"one"},"id":"1"}},{"functionResponse":{"name":"f","response":{"output":"two"},"id":"2"}}]}]}`
	result, err := wire.Convert(context.Background(), []byte(in), &wire.ConvertOptions{From: "gemini", To: "openai-chat"})
	require.NoError(t, err)
	r, err := wire.Decode(result.Body, &wire.Options{Provider: "openai-chat"})
	require.NoError(t, err)
	said := map[string]string{}
	for _, m := range r.Messages {
		for _, p := range m.Parts {
			if x, ok := p.(*preflight.ToolResult); ok {
				said[x.CallID] = x.Content[0].(*preflight.Text).Text
			}
		}
	}
	calls := r.Messages[1].Parts
	require.Len(t, calls, 2)
	require.Equal(t, map[string]string{calls[0].(*preflight.ToolCall).ID: "two", "1": "one"}, said)
}
