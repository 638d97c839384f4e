package wire_test

import (
	"context"
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/wire"
)

// This file tests what each format keeps of a message that is edited, and what it makes of parts
// from another format.

// TestEditedMessagesKeepTheirMembers: the text becomes "b", the rest of the message stays as it
// was.
func TestEditedMessagesKeepTheirMembers(t *testing.T) {
	speak := func(m *preflight.Message) {
		for i, p := range m.Parts {
			switch p := p.(type) {
			case *preflight.Text:
				edited := *p
				edited.Text = "b"
				m.Parts[i] = &edited
			case *preflight.Reasoning:
				edited := *p
				edited.Text = "b"
				m.Parts[i] = &edited
			}
		}
	}
	forgetID := func(m *preflight.Message) { m.ID = ""; speak(m) }
	onlyText := func(m *preflight.Message) { m.Parts = m.Parts[:1] }
	for _, c := range []struct {
		reason, provider, in, want string
		change                     func(*preflight.Message)
	}{
		{"a user's status", "openai-responses",
			`{"type":"message","role":"user","content":[{"type":"input_text","text":"a"}],` +
				`"status":"completed"}`,
			`{"type":"message","role":"user","content":[{"type":"input_text","text":"b"}],` +
				`"status":"completed"}`,
			speak},
		{"an answer's status", "openai-responses",
			`{"type":"message","id":"msg_1","role":"assistant","status":"completed",` +
				`"content":[{"type":"output_text","text":"a","annotations":[]}]}`,
			`{"type":"message","id":"msg_1","role":"assistant","status":"completed",` +
				`"content":[{"type":"output_text","text":"b","annotations":[]}]}`,
			speak},
		{"also without its id", "openai-responses",
			`{"type":"message","id":"msg_1","role":"assistant","status":"completed",` +
				`"content":[{"type":"output_text","text":"a","annotations":[]}]}`,
			`{"type":"message","role":"assistant","status":"completed",` +
				`"content":[{"type":"output_text","text":"b","annotations":[]}]}`,
			forgetID},
		{"an empty list of images", "ollama", `{"role":"user","content":"a","images":[]}`,
			`{"role":"user","content":"b","images":[]}`, speak},
		{"a list goes with its last image", "ollama",
			`{"role":"user","content":"a",` +
				`"images":["iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"]}`,
			`{"role":"user","content":"a"}`, onlyText},
		{"thinking is spliced", "cohere",
			`{"role":"assistant","content":[{"type":"thinking","thinking":"a","x":1.0},` +
				`{"type":"text","text":"a"}]}`,
			`{"role":"assistant","content":[{"type":"thinking","thinking":"b","x":1.0},` +
				`{"type":"text","text":"b"}]}`,
			speak},
		{"thinking that stays keeps its spelling", "cohere",
			`{"role":"assistant","content":[{"type":"thinking","thinking":"\u0062"},` +
				`{"type":"text","text":"a"}]}`,
			`{"role":"assistant","content":[{"type":"thinking","thinking":"\u0062"},` +
				`{"type":"text","text":"b"}]}`,
			speak},
	} {
		t.Run(c.provider+" "+c.reason, func(t *testing.T) {
			require.Equal(t, `[`+c.want+`]`, encodeOne(t, c.provider, c.in, c.change))
		})
	}
}

// encodeOne is the list that a list of one message becomes when that is changed.
func encodeOne(t *testing.T, provider, in string, change func(*preflight.Message)) string {
	t.Helper()
	return encode(t, provider, `[`+in+`]`, func(messages []preflight.Message) []preflight.Message {
		messages[0].Parts = slices.Clone(messages[0].Parts)
		change(&messages[0])
		return messages
	})
}

// TestGeminiTakesPartsApart: a part with data of two kinds becomes two, each with its own.
func TestGeminiTakesPartsApart(t *testing.T) {
	out := encode(
		t,
		"gemini",
		`[{"role":"model","parts":[{"text":"a","executableCode":{"language":"PYTHON",`+
			`"code":"1"}}]}]`,
		func(m []preflight.Message) []preflight.Message { return m },
	)
	require.Equal(
		t,
		`[{"role":"model","parts":[{"text":"a"},`+
			`{"executableCode":{"language":"PYTHON","code":"1"}}]}]`,
		out,
	)
}

// TestPrefixMarkIsRemoved: the mark of a prefix is removed from a message that a hook put something
// after.
func TestPrefixMarkIsRemoved(t *testing.T) {
	options := &wire.Options{Provider: "mistral"}
	options.Options.Hooks = []preflight.Hook{
		{
			Name: "more",
			History: func(
				_ context.Context, history []preflight.Message,
			) ([]preflight.Message, error) {
				return append(history, say("go on")), nil
			},
		},
	}
	result, err := wire.Sanitize(
		context.Background(),
		[]byte(
			`[{"role":"user","content":"q"},{"role":"assistant","content":"Once ","prefix":true}]`,
		),
		options,
	)
	require.NoError(t, err)
	require.Equal(
		t,
		`[{"role":"user","content":"q"},{"role":"assistant","content":"Once "},`+
			`{"role":"user","content":"go on"}]`,
		string(result.Body),
	)
}

