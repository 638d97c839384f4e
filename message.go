package preflight

import (
	"encoding/json"
	"log/slog"

	"github.com/go-preflight/preflight/provider"
)

// This file is the provider-neutral vocabulary: roles, messages and the closed set of part types.

// Role says who a message is from, as its history or its wire format spells it.
type Role = provider.Role

// The neutral roles.
const (
	RoleSystem    Role = "system"
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	RoleTool      Role = "tool"
)

// Message is one turn of a history: a role and its parts, in order.
//
// A Message is a plain value. preflight never writes to the Parts of a message it was given, nor to
// anything they point to: a changed message comes back with a Parts slice of its own, and untouched
// parts are the same pointers.
type Message struct {
	Role  Role
	ID    string // the message's own id where the provider has one (OpenAI Responses: the id of the item), else ""
	Name  string // the participant's name where the provider has one (OpenAI Chat), else ""
	Parts []Part

	Meta Metadata // per-provider metadata that belongs to the whole message
	// the JSON object this message was decoded from, so that its unknown fields survive
	Native Native
}

// Part is one piece of a message. The set is closed: *Text, *Reasoning, *ToolCall, *ToolResult,
// *Media and *Other. Parts are always used as pointers; a fixer that changes one makes a new value
// and leaves the old one alone.
type Part interface {
	// carried gives access to what every part carries; being unexported, it closes the set.
	carried() *Carried
}

// Carried is what travels with a part and is not looked into, except by the fixer whose concern it
// is.
type Carried struct {
	// Meta is provider metadata, by provider name ("openai", "anthropic"…).
	Meta Metadata
	// Cache is the provider's prompt-cache marker on this part (Anthropic: {"type":"ephemeral"}),
	// nil when there is none.
	Cache json.RawMessage
	// Native is the JSON this part was decoded from. An encoder reuses it byte for byte while the
	// fields still agree with it, and edits it in place where they do not, so that fields nobody
	// modelled survive a change.
	Native Native
}

func (c *Carried) carried() *Carried { return c }

// Metadata is provider metadata: the provider's name to a JSON value, usually an object.
type Metadata map[string]json.RawMessage

// Native is a provider's own JSON for a message or part, with the name of the wire format it is
// written in. The bytes are shared, never copied and never written to.
type Native struct {
	Format string
	JSON   json.RawMessage
}

// Text is plain text.
type Text struct {
	Carried
	Text string
}

// Reasoning is a model's thinking. What makes it acceptable on replay is opaque and never edited: a
// Signature over the text, or an Opaque payload instead of the text (redacted thinking, encrypted
// reasoning content).
type Reasoning struct {
	Carried
	Text      string
	Signature string
	Opaque    string
}

// Signed reports whether the provider can verify the reasoning: it carries a signature or an opaque
// payload.
func (r *Reasoning) Signed() bool { return r.Signature != "" || r.Opaque != "" }

// Awaiting says what an open tool call is waiting for on purpose.
type Awaiting string

// The reasons a call may be open without being broken.
const (
	AwaitingApproval Awaiting = "approval" // a person has to approve it first
	AwaitingClient   Awaiting = "client"   // the client resolves it later
)

// ToolCall is a model's request to run a tool.
type ToolCall struct {
	Carried
	ID   string
	Name string
	// Input is the arguments as raw JSON, exactly as received: it may be cut off, doubly encoded or
	// not an object, which is what the argument fixer mends. Nil when there were none.
	Input json.RawMessage
	// ProviderExecuted marks a tool that the provider itself runs (web search, code execution,
	// MCP): its result stands in the same assistant turn.
	ProviderExecuted bool
	// Awaiting says that the call is open on purpose: it stays open in a store, and a request
	// answers it with a placeholder (Options.KeepWaiting).
	Awaiting Awaiting
	// Variant is the provider's own subtype when it is more than a plain function call ("mcp",
	// "custom"…).
	Variant string
	// Signature is what the provider signed the call with and may want back on replay (Gemini:
	// thoughtSignature). It is opaque and never edited.
	Signature string
}

// ToolResult is the answer to a tool call.
type ToolResult struct {
	Carried
	CallID string
	Name   string // the tool's name, where the provider pairs by name
	// Content is the answer as parts (text and media).
	Content []Part
	// Output is the answer as one raw JSON value, for providers and provider-executed tools that
	// return structure.
	Output           json.RawMessage
	IsError          bool
	ProviderExecuted bool
	Variant          string
}

// Media is an image, document, audio or video part: inline base64 data, a URL, or a provider's file
// id.
type Media struct {
	Carried
	Kind      string // "image", "document", "audio", "video"
	MediaType string // MIME type, "" when the source does not say
	Data      string // base64
	URL       string
	FileID    string
	Name      string // file name or document title
}

// Other is a part of a kind preflight does not know. It counts as content, is kept verbatim, and is
// never looked into.
type Other struct {
	Carried
	Kind string // the provider's type tag
}

// isNil reports whether p is nil or a nil pointer of one of the part types.
func isNil(p Part) bool {
	switch p := p.(type) {
	case nil:
		return true
	case *Text:
		return p == nil
	case *Reasoning:
		return p == nil
	case *ToolCall:
		return p == nil
	case *ToolResult:
		return p == nil
	case *Media:
		return p == nil
	case *Other:
		return p == nil
	default:
		return false
	}
}

// PartKind names the type of a part as it is spelled in the JSON form and in log lines.
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

// LogValue lets slog print a message without its content: role, number of parts of each kind, bytes
// of payload.
func (m Message) LogValue() slog.Value {
	attrs := []slog.Attr{slog.String("role", string(m.Role)), slog.Int("parts", len(m.Parts))}
	return slog.GroupValue(append(attrs, TallyOf(m).attrs()...)...)
}

// LogValue lets slog print a text part without its text.
func (t *Text) LogValue() slog.Value { return partLogValue(t) }

// LogValue lets slog print a reasoning part without its content.
func (r *Reasoning) LogValue() slog.Value { return partLogValue(r) }

// LogValue lets slog print a tool call without its arguments.
func (c *ToolCall) LogValue() slog.Value {
	if c == nil {
		return slog.Value{}
	}
	return partLogValue(c, slog.String("id", c.ID), slog.String("name", c.Name))
}

// LogValue lets slog print a tool result without its content.
func (r *ToolResult) LogValue() slog.Value {
	if r == nil {
		return slog.Value{}
	}
	return partLogValue(r, slog.String("call_id", r.CallID), slog.Bool("error", r.IsError))
}

// LogValue lets slog print a media part without its data or address.
func (m *Media) LogValue() slog.Value {
	if m == nil {
		return slog.Value{}
	}
	return partLogValue(m, slog.String("media_type", m.MediaType))
}

// LogValue lets slog print an unknown part by its kind alone.
func (o *Other) LogValue() slog.Value {
	if o == nil {
		return slog.Value{}
	}
	return partLogValue(o, slog.String("other", o.Kind))
}

func partLogValue(p Part, more ...slog.Attr) slog.Value {
	if isNil(p) {
		return slog.Value{}
	}
	attrs := []slog.Attr{slog.String("kind", PartKind(p)), slog.Int("bytes", tallyPart(p).Bytes)}
	return slog.GroupValue(append(attrs, more...)...)
}
