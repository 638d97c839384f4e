package wire

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file writes a new request for a history of the caller's own.

// RequestOptions are what a new request holds beside its model and its messages. What is not set is
// not written.
type RequestOptions struct {
	// System is the system prompt. It comes before the system messages of the history.
	System string
	// Tools are the tools that the model may call.
	Tools []Tool
	// MaxTokens is the limit on output tokens; 0 writes none. Anthropic, also on Bedrock, refuses
	// requests without one, so that there it has to be set here or in Members: Prepare fails
	// otherwise. Preflight has no default for it, because a limit cuts answers off and a high one
	// costs.
	MaxTokens int
	// Stream asks for a streamed response. Gemini and Bedrock choose by the address instead. For
	// Ollama, which streams by default, false is written as well.
	Stream bool
	// Members is a JSON object with further members of the body: {"temperature":0.2}. An object
	// that the other fields write, too, such as Gemini's generationConfig, is merged with theirs.
	Members json.RawMessage

	// Options are those of Prepare for the history. Encode ignores them. Its Request is
	// read from Members.
	Options preflight.Options
}

// Tool declares a tool of the caller's.
type Tool struct {
	Name        string
	Description string
	// Schema is the JSON schema of the arguments; nil is {"type":"object"}.
	Schema json.RawMessage
}

// Encode writes a request body of a provider, one of Providers or Vendors, with the messages of a
// history. Tool results may be in tool messages or user messages, as the history has them. Parts
// and messages that were decoded from the provider's format keep their unknown fields, signatures
// and ids.
//
// Encode repairs nothing and adds nothing that was not asked for; Prepare repairs the history
// first. A model that is part of the request's address (Gemini, Bedrock) is not written. An empty
// model is not written either: Anthropic and OpenAI refuse such a request, Azure and local servers
// have a model of their own. messages are not changed. The error is
//
//   - ErrUnknownProvider
//   - ErrNotARequest: Members or a schema is no JSON object, Members sets what the other options
//     write, or MaxTokens is negative
//   - ErrEncode: the format cannot represent a part
func Encode(
	provider, model string, messages []preflight.Message, options *RequestOptions,
) ([]byte, error) {
	if options == nil {
		options = &RequestOptions{}
	}
	r, err := newRequest(provider, model, options)
	if err != nil {
		return nil, err
	}
	r.verbatim = true
	r.findings, r.changes = nil, nil
	return r.Encode(append(r.opening(options.System), messages...))
}

// Prepared is a request that is ready to be sent.
type Prepared struct {
	// Body is the request body.
	Body []byte
	// Messages is the repaired history, without the options' System: the input slice if nothing
	// had to change. A caller that keeps it repairs each damage once.
	Messages []preflight.Message
	// Warnings has one entry for each change: to the history, with the position there as the path,
	// or to the members of the body.
	Warnings []Warning
	// Provider is the format or dialect, one of Providers.
	Provider string
}

// Prepare repairs a history for a provider and model and writes the request: what an agent loop
// calls before each request. An unknown or misspelt model is no error (see package provider), nor
// is an empty one, which the request leaves out. A history that was decoded from other formats is
// handed off: what only another provider can read becomes text or is removed, with a warning. The
// history is not changed. The body passes Check, with one exception: a message that was decoded
// from a request to another provider of the same format keeps members that only that provider
// takes. Convert such a request instead.
//
// A loop keeps the repaired history, so that each damage is repaired once, with one warning:
//
//	history = prepared.Messages
//
// What a hook has redacted, or Untrusted removed, is then gone from it, and from the JSON that its
// messages were decoded from: json.Marshal of a message does not write it.
//
// ctx is passed to the hooks. The error is one of Encode or of preflight.Sanitize, or
// ErrNotARequest if the provider requires MaxTokens and there is none. To count tokens at
// Anthropic, whose address for that takes no limit, use Encode with the Messages of Prepare.
func Prepare(
	ctx context.Context,
	provider, model string,
	history []preflight.Message,
	options *RequestOptions,
) (*Prepared, error) {
	if options == nil {
		options = &RequestOptions{}
	}
	r, err := newRequest(provider, model, options)
	if err != nil {
		return nil, err
	}
	if limit := shapeOf(r.format.name).settings[0]; r.format.limitRequired && !r.root.Has(limit) {
		return nil, wrongOption("MaxTokens", "a limit, which "+r.Provider+" requires")
	}
	pass := r.optionsFor(&options.Options)
	res, err := r.sanitizeNeutral(ctx, history, pass)
	if err != nil {
		return nil, err
	}
	encoded, err := r.encodeRepaired(append(r.opening(options.System), res.Messages...))
	if err != nil {
		return nil, err
	}
	out := &Prepared{Messages: res.Messages, Provider: r.Provider}
	if out.Body, err = r.write(); err != nil {
		return nil, err
	}
	for _, found := range [][]finding{r.findings, encoded.found} {
		for k := range found {
			out.Warnings = append(out.Warnings, found[k].warning())
		}
	}
	for _, w := range res.Warnings {
		out.Warnings = append(out.Warnings, Warning{Warning: w, Path: w.At.String()})
	}
	return out, nil
}

