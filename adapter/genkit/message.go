package preflightgenkit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/firebase/genkit/go/ai"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/adapter"
)

// This file reads and writes messages. The parts of one are those of its content, in their order.

var errNil = errors.New("it is nil")

// unfit returns the error for what the types have no place for.
func unfit(what string) error { return fmt.Errorf("%w: %s", adapter.ErrInexact, what) }

// signed stands for the signature of reasoning, which is in the metadata of the part.
const signed = "genkit"

// pending is the key of the output of a tool that ran beside an interrupted one, in the metadata of
// its request.
const pending = "pendingOutput"

func read(m *ai.Message) (preflight.Message, error) {
	if m == nil {
		return preflight.Message{}, errNil
	}
	out := preflight.Message{Role: preflight.Role(m.Role)}
	if m.Role == ai.RoleModel {
		out.Role = preflight.RoleAssistant
	}
	for _, p := range m.Content {
		part, err := readPart(p)
		if err != nil {
			return out, err
		}
		out.Parts = append(out.Parts, part)
	}
	return out, nil
}

func readPart(p *ai.Part) (preflight.Part, error) {
	switch {
	case p == nil:
		return nil, nil
	case p.IsText():
		return &preflight.Text{Text: p.Text}, nil
	case p.IsReasoning():
		out := &preflight.Reasoning{Text: p.Text}
		data, _ := p.Metadata["signature"].([]byte)
		text, _ := p.Metadata["signature"].(string)
		if len(data)+len(text) > 0 {
			out.Signature = signed
		}
		return out, nil
	case p.IsMedia():
		return readMedia(p), nil
	case p.IsToolRequest() && p.ToolRequest != nil:
		r := p.ToolRequest
		input, err := inputOf(r)
		if err != nil {
			return nil, err
		}
		call := &preflight.ToolCall{ID: r.Ref, Name: r.Name, Input: input}
		if p.Metadata["interrupt"] != nil {
			call.Awaiting = preflight.AwaitingClient
		}
		if output, ok := p.Metadata[pending]; ok {
			if raw, err := json.Marshal(output); err == nil {
				call.Meta = preflight.Metadata{pending: raw}
			}
		}
		return call, nil
	case p.IsToolResponse() && p.ToolResponse != nil:
		return readResponse(p.ToolResponse)
	}
	return &preflight.Other{Kind: fmt.Sprintf("part %d", p.Kind)}, nil
}

// inputOf returns the arguments of a request.
func inputOf(r *ai.ToolRequest) ([]byte, error) {
	if r.Input == nil {
		return []byte("{}"), nil
	}
	return json.Marshal(r.Input)
}

func readResponse(r *ai.ToolResponse) (preflight.Part, error) {
	out := &preflight.ToolResult{CallID: r.Ref, Name: r.Name}
	if text, ok := r.Output.(string); ok {
		out.Content = []preflight.Part{&preflight.Text{Text: text}}
	} else {
		output, err := json.Marshal(r.Output)
		if err != nil {
			return nil, err
		}
		out.Output = output
	}
	for _, p := range r.Content {
		part, err := readPart(p)
		if err != nil {
			return nil, err
		}
		out.Content = append(out.Content, part)
	}
	return out, nil
}

// readMedia returns a medium, whose text is an address or a data: URL.
func readMedia(p *ai.Part) preflight.Part {
	m := &preflight.Media{Kind: "document", MediaType: p.ContentType, URL: p.Text}
	if rest, ok := strings.CutPrefix(p.Text, "data:"); ok {
		if mediaType, data, ok := strings.Cut(rest, ";base64,"); ok {
			m.URL, m.Data = "", data
			if m.MediaType == "" {
				m.MediaType = mediaType
			}
		}
	}
	switch kind, _, _ := strings.Cut(m.MediaType, "/"); kind {
	case "image", "audio", "video":
		m.Kind = kind
	}
	return m
}

// write returns a copy of the message that m was made of, in which the parts are those of m.
func write(
	m preflight.Message,
	from **ai.Message,
	origin adapter.Origin[*ai.Message],
) (*ai.Message, error) {
	out := &ai.Message{}
	if from != nil {
		*out = **from
	}
	out.Role, out.Content = ai.Role(m.Role), make([]*ai.Part, 0, len(m.Parts))
	if m.Role == preflight.RoleAssistant {
		out.Role = ai.RoleModel
	}
	var metadata []map[string]any
	for _, s := range origin.Sources(m.Parts) {
		if from != nil && (*s).Role == out.Role {
			metadata = append(metadata, (*s).Metadata)
		}
	}
	out.Metadata = adapter.Union(out.Metadata, metadata...)
	for _, p := range m.Parts {
		var was *ai.Part
		if from, k := origin(p); from != nil && k < len((*from).Content) {
			was = (*from).Content[k]
		}
		part, err := writePart(p, was, origin)
		if err != nil {
			return nil, err
		}
		out.Content = append(out.Content, part)
	}
	return out, nil
}

