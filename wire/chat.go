package wire

import (
	"bytes"
	"slices"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule"
)

// This file is what hosts do differently with the Chat wire: one reader and writer, and data for
// each host.

// chat is OpenAI's Chat wire as one provider speaks it. The zero value of a field is what OpenAI
// does.
type chat struct {
	name string // the format that messages and parts are of

	// the members that messages of a role may have; nil for any
	fields    map[preflight.Role][]string
	fieldRule string // the rule that another one breaks

	flat     []preflight.Role // roles whose content is a string if it is all text
	flatRule string

	reasoning     []string // the members that may hold reasoning, the usual one first
	reasoningRule string   // the rule that reasoning in another one than the first breaks; "" when any will do
	emptyCounts   bool     // empty reasoning is some
	details       bool     // reasoning_details are read

	uniqueRule string // the rule that a second declaration of a tool breaks

	// what a request wants of reasoning that says that it thinks; the profile's without one
	replay          provider.Replay
	emptyCalls      bool // an empty list of tool calls is as good as none
	noArguments     bool // and a call without arguments as good as one with empty ones
	modern          bool // results of legacy function calls have no form here
	prefixes        bool // the last assistant message may be marked as a prefix
	objectArguments bool // arguments may also be an object
	untypedCalls    bool // tool calls need no type
	signs           bool // tool calls bear signatures, in extra_content

	// part and ownBlock read and write blocks that OpenAI does not have; nil stands for what is
	// none of them.
	part     partReader
	ownBlock func(preflight.Part) ([][]byte, error)
	inBlocks bool // reasoning is a block of the content, unless it was read from a member

	adjust func(r *Request) // narrows the profile by members of the body

	participant provider.Pattern // participants' names, by the profile
}

// openAI is the wire as OpenAI itself speaks it.
var openAI = chat{name: openAIChat, reasoning: []string{"reasoning_content", "reasoning"}}

// format is the wire of c as a format.
func (c chat) format(name string, profile func(model string) *preflight.Profile, s signs) *format {
	c.participant = profile("").IDs.Participant
	return &format{
		name:    c.name,
		dialect: name,
		profile: profile,
		list:    "messages",
		decode:  c.decode,
		encode:  c.encode,
		prepare: c.prepare,
		names:   c.takes(preflight.RoleUser, "name"),
		signs:   s,
	}
}

// fieldRole is the role by which the members of a message are judged: what the fixers will make of
// it.
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
	k := 0
	for m := v.First(); m.Exists(); m = m.Next() {
		if !c.takes(r, m.Key().Str()) {
			d.refusedMember(v, m, k, c.fieldRule)
		}
		k++
	}
}

// encodeFields writes the mark of a prefix, and takes out the members that the provider refuses.
func (c *chat) encodeFields(message *member, m *preflight.Message) {
	c.writePrefix(message, m)
	if c.fields == nil {
		return
	}
	for e := message.v.First(); e.Exists(); e = e.Next() {
		if key := e.Key().Str(); !c.takes(m.Role, key) {
			message.drop(key)
		}
	}
}

// content reads the content of a message. A list of texts becomes one where the provider takes
// strings only.
func (c *chat) content(d *decoder, v jsonscan.Value, r preflight.Role) []preflight.Part {
	parts := d.content(v, ruleChatContent, c.readPart)
	content := v.Get("content")
	if content.Kind() != jsonscan.Array || !slices.Contains(c.flat, fieldRole(r)) || !onlyTexts(parts) {
		return parts
	}
	d.mended(content, "", c.flatRule, "the content is a list, not a string", "joined a list of texts into a string")
	return []preflight.Part{&preflight.Text{Text: joinTexts(parts)}}
}

func (c *chat) readPart(d *decoder, v jsonscan.Value) preflight.Part {
	if c.part != nil {
		if p := c.part(d, v); p != nil {
			return p
		}
	}
	return chatPart(d, v)
}

// put writes the content of a message.
func (c *chat) put(o *object, message *member, parts []preflight.Part, r preflight.Role) {
	if !slices.Contains(c.flat, fieldRole(r)) || !onlyTexts(parts) {
		o.content(message, "content", parts, c.block)
		return
	}
	message.text("content", joinTexts(parts))
}

// onlyTexts reports whether parts are texts, and there are some.
func onlyTexts(parts []preflight.Part) bool {
	for _, p := range parts {
		if _, ok := p.(*preflight.Text); !ok {
			return false
		}
	}
	return len(parts) > 0
}

