package preflight

import (
	"encoding/json"
	"log/slog"

	"github.com/go-preflight/preflight/internal/shorten"
	"github.com/go-preflight/preflight/provider"
)

// This file holds the provider-neutral model: roles, messages and the types of parts.

// Role is the author of a message. Other spellings than the constants below are mapped to them.
type Role = provider.Role

// The neutral roles.
const (
	RoleSystem    Role = "system"
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	// RoleTool is for messages with the results of tool calls: one, or all of a turn. Results may
	// be in user messages, too. Encoders put them where their provider has them.
	RoleTool Role = "tool"
)

// Message is one message of a history: a role and its parts, in order.
//
// A Message is a plain value. preflight never writes to the Parts of a message it was given, nor to
// anything they point to: a changed message has a new Parts slice, in which unchanged parts are the
// same pointers.
type Message struct {
	// Role is the author of the message.
	Role Role
	// ID is the message's own id where the provider has one (OpenAI Responses: the item id).
	ID string
	// Name is the participant's name where the provider has one (OpenAI Chat).
	Name string
	// Parts is the content of the message.
	Parts []Part
	// Meta is provider metadata of the whole message.
	Meta Metadata
	// Native is the JSON object that the message was decoded from; its unknown fields are kept.
	Native Native
}

// SystemText returns a system message with one text.
func SystemText(text string) Message { return textMessage(RoleSystem, text) }

// UserText returns a user message with one text.
func UserText(text string) Message { return textMessage(RoleUser, text) }

// AssistantText returns an assistant message with one text.
func AssistantText(text string) Message { return textMessage(RoleAssistant, text) }

// ResultOf returns a tool message with what a tool has returned for a call: its output and its
// error, which is nil if the tool did not fail.
//
//	output, err := run(ctx, call)
//	history = append(history, preflight.ResultOf(call, output, err))
//
// With an error, the text is the output, if there is one, and the error's text, and the result is
// marked as one of a failed tool ([ToolResult.IsError]).
func ResultOf(call *ToolCall, output string, err error) Message {
	if call == nil {
		call = &ToolCall{}
	}
	text := output
	switch {
	case err != nil && output == "":
		text = err.Error()
	case err != nil:
		text += "\n" + err.Error()
	}
	return Message{Role: RoleTool, Parts: []Part{&ToolResult{
		CallID: call.ID, Name: call.Name, Variant: call.Variant,
		Content: []Part{&Text{Text: text}}, IsError: err != nil,
	}}}
}

func textMessage(role Role, text string) Message {
	return Message{Role: role, Parts: []Part{&Text{Text: text}}}
}

// Part is one piece of a message: a *Text, *Reasoning, *ToolCall, *ToolResult, *Media or *Other. A
// type of yours that embeds one of these is treated as nil. A changed part is a new value; the old
// one is never written to.
type Part interface {
	carried() *Carried // unexported, so that the set of implementations is closed
}

// Carried holds the fields that every kind of part has beside its content.
type Carried struct {
	// Meta is provider metadata, by provider name ("openai", "anthropic"…).
	Meta Metadata
	// Cache is the provider's prompt-cache breakpoint on the part (Anthropic:
	// {"type":"ephemeral"}), or nil.
	Cache json.RawMessage
	// Native is the JSON that the part was decoded from. Encoders reuse its bytes, and edit only
	// the fields that changed, so that unknown fields are kept.
	Native Native
}

func (c *Carried) carried() *Carried { return c }

// Metadata maps a provider's name to a JSON value, usually an object.
type Metadata map[string]json.RawMessage

// Native is a provider's own JSON for a message or part.
type Native struct {
	// Format is the name of the wire format.
	Format string
	// JSON is the value. Its bytes are shared, and never written to.
	JSON json.RawMessage
}

// Text is plain text.
type Text struct {
	Carried
	Text string
}

// Reasoning is a model's thinking. Signature and Opaque are never edited.
type Reasoning struct {
	Carried
	// Text is the readable reasoning.
	Text string
	// Signature is the provider's signature over the text.
	Signature string
	// Opaque is a payload in place of the text (redacted thinking, encrypted reasoning content).
	Opaque string
}

// Signed reports whether the reasoning has a signature or an opaque payload, by which the provider
// can verify it.
func (r *Reasoning) Signed() bool { return r != nil && (r.Signature != "" || r.Opaque != "") }

// Awaiting is what an open tool call waits for. The zero value means that it does not wait: its
// result is missing.
type Awaiting string

// What a call may wait for.
const (
	AwaitingApproval Awaiting = "approval" // a person has to approve it first
	AwaitingClient   Awaiting = "client"   // the client resolves it later
)