// writePart returns the part that p was made of, if that still says the same, and else a copy of
// it.
func writePart(
	p preflight.Part,
	was *ai.Part,
	origin adapter.Origin[*ai.Message],
) (*ai.Part, error) {
	if says(was, p) {
		return was, nil
	}
	made, err := newPart(p, was, origin)
	if err == nil && was != nil && was.Kind == made.Kind {
		made.ContentType, made.Metadata = was.ContentType, was.Metadata
		if call, ok := p.(*preflight.ToolCall); ok {
			keepInput(made.ToolRequest, was.ToolRequest, call)
		}
	}
	return made, err
}

// says reports whether a part of the caller's says what p says.
func says(was *ai.Part, p preflight.Part) bool {
	if was == nil {
		return false
	}
	read, err := readPart(was)
	return err == nil && reflect.DeepEqual(p, read)
}

// keepInput leaves a request what is not repaired of the one that call was read from.
func keepInput(made, was *ai.ToolRequest, call *preflight.ToolCall) {
	made.Partial = was.Partial
	if input, err := inputOf(was); err == nil && bytes.Equal(input, call.Input) {
		made.Input = was.Input
	}
}

// newPart returns a part that says what p says. Of what a response was made of, it is given its
// content that did not change.
func newPart(
	p preflight.Part,
	was *ai.Part,
	origin adapter.Origin[*ai.Message],
) (*ai.Part, error) {
	switch p := p.(type) {
	case *preflight.Text:
		return ai.NewTextPart(p.Text), nil
	case *preflight.Reasoning:
		if p.Signed() {
			return nil, unfit("signed reasoning that is not as it was")
		}
		return ai.NewReasoningPart(p.Text, nil), nil
	case *preflight.ToolCall:
		if p.ProviderExecuted || p.Variant != "" || p.Signature != "" {
			return nil, unfit("a tool call that is no plain one")
		}
		input, err := decoded(p.Input)
		if err != nil {
			return nil, err
		}
		return ai.NewToolRequestPart(
			&ai.ToolRequest{Ref: p.ID, Name: p.Name, Input: input}), nil
	case *preflight.ToolResult:
		var response *ai.ToolResponse
		if was != nil {
			response = was.ToolResponse
		}
		return newResponse(p, response, origin)
	case *preflight.Media:
		if p.FileID != "" || p.Name != "" {
			return nil, unfit("a file with a name or an id")
		}
		if p.URL != "" {
			return ai.NewMediaPart(p.MediaType, p.URL), nil
		}
		return ai.NewMediaPart(p.MediaType, "data:"+p.MediaType+";base64,"+p.Data), nil
	}
	return nil, unfit("content of kind " + preflight.PartKind(p))
}

// newResponse returns a response whose output is the result's JSON or text, or an error. Text that
// was not in the content of the response before is in the output, since plugins send no text that
// is in the content, or refuse it.
func newResponse(
	r *preflight.ToolResult,
	was *ai.ToolResponse,
	origin adapter.Origin[*ai.Message],
) (*ai.Part, error) {
	if r.ProviderExecuted {
		return nil, unfit("a result of the provider")
	}
	out := &ai.ToolResponse{Ref: r.CallID, Name: r.Name}
	if was != nil {
		out.Output, out.Content = was.Output, slices.Clip(was.Content)
		if says(ai.NewToolResponsePart(out), r) {
			return ai.NewToolResponsePart(out), nil
		}
		out.Output, out.Content = nil, nil
	}
	var texts []string
	if len(r.Output) > 0 {
		texts = append(texts, string(r.Output))
	}
	for _, p := range r.Content {
		part := ownContent(p, was, origin)
		if text, ok := p.(*preflight.Text); ok && part == nil {
			texts = append(texts, text.Text)
			continue
		}
		if part == nil {
			var err error
			if part, err = newPart(p, nil, nil); err != nil {
				return nil, err
			}
		}
		out.Content = append(out.Content, part)
	}
	var err error
	switch text := strings.Join(texts, "\n"); {
	case len(r.Output) > 0 && len(texts) == 1:
		out.Output, err = decoded(r.Output)
	case r.IsError:
		out.Output = map[string]any{"error": text}
	default:
		out.Output = text
	}
	return ai.NewToolResponsePart(out), err
}

// ownContent returns the part of a response's content that p was read from, if that still says the
// same.
func ownContent(
	p preflight.Part,
	of *ai.ToolResponse,
	origin adapter.Origin[*ai.Message],
) *ai.Part {
	if of == nil {
		return nil
	}
	_, k := origin(p)
	if _, ok := of.Output.(string); ok {
		k-- // which readResponse puts before the content
	}
	if k < 0 || k >= len(of.Content) || !says(of.Content[k], p) {
		return nil
	}
	return of.Content[k]
}

// decoded returns JSON as Genkit holds it, with numbers as they are spelled.
func decoded(raw []byte) (v any, err error) {
	if len(raw) == 0 {
		return nil, nil
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	err = d.Decode(&v)
	return v, err
}