// sanitizeNeutral repairs a history of the caller's own. If parts of it were decoded from other
// formats, they are handed off first.
func (r *Request) sanitizeNeutral(
	ctx context.Context, history []preflight.Message, options *preflight.Options,
) (preflight.Result, error) {
	history = r.withoutForm(history)
	if !slices.ContainsFunc(history, r.holdsForeign) {
		return preflight.Sanitize(ctx, history, &r.Profile, options)
	}
	fixers := append([]preflight.Fixer{HandOff(r.format.name)},
		preflight.Fixers.Defaults()...)
	pipeline, err := preflight.NewPipeline(fixers...)
	if err != nil {
		return preflight.Result{Messages: history}, err
	}
	return pipeline.Sanitize(ctx, history, &r.Profile, options)
}

// formless is the Native.Format of neutral parts that the format has no form for, so that they are
// handed off like those of other formats.
const formless = "none"

// withoutForm returns history with the parts marked that the format has no form for.
func (r *Request) withoutForm(history []preflight.Message) []preflight.Message {
	mark := preflight.Native{Format: formless}
	return withParts(history, func(p preflight.Part) preflight.Part {
		if isNil(p) || nativeOf(p).Format != "" || !r.format.lacks(p) {
			return p
		}
		switch p.(type) {
		case *preflight.Reasoning, *preflight.ToolCall, *preflight.ToolResult:
			p = preflight.CopyPart(p)
			preflight.CarriedBy(p).Native = mark
		}
		return p
	})
}

// lacks reports whether the format has no form for a neutral part.
func (f *format) lacks(p preflight.Part) bool {
	switch p := p.(type) {
	case *preflight.Reasoning:
		return isOpaque(p) && !f.opaqueReasoning
	case *preflight.ToolCall:
		return p.ProviderExecuted && p.Variant == mcpVariant && f.noMCP
	case *preflight.ToolResult:
		return p.ProviderExecuted && p.Variant == mcpVariant && f.noMCP
	}
	return false
}

// holdsForeign reports whether a part of m was decoded from another format.
func (r *Request) holdsForeign(m preflight.Message) bool {
	return slices.ContainsFunc(m.Parts, func(p preflight.Part) bool {
		result, ok := p.(*preflight.ToolResult)
		return r.isForeign(p) ||
			ok && result != nil && slices.ContainsFunc(result.Content, r.isForeign)
	})
}

// isForeign reports whether a part itself was decoded from another format. It does not look into
// results, which may hold themselves.
func (r *Request) isForeign(p preflight.Part) bool {
	if isNil(p) {
		return false
	}
	from := nativeOf(p).Format
	_, other := p.(*preflight.Other)
	return from != r.format.name && (from != "" || other)
}

// opening returns the system prompt as a message, unless newBody wrote it.
func (r *Request) opening(system string) []preflight.Message {
	if system == "" || r.format.systemBeside {
		return nil
	}
	return []preflight.Message{
		{Role: preflight.RoleSystem, Parts: []preflight.Part{&preflight.Text{Text: system}}},
	}
}

// newRequest returns a request without messages, and with the members that the options write.
func newRequest(provider, model string, options *RequestOptions) (*Request, error) {
	f, err := formatOf(provider)
	if err != nil {
		return nil, err
	}
	b, err := f.newBody(model, options)
	if err != nil {
		return nil, err
	}
	return Decode(b.bytes(), &Options{Provider: f.provider(), Model: model})
}

// newBody writes the members of a new request, with an empty list of messages.
func (f *format) newBody(model string, options *RequestOptions) (*bodyBuilder, error) {
	b, shape := &bodyBuilder{}, shapeOf(f.name)
	if model != "" && shape.model != "" {
		b.set(shape.model, quoted(model))
	}
	switch {
	case options.MaxTokens < 0:
		return nil, wrongOption("MaxTokens", "a positive number, or 0 for none")
	case options.MaxTokens > 0:
		b.set(f.limitMember(), strconv.AppendInt(nil, int64(options.MaxTokens), 10))
	}
	if shape.model != "" && (options.Stream || f.name == ollamaName) {
		b.put("stream", strconv.AppendBool(nil, options.Stream))
	}
	if options.System != "" && f.systemBeside {
		b.put(f.system, quoted(options.System))
	}
	if len(options.Tools) > 0 {
		tools, err := declarations(options.Tools)
		if err != nil {
			return nil, err
		}
		b.set(shape.tools, shape.write(tools))
	}
	b.put(f.list, []byte("[]"))
	if len(options.Members) == 0 {
		return b, nil
	}
	members := valueOf(options.Members)
	if members.Kind() != jsonscan.Object {
		return nil, wrongOption("Members", "a JSON object")
	}
	if key := b.merge(members); key != "" {
		return nil, wrongOption("Members", "no member that other options write")
	}
	return b, nil
}

// olderLimit is the older name of the limit on output tokens in OpenAI's Chat format.
const olderLimit = "max_tokens"

// limitMember returns the path of the limit on output tokens. Of the hosts that speak OpenAI's Chat
// format only OpenAI's own know its new name.
func (f *format) limitMember() string {
	if f.name == openAIChat && f.dialect != "" && f.dialect != "azure" {
		return olderLimit
	}
	return shapeOf(f.name).settings[0]
}

// declarations are tools as JSON tokens.
func declarations(tools []Tool) ([]tool, error) {
	out := make([]tool, len(tools))
	for k, t := range tools {
		out[k] = tool{name: quoted(t.Name), schema: t.Schema}
		if t.Description != "" {
			out[k].description = quoted(t.Description)
		}
		if t.Schema == nil {
			continue
		}
		if valueOf(t.Schema).Kind() != jsonscan.Object {
			return nil, wrongOption(indexed("Tools", k)+".Schema", "a JSON object")
		}
	}
	return out, nil
}