// ToolCall is a model's request to run a tool.
type ToolCall struct {
	Carried
	ID   string
	Name string
	// Input is the arguments as received, or nil. They may be cut off or encoded twice: the fixer
	// repair-arguments repairs that.
	Input json.RawMessage
	// ProviderExecuted marks a tool that the provider runs (web search, code execution, MCP); its
	// result is in the same assistant turn.
	ProviderExecuted bool
	// Awaiting is what a call without a result waits for. It stays open in a store; in a request a
	// placeholder answers it (Options.KeepWaiting).
	Awaiting Awaiting
	// Variant is the provider's kind of call ("mcp", "custom"…); "" is a function call.
	Variant string
	// Signature is the provider's signature of the call (Gemini: thoughtSignature). It is never
	// edited.
	Signature string
}

// ToolResult is the answer to a tool call.
type ToolResult struct {
	Carried
	// CallID is the id of the call.
	CallID string
	// Name is the tool's name, where the provider pairs by name.
	Name string
	// Content is the result as parts: text and media.
	Content []Part
	// Output is the result as one JSON value, where the provider or tool returns structured data.
	Output json.RawMessage
	// IsError reports that the tool failed.
	IsError bool
	// ProviderExecuted marks the result of a tool that the provider runs.
	ProviderExecuted bool
	// Variant is the Variant of the call.
	Variant string
}

// Media is an image, document, audio or video part: inline base64 data, a URL, or a provider's file
// id.
type Media struct {
	Carried
	// Kind is "image", "document", "audio" or "video".
	Kind string
	// MediaType is the MIME type, or "" where the source has none.
	MediaType string
	// Data is inline data in base64.
	Data string
	// URL is the address of the data.
	URL string
	// FileID is the id of a file that the provider stores.
	FileID string
	// Name is the file name or the document's title.
	Name string
}

// Other is a part of an unknown kind. It counts as content and is kept verbatim.
type Other struct {
	Carried
	// Kind is the provider's name of the kind.
	Kind string
}

// PartKind returns the name of a part's type, as in JSON and in logs: "text", "tool_call"…
func PartKind(p Part) string {
	switch p.(type) {
	case *Text:
		return "text"
	case *Reasoning:
		return "reasoning"
	case *ToolCall:
		return "tool_call"
	case *ToolResult:
		return "tool_result"
	case *Media:
		return "media"
	default:
		return "other"
	}
}

// LogValue returns the message for slog without its content: role, number of parts of each kind,
// bytes of payload. Here and for parts, names are shortened, and empty unless they are well formed.
func (m Message) LogValue() slog.Value {
	attrs := []slog.Attr{
		slog.String("role", shorten.ID(string(m.Role))), slog.Int("parts", len(m.Parts)),
	}
	return slog.GroupValue(append(attrs, TallyOf(m).attrs()...)...)
}

// LogValue returns the part for slog without its text.
func (t *Text) LogValue() slog.Value { return partLogValue(t) }

// LogValue returns the part for slog without its content.
func (r *Reasoning) LogValue() slog.Value { return partLogValue(r) }

// LogValue returns the call for slog without its arguments.
func (c *ToolCall) LogValue() slog.Value { return partLogValue(c) }

// LogValue returns the result for slog without its content.
func (r *ToolResult) LogValue() slog.Value { return partLogValue(r) }

// LogValue returns the part for slog without its data and address.
func (m *Media) LogValue() slog.Value { return partLogValue(m) }

// LogValue returns the part for slog without its content.
func (o *Other) LogValue() slog.Value { return partLogValue(o) }

func partLogValue(p Part) slog.Value {
	if isNil(p) {
		return slog.Value{}
	}
	attrs := []slog.Attr{slog.String("kind", PartKind(p)), slog.Int("bytes", tallyPart(p).Bytes)}
	name := func(key, value string) {
		attrs = append(attrs, slog.String(key, shorten.ID(value)))
	}
	switch p := p.(type) {
	case *ToolCall:
		name("id", p.ID)
		name("name", p.Name)
	case *ToolResult:
		name("call_id", p.CallID)
		attrs = append(attrs, slog.Bool("error", p.IsError))
	case *Media:
		name("media_type", p.MediaType)
	case *Other:
		name("other", p.Kind)
	}
	return slog.GroupValue(attrs...)
}

// CarriedBy returns the fields that a part has besides its content, whatever its type; nil for a
// nil part. Do not write to those of a part that preflight was given or returned.
func CarriedBy(p Part) *Carried {
	if isNil(p) {
		return nil
	}
	return p.carried()
}

// CopyPart returns a shallow copy of a part: a new value of the same type, whose fields may be
// given other values. What the fields refer to, such as raw JSON and the content of a tool result,
// is shared with p and must not be written to. A part that is nil is returned as it is.
func CopyPart(p Part) Part {
	if isNil(p) {
		return p
	}
	switch p := p.(type) {
	case *Text:
		c := *p
		return &c
	case *Reasoning:
		c := *p
		return &c
	case *ToolCall:
		c := *p
		return &c
	case *ToolResult:
		c := *p
		return &c
	case *Media:
		c := *p
		return &c
	case *Other:
		c := *p
		return &c
	default:
		return p
	}
}
