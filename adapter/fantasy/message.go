package preflightfantasy

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"charm.land/fantasy"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/adapter"
)

// This file reads and writes messages. The parts of one are those of its content, in their order.

// signed stands for what a provider needs to verify reasoning, which is in its provider options.
const signed = "fantasy"

// fileID begins the id of a PDF that OpenAI holds, which fantasy has in place of the data.
const fileID = "file-"

// webSearch begins the id of a web search of OpenAI.
const webSearch = "ws_"

// unfit returns the error for what the types have no place for.
func unfit(what string) error { return fmt.Errorf("%w: %s", adapter.ErrInexact, what) }

// reader reads the parts of messages.
type reader func(fantasy.MessagePart) preflight.Part

func (read reader) message(m fantasy.Message) (preflight.Message, error) {
	out := preflight.Message{Role: preflight.Role(m.Role)}
	for _, p := range m.Content {
		if v := reflect.ValueOf(p); v.Kind() == reflect.Pointer && v.IsNil() {
			p = nil
		}
		out.Parts = append(out.Parts, read(p))
	}
	return out, nil
}

// readResponsesPart is readPart for the Responses API, whose own tools are items that only
// fantasy's provider can write.
func readResponsesPart(p fantasy.MessagePart) preflight.Part {
	out := readChatPart(p)
	id := ""
	switch out := out.(type) {
	case *preflight.ToolCall:
		id = out.ID
	case *preflight.ToolResult:
		id = out.CallID
	}
	if strings.HasPrefix(id, webSearch) {
		return &preflight.Other{Kind: "web_search_call"}
	}
	return out
}

// readChatPart is readPart for OpenAI's APIs, where the data of a PDF may be the id of a file.
func readChatPart(p fantasy.MessagePart) preflight.Part {
	f, ok := fantasy.AsMessagePart[fantasy.FilePart](p)
	if ok && f.MediaType == "application/pdf" && bytes.HasPrefix(f.Data, []byte(fileID)) {
		return &preflight.Media{
			Kind: "document", MediaType: f.MediaType, Name: f.Filename, FileID: string(f.Data),
		}
	}
	return readPart(p)
}

func readPart(p fantasy.MessagePart) preflight.Part {
	if text, ok := fantasy.AsMessagePart[fantasy.TextPart](p); ok {
		return &preflight.Text{Text: text.Text}
	}
	if r, ok := fantasy.AsMessagePart[fantasy.ReasoningPart](p); ok {
		out := &preflight.Reasoning{Text: r.Text}
		if len(r.ProviderOptions) > 0 {
			out.Signature = signed
		}
		return out
	}
	if f, ok := fantasy.AsMessagePart[fantasy.FilePart](p); ok {
		return &preflight.Media{
			Kind: kindOf(f.MediaType), MediaType: f.MediaType, Name: f.Filename,
			Data: base64.StdEncoding.EncodeToString(f.Data),
		}
	}
	if c, ok := fantasy.AsMessagePart[fantasy.ToolCallPart](p); ok {
		out := &preflight.ToolCall{
			ID: c.ToolCallID, Name: c.ToolName, ProviderExecuted: c.ProviderExecuted,
		}
		if c.Input != "" {
			out.Input = []byte(c.Input)
		}
		return out
	}
	if r, ok := fantasy.AsMessagePart[fantasy.ToolResultPart](p); ok {
		return readResult(&r)
	}
	if p == nil {
		return nil
	}
	return &preflight.Other{Kind: string(p.GetType())}
}

// kindOf returns the kind of a medium by its type.
func kindOf(mediaType string) string {
	switch kind, _, _ := strings.Cut(mediaType, "/"); kind {
	case "image", "audio", "video":
		return kind
	}
	return "document"
}

func readResult(r *fantasy.ToolResultPart) *preflight.ToolResult {
	out := &preflight.ToolResult{CallID: r.ToolCallID, ProviderExecuted: r.ProviderExecuted}
	if r.ProviderExecuted {
		out.Output = []byte("{}") // what the provider needs of it is in its provider options
		return out
	}
	if r.Output != nil { // of a type that is not known
		out.Content = []preflight.Part{&preflight.Other{Kind: string(r.Output.GetType())}}
	}
	if text, ok := fantasy.AsToolResultOutputType[fantasy.ToolResultOutputContentText](r.Output); ok {
		out.Content = []preflight.Part{&preflight.Text{Text: text.Text}}
	}
	if e, ok := fantasy.AsToolResultOutputType[fantasy.ToolResultOutputContentError](r.Output); ok {
		out.IsError = true
		text := &preflight.Text{}
		if e.Error != nil {
			text.Text = e.Error.Error()
		}
		out.Content = []preflight.Part{text}
	}
	if m, ok := fantasy.AsToolResultOutputType[fantasy.ToolResultOutputContentMedia](r.Output); ok {
		out.Content = []preflight.Part{&preflight.Media{
			Kind: kindOf(m.MediaType), MediaType: m.MediaType, Data: m.Data,
		}}
		if m.Text != "" {
			out.Content = append(out.Content, &preflight.Text{Text: m.Text})
		}
	}
	return out
}

