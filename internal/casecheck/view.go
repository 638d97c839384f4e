package casecheck

import (
	"encoding/json"
	"fmt"
	"strings"
)

// This file is about reading a request body: five wires become one list of
// messages with parts. Pairing calls with results is in pair.go.

// The wires a case can be written in.
const (
	anthropic = "anthropic"
	chat      = "openai-chat"
	responses = "openai-responses"
	gemini    = "gemini"
	bedrock   = "bedrock"
)

var formats = []string{anthropic, chat, responses, gemini, bedrock}

// historyKey is the member of a body that holds its history.
func historyKey(format string) string {
	switch format {
	case responses:
		return "input"
	case gemini:
		return "contents"
	}
	return "messages"
}

// kind is what a part is, as far as the assertions care.
type kind string

const (
	textPart   kind = "text"
	callPart   kind = "call"
	resultPart kind = "result"
	thinkPart  kind = "thinking"
	otherPart  kind = "other"
)

// part is one part of a message. Which fields are set depends on the kind.
type part struct {
	kind kind
	raw  *object // the part on the wire; for a whole-message part the message

	text   string // of a text; of a result the text inside its payload
	isText bool   // text is a JSON string on the wire

	id, name ident  // of a call or result
	args     any    // of a call
	payload  any    // of a result
	typ      string // of a Responses item that is no message

	message int    // index of the message it stands in
	order   int    // of a call: its index among the calls
	lead    string // the last text that is not blank, up to here

	answers []*part // of a call: the results that answer it
	call    *part   // of a result: the call it answers
	placed  bool    // of a result: it stands where some call of its id wants it
	became  *part   // of an input call: the same call in the output
}

// ident is an id or a name as found on the wire.
type ident struct {
	text   string
	string bool // it is a JSON string
}

func identOf(v any) ident {
	switch v := v.(type) {
	case nil:
		return ident{}
	case string:
		return ident{v, true}
	}
	return ident{text: fmt.Sprintf("(not a string: %v)", v)}
}

// message is one entry of the history: a message, an item, a content.
type message struct {
	role  string
	parts []*part
	raw   *object // nil when the entry is not an object
}

func (m *message) count(k kind) int {
	n := 0
	for _, p := range m.parts {
		if p.kind == k {
			n++
		}
	}
	return n
}

// view is one body, read.
type view struct {
	format   string
	body     any
	messages []*message
	calls    []*part
	results  []*part
	texts    []string // every text and result text, and the system text
	lead     string   // while reading: the last text that is not blank
}

// newView reads a body and pairs its calls with its results.
func newView(format string, body any) *view {
	v := &view{format: format, body: body}
	for _, entry := range history(format, body) {
		v.add(readMessage(format, entry))
	}
	top, _ := body.(*object)
	for _, k := range []string{"system", "systemInstruction", "system_instruction", "instructions"} {
		v.texts = append(v.texts, proseIn(top.get(k))...)
	}
	v.pair()
	return v
}

// history lists the entries of a body; a Responses input may be a bare string.
func history(format string, body any) []any {
	top, _ := body.(*object)
	key := historyKey(format)
	if s, ok := top.get(key).(string); ok {
		m := &object{keys: []string{"role", "content"}, values: map[string]any{"role": "user", "content": s}}
		return []any{m}
	}
	return top.list(key)
}

// proseIn lists the text in a system prompt, a string or wrapped.
func proseIn(v any) []string {
	var out []string
	switch v := v.(type) {
	case string:
		out = append(out, v)
	case []any:
		for _, x := range v {
			out = append(out, proseIn(x)...)
		}
	case *object:
		for _, k := range []string{"text", "parts", "content"} {
			out = append(out, proseIn(v.get(k))...)
		}
	}
	return out
}

// add appends a message and indexes its parts.
func (v *view) add(m *message) {
	for _, p := range m.parts {
		p.message = len(v.messages)
		if p.kind == textPart && strings.TrimSpace(p.text) != "" {
			v.lead = p.text
		}
		p.lead = v.lead
		switch p.kind {
		case callPart:
			p.order = len(v.calls)
			v.calls = append(v.calls, p)
		case resultPart:
			v.results = append(v.results, p)
		}
		if (p.kind == textPart || p.kind == resultPart) && p.isText {
			v.texts = append(v.texts, p.text)
		}
	}
	v.messages = append(v.messages, m)
}

// readMessage reads one entry of a history.
func readMessage(format string, entry any) *message {
	raw, _ := entry.(*object)
	m := &message{role: raw.str("role"), raw: raw}
	if raw == nil {
		return m
	}
	switch format {
	case chat:
		m.parts = chatParts(raw)
	case responses:
		m.role, m.parts = item(raw)
	case gemini:
		m.parts = each(raw.list("parts"), geminiPart)
	case bedrock:
		m.parts = each(content(raw), bedrockPart)
	default:
		m.parts = each(content(raw), anthropicPart)
	}
	return m
}

// content lists the parts of a message whose content may be a bare string.
func content(m *object) []any {
	if s, ok := m.get("content").(string); ok {
		return []any{&object{keys: []string{"type", "text"}, values: map[string]any{"type": "text", "text": s}}}
	}
	return m.list("content")
}

// each reads the parts that are objects.
func each(list []any, read func(*object) *part) []*part {
	var parts []*part
	for _, x := range list {
		if o, ok := x.(*object); ok {
			p := read(o)
			p.raw = o
			parts = append(parts, p)
		}
	}
	return parts
}

