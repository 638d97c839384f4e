package wire

import (
	"cmp"
	"strings"
	"sync"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/internal/members"
	"github.com/go-preflight/preflight/rule"
)

// This file reads blocks of other formats, which agents leave in a history when they switch
// providers or copy content between message lists. The tables of package rule tell which formats
// have a type of block. A block with a neutral counterpart is read as that, and the body's own
// encoder writes it; any other becomes text that names its type. A type in no table may be new,
// and is kept.
//
//	{"type":"input_text","text":"q"}    in an Anthropic body: {"type":"text","text":"q"}

// blockRules are the rules that a block of another format breaks, by the body's format.
var blockRules = map[string]string{
	"anthropic":     "anthropic/output-only-blocks",
	openAIChat:      "openai-chat/part-type",
	openAIResponses: rulePartType,
	gemini:          ruleGeminiExtra,
	mistralName:     ruleChatContent,
	cohereName:      ruleChatContent,
	ollamaName:      ruleOllamaContent,
	interactions:    ruleShape,
}

// kindKey is a type of block. bare is set where a member names the type.
type kindKey struct {
	kind string
	bare bool
}

// knownKind is the entry of the tables for a type of block.
type knownKind struct {
	// those that have it: true where it is an element of the list of messages
	formats       map[string]bool
	assistantOnly bool // only a model says it
}

// knownKinds are the types of blocks in the tables.
var knownKinds = sync.OnceValue(func() map[kindKey]*knownKind {
	known := make(map[kindKey]*knownKind)
	for _, b := range rule.BlockTypes() {
		names := []string{b.Kind}
		if b.Bare {
			names = append(names, members.Snake(b.Kind)) // Gemini takes both
		}
		for _, name := range names {
			key := kindKey{name, b.Bare}
			if known[key] == nil {
				known[key] = &knownKind{formats: make(map[string]bool), assistantOnly: true}
			}
			known[key].formats[b.Format] = b.Places[0] == rule.InList
			known[key].assistantOnly = known[key].assistantOnly && isAssistantOnly(&b)
		}
	}
	return known
})

