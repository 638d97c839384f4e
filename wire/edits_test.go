package wire_test

import (
	"context"
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/wire"
)

// This file tests what each format keeps of a message that is edited, and what it makes of parts from another format.

// TestEditedMessagesKeepTheirMembers: the text becomes "b", the rest of the message stays as it was.
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
		{"a user's status", "openai-responses", `{"type":"message","role":"user","content":[{"type":"input_text","text":"a"}],"status":"completed"}`,
			`{"type":"message","role":"user","content":[{"type":"input_text","text":"b"}],"status":"completed"}`, speak},
		{"an answer's status", "openai-responses", `{"type":"message","id":"msg_1","role":"assistant","status":"completed","content":[{"type":"output_text","text":"a","annotations":[]}]}`,
			`{"type":"message","id":"msg_1","role":"assistant","status":"completed","content":[{"type":"output_text","text":"b","annotations":[]}]}`, speak},
		{"but not without its id", "openai-responses", `{"type":"message","id":"msg_1","role":"assistant","status":"completed","content":[{"type":"output_text","text":"a","annotations":[]}]}`,
			`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"b","annotations":[]}]}`, forgetID},
		{"an empty list of images", "ollama", `{"role":"user","content":"a","images":[]}`, `{"role":"user","content":"b","images":[]}`, speak},
		{"a list goes with its last image", "ollama", `{"role":"user","content":"a","images":["iVBORw0KGgo="]}`, `{"role":"user","content":"a"}`, onlyText},
		{"thinking is spliced", "cohere", `{"role":"assistant","content":[{"type":"thinking","thinking":"a","x":1.0},{"type":"text","text":"a"}]}`,
			`{"role":"assistant","content":[{"type":"thinking","thinking":"b","x":1.0},{"type":"text","text":"b"}]}`, speak},
		{"thinking that stays keeps its spelling", "cohere", `{"role":"assistant","content":[{"type":"thinking","thinking":"\u0062"},{"type":"text","text":"a"}]}`,
			`{"role":"assistant","content":[{"type":"thinking","thinking":"\u0062"},{"type":"text","text":"b"}]}`, speak},
	} {
		t.Run(c.provider+" "+c.reason, func(t *testing.T) {
			out := encode(t, c.provider, `[`+c.in+`]`, func(messages []preflight.Message) []preflight.Message {
				messages[0].Parts = slices.Clone(messages[0].Parts)
				c.change(&messages[0])
				return messages
			})
			require.Equal(t, `[`+c.want+`]`, out)
		})
	}
}

// TestGeminiTakesPartsApart: a part with data of two kinds becomes two, each with its own.
func TestGeminiTakesPartsApart(t *testing.T) {
	out := encode(t, "gemini", `[{"role":"model","parts":[{"text":"a","executableCode":{"language":"PYTHON","code":"1"}}]}]`,
		func(m []preflight.Message) []preflight.Message { return m })
	require.Equal(t, `[{"role":"model","parts":[{"text":"a"},{"executableCode":{"language":"PYTHON","code":"1"}}]}]`, out)
}

// TestPrefixIsLast: the mark of a prefix goes from a message that a hook put something behind.
func TestPrefixIsLast(t *testing.T) {
	options := &wire.Options{Provider: "mistral"}
	options.Sanitize.Hooks = []preflight.Hook{{Name: "more", History: func(_ context.Context, history []preflight.Message) ([]preflight.Message, error) {
		return append(history, say("go on")), nil
	}}}
	result, err := wire.Sanitize(context.Background(), []byte(`[{"role":"user","content":"q"},{"role":"assistant","content":"Once ","prefix":true}]`), options)
	require.NoError(t, err)
	require.Equal(t, `[{"role":"user","content":"q"},{"role":"assistant","content":"Once "},{"role":"user","content":"go on"}]`, string(result.Body))
}

// TestMessageWithoutAnything: one change, one warning.
func TestMessageWithoutAnything(t *testing.T) {
	for _, content := range []string{`null`, `[]`} {
		result, err := wire.Sanitize(context.Background(), []byte(`[{"role":"user","content":"q"},{"role":"assistant","content":`+content+`},{"role":"user","content":"r"}]`), &wire.Options{Provider: "xai"})
		require.NoError(t, err)
		require.Equal(t, `[{"role":"user","content":"q"},{"role":"user","content":"r"}]`, string(result.Body))
		require.Len(t, result.Warnings, 1)
		require.Equal(t, preflight.CodeMessageRemoved, result.Warnings[0].Code)
	}
}