func newText(v any) *part {
	s, ok := v.(string)
	return &part{kind: textPart, text: s, isText: ok}
}

func newCall(id, name, args any) *part {
	return &part{kind: callPart, id: identOf(id), name: identOf(name), args: args}
}

func newResult(id, payload any) *part {
	return &part{kind: resultPart, id: identOf(id), payload: payload, text: textOf(payload), isText: true}
}

func anthropicPart(b *object) *part {
	switch b.str("type") {
	case "text":
		return newText(b.get("text"))
	case "tool_use":
		return newCall(b.get("id"), b.get("name"), b.get("input"))
	case "tool_result":
		return newResult(b.get("tool_use_id"), b.get("content"))
	case "thinking", "redacted_thinking":
		return &part{kind: thinkPart}
	}
	return &part{kind: otherPart}
}

func bedrockPart(b *object) *part {
	if b.has("text") {
		return newText(b.get("text"))
	}
	if u := b.sub("toolUse"); u != nil {
		return newCall(u.get("toolUseId"), u.get("name"), u.get("input"))
	}
	if r := b.sub("toolResult"); r != nil {
		return newResult(r.get("toolUseId"), r.get("content"))
	}
	return &part{kind: otherPart}
}

func geminiPart(b *object) *part {
	if c := firstSub(b, "functionCall", "function_call"); c != nil {
		return newCall(c.get("id"), c.get("name"), c.get("args"))
	}
	if r := firstSub(b, "functionResponse", "function_response"); r != nil {
		p := newResult(r.get("id"), r.get("response"))
		p.name = identOf(r.get("name"))
		return p
	}
	if b.get("thought") == true {
		return &part{kind: thinkPart}
	}
	if b.has("text") {
		return newText(b.get("text"))
	}
	return &part{kind: otherPart}
}

func firstSub(o *object, keys ...string) *object {
	for _, k := range keys {
		if o.has(k) {
			return o.sub(k)
		}
	}
	return nil
}

// chatParts reads a Chat Completions message. A tool message is one result.
func chatParts(m *object) []*part {
	if role := m.str("role"); role == "tool" || role == "function" {
		p := newResult(m.get("tool_call_id"), m.get("content"))
		p.raw = m
		return []*part{p}
	}
	parts := each(content(m), func(b *object) *part {
		if b.str("type") == "text" {
			return newText(b.get("text"))
		}
		return &part{kind: otherPart}
	})
	return append(parts, each(m.list("tool_calls"), func(tc *object) *part {
		f := tc.sub("function")
		return newCall(tc.get("id"), f.get("name"), f.get("arguments"))
	})...)
}

// outputsOf lists the item types that answer a Responses call item.
var outputsOf = map[string][]string{
	"function_call":    {"function_call_output"},
	"custom_tool_call": {"custom_tool_call_output"},
	"computer_call":    {"computer_call_output"},
	"local_shell_call": {"local_shell_call_output", "function_call_output"},
	"shell_call":       {"shell_call_output"},
	"apply_patch_call": {"apply_patch_call_output"},
}

var isOutput = func() map[string]bool {
	set := map[string]bool{}
	for _, outputs := range outputsOf {
		for _, o := range outputs {
			set[o] = true
		}
	}
	return set
}()

// itemType is the type of a Responses item; a message may leave it out.
func itemType(raw *object) string {
	if t := raw.str("type"); t != "" || !raw.has("role") {
		return t
	}
	return "message"
}

// item reads a Responses item and the role it plays.
func item(raw *object) (string, []*part) {
	typ := itemType(raw)
	whole := func(role string, p *part) (string, []*part) {
		p.raw, p.typ = raw, typ
		return role, []*part{p}
	}
	switch {
	case typ == "message":
		return raw.str("role"), each(content(raw), func(b *object) *part {
			if b.has("text") {
				return newText(b.get("text"))
			}
			return &part{kind: otherPart}
		})
	case outputsOf[typ] != nil:
		return whole("assistant", newCall(raw.get("call_id"), raw.get("name"), firstOf(raw, "arguments", "input", "action")))
	case isOutput[typ]:
		return whole("tool", newResult(raw.get("call_id"), raw.get("output")))
	case typ == "reasoning":
		return whole("assistant", &part{kind: thinkPart})
	}
	return whole("assistant", &part{kind: otherPart})
}

func firstOf(o *object, keys ...string) any {
	for _, k := range keys {
		if o.has(k) {
			return o.get(k)
		}
	}
	return nil
}

// outline is a body in one line, for the reader of a failing assertion.
func (v *view) outline() string {
	if len(v.messages) == 0 {
		return "an empty history"
	}
	var b strings.Builder
	for i, m := range v.messages {
		if i > 0 {
			b.WriteString(" | ")
		}
		b.WriteString(m.role)
		for _, p := range m.parts {
			fmt.Fprintf(&b, " %s", p)
		}
	}
	return b.String()
}

// String shows a part in an outline.
func (p *part) String() string {
	switch p.kind {
	case textPart:
		return quoted(p.text)
	case callPart:
		return fmt.Sprintf("call(%s %s)", p.id.text, p.name.text)
	case resultPart:
		return fmt.Sprintf("result(%s %s)", p.id.text, quoted(p.text))
	}
	return string(p.kind)
}

// quoted shows a text, shortened.
func quoted(s string) string {
	const most = 60
	if len(s) > most {
		s = s[:most] + "…"
	}
	q, _ := json.Marshal(s)
	return string(q)
}