// isAssistantOnly reports whether only an assistant's messages hold blocks of a type.
func isAssistantOnly(b *rule.BlockType) bool {
	for _, p := range b.Places {
		switch p {
		case rule.InAssistant, rule.InCalls, rule.InReasoning:
		case rule.InList:
			if b.Format == interactions { // whose server runs tools of its own
				return b.Kind != "user_input" && b.Kind != "function_result"
			}
			if !strings.HasSuffix(b.Kind, "_call") && b.Kind != "reasoning" {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// kindOf returns the type of a block, or of the first member that names one, and the value that
// holds the data.
func kindOf(v jsonscan.Value) (key kindKey, data jsonscan.Value) {
	if t := v.Get("type"); t.Kind() == jsonscan.String && !t.StrIs("") {
		return kindKey{t.Str(), false}, v
	}
	return bareKindOf(v)
}

// bareKindOf is kindOf for a block whose type does not count.
func bareKindOf(v jsonscan.Value) (key kindKey, data jsonscan.Value) {
	for m := v.First(); m.Exists(); m = m.Next() {
		key := kindKey{m.Key().Str(), true}
		if key.kind != "text" && knownKinds()[key] != nil &&
			(m.Kind() == jsonscan.Object || m.Kind() == jsonscan.Array) {
			return key, m
		}
	}
	return kindKey{"text", true}, v.Get("text")
}

// isForeign reports whether only other formats have blocks of a type.
func (f *format) isForeign(key kindKey) bool {
	known := knownKinds()[key]
	if known == nil {
		return false
	}
	_, own := known.formats[f.name]
	_, host := known.formats[f.dialect]
	return !own && !host
}

// foreign reads a block that another format has and the body's format has not; ok is false for any
// other. p is nil for a block that only its own provider can read.
func (d *decoder) foreign(v jsonscan.Value) (p preflight.Part, ok bool) {
	key, data := kindOf(v)
	if p, ok = d.foreignOf(v, key, data); !ok && d.r.format.name == gemini {
		key, data = bareKindOf(v) // its parts have no type: it is left out
		return d.foreignOf(v, key, data)
	}
	return p, ok
}

// foreignOf is foreign for a block of a kind.
func (d *decoder) foreignOf(
	v jsonscan.Value, key kindKey, data jsonscan.Value,
) (p preflight.Part, ok bool) {
	if !d.r.format.isForeign(key) {
		return nil, false
	}
	return d.convert(v, key, data, &foreignBlock)
}

// other reads a block that the format's reader does not know: it is converted from another format,
// or kept as it is.
func (d *decoder) other(v jsonscan.Value, c preflight.Carried, kind string) preflight.Part {
	if p, ok := d.foreign(v); ok {
		return p
	}
	if d.stored == "" && isModelMessagePart(v) && v.Get("toolName").Kind() == jsonscan.String {
		d.stored = d.path()
	}
	return d.others.one(preflight.Other{Carried: c, Kind: kind})
}

// nestedItem reads an item of the list that is inside a message.
func (d *decoder) nestedItem(v jsonscan.Value) (p preflight.Part, ok bool) {
	key, data := kindOf(v)
	known := knownKinds()[key]
	if known == nil || !known.formats[d.r.format.name] || key.kind == "message" {
		return nil, false
	}
	return d.convert(v, key, data, &itemInContent)
}

// conversion is why a block does not fit, and what is done when it can be converted.
type conversion struct{ wrong, done string }

var (
	foreignBlock = conversion{
		wrong: "the block is of a type that this provider does not have",
		done:  "wrote a block of another provider in this one's form",
	}
	itemInContent = conversion{
		wrong: "the content holds what is an item of the list",
		done:  "moved an item out of a message's content",
	}
	blockAsMessage = conversion{
		wrong: "the list of messages holds a block",
		done:  "wrapped a block among the messages in a message",
	}
)

// convert reads a block of a known type and records the conversion.
func (d *decoder) convert(
	v jsonscan.Value, key kindKey, data jsonscan.Value, how *conversion,
) (preflight.Part, bool) {
	read := blockReaders[key]
	if read == nil {
		read = readAsText
	}
	p, ok := read(v, data)
	if m, media := p.(*preflight.Media); media && m.Data == "" && m.URL == "" && m.FileID == "" {
		ok = false
	}
	// hosts of the Chat format may have types of their own
	if !ok && (key.kind == "text" || d.r.format.name == openAIChat) {
		return nil, false
	}
	if !ok {
		p, _ = readAsText(v, data)
	}
	code, done := codes.BlockConverted, how.done
	if t, text := p.(*preflight.Text); text && strings.HasPrefix(wordsOf(t), foreignLabel) {
		done = "wrote a block that this provider does not have as text"
		if isOutput(key.kind) {
			code = codes.ResultToText
		}
	}
	if p == nil {
		code, done = codes.PartRemoved, "removed a block that only another provider can read"
	} else {
		d.setCarried(p, v)
	}
	d.note(v, "", finding{
		code: code, rule: d.blockRule(), wrong: how.wrong, done: done,
	})
	return p, true
}

// blockRule returns the rule that a block of another format breaks. Hosts that do not check items,
// or have members of their own, were not seen to refuse one.
func (d *decoder) blockRule() string {
	name := d.r.format.name
	lenient := name == openAIResponses && !d.r.checksItems() || d.r.format.ownMembers
	if id := blockRules[name]; id != "" && !lenient {
		return id
	}
	return ruleShape
}

// setCarried sets the JSON of a part that was read from v, which encoders of this format do not
// use, and its cache breakpoint if both formats have the same.
func (d *decoder) setCarried(p preflight.Part, v jsonscan.Value) {
	c := preflight.Carried{Native: preflight.Native{Format: foreignFormat, JSON: v.Raw()}}
	if d.r.format.name == "anthropic" || d.r.format.name == openAIChat {
		c.Cache = cacheMarker(v)
	}
	if _, reasoning := p.(*preflight.Reasoning); reasoning {
		c.Cache = nil
	}
	*preflight.CarriedBy(p) = c
}

// foreignFormat marks JSON that no encoder can use.
const foreignFormat = "foreign"

// foreignMessage reads an element of the list that is a block or an item of another format, as a
// message of its own.
func (d *decoder) foreignMessage(v jsonscan.Value) (m preflight.Message, ok bool) {
	if v.Has("content") && !v.Has("type") || v.Has("parts") {
		return m, false
	}
	key, data := kindOf(v)
	known := knownKinds()[key]
	if key.kind == "text" && key.bare || known == nil || known.formats[d.r.format.name] ||
		key.kind == "message" {
		return m, false
	}
	p, ok := d.convert(v, key, data, &blockAsMessage)
	if !ok {
		return m, false
	}
	m.Native = preflight.Native{Format: foreignFormat, JSON: v.Raw()}
	if p == nil {
		m.Role = preflight.RoleAssistant
		return m, true
	}
	m.Parts = d.single(p)
	m.Role = roleOfParts(m.Parts)
	if known.assistantOnly {
		m.Role = preflight.RoleAssistant
	}
	return m, true
}

// chatMessage reads a message of the Chat format in a list of another format: a tool result, or a
// message with calls beside its content. The format's own reader would drop the calls, and take the
// result for a user's text.
func (d *decoder) chatMessage(v jsonscan.Value) (m preflight.Message, ok bool) {
	switch d.r.format.name {
	case "anthropic", "bedrock", gemini, openAIResponses, interactions:
	default:
		return m, false
	}
	calls := v.Get("tool_calls")
	hasCalls := calls.Kind() == jsonscan.Array && calls.First().Kind() == jsonscan.Object
	spelled := roleIn(v)
	role, known := spelled, true
	if role != preflight.RoleUser && role != preflight.RoleAssistant { // most are
		role, known = spelled.Neutral()
	}
	tool, id := known && role == preflight.RoleTool, callMembers[0]
	if !known {
		member := d.answers(v, spelled)
		tool, id = member != "", cmp.Or(member, id)
	} else if tool {
		id = cmp.Or(d.idMember(v), id)
	}
	switch {
	case !hasCalls && tool && holdsResults(v.Get("content")):
		return m, false // in the form of this format, but for the role and the id beside it
	case tool && v.Get(id).Kind() == jsonscan.String:
		m.Role = preflight.RoleTool
		content := "content"
		if list := v.Get("parts"); !v.Has(content) && list.Kind() == jsonscan.Array {
			content = "parts"
		}
		result, _ := readResult(id, content)(v, v)
		m.Parts = d.single(result)
	case hasCalls:
		m.Role = preflight.RoleAssistant
		if known && role == preflight.RoleUser {
			m.Role = role // who cannot call tools
		}
		m.Parts = partsWithCalls(v, calls)
	default:
		return m, false
	}
	m.Native = preflight.Native{Format: foreignFormat, JSON: v.Raw()}
	d.note(v, "", finding{
		code: codes.BlockConverted, rule: d.blockRule(),
		wrong: "the message is in the form of another provider",
		done:  "wrote a message of another provider in this one's form",
	})
	return m, true
}

// holdsResults reports whether content is a list with blocks that are results of tools.
func holdsResults(content jsonscan.Value) bool {
	for v := first(content); v.Exists(); v = v.Next() {
		if v.Get("type").StrIs("tool_result") || v.Get("toolResult").Kind() == jsonscan.Object {
			return true
		}
	}
	return false
}