// TestConvertParts: what one format's parts are in another.
func TestConvertParts(t *testing.T) {
	for _, c := range []struct{ reason, from, to, in, want string }{
		{"a function's error, and a response that is none", "gemini", "anthropic",
			`{"contents":[{"role":"user","parts":[{"text":"q"}]},{"role":"model","parts":[{"functionCall":{"name":"f","id":"c1"}},{"functionCall":{"name":"g","id":"c2"}}]},` +
				`{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"temp":21},"id":"c1"}},{"functionResponse":{"name":"g","response":{"error":"no"},"id":"c2"}}]}]}`,
			`[{"role":"user","content":[{"type":"text","text":"q"}]},{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"f","input":{}},{"type":"tool_use","id":"c2","name":"g","input":{}}]},` +
				`{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"{\"temp\":21}"},{"type":"tool_result","tool_use_id":"c2","content":"no","is_error":true}]}]`},
		{"text before its call, an image as a data URL", "anthropic", "openai-responses",
			`{"messages":[{"role":"user","content":[{"type":"text","text":"q"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}}]},` +
				`{"role":"assistant","content":[{"type":"text","text":"a"},{"type":"tool_use","id":"toolu_1","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"ok"}]}]}`,
			`[{"role":"user","content":[{"type":"input_text","text":"q"},{"type":"input_image","image_url":"data:image/png;base64,iVBORw0KGgo="}]},{"role":"assistant","content":[{"type":"output_text","text":"a"}]},` +
				`{"type":"function_call","call_id":"toolu_1","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"toolu_1","output":"ok"}]`},
		{"addresses stay addresses", "anthropic", "mistral",
			`{"messages":[{"role":"user","content":[{"type":"text","text":"q"},{"type":"document","source":{"type":"url","url":"https://example.com/a.pdf"}},{"type":"image","source":{"type":"url","url":"https://example.com/a.png"}}]}]}`,
			`[{"role":"user","content":[{"type":"text","text":"q"},{"type":"document_url","document_url":"https://example.com/a.pdf"},{"type":"image_url","image_url":{"url":"https://example.com/a.png"}}]}]`},
		{"a document becomes a data URL", "anthropic", "mistral",
			`{"messages":[{"role":"user","content":[{"type":"text","text":"q"},{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"JVBERi0="}}]}]}`,
			`[{"role":"user","content":[{"type":"text","text":"q"},{"type":"document_url","document_url":"data:application/pdf;base64,JVBERi0="}]}]`},
		{"one that is a data URL stays it", "openai-chat", "mistral",
			`{"messages":[{"role":"user","content":[{"type":"text","text":"q"},{"type":"file","file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,JVBERi0="}}]}]}`,
			`[{"role":"user","content":[{"type":"text","text":"q"},{"type":"document_url","document_url":"data:application/pdf;base64,JVBERi0=","document_name":"a.pdf"}]}]`},
	} {
		t.Run(c.from+" to "+c.to+" "+c.reason, func(t *testing.T) {
			result, err := wire.Convert(context.Background(), []byte(c.in), &wire.ConvertOptions{From: c.from, To: c.to})
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

// TestEditsOfChatParts: what becomes of the JSON of one message of the Chat wire, after an edit of one of its parts.
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
		{"arguments that are an object stay", "mistral", `{"role":"assistant","content":null,"tool_calls":[{"id":"a","function":{"name":"f","arguments":{ "n":1.0 }},"x":1.0}]}`,
			`{"role":"assistant","content":null,"tool_calls":[{"id":"z","function":{"name":"f","arguments":{ "n":1.0 }},"x":1.0}]}`, newID},
		{"others are a string", "mistral", `{"role":"assistant","content":null,"tool_calls":[{"id":"a","function":{"name":"f","arguments":{"n":1.0}}}]}`,
			`{"role":"assistant","content":null,"tool_calls":[{"id":"a","function":{"name":"f","arguments":"{\"n\":2}"}}]}`, call(0, func(c *preflight.ToolCall) { c.Input = json.RawMessage(`{"n":2}`) })},
		{"the second of two calls", "openai-chat", `{"role":"assistant","content":null,"tool_calls":[{"id":"a",` + function + `},{"id":"b",` + function + `}]}`,
			`{"role":"assistant","content":null,"tool_calls":[{"id":"a",` + function + `},{"id":"b","type":"function","function":{"name":"g","arguments":"{}"}}]}`, call(1, func(c *preflight.ToolCall) { c.Name = "g" })},
		{"a custom call", "openai-chat", `{"role":"assistant","content":null,"tool_calls":[{"id":"a","x":1.0,"type":"custom","custom":{"name":"f","input":"i","y":1.0}}]}`,
			`{"role":"assistant","content":null,"tool_calls":[{"id":"z","x":1.0,"type":"custom","custom":{"name":"g","input":"j","y":1.0}}]}`,
			call(0, func(c *preflight.ToolCall) { c.ID, c.Name, c.Input = "z", "g", json.RawMessage("j") })},
		{"a custom call of another host", "openai-compatible", `{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"custom","custom":{"name":"f","input":"i"},"extra_content":{}}]}`,
			`{"role":"assistant","content":null,"tool_calls":[{"id":"z","type":"custom","custom":{"name":"f","input":"i"}}]}`, newID},
		{"a function becomes custom", "openai-chat", `{"role":"assistant","content":null,"tool_calls":[{"id":"a",` + function + `}]}`,
			`{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"custom","custom":{"name":"f","input":"{}"}}]}`, call(0, func(c *preflight.ToolCall) { c.Variant = "custom" })},
		{"a breakpoint on a call stays", "openai-chat", `{"role":"assistant","content":"a","tool_calls":[{"id":"a",` + function + `,"cache_control":{"type":"ephemeral"}}]}`,
			`{"role":"assistant","content":"b","tool_calls":[{"id":"a",` + function + `,"cache_control":{"type":"ephemeral"}}]}`, text},
		{"a breakpoint on a call goes", "openai-chat", `{"role":"assistant","content":"a","tool_calls":[{"id":"a",` + function + `,"cache_control":{"type":"ephemeral"}}]}`,
			`{"role":"assistant","content":"a","tool_calls":[{"id":"a",` + function + `}]}`, call(1, func(c *preflight.ToolCall) { c.Cache = nil })},
		{"the list of calls comes", "openai-chat", `{"role":"assistant","content":"a","tool_calls":null}`, `{"role":"assistant","content":"a","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]}`,
			func(m *preflight.Message) {
				m.Parts = append(m.Parts, &preflight.ToolCall{ID: "c", Name: "f", Input: json.RawMessage("{}")})
			}},
		{"no calls stay none", "openai-chat", `{"role":"assistant","content":"a","tool_calls":null,"refusal":null,"audio":null}`, `{"role":"assistant","content":"b","tool_calls":null,"refusal":null,"audio":null}`, text},
		{"an empty refusal stays empty", "openai-chat", `{"role":"assistant","content":"a","refusal":""}`, `{"role":"assistant","content":"b","refusal":""}`, text},
		{"a refusal goes", "openai-chat", `{"role":"assistant","content":"a","refusal":"no"}`, `{"role":"assistant","content":"a"}`, only(0)},
		{"text goes and a refusal stays", "openai-chat", `{"role":"assistant","content":"a","refusal":"no"}`, `{"role":"assistant","content":null,"refusal":"no"}`, only(1)},
		{"two refusals are one text", "openai-chat", `{"role":"assistant","content":"a"}`, `{"role":"assistant","content":null,"refusal":"x\ny"}`,
			become(&preflight.Other{Kind: "refusal", Carried: preflight.Carried{Native: preflight.Native{JSON: []byte(`"x"`)}}}, &preflight.Other{Kind: "refusal", Carried: preflight.Carried{Native: preflight.Native{JSON: []byte(`"y"`)}}})},
		{"of two that are no text the first stays", "openai-chat", `{"role":"assistant","content":"a"}`, `{"role":"assistant","content":null,"audio":{"id":"1"}}`,
			become(&preflight.Other{Kind: "audio", Carried: preflight.Carried{Native: preflight.Native{JSON: []byte(`{"id":"1"}`)}}}, &preflight.Other{Kind: "audio", Carried: preflight.Carried{Native: preflight.Native{JSON: []byte(`{"id":"2"}`)}}})},
		{"calls need no content", "openai-chat", `{"role":"assistant","tool_calls":[{"id":"a",` + function + `}]}`, `{"role":"assistant","tool_calls":[{"id":"z",` + function + `}]}`, newID},
		{"at one host they do", "xai", `{"role":"assistant","content":"","tool_calls":[{"id":"a",` + function + `}]}`, `{"role":"assistant","content":"","tool_calls":[{"id":"a",` + function + `}]}`, only(1)},
		{"nothing is left", "openai-chat", `{"role":"user","content":"a","name":"n"}`, `{"role":"user","content":"","name":"n"}`, become()},
		{"an empty list stays one", "openai-chat", `{"role":"user","content":[],"name":"n"}`, `{"role":"user","content":[],"name":"m"}`, func(m *preflight.Message) { m.Name = "m" }},
		{"an image's detail stays", "openai-chat", `{"role":"user","content":[{"type":"image_url","image_url":{"url":"u","detail":"low"}}]}`, `{"role":"user","content":[{"type":"image_url","image_url":{"url":"v","detail":"low"}}]}`,
			media(func(m *preflight.Media) { m.URL = "v" })},
		{"an image in short form", "mistral", `{"role":"user","content":[{"type":"image_url","image_url":"u"}]}`, `{"role":"user","content":[{"type":"image_url","image_url":"v"}]}`,
			media(func(m *preflight.Media) { m.URL = "v" })},
		{"an image by address and bytes", "openai-chat", `{"role":"user","content":[]}`, `{"role":"user","content":[{"type":"image_url","image_url":{"url":"u"},"cache_control":{"type":"ephemeral"}},{"type":"image_url","image_url":{"url":""}}]}`,
			become(&preflight.Media{Kind: "image", URL: "u", Data: "QUJD", Carried: preflight.Carried{Cache: marker}}, &preflight.Media{Kind: "image"})},
		{"audio", "openai-chat", `{"role":"user","content":[{"type":"input_audio","input_audio":{"data":"UklGRg==","format":"wav","x":1.0}}]}`, `{"role":"user","content":[{"type":"input_audio","input_audio":{"data":"AAAA","format":"mp3","x":1.0},"cache_control":{"type":"ephemeral"}}]}`,
			media(func(m *preflight.Media) { m.Data, m.MediaType, m.Cache = "AAAA", "audio/mp3", marker })},
		{"audio of no known kind", "openai-chat", `{"role":"user","content":[{"type":"input_audio","input_audio":{"data":"UklGRg==","format":"wav"}}]}`, `{"role":"user","content":[{"type":"input_audio","input_audio":{"data":"UklGRg=="}}]}`,
			media(func(m *preflight.Media) { m.MediaType = "" })},
		{"a file by id", "openai-chat", `{"role":"user","content":[]}`, `{"role":"user","content":[{"type":"file","file":{"file_id":"f"},"cache_control":{"type":"ephemeral"}}]}`,
			become(&preflight.Media{Kind: "document", FileID: "f", Carried: preflight.Carried{Cache: marker}})},
		{"a file's bytes keep their form", "openai-chat", `{"role":"user","content":[{"type":"file","file":{"filename":"a","file_data":"JVBERi0="}}]}`, `{"role":"user","content":[{"type":"file","file":{"filename":"b","file_data":"JVBERi0="}}]}`,
			media(func(m *preflight.Media) { m.Name = "b" })},
		{"a file's name and bytes go", "openai-chat", `{"role":"user","content":[{"type":"file","file":{"filename":"a","file_data":"JVBERi0=","file_id":"f"}}]}`, `{"role":"user","content":[{"type":"file","file":{"file_id":"f"}}]}`,
			media(func(m *preflight.Media) { m.Name, m.Data = "", "" })},
		{"a part nobody knows gets a breakpoint", "openai-chat", `{"role":"user","content":[{"type":"video_url","x":1.0}]}`, `{"role":"user","content":[{"type":"video_url","x":1.0,"cache_control":{"type":"ephemeral"}}]}`,
			part(0, func(p preflight.Part) preflight.Part {
				return edited(p, func(o *preflight.Other) { o.Cache = marker })
			})},
		{"a result loses its content", "openai-chat", `{"role":"tool","tool_call_id":"a","content":"r","x":1.0}`, `{"role":"tool","tool_call_id":"a","content":"","x":1.0}`, result(func(r *preflight.ToolResult) { r.Content = nil })},
		{"a result had none", "openai-chat", `{"role":"tool","tool_call_id":"a","content":null}`, `{"role":"tool","tool_call_id":"b","content":""}`, result(func(r *preflight.ToolResult) { r.CallID = "b" })},
		{"nor had this", "openai-chat", `{"role":"tool","tool_call_id":"a"}`, `{"role":"tool","tool_call_id":"b","content":""}`, result(func(r *preflight.ToolResult) { r.CallID = "b" })},
		{"an empty result keeps its spelling", "openai-chat", `{"role":"tool","tool_call_id":"a","content" : ""}`, `{"role":"tool","tool_call_id":"b","content" : ""}`, result(func(r *preflight.ToolResult) { r.CallID = "b" })},
		{"a made result in a read message", "openai-chat", `{"role":"tool","tool_call_id":"a","content":"r","x":1.0}`, `{"role":"tool","tool_call_id":"a","content":"s","x":1.0}`,
			become(&preflight.ToolResult{CallID: "a", Content: []preflight.Part{&preflight.Text{Text: "s"}}})},
		{"output of another format", "openai-chat", `{"role":"tool","tool_call_id":"a","content":"r"}`, `{"role":"tool","tool_call_id":"a","content":"{\"n\":1.0}"}`,
			become(&preflight.ToolResult{CallID: "a", Output: json.RawMessage(`{"n":1.0}`)})},
		{"reasoning comes", "openai-chat", `{"role":"assistant","content":"a"}`, `{"role":"assistant","content":"a","reasoning_content":"x\ny"}`,
			func(m *preflight.Message) {
				m.Parts = append([]preflight.Part{&preflight.Reasoning{Text: "x"}, &preflight.Reasoning{Text: "y"}}, m.Parts...)
			}},
		{"reasoning that nobody can read, in one list", "openrouter", `{"role":"assistant","content":"a","reasoning":"r"}`, `{"role":"assistant","content":"a","reasoning":"r","reasoning_details":[{"a":1.0}]}`,
			func(m *preflight.Message) {
				m.Parts = append([]preflight.Part{&preflight.Reasoning{Opaque: `[{"a":1.0}]`}}, m.Parts...)
			}},
		{"a block of reasoning gets a text beside it", "mistral", `{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"t","x":1.0}]},{"type":"text","text":"a"}]}`,
			`{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"t","x":1.0}]},{"type":"text","text":"b"}]}`, text},
	} {
		t.Run(c.provider+" "+c.reason, func(t *testing.T) {
			out := encode(t, c.provider, `[`+c.in+`]`, func(messages []preflight.Message) []preflight.Message {
				messages[0].Parts = slices.Clone(messages[0].Parts)
				c.change(&messages[0])
				return messages
			})
			require.Equal(t, `[`+c.want+`]`, out)
		})
	}
}

// TestCannotSay: reasoning that only its maker can read has no form in a format of texts.
func TestCannotSay(t *testing.T) {
	for _, opaque := range []string{"QUJD", `[]`, `{"a":1}`, `[{"a":1.0}]`} {
		r, err := wire.Decode([]byte(`[{"role":"user","content":"q"}]`), &wire.Options{Provider: "openai-chat"})
		require.NoError(t, err)
		message := preflight.Message{Role: preflight.RoleAssistant, Parts: []preflight.Part{&preflight.Reasoning{Opaque: opaque}}}
		_, err = r.Encode([]preflight.Message{message})
		require.ErrorIs(t, err, wire.ErrEncode)
		require.ErrorContains(t, err, "opaque reasoning")
		message.Parts = []preflight.Part{&preflight.Reasoning{Opaque: opaque, Text: "hm"}}
		out, err := r.Encode([]preflight.Message{message})
		require.NoError(t, err)
		require.Contains(t, string(out), `"reasoning_content":"hm"`)
	}
}
