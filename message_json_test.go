package preflight

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

func fullMessage() Message {
	return Message{
		Role: RoleAssistant, Name: "bob",
		Meta:   Metadata{"openai": json.RawMessage(`{"itemId":"x"}`)},
		Native: Native{"anthropic", json.RawMessage(`{"role" : "assistant", "n": 1.0}`)},
		Parts: []Part{
			&Text{
				Carried{
					Cache:  json.RawMessage(`{"type":"ephemeral"}`),
					Native: Native{"anthropic", json.RawMessage(`{"type":"text",  "text":"<b>"}`)},
				},
				"<b> & \u2028",
			},
			&Reasoning{Text: "t", Signature: "s", Opaque: "o"},
			&ToolCall{
				ID:       "c1",
				Name:     "f",
				Input:    json.RawMessage(`{"n":12345678901234567890}`),
				Awaiting: AwaitingApproval, Variant: "custom",
			},
			&ToolCall{
				ID:               "c2",
				Name:             "f",
				Input:            json.RawMessage(`{"cut":`),
				ProviderExecuted: true,
			},
			&ToolResult{
				CallID: "c1", Name: "f",
				Content: []Part{
					&Text{Text: "r"},
					&Media{Kind: "image", MediaType: "image/png", Data: "AA=="},
				},
				IsError: true,
			},
			&ToolResult{CallID: "c3", Output: json.RawMessage(`{"cut":`)},
			&ToolResult{
				CallID:           "c2",
				Output:           json.RawMessage(`[1.50,"x"]`),
				ProviderExecuted: true, Variant: "web_search_tool_result",
			},
			&Media{Kind: "document", URL: "u", FileID: "f", Name: "n"},
			&Other{
				Carried{Native: Native{"anthropic", json.RawMessage(`{"type":"novel"}`)}},
				"novel",
			},
		},
	}
}

func TestMessageJSONRoundTrip(t *testing.T) {
	want := fullMessage()
	data, err := json.Marshal(want)
	require.NoError(t, err)
	var got Message
	require.NoError(t, json.Unmarshal(data, &got))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("a message changed on its way through JSON (-want +got):\n%s", diff)
	}
}

// TestMessageJSONKeepsRawBytes: arguments and outputs come back byte for byte, whatever they are.
func TestMessageJSONKeepsRawBytes(t *testing.T) {
	for _, raw := range []string{
		"5", "{", "x", `{}`, ` {}`, `{"a": 1}`, `{"a":"<&>"}`, "{\"a\":\"\u2028\"}", `"\u2028"`,
		`1.0`, `{"cut":`,
	} {
		want := Message{
			Role: RoleAssistant,
			Parts: []Part{
				&ToolCall{Input: json.RawMessage(raw)},
				&ToolResult{Output: json.RawMessage(raw)},
			},
		}
		data, err := json.Marshal(want)
		require.NoError(t, err, raw)
		var got Message
		require.NoError(t, json.Unmarshal(data, &got), raw)
		require.Empty(t, cmp.Diff(want, got), raw)
	}
}

