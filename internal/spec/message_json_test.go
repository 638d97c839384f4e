package spec

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
)

// otherPart is a part of an unknown kind.
func otherPart(native preflight.Native) preflight.Part {
	return &preflight.Other{Kind: "k", Carried: preflight.Carried{Native: native}}
}

func anthropicJSON(raw string) preflight.Native {
	return preflight.Native{Format: "anthropic", JSON: json.RawMessage(raw)}
}

func fullMessage() preflight.Message {
	return preflight.Message{
		Role: preflight.RoleAssistant, ID: "msg_1", Name: "bob",
		Meta:   preflight.Metadata{"openai": json.RawMessage(`{"itemId":"x"}`)},
		Native: anthropicJSON(`{"role" : "assistant", "n": 1.0}`),
		Parts: []preflight.Part{
			&preflight.Text{
				Carried: preflight.Carried{
					Meta:   preflight.Metadata{"openai": json.RawMessage(`{"itemId":"y"}`)},
					Cache:  json.RawMessage(`{"type":"ephemeral"}`),
					Native: anthropicJSON(`{"type":"text",  "text":"<b>"}`),
				},
				Text: "<b> & \u2028",
			},
			&preflight.Reasoning{Text: "t", Signature: "s", Opaque: "o"},
			&preflight.ToolCall{
				ID:       "c1",
				Name:     "f",
				Input:    json.RawMessage(`{"n":12345678901234567890}`),
				Awaiting: preflight.AwaitingApproval, Variant: "custom",
			},
			&preflight.ToolCall{
				ID:               "c2",
				Name:             "f",
				Input:            json.RawMessage(`{"cut":`),
				ProviderExecuted: true, Signature: "sig",
			},
			&preflight.ToolResult{
				CallID: "c1", Name: "f",
				Content: []preflight.Part{
					&preflight.Text{Text: "r"},
					&preflight.Media{Kind: "image", MediaType: "image/png", Data: "AA=="},
				},
				IsError: true,
			},
			&preflight.ToolResult{CallID: "c3", Output: json.RawMessage(`{"cut":`)},
			&preflight.ToolResult{
				CallID:           "c2",
				Output:           json.RawMessage(`[1.50,"x"]`),
				ProviderExecuted: true, Variant: "web_search_tool_result",
			},
			&preflight.Media{Kind: "document", MediaType: "application/pdf", URL: "u", FileID: "f", Name: "n"},
			&preflight.Media{Kind: "image", Data: "AA=="},
			&preflight.Other{
				Carried: preflight.Carried{Native: anthropicJSON(`{"type":"novel"}`)},
				Kind:    "novel",
			},
		},
	}
}

// TestFullMessage: fullMessage has every field of a message and of each kind of part, so that a
// field that the JSON form forgets fails TestMessageJSONRoundTrip.
func TestFullMessage(t *testing.T) {
	set, all := map[string]bool{}, map[string]bool{}
	var read func(v reflect.Value)
	read = func(v reflect.Value) {
		for k := range v.NumField() {
			field := v.Type().Field(k)
			if field.Anonymous {
				read(v.Field(k))
				continue
			}
			name := v.Type().Name() + "." + field.Name
			all[name] = true
			if !v.Field(k).IsZero() {
				set[name] = true
			}
		}
	}
	m := fullMessage()
	read(reflect.ValueOf(m))
	for _, part := range m.Parts {
		read(reflect.ValueOf(part).Elem())
	}
	require.Greater(t, len(all), 30)
	for name := range all {
		require.True(t, set[name], "no part of fullMessage has a %s", name)
	}
}

func TestMessageJSONRoundTrip(t *testing.T) {
	want := fullMessage()
	data, err := json.Marshal(want)
	require.NoError(t, err)
	var got preflight.Message
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
		want := preflight.Message{
			Role: preflight.RoleAssistant,
			Parts: []preflight.Part{
				&preflight.ToolCall{Input: json.RawMessage(raw)},
				&preflight.ToolResult{Output: json.RawMessage(raw)},
			},
		}
		data, err := json.Marshal(want)
		require.NoError(t, err, raw)
		var got preflight.Message
		require.NoError(t, json.Unmarshal(data, &got), raw)
		require.Empty(t, cmp.Diff(want, got), raw)
	}
}

