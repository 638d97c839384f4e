package wire

import (
	"bytes"
	"slices"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file writes the format of Gemini's Interactions API by editing the JSON that messages were
// decoded from.

func encodeInteraction(r *Request, m *preflight.Message) ([][]byte, error) {
	w := stepWriter{elementWriter{r: r, m: m}}
	v := w.own()
	role, known := m.Role.Neutral()
	system := known && role == preflight.RoleSystem
	switch {
	case len(m.Parts) == 0 && holdsNothing(v) && !isTurn(v):
		return onePiece(m.Native.JSON), nil
	case isBare(m) && len(m.Parts) > 0 && !slices.ContainsFunc(m.Parts, w.isStep):
		for _, p := range m.Parts {
			w.add(stepContent(p))
		}
		return w.pieces, w.err
	case v.Has("role"), system, r.turns && v.Kind() != jsonscan.Object:
		return w.turn()
	}
	return w.write(w.isStep, stepOf, w.message)
}

// holdsNothing reports whether a step or a turn has an empty content, or none.
func holdsNothing(v jsonscan.Value) bool {
	said := v.Has("role") || oneOf(v.Get("type"), "user_input", "model_output")
	content := v.Get("content")
	return said && (!hasValue(content) || isEmptyList(content))
}

// stepWriter writes the steps of one message, or its turn.
type stepWriter struct{ elementWriter }

// isStep reports whether a part is a step by itself, and not content. An unknown part is one if it
// was one in the request.
func (w *stepWriter) isStep(p preflight.Part) bool {
	o, ok := p.(*preflight.Other)
	if !ok {
		return isWhole(p)
	}
	kind := valueOf(o.Native.JSON).Get("type")
	switch {
	case oneOf(kind, contentTypes...):
		return false
	case bytes.Equal(o.Native.JSON, w.m.Native.JSON), oneOf(kind, onlySteps...):
		return true
	}
	return w.wasElement(o, callsTools(w.m.Role))
}

// turn writes the message as a turn, which may hold any part.
func (w *stepWriter) turn() ([][]byte, error) {
	o, turn := openObject(w.m.Native, interactions, `{"role":"","content":[]}`)
	turn.text("role", roleOfStep(w.m.Role))
	writeStepContent(o, turn, w.m.Parts)
	return o.pieces()
}

// message writes parts as the content of a step.
func (w *stepWriter) message(parts []preflight.Part) ([][]byte, error) {
	kind := "user_input"
	if callsTools(w.m.Role) {
		kind = "model_output"
	}
	o, step := openObject(w.native(), interactions, `{"type":"`+kind+`","content":[]}`,
		"user_input", "model_output")
	step.text("type", kind)
	writeStepContent(o, step, parts)
	return o.pieces()
}

// writeStepContent makes the content of a step or a turn hold parts. A string stays one, where it
// may be.
func writeStepContent(o *object, m *member, parts []preflight.Part) {
	have := m.v.Get("content")
	switch {
	case have.Kind() == jsonscan.String, have.Kind() == jsonscan.Array:
		o.content(m, "content", parts, stepOf)
	case len(parts) == 1 && have.Kind() == jsonscan.Object:
		if raw, err := stepOf(parts[0]); err != nil || !concatEqual(raw, have.Raw()) {
			m.o.SetPieces("content", o.list(parts, stepOf))
		}
	case len(parts) > 0 || hasValue(have):
		m.o.SetPieces("content", o.list(parts, stepOf))
	}
}

// stepOf writes a part that is a step by itself, or an element of the content of a turn.
func stepOf(p preflight.Part) ([][]byte, error) {
	switch p := p.(type) {
	case *preflight.Reasoning:
		return writeThought(p)
	case *preflight.ToolCall:
		return writeStepCall(p)
	case *preflight.ToolResult:
		return writeStepResult(p)
	}
	return stepContent(p)
}

// stepContent writes a content, or a part of a kind that is kept as it is.
func stepContent(p preflight.Part) ([][]byte, error) {
	switch p := p.(type) {
	case *preflight.Text:
		o, block := openObject(p.Native, interactions, `{"type":"text","text":""}`, "text")
		block.text("type", "text")
		o.words(block, p)
		return o.pieces()
	case *preflight.Media:
		return stepMedia(p)
	case *preflight.Other:
		if p.Native.Format != interactions || len(p.Native.JSON) == 0 {
			return nil, noFormOf(p.Kind)
		}
		return onePiece(p.Native.JSON), nil
	}
	return nil, noForm(preflight.PartKind(p))
}

func stepMedia(m *preflight.Media) ([][]byte, error) {
	kind := mediaKind(m)
	if !slices.Contains(contentTypes, kind) {
		kind = "document"
	}
	o, block := openObject(m.Native, interactions, `{"type":"`+kind+`"}`, contentTypes[1:]...)
	block.text("type", kind)
	mediaType, data := inlineData(m)
	address := m.URL
	switch {
	case data != "":
		address = ""
	case address == "":
		address = m.FileID
	}
	block.optional("data", data)
	block.optional("uri", address)
	if mediaType != "" {
		block.text("mime_type", mediaType)
	}
	if block.v.Has("name") {
		block.optional("name", m.Name)
	}
	return o.pieces()
}

func writeThought(r *preflight.Reasoning) ([][]byte, error) {
	if isOpaque(r) {
		return nil, errOpaque
	}
	o, step := openObject(r.Native, interactions, `{"type":"thought"}`, "thought")
	step.text("type", "thought")
	step.optional("signature", r.Signature)
	switch have, text := summaryText(step.v), thoughtsOf(r); {
	case have == text:
	case text != "":
		step.o.SetMember("summary", []byte(`[{"type":"text","text":`+string(quoted(text))+`}]`))
	default:
		step.drop("summary")
	}
	return o.pieces()
}

func writeStepCall(c *preflight.ToolCall) ([][]byte, error) {
	if c.ProviderExecuted {
		return nil, noForm("provider-executed tool call")
	}
	o, step := openObject(c.Native, interactions,
		`{"type":"function_call","id":"","name":"","arguments":{}}`, "function_call")
	step.text("type", "function_call")
	step.text("id", c.ID)
	step.text("name", c.Name)
	step.arguments("arguments", c)
	step.optional("signature", c.Signature)
	return o.pieces()
}

func writeStepResult(r *preflight.ToolResult) ([][]byte, error) {
	if r.ProviderExecuted {
		return nil, noForm("provider-executed tool result")
	}
	o, step := openObject(r.Native, interactions,
		`{"type":"function_result","call_id":""}`, "function_result")
	step.text("type", "function_result")
	step.text("call_id", r.CallID)
	step.textOrNone("name", r.Name)
	step.flag("is_error", r.IsError)
	content, have := withoutNil(r.Content), step.v.Get("result")
	switch {
	case len(content) > 0 && len(r.Output) > 0:
		words := append([]string{string(r.Output)}, textsOf(content)...)
		step.text("result", strings.Join(words, "\n"))
	case len(content) > 1 && have.Kind() != jsonscan.Array && areTexts(content):
		// some models take no list: rule gemini-interactions/result-media
		step.text("result", strings.Join(textsOf(content), "\n"))
	case len(content) > 0:
		o.content(step, "result", content, stepContent)
	case len(r.Output) > 0:
		step.raw("result", jsonOf(r.Output))
	case have.Exists() && have.Kind() != jsonscan.Null && isEmptyResult(have):
	case !have.Exists() && len(r.Native.JSON) > 0 && r.Native.Format == interactions:
	default:
		step.text("result", "")
	}
	return o.pieces()
}

// isEmptyResult reports whether a result holds nothing.
func isEmptyResult(v jsonscan.Value) bool { return v.StrIs("") || isEmptyList(v) }
