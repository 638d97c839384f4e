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
		{"but not without its id", "openai-responses",
			`{"type":"message","id":"msg_1","role":"assistant","status":"completed",` +
				`"content":[{"type":"output_text","text":"a","annotations":[]}]}`,
			`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"b",` +
				`"annotations":[]}]}`,
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

// TestPrefixIsLast: the mark of a prefix goes from a message that a hook put something after.
func TestPrefixIsLast(t *testing.T) {
	options := &wire.Options{Provider: "mistral"}
	options.Sanitize.Hooks = []preflight.Hook{
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
		require.Equal(
			t,
			`[{"role":"user","content":"q"},{"role":"user","content":"r"}]`,
			string(result.Body),
		)
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
			result, err := wire.Convert(
				context.Background(),
				[]byte(c.in),
				&wire.ConvertOptions{From: c.from, To: c.to},
			)
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

// TestEditsOfChatParts: what becomes of the JSON of one message of the Chat wire, after an edit of
// one of its parts.
func TestEditsOfChatParts(t *testing.T) {
	part := func(k int, change func(preflight.Part) preflight.Part) func(*preflight.Message) {
		return func(m *preflight.Message) { m.Parts[k] = change(m.Parts[k]) }
	}
	call := func(k int, change func(*preflight.ToolCall)) func(*preflight.Message) {
		return part(k, func(p preflight.Part) preflight.Part { return edited(p, change) })
	}
	media := func(change func(*preflight.Media)) func(*preflight.Message) {
		return part(0, func(p preflight.Part) preflight.Part { return edited(p, change) })
	}
	result := func(change func(*preflight.ToolResult)) func(*preflight.Message) {
		return part(0, func(p preflight.Part) preflight.Part { return edited(p, change) })
	}
	text := func(m *preflight.Message) {
		for k, p := range m.Parts {
			if _, ok := p.(*preflight.Text); ok {
				m.Parts[k] = edited(p, func(t *preflight.Text) { t.Text = "b" })
			}
		}
	}
	only := func(keep ...int) func(*preflight.Message) {
		return func(m *preflight.Message) {
			var parts []preflight.Part
			for _, k := range keep {
				parts = append(parts, m.Parts[k])
			}
			m.Parts = parts
		}
	}
	become := func(parts ...preflight.Part) func(*preflight.Message) {
		return func(m *preflight.Message) { m.Parts = parts }
	}
	newID := call(0, func(c *preflight.ToolCall) { c.ID = "z" })
	function := `"type":"function","function":{"name":"f","arguments":"{}"}`
	marker := json.RawMessage(`{"type":"ephemeral"}`)
	for _, c := range []struct {
		reason, provider, in, want string
		change                     func(*preflight.Message)
	}{
		{"arguments that are an object stay", "mistral",
			`{"role":"assistant","content":null,"tool_calls":[{"id":"a","function":{"name":"f",` +
				`"arguments":{ "n":1.0 }},"x":1.0}]}`,
			`{"role":"assistant","content":null,"tool_calls":[{"id":"z","function":{"name":"f",` +
				`"arguments":{ "n":1.0 }},"x":1.0}]}`,
			newID},
		{"others are a string", "mistral",
			`{"role":"assistant","content":null,"tool_calls":[{"id":"a","function":{"name":"f",` +
				`"arguments":{"n":1.0}}}]}`,
			`{"role":"assistant","content":null,"tool_calls":[{"id":"a","function":{"name":"f",` +
				`"arguments":"{\"n\":2}"}}]}`,
			call(0, func(c *preflight.ToolCall) { c.Input = json.RawMessage(`{"n":2}`) })},
		{"the second of two calls", "openai-chat",
			`{"role":"assistant","content":null,"tool_calls":[{"id":"a",` +
				function + `},{"id":"b",` + function + `}]}`,
			`{"role":"assistant","content":null,"tool_calls":[{"id":"a",` + function +
				`},{"id":"b","type":"function","function":{"name":"g","arguments":"{}"}}]}`, call(1,
				func(c *preflight.ToolCall) {
					c.Name = "g"
				})},
		{"a custom call", "openai-chat",
			`{"role":"assistant","content":null,"tool_calls":[{"id":"a","x":1.0,"type":"custom",` +
				`"custom":{"name":"f","input":"i","y":1.0}}]}`,
			`{"role":"assistant","content":null,"tool_calls":[{"id":"z","x":1.0,"type":"custom",` +
				`"custom":{"name":"g","input":"j","y":1.0}}]}`,
			call(0, func(c *preflight.ToolCall) {
				c.ID, c.Name, c.Input = "z", "g", json.RawMessage("j")
			})},
		{"a function becomes custom", "openai-chat",
			`{"role":"assistant","content":null,"tool_calls":[{"id":"a",` + function + `}]}`,
			`{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"custom",` +
				`"custom":{"name":"f","input":"{}"}}]}`,
			call(0, func(c *preflight.ToolCall) { c.Variant = "custom" })},
		{"a breakpoint on a call stays", "openai-chat",
			`{"role":"assistant","content":"a","tool_calls":[{"id":"a",` +
				function + `,"cache_control":{"type":"ephemeral"}}]}`,
			`{"role":"assistant","content":"b","tool_calls":[{"id":"a",` + function +
				`,"cache_control":{"type":"ephemeral"}}]}`, text},
		{"a breakpoint on a call goes", "openai-chat",
			`{"role":"assistant","content":"a","tool_calls":[{"id":"a",` +
				function + `,"cache_control":{"type":"ephemeral"}}]}`,
			`{"role":"assistant","content":"a","tool_calls":[{"id":"a",` + function + `}]}`,
			call(1, func(c *preflight.ToolCall) { c.Cache = nil })},
		{"or from one whose arguments are an object", "mistral",
			`{"role":"assistant","content":"a","tool_calls":[{"id":"a","function":{"name":"f",` +
				`"arguments":{}},"cache_control":{"type":"ephemeral"}}]}`,
			`{"role":"assistant","content":"a","tool_calls":[{"id":"a","function":{"name":"f",` +
				`"arguments":{}}}]}`,
			call(1, func(c *preflight.ToolCall) { c.Cache = nil })},
		{"or from one without a function", "openai-chat",
			`{"role":"assistant","content":"a","tool_calls":[{"id":"a","type":"function",` +
				`"name":"f","arguments":"{}","cache_control":{"type":"ephemeral"}}]}`,
			`{"role":"assistant","content":"a","tool_calls":[{"id":"a",` + function + `}]}`,
			call(1, func(c *preflight.ToolCall) { c.Cache = nil })},
		{"or from a custom one", "openai-chat",
			`{"role":"assistant","content":"a","tool_calls":[{"id":"a","type":"custom",` +
				`"custom":{"name":"f","input":"i"},"cache_control":{"type":"ephemeral"}}]}`,
			`{"role":"assistant","content":"a","tool_calls":[{"id":"a","type":"custom",` +
				`"custom":{"name":"f","input":"i"}}]}`,
			call(1, func(c *preflight.ToolCall) { c.Cache = nil })},
		{"the list of calls comes", "openai-chat",
			`{"role":"assistant","content":"a","tool_calls":null}`,
			`{"role":"assistant","content":"a","tool_calls":[{"id":"c","type":"function",` +
				`"function":{"name":"f","arguments":"{}"}}]}`,
			func(m *preflight.Message) {
				m.Parts = append(m.Parts,
					&preflight.ToolCall{ID: "c", Name: "f", Input: json.RawMessage("{}")})
			}},
		{"no calls stay none", "openai-chat",
			`{"role":"assistant","content":"a","tool_calls":null,"refusal":null,"audio":null}`,
			`{"role":"assistant","content":"b","tool_calls":null,"refusal":null,"audio":null}`,
			text},
		{"an empty refusal stays empty", "openai-chat",
			`{"role":"assistant","content":"a","refusal":""}`,
			`{"role":"assistant","content":"b","refusal":""}`, text},
		{"a refusal goes", "openai-chat", `{"role":"assistant","content":"a","refusal":"no"}`,
			`{"role":"assistant","content":"a"}`, only(0)},
		{"text goes and a refusal stays", "openai-chat",
			`{"role":"assistant","content":"a","refusal":"no"}`,
			`{"role":"assistant","content":null,"refusal":"no"}`, only(1)},
		{"two refusals are one text", "openai-chat", `{"role":"assistant","content":"a"}`,
			`{"role":"assistant","content":null,"refusal":"x\ny"}`,
			become(
				&preflight.Other{
					Kind:    "refusal",
					Carried: preflight.Carried{Native: preflight.Native{JSON: []byte(`"x"`)}},
				},
				&preflight.Other{
					Kind:    "refusal",
					Carried: preflight.Carried{Native: preflight.Native{JSON: []byte(`"y"`)}},
				},
			)},
		{"of two that are no text the first stays", "openai-chat",
			`{"role":"assistant","content":"a"}`,
			`{"role":"assistant","content":null,"audio":{"id":"1"}}`,
			become(
				&preflight.Other{
					Kind: "audio",
					Carried: preflight.Carried{
						Native: preflight.Native{JSON: []byte(`{"id":"1"}`)},
					},
				},
				&preflight.Other{
					Kind: "audio",
					Carried: preflight.Carried{
						Native: preflight.Native{JSON: []byte(`{"id":"2"}`)},
					},
				},
			)},
		{"calls need no content", "openai-chat",
			`{"role":"assistant","tool_calls":[{"id":"a",` + function + `}]}`,
			`{"role":"assistant","tool_calls":[{"id":"z",` + function + `}]}`, newID},
		{"nothing is left", "openai-chat", `{"role":"user","content":"a","name":"n"}`,
			`{"role":"user","content":"","name":"n"}`, become()},
		{"an empty list stays one", "openai-chat", `{"role":"user","content":[],"name":"n"}`,
			`{"role":"user","content":[],"name":"m"}`, func(m *preflight.Message) { m.Name = "m" }},
		{"an image's detail stays", "openai-chat",
			`{"role":"user","content":[{"type":"image_url","image_url":{"url":"u",` +
				`"detail":"low"}}]}`,
			`{"role":"user","content":[{"type":"image_url","image_url":{"url":"v",` +
				`"detail":"low"}}]}`,
			media(func(m *preflight.Media) { m.URL = "v" })},
		{"an image in short form", "mistral",
			`{"role":"user","content":[{"type":"image_url","image_url":"u"}]}`,
			`{"role":"user","content":[{"type":"image_url","image_url":"v"}]}`,
			media(func(m *preflight.Media) { m.URL = "v" })},
		{"an image by address and bytes", "openai-chat", `{"role":"user","content":[]}`,
			`{"role":"user","content":[{"type":"image_url","image_url":{"url":"u"},` +
				`"cache_control":{"type":"ephemeral"}},` +
				`{"type":"image_url","image_url":{"url":""}}]}`,
			become(&preflight.Media{
				Kind: "image", URL: "u", Data: "QUJD", Carried: preflight.Carried{Cache: marker},
			}, &preflight.Media{Kind: "image"})},
		{"audio", "openai-chat",
			`{"role":"user","content":[{"type":"input_audio","input_audio":{"data":"UklGRg==",` +
				`"format":"wav","x":1.0}}]}`,
			`{"role":"user","content":[{"type":"input_audio","input_audio":{"data":"AAAA",` +
				`"format":"mp3","x":1.0},"cache_control":{"type":"ephemeral"}}]}`,
			media(func(m *preflight.Media) {
				m.Data, m.MediaType, m.Cache = "AAAA", "audio/mp3", marker
			})},
		{"audio of no known kind", "openai-chat",
			`{"role":"user","content":[{"type":"input_audio","input_audio":{"data":"UklGRg==",` +
				`"format":"wav"}}]}`,
			`{"role":"user","content":[{"type":"input_audio","input_audio":{"data":"UklGRg=="}}]}`,
			media(func(m *preflight.Media) { m.MediaType = "" })},
		{"a file by id", "openai-chat", `{"role":"user","content":[]}`,
			`{"role":"user","content":[{"type":"file","file":{"file_id":"f"},` +
				`"cache_control":{"type":"ephemeral"}}]}`,
			become(&preflight.Media{
				Kind: "document", FileID: "f", Carried: preflight.Carried{Cache: marker},
			})},
		{"a file's bytes keep their form", "openai-chat",
			`{"role":"user","content":[{"type":"file","file":{"filename":"a",` +
				`"file_data":"JVBERi0="}}]}`,
			`{"role":"user","content":[{"type":"file","file":{"filename":"b",` +
				`"file_data":"JVBERi0="}}]}`,
			media(func(m *preflight.Media) { m.Name = "b" })},
		{"a file's name and bytes go", "openai-chat",
			`{"role":"user","content":[{"type":"file","file":{"filename":"a",` +
				`"file_data":"JVBERi0=","file_id":"f"}}]}`,
			`{"role":"user","content":[{"type":"file","file":{"file_id":"f"}}]}`,
			media(func(m *preflight.Media) { m.Name, m.Data = "", "" })},
		{"a part nobody knows gets a breakpoint", "openai-chat",
			`{"role":"user","content":[{"type":"hologram","x":1.0}]}`,
			`{"role":"user","content":[{"type":"hologram","x":1.0,` +
				`"cache_control":{"type":"ephemeral"}}]}`,
			part(0, func(p preflight.Part) preflight.Part {
				return edited(p, func(o *preflight.Other) { o.Cache = marker })
			})},
		{"a result loses its content", "openai-chat",
			`{"role":"tool","tool_call_id":"a","content":"r","x":1.0}`,
			`{"role":"tool","tool_call_id":"a","content":"","x":1.0}`,
			result(func(r *preflight.ToolResult) { r.Content = nil })},
		{"a result had none", "openai-chat", `{"role":"tool","tool_call_id":"a","content":null}`,
			`{"role":"tool","tool_call_id":"b","content":""}`,
			result(func(r *preflight.ToolResult) { r.CallID = "b" })},
		{"nor had this", "openai-chat", `{"role":"tool","tool_call_id":"a"}`,
			`{"role":"tool","tool_call_id":"b","content":""}`,
			result(func(r *preflight.ToolResult) { r.CallID = "b" })},
		{"an empty result keeps its spelling", "openai-chat",
			`{"role":"tool","tool_call_id":"a","content" : ""}`,
			`{"role":"tool","tool_call_id":"b","content" : ""}`,
			result(func(r *preflight.ToolResult) { r.CallID = "b" })},
		{"a made result in a read message", "openai-chat",
			`{"role":"tool","tool_call_id":"a","content":"r","x":1.0}`,
			`{"role":"tool","tool_call_id":"a","content":"s","x":1.0}`,
			become(&preflight.ToolResult{
				CallID: "a", Content: []preflight.Part{&preflight.Text{Text: "s"}},
			})},
		{"output of another format", "openai-chat",
			`{"role":"tool","tool_call_id":"a","content":"r"}`,
			`{"role":"tool","tool_call_id":"a","content":"{\"n\":1.0}"}`,
			become(&preflight.ToolResult{CallID: "a", Output: json.RawMessage(`{"n":1.0}`)})},
		{"reasoning comes", "openai-chat", `{"role":"assistant","content":"a"}`,
			`{"role":"assistant","content":"a","reasoning_content":"x\ny"}`,
			func(m *preflight.Message) {
				m.Parts = append([]preflight.Part{
					&preflight.Reasoning{Text: "x"}, &preflight.Reasoning{Text: "y"},
				}, m.Parts...)
			}},
		{"reasoning that nobody can read, in one list", "openrouter",
			`{"role":"assistant","content":"a","reasoning":"r"}`,
			`{"role":"assistant","content":"a","reasoning":"r","reasoning_details":[{"a":1.0}]}`,
			func(m *preflight.Message) {
				m.Parts = append([]preflight.Part{&preflight.Reasoning{Opaque: `[{"a":1.0}]`}},
					m.Parts...)
			}},
		{"a block of reasoning gets a text beside it", "mistral",
			`{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text",` +
				`"text":"t","x":1.0}]},{"type":"text","text":"a"}]}`,
			`{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text",` +
				`"text":"t","x":1.0}]},{"type":"text","text":"b"}]}`,
			text},
	} {
		t.Run(c.provider+" "+c.reason, func(t *testing.T) {
			require.Equal(t, `[`+c.want+`]`, encodeOne(t, c.provider, c.in, c.change))
		})
	}
}

// TestEditsOfAnthropicParts: the same for the Messages format.
func TestEditsOfAnthropicParts(t *testing.T) {
	type message = preflight.Message
	media := func(change func(*preflight.Media)) func(*message) {
		return func(m *message) { m.Parts[0] = edited(m.Parts[0], change) }
	}
	result := func(change func(*preflight.ToolResult)) func(*message) {
		return func(m *message) { m.Parts[0] = edited(m.Parts[0], change) }
	}
	call := func(change func(*preflight.ToolCall)) func(*message) {
		return func(m *message) { m.Parts[0] = edited(m.Parts[0], change) }
	}
	thought := func(change func(*preflight.Reasoning)) func(*message) {
		return func(m *message) { m.Parts[0] = edited(m.Parts[0], change) }
	}
	text := func(change func(*preflight.Text)) func(*message) {
		return func(m *message) { m.Parts[0] = edited(m.Parts[0], change) }
	}
	become := func(parts ...preflight.Part) func(*message) {
		return func(m *message) { m.Parts = parts }
	}
	own := func(format, raw string) preflight.Carried {
		return preflight.Carried{Native: preflight.Native{Format: format, JSON: []byte(raw)}}
	}
	marker := json.RawMessage(`{"type":"ephemeral"}`)
	for _, c := range []struct {
		reason, in, want string // what is in the list of content
		change           func(*message)
	}{
		{"bytes take the place of an address",
			`{"type":"image","source":{"type":"url","url":"u","x":1.0}}`,
			`{"type":"image","source":{"type":"base64","x":1.0,"media_type":"image/png",` +
				`"data":"QUJD"}}`,
			media(func(m *preflight.Media) {
				m.URL, m.MediaType, m.Data = "", "image/png", "QUJD"
			})},
		{"and of a file", `{"type":"image","source":{"type":"file","file_id":"f"}}`,
			`{"type":"image","source":{"type":"base64","media_type":"image/png","data":"QUJD"}}`,
			media(func(m *preflight.Media) {
				m.FileID, m.MediaType, m.Data = "", "image/png", "QUJD"
			})},
		{"an address takes the place of bytes",
			`{"type":"image","source":{"type":"base64","media_type":"image/png","data":"QUJD"}}`,
			`{"type":"image","source":{"type":"url","url":"u"}}`,
			media(func(m *preflight.Media) { m.URL, m.Data = "u", "" })},
		{"and of a file's",
			`{"type":"document","source":{"type":"file","file_id":"f"},"title":"t"}`,
			`{"type":"document","source":{"type":"url","url":"u"}}`,
			media(func(m *preflight.Media) { m.URL, m.FileID, m.Name = "u", "", "" })},
		{"a file takes the place of bytes",
			`{"type":"document","source":{"type":"base64","media_type":"application/pdf",` +
				`"data":"QUJD"},"context":"c"}`,
			`{"type":"document","source":{"type":"file","file_id":"f"},"context":"c","title":"t"}`,
			media(func(m *preflight.Media) { m.FileID, m.Data, m.Name = "f", "", "t" })},
		{"and of an address", `{"type":"document","source":{"type":"url","url":"u"}}`,
			`{"type":"document","source":{"type":"file","file_id":"f"}}`,
			media(func(m *preflight.Media) { m.FileID, m.URL = "f", "" })},
		{"another source stays as it is",
			`{"type":"document","source":{"type":"text","media_type":"text/plain","data":"x"},` +
				`"title":"t"}`,
			`{"type":"document","source":{"type":"text","media_type":"text/plain","data":"x"},` +
				`"title":"u","cache_control":{"type":"ephemeral"}}`,
			media(func(m *preflight.Media) { m.Name, m.Cache = "u", marker })},
		{"an image has no title",
			`{"type":"image","source":{"type":"url","url":"u"},"title":"t","index":0}`,
			`{"type":"image","source":{"type":"url","url":"v"},"title":"t"}`,
			media(func(m *preflight.Media) { m.URL = "v" })},
		{"a data URL tells its type", `{"type":"text","text":"a"}`,
			`{"type":"image","source":{"type":"base64","media_type":"image/gif","data":"QUJD"}},` +
				` {"type":"image","source":{"type":"base64","media_type":"image/png",` +
				`"data":"QUJD"}}, {"type":"document","source":{"type":"base64",` +
				`"media_type":"a/b","data":"x;base64,y"}}`,
			become(&preflight.Media{Kind: "image", URL: "data:image/gif;base64,QUJD"},
				&preflight.Media{Kind: "image", MediaType: "image/png", Data: "data:;base64,QUJD"},
				&preflight.Media{Kind: "document", MediaType: "a/b", Data: "x;base64,y"})},
		{"media of other kinds are documents", `{"type":"text","text":"a"}`,
			`{"type":"document","source":{"type":"base64","media_type":"audio/wav","data":"QUJD"}}`,
			become(&preflight.Media{Kind: "audio", MediaType: "audio/wav", Data: "QUJD"})},
		{"a result becomes an error, and is one no more",
			`{"type":"tool_result","tool_use_id":"a","content":"r","index":0}`,
			`{"type":"tool_result","tool_use_id":"a","content":"r","is_error":true}`,
			result(func(r *preflight.ToolResult) { r.IsError = true })},
		{"an error is one no more", `{"type":"tool_result","tool_use_id":"a","is_error":true}`,
			`{"type":"tool_result","tool_use_id":"a","is_error":false}`,
			result(func(r *preflight.ToolResult) { r.IsError = false })},
		{"a result of blocks loses them",
			`{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"r"}]}`,
			`{"type":"tool_result","tool_use_id":"a"}`,
			result(func(r *preflight.ToolResult) { r.Content = nil })},
		{"a result of a number loses it", `{"type":"tool_result","tool_use_id":"a","content":7}`,
			`{"type":"tool_result","tool_use_id":"a"}`,
			result(func(r *preflight.ToolResult) { r.Content = nil })},
		{"none stays none", `{"type":"tool_result","tool_use_id":"a","content":null}`,
			`{"type":"tool_result","tool_use_id":"b","content":null,` +
				`"cache_control":{"type":"ephemeral"}}`,
			result(func(r *preflight.ToolResult) { r.CallID, r.Cache = "b", marker })},
		{"an empty list stays one", `{"type":"tool_result","tool_use_id":"a","content":[ ]}`,
			`{"type":"tool_result","tool_use_id":"b","content":[ ]}`,
			result(func(r *preflight.ToolResult) { r.CallID = "b" })},
		{"a block of a result",
			`{"type":"tool_result","tool_use_id":"a","content":[ {"type":"text","text":"r",` +
				`"x":1.0} ]}`,
			`{"type":"tool_result","tool_use_id":"a","content":[ {"type":"text","text":"s",` +
				`"x":1.0} ]}`,
			result(func(r *preflight.ToolResult) {
				r.Content = []preflight.Part{
					edited(r.Content[0], func(t *preflight.Text) { t.Text = "s" }),
				}
			})},
		{"a call", `{"type":"tool_use","id":"a","name":"f","input":{"n":1.0},"x":1.0,"index":0}`,
			`{"type":"tool_use","id":"b","name":"g","input":{"n":2},` +
				`"x":1.0,"cache_control":{"type":"ephemeral"}}`,
			call(func(c *preflight.ToolCall) {
				c.ID, c.Name, c.Input, c.Cache = "b", "g", json.RawMessage(`{"n":2}`), marker
			})},
		{"a call without arguments", `{"type":"tool_use","id":"a","name":"f"}`,
			`{"type":"tool_use","id":"b","name":"f","input":{}}`,
			call(func(c *preflight.ToolCall) { c.ID = "b" })},
		{"a call that loses its arguments keeps some",
			`{"type":"tool_use","id":"a","name":"f","input":{"n":1.0}}`,
			`{"type":"tool_use","id":"a","name":"f","input":{"n":1.0}}`,
			call(func(c *preflight.ToolCall) { c.Input = nil })},
		{"a call of the provider's keeps what it holds",
			`{"type":"server_tool_use","id":"a","name":"f","input":{},"index":0}`,
			`{"type":"server_tool_use","id":"b","name":"f","input":{},"index":0}`,
			call(func(c *preflight.ToolCall) { c.ID = "b" })},
		{"one of the caller's becomes one of the provider's",
			`{"type":"tool_use","id":"a","name":"f","input":{},"x":1.0}`,
			`{"type":"server_tool_use","id":"a","name":"f","input":{}}`,
			call(func(c *preflight.ToolCall) { c.ProviderExecuted = true })},
		{"a result of the provider's",
			`{"type":"web_search_tool_result","tool_use_id":"a","content":[1.0],"x":1.0}`,
			`{"type":"web_search_tool_result","tool_use_id":"b","content":[2.0],` +
				`"x":1.0,"cache_control":{"type":"ephemeral"}}`,
			result(func(r *preflight.ToolResult) {
				r.CallID, r.Output, r.Cache = "b", json.RawMessage("[2.0]"), marker
			})},
		{"only some of them tell of errors",
			`{"type":"web_search_tool_result","tool_use_id":"a","content":[]}`,
			`{"type":"web_search_tool_result","tool_use_id":"a","content":[]}`,
			result(func(r *preflight.ToolResult) { r.IsError = true })},
		{"these do", `{"type":"mcp_tool_result","tool_use_id":"a","content":[],"is_error":true}`,
			`{"type":"mcp_tool_result","tool_use_id":"a","content":[],"is_error":false}`,
			result(func(r *preflight.ToolResult) { r.IsError = false })},
		{"one without output keeps its content",
			`{"type":"mcp_tool_result","tool_use_id":"a","content":[1.0]}`,
			`{"type":"mcp_tool_result","tool_use_id":"b","content":[1.0]}`,
			result(func(r *preflight.ToolResult) { r.CallID, r.Output = "b", nil })},
		{"thinking", `{"type":"thinking","thinking":"t","signature":"QUJD","x":1.0}`,
			`{"type":"thinking","thinking":"u","x":1.0}`,
			thought(func(r *preflight.Reasoning) { r.Text, r.Signature = "u", "" })},
		{"thinking signed by a number", `{"type":"thinking","thinking":"t","signature":7}`,
			`{"type":"thinking","thinking":"t"}`,
			thought(func(r *preflight.Reasoning) { r.Signature = "" })},
		{"thinking gets a signature", `{"type":"thinking","thinking":"t"}`,
			`{"type":"thinking","thinking":"t","signature":"QUJD",` +
				`"cache_control":{"type":"ephemeral"}}`,
			thought(func(r *preflight.Reasoning) { r.Signature, r.Cache = "QUJD", marker })},
		{"sealed thinking", `{"type":"redacted_thinking","data":"QUJD","x":1.0}`,
			`{"type":"redacted_thinking","data":"REVG","x":1.0,` +
				`"cache_control":{"type":"ephemeral"}}`,
			thought(func(r *preflight.Reasoning) { r.Opaque, r.Cache = "REVG", marker })},
		{"text that was a string", `"\u0061"`,
			`{"type":"text","text":"\u0061","cache_control":{"type":"ephemeral"}}`,
			text(func(t *preflight.Text) { t.Cache = marker })},
		{"another breakpoint",
			`{"type":"text","text":"a","cache_control":{"type":"ephemeral","ttl":"1h"}}`,
			`{"type":"text","text":"a","cache_control":{"type":"ephemeral"}}`,
			text(func(t *preflight.Text) { t.Cache = marker })},
		{"no breakpoint", `{"type":"text","text":"a","cache_control":null,"index":0}`,
			`{"type":"text","text":"b","cache_control":null}`,
			text(func(t *preflight.Text) { t.Text = "b" })},
		{"a block nobody knows", `{"type":"search_result","x":1.0}`,
			`{"type":"search_result","x":1.0,"cache_control":{"type":"ephemeral"}}`,
			func(m *message) {
				m.Parts[0] = edited(m.Parts[0], func(o *preflight.Other) { o.Cache = marker })
			}},
		{"text of another format", `{"type":"text","text":"a"}`, `{"type":"text","text":"b"}`,
			become(&preflight.Text{Text: "b", Carried: own("bedrock", `{"text":"b","x":1.0}`)})},
		{
			"the JSON of another kind of block", `{"type":"text","text":"a"}`,
			`{"type":"text","text":"b"}`,
			become(&preflight.Text{
				Text: "b", Carried: own("anthropic", `{"type":"image","x":1.0}`),
			}),
		},
		{"JSON without a type", `{"type":"text","text":"a"}`,
			`{"text":"a","x":1.0,"type":"text"}, {"source":{"type":"url","url":"u"},` +
				`"x":1.0,"type":"image"}, {"tool_use_id":"c","x":1.0,"type":"tool_result"},` +
				` {"id":"c","name":"f","input":{},"x":1.0,"type":"tool_use"}`,
			become(&preflight.Text{Text: "a", Carried: own("anthropic", `{"text":"a","x":1.0}`)},
				&preflight.Media{
					Kind: "image", URL: "u",
					Carried: own("anthropic", `{"source":{"type":"url","url":"u"},"x":1.0}`),
				},
				&preflight.ToolResult{
					CallID: "c", Carried: own("anthropic", `{"tool_use_id":"c","x":1.0}`),
				}, &preflight.ToolCall{
					ID: "c", Name: "f",
					Carried: own("anthropic", `{"id":"c","name":"f","input":{},"x":1.0}`),
				})},
		{"JSON that is none", `{"type":"text","text":"a"}`, `{"type":"text","text":"b"}`,
			become(&preflight.Text{Text: "b", Carried: own("anthropic", `{"type":"text",`)})},
	} {
		t.Run(c.reason, func(t *testing.T) {
			out := encodeOne(t, "anthropic", `{"role":"user","content":[ `+c.in+` ]}`, c.change)
			require.Equal(t, `[{"role":"user","content":[ `+c.want+` ]}]`, out)
		})
	}
}

// TestCopiesFindTheirPlace: parts and messages whose JSON a hook copied are written where they
// stood, like those it was not copied of, with everything around them.
func TestCopiesFindTheirPlace(t *testing.T) {
	lists := [][]int{
		{},
		{0},
		{1},
		{2},
		{0, 1},
		{0, 2},
		{1, 2},
		{0, 1, 2},
		{2, 1, 0},
		{1, 0},
		{2, 0, 1},
		{1, 2, 0},
		{0, 2, 1},
	}
	copied := func(n preflight.Native) preflight.Native {
		return preflight.Native{Format: n.Format, JSON: slices.Clone(n.JSON)}
	}
	const parts = `[{"role":"user","content":[ {"type":"text","text":"a"},` +
		`  {"type":"text","text":"b"}   ,{"type":"text","text":"c"}    ]}]`
	const messages = `[ {"role":"user","content":"a"},` +
		`  {"role":"assistant","content":"b"}   ,{"role":"user","content":"c"}    ]`
	for _, list := range lists {
		chosen := func(m []preflight.Message, clone bool) []preflight.Message {
			var out []preflight.Part
			for _, k := range list {
				p := m[0].Parts[k]
				if clone {
					p = edited(p, func(t *preflight.Text) { t.Native = copied(t.Native) })
				}
				out = append(out, p)
			}
			m[0].Parts = out
			return m
		}
		want := encode(
			t,
			"anthropic",
			parts,
			func(m []preflight.Message) []preflight.Message { return chosen(m, false) },
		)
		got := encode(
			t,
			"anthropic",
			parts,
			func(m []preflight.Message) []preflight.Message { return chosen(m, true) },
		)
		require.Equal(t, want, got, "parts %v", list)

		some := func(m []preflight.Message, clone bool) []preflight.Message {
			var out []preflight.Message
			for _, k := range list {
				out = append(out, m[k])
				if clone {
					out[len(out)-1].Native = copied(m[k].Native)
				}
			}
			return out
		}
		want = encode(
			t,
			"anthropic",
			messages,
			func(m []preflight.Message) []preflight.Message { return some(m, false) },
		)
		got = encode(
			t,
			"anthropic",
			messages,
			func(m []preflight.Message) []preflight.Message { return some(m, true) },
		)
		require.Equal(t, want, got, "messages %v", list)
	}
	// Of several that are the same each finds its own, in order.
	const twins = `[{"role":"user","content":[ {"type":"text","text":"a"},` +
		`  {"type":"text","text":"b"}   ,{"type":"text","text":"a"}    , {"type":"text",` +
		`"text":"a"}]}]`
	for _, kept := range [][]int{{}, {0}, {1}, {2}, {3}, {0, 1, 2, 3}} {
		require.Equal(
			t,
			twins,
			encode(t, "anthropic", twins, func(m []preflight.Message) []preflight.Message {
				m[0].Parts = slices.Clone(m[0].Parts)
				for k, p := range m[0].Parts {
					if !slices.Contains(kept, k) {
						m[0].Parts[k] = edited(
							p,
							func(t *preflight.Text) { t.Native = copied(t.Native) },
						)
					}
				}
				return m
			}),
		)
	}
}

// TestSystemMessages: what a leading system message becomes, in the system member and beside it.
func TestSystemMessages(t *testing.T) {
	note := func(role preflight.Role, parts ...preflight.Part) preflight.Message {
		return preflight.Message{Role: role, Parts: parts}
	}
	text := func(s string) preflight.Part { return &preflight.Text{Text: s} }
	const ask = `"messages":[{"role":"user","content":"q"}]`
	for _, c := range []struct {
		reason, in, want string
		change           func([]preflight.Message) []preflight.Message
	}{
		{"a second one joins the first", `{"system":"\u0073",` + ask + `}`,
			`{"system":[{"type":"text","text":"\u0073"},{"type":"text","text":"t"}],` + ask + `}`,
			func(m []preflight.Message) []preflight.Message {
				return slices.Insert(m, 1, note(preflight.RoleSystem, text("t")))
			}},
		{"one before the first, too",
			`{"system":[ {"type":"text","text":"s","x":1.0} ],` + ask + `}`,
			`{"system":[ {"type":"text","text":"t"}, {"type":"text","text":"s","x":1.0} ],` +
				ask + `}`,
			func(m []preflight.Message) []preflight.Message {
				return slices.Insert(m, 0, note(preflight.RoleSystem, text("t")))
			}},
		{"a block nobody knows joins it", `{"system":"s",` + ask + `}`,
			`{"system":[{"type":"text","text":"s"},{"type":"thing","x":1.0}],` + ask + `}`,
			func(m []preflight.Message) []preflight.Message {
				other := &preflight.Other{Kind: "thing", Carried: preflight.Carried{
					Native: preflight.Native{
						Format: "anthropic", JSON: []byte(`{"type":"thing","x":1.0}`),
					},
				}}
				return slices.Insert(m, 1, note(preflight.RoleSystem, other))
			}},
		{"one with an image stays in the list", `{"system":"s",` + ask + `}`,
			`{"system":"s","messages":[{"role":"system","content":[{"type":"image",` +
				`"source":{"type":"url","url":"u"}}]},{"role":"user","content":"q"}]}`,
			func(m []preflight.Message) []preflight.Message {
				return slices.Insert(m, 1,
					note(preflight.RoleSystem, &preflight.Media{Kind: "image", URL: "u"}))
			}},
		{"one further on stays in the list", `{"system":"s",` + ask + `}`,
			`{"system":"s","messages":[{"role":"user","content":"q"},` +
				`{"role":"system","content":"t"}]}`,
			func(m []preflight.Message) []preflight.Message {
				return append(m, note(preflight.RoleSystem, text("t")))
			}},
		{"the member's text goes, and another comes", `{"system":"s",` + ask + `}`,
			`{"system":"t",` + ask + `}`,
			func(m []preflight.Message) []preflight.Message {
				m[0] = note(preflight.RoleSystem, text("t"))
				return m
			}},
		{"its parts go", `{"system":[{"type":"text","text":"s"}],` + ask + `}`, `{` + ask + `}`,
			func(m []preflight.Message) []preflight.Message { m[0].Parts = nil; return m }},
		{"an empty one is no message", `{"system":[],` + ask + `}`,
			`{"system":[],"messages":[{"role":"user","content":"q"},` +
				`{"role":"user","content":"n"}]}`,
			func(m []preflight.Message) []preflight.Message { return append(m, say("n")) }},
		{"text leaves its settings behind",
			`{"messages":[{"role":"system","content":"s","output_config":{"effort":"low"}},` +
				`{"role":"user","content":"q"}]}`,
			`{"messages":[{"role":"system","content":[],"output_config":{"effort":"low"}},` +
				`{"role":"user","content":"q"}],"system":"s"}`,
			func(m []preflight.Message) []preflight.Message { return m }},
		{"settings go",
			`{"system":"s","messages":[{"role":"user","content":"q"},` +
				`{"role":"system","content":"t","output_config":{"effort":"low"}}]}`,
			`{"system":"s","messages":[{"role":"user","content":"q"},` +
				`{"role":"system","content":"t"}]}`,
			func(m []preflight.Message) []preflight.Message {
				m[2].Parts = m[2].Parts[:1]
				return m
			}},
		{"a member of that name elsewhere stays",
			`{"messages":[{"role":"user","content":"q","output_config":{"effort":"low"}}]}`,
			`{"messages":[{"role":"user","content":"r","output_config":{"effort":"low"}}]}`,
			func(m []preflight.Message) []preflight.Message {
				m[0].Parts = []preflight.Part{text("r")}
				return m
			}},
		{"settings alone",
			`{"messages":[{"role":"user","content":"q"},` +
				`{"role":"system","output_config":{"effort":"low"}}]}`,
			`{"messages":[{"role":"user","content":"q"},` +
				`{"role":"system","output_config":{"effort":"high"},"content":[]}]}`,
			func(m []preflight.Message) []preflight.Message {
				m[1].Parts = []preflight.Part{edited(m[1].Parts[0], func(o *preflight.Other) {
					o.Native.JSON = []byte(`{"effort":"high"}`)
				})}
				return m
			}},
	} {
		t.Run(
			c.reason,
			func(t *testing.T) { require.Equal(t, c.want, encode(t, "anthropic", c.in, c.change)) },
		)
	}
}

// TestNothingDiffers: what is encoded as it was decoded is the body that was given, in memory.
func TestNothingDiffers(t *testing.T) {
	for _, c := range []struct{ provider, body string }{
		{"anthropic", `{"system":"s","messages":[]}`},
		{"anthropic",
			`{"system":[{"type":"text","text":"s"}],"messages":[{"role":"user","content":"q"}]}`},
		{"gemini", `{"systemInstruction":{"parts":{"text":"s"}},"contents":[]}`},
	} {
		body := []byte(c.body)
		r, err := wire.Decode(body, &wire.Options{Provider: c.provider})
		require.NoError(t, err)
		out, err := r.Encode(r.Messages)
		require.NoError(t, err)
		require.Equal(t, c.body, string(out))
		require.Same(t, &body[0], &out[0], c.body)
	}
}

// TestCannotSay: reasoning that only its maker can read has no form in a format of texts.
func TestCannotSay(t *testing.T) {
	for _, opaque := range []string{"QUJD", `[]`, `{"a":1}`, `[{"a":1.0}]`} {
		r, err := wire.Decode(
			[]byte(`[{"role":"user","content":"q"}]`),
			&wire.Options{Provider: "openai-chat"},
		)
		require.NoError(t, err)
		message := preflight.Message{
			Role:  preflight.RoleAssistant,
			Parts: []preflight.Part{&preflight.Reasoning{Opaque: opaque}},
		}
		_, err = r.Encode([]preflight.Message{message})
		require.ErrorIs(t, err, wire.ErrEncode)
		require.ErrorContains(t, err, "opaque reasoning")
		message.Parts = []preflight.Part{&preflight.Reasoning{Opaque: opaque, Text: "hm"}}
		out, err := r.Encode([]preflight.Message{message})
		require.NoError(t, err)
		require.Contains(t, string(out), `"reasoning_content":"hm"`)
	}
}
