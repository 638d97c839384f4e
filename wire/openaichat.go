package wire

import (
	"slices"
	"sync"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/provider"
)

// This file describes OpenAI's Chat Completions format, and how its hosts differ: one reader and
// one writer for all, and data for each host.

const openAIChat = "openai-chat"

func openAIChatFormat() *format {
	return openAI.format("", provider.OpenAIChat, signs{
		members: []string{
			"max_completion_tokens", "response_format", "stream_options", "presence_penalty",
			"frequency_penalty", "logprobs", "reasoning_effort", "n",
		},
		roles:  []string{"tool", "developer", "function"},
		fields: []string{"tool_calls", "function_call", "refusal", "reasoning_content"},
		blocks: []blockSign{
			{"image_url", "image_url"}, {"input_audio", ""}, {"file", "file"}, {"refusal", ""},
		},
		tools:  []string{"function"},
		models: []string{"gpt*", "o#*", "chatgpt*"},
	})
}

// chat is OpenAI's Chat format as one provider reads it. The zero value of a field is OpenAI's
// behavior.
type chat struct {
	name string // the format of messages and parts

	// Members of messages.
	fields      map[preflight.Role][]string // all that are accepted, by role; nil for any
	fieldRule   string                      // the rule that any other member violates
	participant func() provider.Pattern     // participants' names, from the profile
	prefixes    bool                        // the last assistant message may be marked as a prefix
	adjust      func(r *Request)            // narrows the profile by members of the body

	// Content.
	stringContent     []preflight.Role // roles whose content must be a string if it is all text
	stringContentRule string           // the rule that a list violates
	resultRule        string           // the rule that a tool message without content violates
	noNull            bool             // content is never null
	noFunctionRole    bool             // results of legacy function calls are not accepted
	hostPart          partReader       // reads the host's own blocks; nil for other blocks
	// hostBlock writes the host's own blocks; nil for other parts
	hostBlock func(preflight.Part) ([][]byte, error)

	// Reasoning.
	reasoning          []string // the members that may hold it, the usual one first
	reasoningRule      string   // the rule that other members violate; "" allows all
	onlyReasoning      bool     // the other members are refused, whatever they hold
	emptyReasoningKept bool     // empty reasoning counts as reasoning
	details            bool     // reasoning_details are read
	inBlocks           bool     // it is a block of the content, unless read from a member
	// which reasoning a request with thinking enabled must repeat; "" for the profile's
	replay provider.Replay

	// Tools.
	uniqueRule      string // the rule that a second declaration of a tool violates
	schemaRule      string // the rule that a function without parameters violates
	emptyCalls      bool   // an empty list of tool calls counts as none
	noArguments     bool   // missing arguments count as empty ones
	objectArguments bool   // arguments may be an object
	untypedCalls    bool   // tool calls need no type
	callSignatures  bool   // tool calls have signatures, in extra_content
	noCustomCalls   bool   // calls with free text are not known
	namedResults    bool   // the name of a tool message follows the rules for those of tools
}

// openAI is the wire as OpenAI itself speaks it.
var openAI = chat{name: openAIChat, reasoning: []string{"reasoning_content", "reasoning"}}

// format returns the wire of c as a format.
func (c chat) format(name string, profile func(model string) *preflight.Profile, s signs) *format {
	c.participant = sync.OnceValue(func() provider.Pattern { return profile("").IDs.Participant })
	return &format{
		name:             c.name,
		dialect:          name,
		profile:          profile,
		list:             "messages",
		decode:           c.decode,
		partsKeep:        true,
		textBlock:        typedText,
		encode:           c.encode,
		prepare:          c.prepare,
		participantNames: c.takes(preflight.RoleUser, "name"),
		signs:            s,
	}
}

// fieldRole returns the role that decides which members a message may have: the role it gets from
// the fixers.
func fieldRole(r preflight.Role) preflight.Role {
	switch {
	case callsTools(r):
		return preflight.RoleAssistant
	case r == preflight.RoleTool:
		return r
	case isSystemRole(r):
		return preflight.RoleSystem
	}
	return preflight.RoleUser
}