// TestMessageWithoutAnything: one change, one warning.
func TestMessageWithoutAnything(t *testing.T) {
	for _, content := range []string{`null`, `[]`} {
		result, err := wire.Sanitize(
			context.Background(),
			[]byte(
				`[{"role":"user","content":"q"},{"role":"assistant","content":`+content+
					`},{"role":"user","content":"r"}]`,
			),
			&wire.Options{Provider: "xai"},
		)
		require.NoError(t, err)
		require.Equal(t, `[{"role":"user","content":"q"},{"role":"user","content":"r"}]`,
			string(result.Body))
		require.Len(t, result.Warnings, 1)
		require.Equal(t, codes.MessageRemoved, result.Warnings[0].Code)
	}
}

// TestConvertParts: what one format's parts are in another.
func TestConvertParts(t *testing.T) {
	for _, c := range []struct{ reason, from, to, in, want string }{
		{"a function's error, and a response that is none", "gemini", "anthropic",
			`{"contents":[{"role":"user","parts":[{"text":"q"}]},` +
				`{"role":"model","parts":[{"functionCall":{"name":"f","id":"c1"}},` +
				`{"functionCall":{"name":"g","id":"c2"}}]},` +
				`{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"temp":21},` +
				`"id":"c1"}},{"functionResponse":{"name":"g","response":{"error":"no"},` +
				`"id":"c2"}}]}]}`,
			`[{"role":"user","content":[{"type":"text","text":"q"}]},` +
				`{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"f",` +
				`"input":{}},{"type":"tool_use","id":"c2","name":"g","input":{}}]},` +
				`{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1",` +
				`"content":"{\"temp\":21}"},` +
				`{"type":"tool_result","tool_use_id":"c2","content":"no","is_error":true}]}]`},
		{"text before its call, an image as a data URL", "anthropic", "openai-responses",
			`{"messages":[{"role":"user","content":[{"type":"text","text":"q"},` +
				`{"type":"image","source":{"type":"base64","media_type":"image/png",` +
				`"data":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"}}]},` +
				`{"role":"assistant","content":[{"type":"text","text":"a"},` +
				`{"type":"tool_use","id":"toolu_1","name":"f","input":{}}]},` +
				`{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1",` +
				`"content":"ok"}]}]}`,
			`[{"role":"user","content":[{"type":"input_text","text":"q"},` +
				`{"type":"input_image","image_url":"data:image/png;base64,` +
				`iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"}]},` +
				`{"role":"assistant","content":[{"type":"output_text","text":"a"}]},` +
				`{"type":"function_call","call_id":"toolu_1","name":"f","arguments":"{}"},` +
				`{"type":"function_call_output","call_id":"toolu_1","output":"ok"}]`},
		{"addresses stay addresses", "anthropic", "mistral",
			`{"messages":[{"role":"user","content":[{"type":"text","text":"q"},` +
				`{"type":"document","source":{"type":"url","url":"https://example.com/a.pdf"}},` +
				`{"type":"image","source":{"type":"url","url":"https://example.com/a.png"}}]}]}`,
			`[{"role":"user","content":[{"type":"text","text":"q"},` +
				`{"type":"document_url","document_url":"https://example.com/a.pdf"},` +
				`{"type":"image_url","image_url":{"url":"https://example.com/a.png"}}]}]`},
		{"a document becomes a data URL", "anthropic", "mistral",
			`{"messages":[{"role":"user","content":[{"type":"text","text":"q"},` +
				`{"type":"document","source":{"type":"base64","media_type":"application/pdf",` +
				`"data":"JVBERi0="}}]}]}`,
			`[{"role":"user","content":[{"type":"text","text":"q"},` +
				`{"type":"document_url","document_url":"data:application/pdf;base64,JVBERi0="}]}]`},
		{"an address that was no object", "openai-chat", "mistral",
			`{"messages":[{"role":"user","content":[{"type":"text","text":"q"},` +
				`{"type":"image_url","image_url":"https://example.com/a.png"}]}]}`,
			`[{"role":"user","content":[{"type":"text","text":"q"},` +
				`{"type":"image_url","image_url":{"url":"https://example.com/a.png"}}]}]`},
		{"one that is a data URL stays it", "openai-chat", "mistral",
			`{"messages":[{"role":"user","content":[{"type":"text","text":"q"},` +
				`{"type":"file","file":{"filename":"a.pdf",` +
				`"file_data":"data:application/pdf;base64,JVBERi0="}}]}]}`,
			`[{"role":"user","content":[{"type":"text","text":"q"},` +
				`{"type":"document_url","document_url":"data:application/pdf;base64,JVBERi0=",` +
				`"document_name":"a.pdf"}]}]`},
	} {
		t.Run(c.from+" to "+c.to+" "+c.reason, func(t *testing.T) {
			result, err := wire.Convert(context.Background(), []byte(c.in),
				c.from, &wire.Options{Provider: c.to})
			require.NoError(t, err)
			var body struct{ Messages, Input json.RawMessage }
			require.NoError(t, json.Unmarshal(result.Body, &body))
			require.Equal(t, c.want, string(body.Messages)+string(body.Input))
		})
	}
}

// edited is a copy of a part that change works on.
func edited[T any](p preflight.Part, change func(*T)) preflight.Part {
	part := *any(p).(*T)
	change(&part)
	return any(&part).(preflight.Part)
}