// write returns a copy of the message that m was made of, in which the parts are those of m.
func (read reader) write(
	m preflight.Message,
	from *fantasy.Message,
	origin adapter.Origin[fantasy.Message],
) (fantasy.Message, error) {
	var out fantasy.Message
	if from != nil {
		out = *from
	}
	out.Role, out.Content = fantasy.MessageRole(m.Role), make([]fantasy.MessagePart, 0, len(m.Parts))
	var options []fantasy.ProviderOptions
	for _, s := range origin.Sources(m.Parts) {
		if from != nil && s.Role == out.Role {
			options = append(options, s.ProviderOptions)
		}
	}
	out.ProviderOptions = adapter.Union(out.ProviderOptions, options...)
	for _, p := range m.Parts {
		var was fantasy.MessagePart
		if from, k := origin(p); from != nil && k < len(from.Content) {
			was = from.Content[k]
		}
		part := was
		if was == nil || !reflect.DeepEqual(p, read(was)) {
			var err error
			if part, err = writePart(p, was); err != nil {
				return out, err
			}
		}
		out.Content = append(out.Content, part)
	}
	return out, nil
}

// writePart returns a part with the provider options of the part that it was made of.
func writePart(p preflight.Part, was fantasy.MessagePart) (fantasy.MessagePart, error) {
	var options fantasy.ProviderOptions
	_, inResult := fantasy.AsMessagePart[fantasy.ToolResultPart](was)
	if _, isMedia := p.(*preflight.Media); was != nil && !(inResult && isMedia) {
		options = was.Options() // of a file in a result, the result has them
	}
	switch p := p.(type) {
	case *preflight.Text:
		return fantasy.TextPart{Text: p.Text, ProviderOptions: options}, nil
	case *preflight.Reasoning:
		if p.Signed() {
			return nil, unfit("signed reasoning that is not as it was")
		}
		return fantasy.ReasoningPart{Text: p.Text, ProviderOptions: options}, nil
	case *preflight.ToolCall:
		if p.Variant != "" || p.Signature != "" {
			return nil, unfit("a tool call that is no plain one")
		}
		return fantasy.ToolCallPart{
			ToolCallID: p.ID, ToolName: p.Name, Input: string(p.Input),
			ProviderExecuted: p.ProviderExecuted, ProviderOptions: options,
		}, nil
	case *preflight.ToolResult:
		return writeResult(p, was)
	case *preflight.Media:
		data, err := base64.StdEncoding.DecodeString(p.Data)
		if strings.HasPrefix(p.FileID, fileID) {
			data = []byte(p.FileID)
		} else if err != nil || p.URL != "" || p.FileID != "" {
			return nil, unfit("a file that is not in the message")
		}
		return fantasy.FilePart{
			Filename: p.Name, Data: data, MediaType: p.MediaType, ProviderOptions: options,
		}, nil
	}
	return nil, unfit("content of kind " + preflight.PartKind(p))
}

func writeResult(r *preflight.ToolResult, was fantasy.MessagePart) (fantasy.MessagePart, error) {
	out, _ := fantasy.AsMessagePart[fantasy.ToolResultPart](was)
	before := *r
	before.CallID, before.Name = out.ToolCallID, ""
	same := reflect.DeepEqual(&before, readResult(&out))
	out.ToolCallID, out.ProviderExecuted = r.CallID, r.ProviderExecuted
	if was != nil && same {
		return out, nil // only its id is another
	}
	if r.ProviderExecuted {
		return nil, unfit("a result of the provider that is not as it was")
	}
	var media *preflight.Media
	var texts []string
	if len(r.Output) > 0 {
		texts = append(texts, string(r.Output))
	}
	for _, p := range r.Content {
		switch p := p.(type) {
		case *preflight.Text:
			texts = append(texts, p.Text)
		case *preflight.Media:
			if media != nil || p.Data == "" {
				return nil, unfit("a result with several files")
			}
			media = p
		default:
			return nil, unfit("a result of kind " + preflight.PartKind(p))
		}
	}
	switch text := strings.Join(texts, "\n"); {
	case media != nil && !r.IsError:
		out.Output = fantasy.ToolResultOutputContentMedia{
			Data: media.Data, MediaType: media.MediaType, Text: text,
		}
	case media != nil:
		return nil, unfit("an error with a file")
	case r.IsError:
		out.Output = fantasy.ToolResultOutputContentError{Error: errors.New(text)}
	default:
		out.Output = fantasy.ToolResultOutputContentText{Text: text}
	}
	return out, nil
}