// takes reports whether messages of a role may have a member.
func (c *chat) takes(r preflight.Role, key string) bool {
	return c.fields == nil || slices.Contains(c.fields[fieldRole(r)], key)
}

// dropFields records the members of a message that the provider refuses.
func (c *chat) dropFields(d *decoder, v jsonscan.Value, r preflight.Role) {
	if c.fields == nil {
		return
	}
	for k, m := range v.All() {
		converted := m.Key().StrIs(legacyCall) && callsTools(r) && c.convertsLegacy(d, m)
		if !converted && !c.takes(r, m.Key().Str()) {
			d.refusedMember(v, m, k, c.fieldRule)
		}
	}
}

// withoutRefused returns the JSON of a tool's message v without the members that the provider
// refuses: they say nothing about the result.
func (c *chat) withoutRefused(v jsonscan.Value, raw []byte) []byte {
	refuses := func(m jsonscan.Value) bool {
		return !c.takes(preflight.RoleTool, m.Key().Str())
	}
	m := v.First()
	for c.fields != nil && m.Exists() && !refuses(m) {
		m = m.Next()
	}
	if c.fields == nil || !m.Exists() {
		return raw
	}
	message := jsonscan.EditObject(valueOf(raw))
	for m := valueOf(raw).First(); m.Exists(); m = m.Next() {
		if refuses(m) {
			message.DeleteMember(m.Key().Str())
		}
	}
	return message.Bytes()
}

// encodeFields writes the prefix mark and drops the members that the provider refuses.
func (c *chat) encodeFields(message *member, m *preflight.Message) {
	c.writePrefix(message, m)
	if c.fields == nil {
		return
	}
	for e := message.v.First(); e.Exists(); e = e.Next() {
		if key := e.Key().Str(); !c.takes(m.Role, key) {
			message.o.DeleteMember(key)
		}
	}
}

// content reads the content of a message. A list of texts becomes one text where the provider takes
// only strings.
func (c *chat) content(d *decoder, v jsonscan.Value, r preflight.Role) []preflight.Part {
	content := v.Get("content")
	if content.Kind() != jsonscan.Array || !slices.Contains(c.stringContent, fieldRole(r)) {
		return d.content(v, ruleChatContent, c.readPart)
	}
	parts := d.inFull(func() []preflight.Part { return d.content(v, ruleChatContent, c.readPart) })
	if !areTexts(parts) {
		return parts
	}
	d.repaired(content, "", c.stringContentRule,
		"the content is a list, not a string", "joined a list of texts into a string")
	return []preflight.Part{&preflight.Text{Text: joinTexts(parts)}}
}

func (c *chat) readPart(d *decoder, v jsonscan.Value) preflight.Part {
	if c.hostPart != nil {
		if p := c.hostPart(d, v); p != nil {
			return p
		}
	}
	return chatPart(d, v)
}

// writeContent writes the content of a message.
func (c *chat) writeContent(o *object, message *member, parts []preflight.Part, r preflight.Role) {
	if !slices.Contains(c.stringContent, fieldRole(r)) || !areTexts(parts) {
		o.content(message, "content", parts, c.block)
		return
	}
	message.text("content", joinTexts(parts))
}

// The rules about the shape of messages.
const (
	ruleChatContent   = "openai-chat/content-type"
	ruleChatNull      = "openai-chat/content-null"
	ruleChatRole      = "openai-chat/role-missing"
	ruleChatUnknown   = "openai-chat/role-unknown"
	ruleChatNoCalls   = "openai-chat/empty-tool-calls"
	ruleChatArguments = "openai-chat/arguments-not-json"
	ruleChatImage     = "openai-chat/tool-message-image"
)

// roleFunction is the role of results of legacy function calls, and legacyCall the member of an
// assistant message that holds such a call. They have no ids and cannot be paired, so they are kept
// as they are where the host takes them, and become a tool call and a tool result elsewhere.
const (
	roleFunction = preflight.Role("function")
	legacyCall   = "function_call"
)

const doneLegacyResult = "turned the result of a legacy function call into a tool message"

// memberKinds are the members of an assistant message that are content.
var memberKinds = []string{"refusal", "audio", legacyCall}