// TestMessageJSONForm: what a stored message looks like, fields without a value left out.
func TestMessageJSONForm(t *testing.T) {
	for _, c := range []struct {
		want string
		m    preflight.Message
	}{
		{`{"role":"user","parts":[]}`, preflight.Message{Role: preflight.RoleUser}},
		{`{"role":"user","id":"i","name":"n","parts":[{"type":"text","text":"<b>"}],` +
			`"meta":{"a":1},"native":{"format":"x","json":"{}"}}`,
			preflight.Message{
				Role:   preflight.RoleUser,
				ID:     "i",
				Name:   "n",
				Parts:  []preflight.Part{&preflight.Text{Text: "<b>"}},
				Meta:   preflight.Metadata{"a": json.RawMessage(`1`)},
				Native: preflight.Native{Format: "x", JSON: json.RawMessage(`{}`)},
			}},
		{`{"role":"user","parts":[{"type":"other","kind":"k","native":{"format":"x","json":""}}]}`,
			preflight.Message{
				Role: preflight.RoleUser,
				Parts: []preflight.Part{otherPart(
					preflight.Native{Format: "x", JSON: json.RawMessage{}})},
			}},
		{`{"role":"user","parts":[{"type":"other","kind":"k","native":{"json":"1"}}]}`,
			preflight.Message{
				Role:  preflight.RoleUser,
				Parts: []preflight.Part{otherPart(preflight.Native{JSON: json.RawMessage("1")})},
			}},
		{`{"role":"assistant","parts":[{"type":"tool_call","id":"c","name":"f","input":{"a":1},` +
			`"provider_executed":true,"awaiting":"client","variant":"v","signature":"s"}]}`,
			preflight.Message{
				Role: preflight.RoleAssistant,
				Parts: []preflight.Part{
					&preflight.ToolCall{
						ID:               "c",
						Name:             "f",
						Input:            json.RawMessage(`{"a":1}`),
						ProviderExecuted: true, Awaiting: preflight.AwaitingClient, Variant: "v",
						Signature: "s",
					},
				},
			}},
		{`{"role":"tool","parts":[{"type":"tool_result","call_id":"c","name":"f",` +
			`"content":[{"type":"text","text":"r"}],"output_text":"{","is_error":true,` +
			`"provider_executed":true,"variant":"v"}]}`,
			preflight.Message{
				Role: preflight.RoleTool,
				Parts: []preflight.Part{
					&preflight.ToolResult{
						CallID: "c", Name: "f",
						Content: []preflight.Part{&preflight.Text{Text: "r"}},
						Output:  json.RawMessage("{"),
						IsError: true, ProviderExecuted: true, Variant: "v",
					},
				},
			}},
		{`{"role":"user","parts":[{"type":"media","name":"n","kind":"image","media_type":"t",` +
			`"data":"d","url":"u","file_id":"f","cache":{}}]}`,
			preflight.Message{
				Role: preflight.RoleUser,
				Parts: []preflight.Part{
					&preflight.Media{
						Carried: preflight.Carried{Cache: json.RawMessage(`{}`)},
						Kind:    "image", MediaType: "t", Data: "d", URL: "u", FileID: "f", Name: "n",
					},
				},
			}},
	} {
		got, err := c.m.MarshalJSON()
		require.NoError(t, err)
		require.JSONEq(t, c.want, string(got))
		require.NotContains(t, string(got), `\u003c`)
		var back preflight.Message
		require.NoError(t, back.UnmarshalJSON(got))
		require.Empty(t, cmp.Diff(c.m, back))
	}
}

// notAPart is in every error about a part that cannot be written or read.
const notAPart = "preflight: not a message part"

func TestMessageJSONRefuses(t *testing.T) {
	for name, m := range map[string]preflight.Message{
		"nil part":       {Parts: []preflight.Part{nil}},
		"typed nil part": {Parts: []preflight.Part{(*preflight.Text)(nil)}},
		"result within result": {Parts: []preflight.Part{
			&preflight.ToolResult{Content: []preflight.Part{&preflight.ToolResult{}}},
		}},
	} {
		_, err := json.Marshal(m)
		require.ErrorContains(t, err, notAPart, name)
	}
	for name, in := range map[string]string{
		"unknown type": `{"role":"user","parts":[{"type":"nonsense"}]}`,
		"result within result": `{"role":"user","parts":[{"type":"tool_result",` +
			`"content":[{"type":"tool_result"}]}]}`,
	} {
		var m preflight.Message
		require.ErrorContains(t, json.Unmarshal([]byte(in), &m), notAPart, name)
	}
}

func TestLogValueHidesContent(t *testing.T) {
	const secret = "alice@example.org"
	m := preflight.Message{
		Role: secret,
		Parts: []preflight.Part{
			&preflight.Text{Text: secret}, &preflight.Reasoning{Text: secret, Signature: secret},
			&preflight.ToolCall{ID: "c1", Input: json.RawMessage(`"` + secret + `"`)},
			&preflight.ToolResult{
				CallID: "c1", Content: []preflight.Part{&preflight.Text{Text: secret}},
			},
			&preflight.Media{Data: secret, URL: secret},
			otherPart(preflight.Native{JSON: json.RawMessage(secret)}),
			&preflight.ToolCall{ID: secret, Name: secret},
			&preflight.ToolResult{CallID: secret, Name: secret},
			&preflight.Media{MediaType: secret, Kind: secret}, &preflight.Other{Kind: secret},
			nil, (*preflight.Text)(nil),
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