// joinTexts is the text of parts, one below the other.
func joinTexts(parts []preflight.Part) string {
	texts := make([]string, 0, len(parts))
	for _, p := range parts {
		if t, ok := p.(*preflight.Text); ok {
			texts = append(texts, t.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// reasoningKey is the member that holds a message's reasoning, "" when there is none. Hosts differ
// in its name.
func (c *chat) reasoningKey(v jsonscan.Value) string {
	for k, key := range c.reasoning {
		if r := v.Get(key); r.Kind() == jsonscan.String && (!r.StrIs("") || c.emptyCounts && k == 0) {
			return key
		}
	}
	return ""
}

const detailsKey = "reasoning_details"

// reasoningParts reads the reasoning of a message that stands in members of its own.
func (c *chat) reasoningParts(d *decoder, v jsonscan.Value) []preflight.Part {
	var parts []preflight.Part
	if key := c.reasoningKey(v); key != "" && c.takes(preflight.RoleAssistant, key) {
		text := v.Get(key)
		parts = d.single(d.thoughts.one(preflight.Reasoning{Text: d.prose(text), Carried: preflight.Carried{Native: d.native(text)}}))
		if c.reasoningRule != "" && key != c.reasoning[0] {
			d.mended(v, key, c.reasoningRule, "the reasoning stands in another host's field", "moved reasoning into the field that the host reads")
		}
	}
	if list := v.Get(detailsKey); c.details && list.Len() > 0 && list.Kind() == jsonscan.Array {
		parts = append(parts, &preflight.Reasoning{Opaque: string(list.Raw()), Carried: preflight.Carried{Native: d.native(list)}})
	}
	return parts
}

// isBlock reports whether reasoning is a block of the content.
func (c *chat) isBlock(r *preflight.Reasoning) bool {
	fromMember := len(c.reasoning) > 0 && len(r.Native.JSON) > 0 && r.Native.JSON[0] == '"'
	return c.inBlocks && !fromMember
}

// encodeReasoning writes the reasoning that stands in members.
func (c *chat) encodeReasoning(message *member, reasoning []*preflight.Reasoning) error {
	var texts []string
	var details [][]byte
	for _, r := range reasoning {
		switch list, ok := detailsOf(r); {
		case c.details && ok:
			details = append(details, list)
		case isSealed(r):
			return errSealed
		default:
			texts = append(texts, r.Text)
		}
	}
	c.encodeDetails(message, details)
	key := c.reasoningKey(message.v)
	if len(texts) == 0 {
		if key != "" {
			message.drop(key)
		}
		return nil
	}
	want := key
	if key == "" || c.reasoningRule != "" {
		want = c.reasoning[0]
	}
	if key != "" && key != want {
		message.drop(key)
	}
	message.text(want, strings.Join(texts, "\n"))
	return nil
}

// isOpaque reports whether there is nothing to read in reasoning, where a format has only text for
// it.
func isSealed(r *preflight.Reasoning) bool { return r.Opaque != "" && r.Text == "" }

var errSealed = &EncodeError{Kind: "opaque reasoning"}

// detailsOf is reasoning that nobody but its maker can read, a list; ok is false for any other.
func detailsOf(r *preflight.Reasoning) (list []byte, ok bool) {
	doc, err := jsonscan.Parse([]byte(r.Opaque))
	return []byte(r.Opaque), err == nil && doc.Root().Kind() == jsonscan.Array && doc.Root().Len() > 0
}

// encodeDetails writes such reasoning: several lists as one.
func (c *chat) encodeDetails(message *member, details [][]byte) {
	switch {
	case !c.details:
	case len(details) == 1:
		message.raw(detailsKey, details[0])
	case len(details) > 1:
		for k := range details {
			details[k] = bytes.TrimSpace(details[k])
			details[k] = details[k][1 : len(details[k])-1]
		}
		message.raw(detailsKey, joined(details))
	case message.v.Get(detailsKey).Len() > 0:
		message.drop(detailsKey)
	}
}

// prepare narrows the profile by what a body says, and mends the tools it declares.
func (c *chat) prepare(r *Request) {
	switch {
	case r.thinksNot():
		r.Profile.Reasoning.Replay = provider.ReplayFree
	case c.replay != "" && r.root.Get("thinking").Get("type").StrIs("enabled"):
		r.Profile.Reasoning.Replay = c.replay
	}
	if c.adjust != nil {
		c.adjust(r)
	}
	if r.whole() {
		c.mendTools(r)
	}
}

// thinksNot reports whether a request is known not to think.
func (r *Request) thinksNot() bool {
	if kind := r.root.Get("thinking").Get("type"); kind.Exists() {
		return kind.StrIs("disabled")
	}
	return r.Profile.Reasoning.Default == provider.ThinkingOff
}

// mendTools mends the names of declared functions, which those in the history follow, and removes a
// second declaration of one name where there may be none.
func (c *chat) mendTools(r *Request) {
	list := r.root.Get("tools")
	clear(r.declared)
	tools := declaredTools{r: r}
	k := 0
	for t := list.First(); t.Exists(); t = t.Next() {
		name := t.Get("function").Get("name")
		fixed := r.Profile.RepairToolName(name.Str())
		switch {
		case name.Kind() != jsonscan.String:
		case c.uniqueRule != "" && r.declared[fixed]:
			f := toolRemoved(indexed("tools", k))
			f.rule = c.uniqueRule
			r.note(f)
			tools.changes(k)
			k++
			continue
		case fixed != name.Str():
			r.changes = append(r.changes, func(e *jsonscan.Edits, _ *jsonscan.ObjectEdit) { e.Replace(name.Start(), name.End(), quoted(fixed)) })
			r.note(toolRenamed(indexed("tools", k)+".function.name", r.toolRule(name.Str())))
		}
		if name.Kind() == jsonscan.String {
			r.declares(fixed)
		}
		if tools.changed {
			tools.items = append(tools.items, item{from: k})
		}
		k++
	}
	if items := tools.items; list.Kind() == jsonscan.Array && tools.changed {
		r.changes = append(r.changes, func(e *jsonscan.Edits, _ *jsonscan.ObjectEdit) { splice(e, list, r.body, items) })
	}
	r.renameChoice(r.toolRule(r.root.Get("tool_choice").Get("function").Get("name").Str()), "tool_choice", "function", "name")
}

// toolRule is the rule that a refused tool name breaks.
func (r *Request) toolRule(name string) string {
	if slices.Contains(r.Profile.Tools.Reserved, name) {
		return r.ruleOf(rule.ToolReserved)
	}
	return r.ruleOf(rule.ToolName)
}
