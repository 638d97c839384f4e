package wire

import (
	"encoding/json"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file reads single blocks of any format into neutral parts, for foreign.go.

// partsWithCalls returns the parts of a Chat message that calls tools. Calls that are blocks of the
// content as well count once.
func partsWithCalls(v, calls jsonscan.Value) []preflight.Part {
	var parts []preflight.Part
	if content := v.Get("content"); content.Kind() == jsonscan.Array {
		for e := content.First(); e.Exists(); e = e.Next() {
			parts = append(parts, readAny(e)...)
		}
	} else {
		parts = textParts(content.Str())
	}
	seen := make(map[string]bool)
	for _, p := range parts {
		if c, ok := p.(*preflight.ToolCall); ok {
			seen[c.ID] = true
		}
	}
	for e := calls.First(); e.Exists(); e = e.Next() {
		p, ok := readChatCall(e, e)
		if flat := e.Get("name"); !ok && flat.Kind() == jsonscan.String {
			input := argumentsOf(e.Get(firstWithValue(e, inputMembers)))
			p, ok = &preflight.ToolCall{ID: e.Get("id").Str(), Name: flat.Str(), Input: input}, true
		}
		if custom := e.Get("custom"); !ok && custom.Kind() == jsonscan.Object {
			input := wrapped("input", quoted(custom.Get("input").Str()))
			p = &preflight.ToolCall{
				ID: e.Get("id").Str(), Name: custom.Get("name").Str(), Input: input,
			}
		}
		if !seen[p.(*preflight.ToolCall).ID] {
			parts = append(parts, p)
		}
	}
	return parts
}

// readAny reads a block of any format, as text if it has no neutral counterpart.
func readAny(v jsonscan.Value) []preflight.Part {
	if v.Kind() != jsonscan.Object {
		return textParts(textOf(v))
	}
	key, data := kindOf(v)
	if read := blockReaders[key]; read != nil {
		if p, ok := read(v, data); ok && p != nil {
			return []preflight.Part{p}
		} else if ok {
			return nil
		}
	}
	if t := v.Get("text"); t.Kind() == jsonscan.String {
		return textParts(t.Str())
	}
	p, _ := readAsText(v, data)
	return []preflight.Part{p}
}

// A blockReader reads a block of one type. data is the member that holds the block's data where
// blocks have no type, else the block. The part is nil when only its own provider can read the
// block. ok is false for a block that has only the name of that type.
type blockReader func(v, data jsonscan.Value) (p preflight.Part, ok bool)

// blockReaders are the readers for types with a neutral counterpart.
var blockReaders map[kindKey]blockReader

func init() { // it refers to itself: results hold blocks
	blockReaders = map[kindKey]blockReader{
		{"text", false}:            readText("text"),
		{"input_text", false}:      readText("text"),
		{"output_text", false}:     readText("text"),
		{"refusal", false}:         readText("refusal"),
		{"text", true}:             readBareText,
		{"citationsContent", true}: readCitations,
		{"user_input", false}:      readSaid,
		{"model_output", false}:    readSaid,

		{"thinking", false}:          readThinking,
		{"reasoning_text", false}:    readThought("text"),
		{"summary_text", false}:      readThought("text"),
		{"reasoning", false}:         readReasoning,
		{"thought", false}:           readStepThought,
		{"redacted_thinking", false}: readNone,
		{"reasoningContent", true}:   readReasoningContent,
		{"cachePoint", true}:         readNone,

		{"tool_use", false}:         readCall("id", "name", "input"),
		{"function_call", false}:    readFunctionCall,
		{"custom_tool_call", false}: readCustomCall,
		{"function", false}:         readChatCall,
		{"functionCall", true}:      readCall("id", "name", "args"),
		{"function_call", true}:     readCall("id", "name", "args"),
		{"toolUse", true}:           readCall("toolUseId", "name", "input"),

		{"tool_result", false}:             readResult("tool_use_id", "content"),
		{"function_call_output", false}:    readResult("call_id", "output"),
		{"custom_tool_call_output", false}: readResult("call_id", "output"),
		{"function_result", false}:         readResult("call_id", "result"),
		{"functionResponse", true}:         readResponse,
		{"function_response", true}:        readResponse,
		{"toolResult", true}:               readResult("toolUseId", "content"),

		{"image", false}:        readSource("image"),
		{"document", false}:     readSource("document"),
		{"image_url", false}:    readAddress("image", "image_url"),
		{"document_url", false}: readAddress("document", "document_url"),
		{"input_image", false}:  readInputImage,
		{"input_audio", false}:  readInputAudio,
		{"file", false}:         readFile,
		{"input_file", false}:   readInputFile,
		{"inlineData", true}:    readBlob,
		{"inline_data", true}:   readBlob,
		{"fileData", true}:      readBlob,
		{"file_data", true}:     readBlob,
		{"image", true}:         readBytes("image"),
		{"document", true}:      readBytes("document"),
		{"video", true}:         readBytes("video"),
		{"audio", true}:         readBytes("audio"),
	}
	for k := range itemCalls[2:] {
		call := &itemCalls[k+2]
		blockReaders[kindKey{call.kind, false}] = readShell(call)
		blockReaders[kindKey{call.output, false}] = readResult("call_id", "output")
	}
}

func readText(member string) blockReader {
	return func(v, _ jsonscan.Value) (preflight.Part, bool) {
		t := v.Get(member)
		return &preflight.Text{Text: t.Str()}, t.Kind() == jsonscan.String
	}
}

// readBareText reads a block that is known by its text alone, which may be a thought.
func readBareText(v, data jsonscan.Value) (preflight.Part, bool) {
	if thought, _ := v.Get("thought").Bool(); thought {
		return &preflight.Reasoning{Text: data.Str()}, data.Kind() == jsonscan.String
	}
	return nil, false // every format has text
}

// readSaid reads a step with the words of one side.
func readSaid(v, _ jsonscan.Value) (preflight.Part, bool) {
	content := v.Get("content")
	if content.Kind() == jsonscan.String {
		return &preflight.Text{Text: content.Str()}, true
	}
	var texts []string
	for e := first(content); e.Exists(); e = e.Next() {
		if e.Get("text").Kind() != jsonscan.String {
			return nil, false
		}
		texts = append(texts, e.Get("text").Str())
	}
	return &preflight.Text{Text: strings.Join(texts, "\n")}, len(texts) > 0
}

func readCitations(_, data jsonscan.Value) (preflight.Part, bool) {
	return &preflight.Text{Text: citedText(data)}, data.Get("content").Len() > 0
}

// citedText returns the text of a block with citations.
func citedText(data jsonscan.Value) string { return thinkingText(data.Get("content")) }

// reasoningOf is reasoning that other providers can read, nil for empty text: signatures are worth
// nothing elsewhere.
func reasoningOf(text string) preflight.Part {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	return &preflight.Reasoning{Text: text}
}

func readThought(member string) blockReader {
	return func(v, _ jsonscan.Value) (preflight.Part, bool) {
		return reasoningOf(v.Get(member).Str()), v.Get(member).Kind() == jsonscan.String
	}
}

func readThinking(v, _ jsonscan.Value) (preflight.Part, bool) {
	value := v.Get("thinking")
	if value.Kind() == jsonscan.Array {
		return reasoningOf(thinkingText(value)), true
	}
	return reasoningOf(value.Str()), value.Kind() == jsonscan.String
}

func readReasoning(v, _ jsonscan.Value) (preflight.Part, bool) {
	return reasoningOf(summaryText(v)), v.Has("summary") || v.Has("encrypted_content")
}

func readStepThought(v, _ jsonscan.Value) (preflight.Part, bool) {
	return reasoningOf(summaryText(v)), v.Has("summary") || v.Has("signature")
}

func readReasoningContent(_, data jsonscan.Value) (preflight.Part, bool) {
	return reasoningOf(data.Get("reasoningText").Get("text").Str()), true
}

func readNone(_, _ jsonscan.Value) (preflight.Part, bool) { return nil, true }

// readCall reads a call with the members id, name and input.
func readCall(id, name, input string) blockReader {
	return func(_, data jsonscan.Value) (preflight.Part, bool) {
		called := data.Get(name)
		c := &preflight.ToolCall{
			ID: data.Get(id).Str(), Name: called.Str(), Input: argumentsOf(data.Get(input)),
		}
		return c, called.Kind() == jsonscan.String
	}
}

// readFunctionCall reads a call of the Responses format or of Interactions, which has its id in id.
func readFunctionCall(v, data jsonscan.Value) (preflight.Part, bool) {
	id := "call_id"
	if !data.Has(id) {
		id = "id"
	}
	return readCall(id, "name", "arguments")(v, data)
}

// argumentsOf returns the arguments of a call: JSON, or a string that holds it.
func argumentsOf(v jsonscan.Value) json.RawMessage {
	switch v.Kind() {
	case jsonscan.Absent, jsonscan.Null:
		return noArguments
	case jsonscan.String:
		return v.Bytes()
	}
	return v.Raw()
}

func readChatCall(v, _ jsonscan.Value) (preflight.Part, bool) {
	function := v.Get("function")
	name, input := function.Get("name"), argumentsOf(function.Get("arguments"))
	c := &preflight.ToolCall{ID: v.Get("id").Str(), Name: name.Str(), Input: input}
	return c, name.Kind() == jsonscan.String
}

// readCustomCall reads a call whose input is free text: a member of the arguments everywhere else.
func readCustomCall(v, _ jsonscan.Value) (preflight.Part, bool) {
	input := wrapped("input", quoted(v.Get("input").Str()))
	c := &preflight.ToolCall{ID: v.Get("call_id").Str(), Name: v.Get("name").Str(), Input: input}
	return c, v.Get("name").Kind() == jsonscan.String
}

// readShell reads a call of a tool that is built into one provider.
func readShell(kind *itemCall) blockReader {
	return func(v, _ jsonscan.Value) (preflight.Part, bool) {
		input := argumentsOf(v.Get(kind.payload))
		c := &preflight.ToolCall{ID: v.Get("call_id").Str(), Name: kind.name, Input: input}
		return c, v.Has("call_id")
	}
}

// readResult reads a result that has the id of its call in the member id, and its content in the
// member content.
func readResult(id, content string) blockReader {
	return func(_, data jsonscan.Value) (preflight.Part, bool) {
		r := &preflight.ToolResult{CallID: data.Get(id).Str()}
		r.IsError, _ = data.Get("is_error").Bool()
		r.IsError = r.IsError || data.Get("status").StrIs("error") ||
			data.Get("status").StrIs("failed")
		switch v := data.Get(content); v.Kind() {
		case jsonscan.Absent, jsonscan.Null:
		case jsonscan.String:
			r.Content = textParts(v.Str())
		case jsonscan.Array:
			for e := v.First(); e.Exists(); e = e.Next() {
				r.Content = append(r.Content, readNested(e))
			}
		default:
			r.Output = v.Raw()
		}
		return r, data.Get(id).Kind() == jsonscan.String
	}
}

func textParts(text string) []preflight.Part {
	if text == "" {
		return nil
	}
	return []preflight.Part{&preflight.Text{Text: text}}
}

// readNested reads the content of a result: text and media, and anything else as text.
func readNested(v jsonscan.Value) preflight.Part {
	if v.Kind() != jsonscan.Object {
		return &preflight.Text{Text: textOf(v)}
	}
	if t := v.Get("text"); t.Kind() == jsonscan.String {
		return &preflight.Text{Text: t.Str()}
	}
	if j := v.Get("json"); j.Exists() && !v.Has("type") {
		return &preflight.Text{Text: string(j.Raw())}
	}
	key, data := kindOf(v)
	if read := blockReaders[key]; read != nil {
		if m, ok := read(v, data); ok {
			if media, ok := m.(*preflight.Media); ok {
				return media
			}
		}
	}
	return &preflight.Text{Text: string(v.Raw())}
}

func readResponse(_, data jsonscan.Value) (preflight.Part, bool) {
	r := &preflight.ToolResult{CallID: data.Get("id").Str(), Name: data.Get("name").Str()}
	response := data.Get("response")
	switch key, text := onlyText(response); {
	case key != "":
		r.Content, r.IsError = textParts(text.Str()), key == "error"
	case response.Kind() == jsonscan.String:
		r.Content = textParts(response.Str())
	case hasValue(response):
		r.Output, r.IsError = response.Raw(), isErrorResponse(response)
	}
	for e := data.Get("parts").First(); e.Exists(); e = e.Next() {
		r.Content = append(r.Content, readNested(e))
	}
	return r, data.Get("name").Kind() == jsonscan.String
}