// TestMessageJSONForm: what a stored message looks like, fields without a value left out.
func TestMessageJSONForm(t *testing.T) {
	for _, c := range []struct {
		want string
		m    Message
	}{
		{`{"role":"user","parts":[]}`, Message{Role: RoleUser}},
		{`{"role":"user","id":"i","name":"n","parts":[{"type":"text","text":"<b>"}],` +
			`"meta":{"a":1},"native":{"format":"x","json":"{}"}}`,
			Message{
				Role:   RoleUser,
				ID:     "i",
				Name:   "n",
				Parts:  []Part{&Text{Text: "<b>"}},
				Meta:   Metadata{"a": json.RawMessage(`1`)},
				Native: Native{"x", json.RawMessage(`{}`)},
			}},
		{`{"role":"user","parts":[{"type":"other","kind":"k","native":{"format":"x","json":""}}]}`,
			Message{
				Role:  RoleUser,
				Parts: []Part{&Other{Carried{Native: Native{"x", json.RawMessage{}}}, "k"}},
			}},
		{`{"role":"user","parts":[{"type":"other","kind":"k","native":{"json":"1"}}]}`,
			Message{
				Role:  RoleUser,
				Parts: []Part{&Other{Carried{Native: Native{JSON: json.RawMessage("1")}}, "k"}},
			}},
		{`{"role":"assistant","parts":[{"type":"tool_call","id":"c","name":"f","input":{"a":1},` +
			`"provider_executed":true,"awaiting":"client","variant":"v","signature":"s"}]}`,
			Message{
				Role: RoleAssistant,
				Parts: []Part{
					&ToolCall{
						ID:               "c",
						Name:             "f",
						Input:            json.RawMessage(`{"a":1}`),
						ProviderExecuted: true, Awaiting: AwaitingClient, Variant: "v",
						Signature: "s",
					},
				},
			}},
		{`{"role":"tool","parts":[{"type":"tool_result","call_id":"c","name":"f",` +
			`"content":[{"type":"text","text":"r"}],"output_text":"{","is_error":true,` +
			`"provider_executed":true,"variant":"v"}]}`,
			Message{
				Role: RoleTool,
				Parts: []Part{
					&ToolResult{
						CallID: "c", Name: "f",
						Content: []Part{&Text{Text: "r"}},
						Output:  json.RawMessage("{"),
						IsError: true, ProviderExecuted: true, Variant: "v",
					},
				},
			}},
		{`{"role":"user","parts":[{"type":"media","name":"n","kind":"image","media_type":"t",` +
			`"data":"d","url":"u","file_id":"f","cache":{}}]}`,
			Message{
				Role: RoleUser,
				Parts: []Part{
					&Media{Carried{Cache: json.RawMessage(`{}`)}, "image", "t", "d", "u", "f", "n"},
				},
			}},
	} {
		got, err := c.m.MarshalJSON()
		require.NoError(t, err)
		require.JSONEq(t, c.want, string(got))
		require.NotContains(t, string(got), `\u003c`)
		var back Message
		require.NoError(t, back.UnmarshalJSON(got))
		require.Empty(t, cmp.Diff(c.m, back))
	}
}

func TestMessageJSONRefuses(t *testing.T) {
	for name, m := range map[string]Message{
		"nil part":             {Parts: []Part{nil}},
		"typed nil part":       {Parts: []Part{(*Text)(nil)}},
		"result within result": {Parts: []Part{&ToolResult{Content: []Part{&ToolResult{}}}}},
	} {
		_, err := json.Marshal(m)
		require.ErrorIs(t, err, errPart, name)
	}
	for name, in := range map[string]string{
		"unknown type": `{"role":"user","parts":[{"type":"nonsense"}]}`,
		"result within result": `{"role":"user","parts":[{"type":"tool_result",` +
			`"content":[{"type":"tool_result"}]}]}`,
	} {
		var m Message
		require.ErrorIs(t, json.Unmarshal([]byte(in), &m), errPart, name)
	}
}

func TestLogValueHidesContent(t *testing.T) {
	const secret = "alice@example.org"
	m := Message{
		Role: secret,
		Parts: []Part{
			&Text{Text: secret}, &Reasoning{Text: secret, Signature: secret},
			&ToolCall{ID: "c1", Input: json.RawMessage(`"` + secret + `"`)},
			&ToolResult{CallID: "c1", Content: []Part{&Text{Text: secret}}},
			&Media{Data: secret, URL: secret},
			&Other{Kind: "k", Carried: Carried{Native: Native{JSON: json.RawMessage(secret)}}},
			&ToolCall{ID: secret, Name: secret}, &ToolResult{CallID: secret, Name: secret},
			&Media{MediaType: secret, Kind: secret}, &Other{Kind: secret},
			nil, (*Text)(nil),
		},
	}
	var out bytes.Buffer
	log := slog.New(slog.NewTextHandler(&out, nil))
	log.Info("message", "m", m)
	for _, p := range m.Parts {
		log.Info("part", "p", p)
	}
	require.NotContains(t, out.String(), secret)
	require.Contains(t, out.String(), "m.calls=2")
	require.Contains(t, out.String(), "p.kind=tool_result")
}
