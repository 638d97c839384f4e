package command

import (
	"bytes"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/session"
)

// This file shows the messages of a session before and after a repair.

// viewed is one message as people read it.
type viewed struct {
	raw   []byte
	Role  string
	Parts []viewedPart
}

// viewedPart is one part of a message: what it is, its text, and whether the message on the other
// side does not have it, or another one does.
type viewedPart struct {
	Kind, Text     string
	Changed, Moved bool
	size           int // of Text, where that is left out
}

// viewedPair is a message before and after; one is nil if the message was added or removed. Both
// are set for one that was changed, or stayed the same.
type viewedPair struct {
	Before, After *viewed
	Same          bool
}

// viewOf returns the messages of a body, or of a list of messages, which are not read yet: of most
// it is enough to know that they are the same on both sides. They share the body's memory.
func viewOf(body []byte) []viewed {
	doc, err := jsonscan.Parse(body)
	if err != nil {
		return nil
	}
	list := doc.Root()
	for _, name := range []string{"messages", "input", "contents"} {
		if of := doc.Root().Get(name); of.Kind() == jsonscan.Array {
			list = of
			break
		}
	}
	if list.Kind() != jsonscan.Array {
		return nil
	}
	all := make([]viewed, 0, list.Len())
	for _, message := range list.All() {
		all = append(all, viewed{raw: message.Raw()})
	}
	return all
}

// read reads the messages.
func read(all []viewed) {
	for k := range all {
		if all[k].Role == "" {
			all[k] = viewMessage(all[k].raw)
		}
	}
}

// pairsOfSession puts the messages of a session before and after its repair beside each other.
func pairsOfSession(o *session.Outcome) []viewedPair {
	var before, after []viewed
	if o.Before != nil && o.After != nil {
		before, after = viewOf(o.Before.Body), viewOf(o.After.Body)
		read(before)
		read(after)
	}
	pairs := pairsOf(before, after)
	markMoved(pairs)
	return pairs
}

// markMoved marks parts that are in another message after the repair.
func markMoved(pairs []viewedPair) {
	type text struct{ kind, text string }
	gone := map[text]int{}
	count := func(m *viewed, each func(p *viewedPart, t text)) {
		if m == nil {
			return
		}
		for k := range m.Parts {
			if p := &m.Parts[k]; p.Changed {
				each(p, text{p.Kind, p.Text})
			}
		}
	}
	for _, pair := range pairs {
		count(pair.Before, func(_ *viewedPart, t text) { gone[t]++ })
	}
	moved := map[text]int{}
	for _, pair := range pairs {
		count(pair.After, func(p *viewedPart, t text) {
			if gone[t] > 0 {
				gone[t]--
				moved[t]++
				p.Changed, p.Moved = false, true
			}
		})
	}
	for _, pair := range pairs {
		count(pair.Before, func(p *viewedPart, t text) {
			if moved[t] > 0 {
				moved[t]--
				p.Changed, p.Moved = false, true
			}
		})
	}
}

// viewMessage reads a message in any of the formats. Its texts share the memory of raw.
func viewMessage(raw []byte) viewed {
	v := viewed{raw: raw, Role: "message"}
	doc, err := jsonscan.Parse(raw)
	if err != nil {
		return v
	}
	doc.ShareStrings()
	m := doc.Root()
	if role := textOf(m.Get("role")); role != "" {
		v.Role = role
	}
	switch m.Get("type").Str() {
	case "function_call", "custom_tool_call", "reasoning":
		v.Role = "assistant"
	case "function_call_output", "custom_tool_call_output":
		v.Role = "tool"
	}
	if v.Role == "message" || !m.Has("content") && !m.Has("parts") && !m.Has("tool_calls") {
		v.Parts = []viewedPart{viewPart(m)}
		return v
	}
	if text := textOf(m.Get("reasoning_content")); text != "" {
		v.Parts = append(v.Parts, viewedPart{Kind: "reasoning", Text: text})
	}
	for _, name := range []string{"content", "parts", "tool_calls"} {
		content := m.Get(name)
		switch text := textOf(content); {
		case text != "" && v.Role == "tool":
			v.Parts = append(v.Parts, viewedPart{Kind: "tool result", Text: text})
		case text != "":
			v.Parts = append(v.Parts, viewedPart{Kind: "text", Text: text})
		case content.Kind() == jsonscan.Array:
			v.Parts = slices.Grow(v.Parts, content.Len())
			for _, part := range content.All() {
				v.Parts = append(v.Parts, viewPart(part))
			}
		}
	}
	return v
}

// textOf returns the text of a string, "" for any other value.
func textOf(v jsonscan.Value) string { return strings.ToValidUTF8(v.Str(), "\uFFFD") }

// textOrJSON returns the text of a string, and the JSON of any other value or of an empty one.
func textOrJSON(v jsonscan.Value) string {
	if text := textOf(v); text != "" {
		return text
	}
	return string(v.Raw())
}

// partKinds says which members show what a part is, and which of its members has the text.
var partKinds = []struct{ member, value, kind, text string }{
	{"type", "thinking", "reasoning", "thinking"},
	{"type", "reasoning", "reasoning", ""},
	{"type", "tool_use", "tool call", "input"},
	{"type", "function_call", "tool call", "arguments"},
	{"type", "custom_tool_call", "tool call", "input"},
	{"type", "tool_result", "tool result", "content"},
	{"type", "function_call_output", "tool result", "output"},
	{"type", "custom_tool_call_output", "tool result", "output"},
	{"text", "", "text", "text"},
}

// viewPart reads a part in any of the formats.
func viewPart(m jsonscan.Value) viewedPart {
	if m.Kind() != jsonscan.Object {
		return viewedPart{Kind: "part", Text: string(m.Raw())}
	}
	for _, nested := range []string{"function", "functionCall", "functionResponse"} {
		if inner := m.Get(nested); inner.Kind() == jsonscan.Object {
			return viewNested(nested, inner)
		}
	}
	for _, k := range partKinds {
		if member := m.Get(k.member); !member.Exists() || k.value != "" && !member.StrIs(k.value) {
			continue
		}
		kind := k.kind
		if name := textOf(m.Get("name")); name != "" && kind == "tool call" {
			kind += " " + name
		}
		return viewedPart{Kind: kind, Text: textOrJSON(m.Get(k.text))}
	}
	return viewedPart{
		Kind: strings.TrimSpace(textOf(m.Get("type")) + " part"), Text: string(m.Raw()),
	}
}

// viewNested reads a call or a result that is an object in a part.
func viewNested(name string, m jsonscan.Value) viewedPart {
	kind := "tool call "
	if name == "functionResponse" {
		kind = "tool result "
	}
	v := viewedPart{Kind: kind + textOf(m.Get("name"))}
	for _, member := range []string{"arguments", "args", "response"} {
		if v.Text = textOrJSON(m.Get(member)); v.Text != "" {
			break
		}
	}
	return v
}

// pairsOf puts the messages before and after beside each other.
func pairsOf(before, after []viewed) []viewedPair {
	var pairs []viewedPair
	same := func(a, b *viewed) { pairs = append(pairs, viewedPair{a, b, true}) }
	start := 0
	for start < len(before) && start < len(after) && bytes.Equal(before[start].raw, after[start].raw) {
		same(&before[start], &after[start])
		start++
	}
	end := 0
	for end < len(before)-start && end < len(after)-start &&
		bytes.Equal(before[len(before)-1-end].raw, after[len(after)-1-end].raw) {
		end++
	}
	pairs = append(pairs, between(before[start:len(before)-end], after[start:len(after)-end])...)
	for k := range end {
		same(&before[len(before)-end+k], &after[len(after)-end+k])
	}
	return pairs
}

// between pairs messages by the first equal one each, and those between them in order, as long as
// their roles are the same.
func between(before, after []viewed) []viewedPair {
	seed := maphash.MakeSeed()
	at := map[uint64][]int{} // those after the last pair, by the hash of their JSON
	for k := range after {
		hash := maphash.Bytes(seed, after[k].raw)
		at[hash] = append(at[hash], k)
	}
	var pairs []viewedPair
	from, start := 0, 0
	for k := range before {
		hash := maphash.Bytes(seed, before[k].raw)
		equal := at[hash]
		for len(equal) > 0 &&
			(equal[0] < from || !bytes.Equal(after[equal[0]].raw, before[k].raw)) {
			equal = equal[1:]
		}
		at[hash] = equal
		if len(equal) == 0 {
			continue
		}
		pairs = append(pairs, changedPairs(before[start:k], after[from:equal[0]])...)
		pairs = append(pairs, viewedPair{&before[k], &after[equal[0]], true})
		start, from = k+1, equal[0]+1
	}
	return append(pairs, changedPairs(before[start:], after[from:])...)
}

func changedPairs(before, after []viewed) []viewedPair {
	read(before)
	read(after)
	var pairs []viewedPair
	for len(before) > 0 || len(after) > 0 {
		var p viewedPair
		switch {
		case len(before) > 0 && len(after) > 0 && before[0].Role == after[0].Role:
			p = viewedPair{Before: &before[0], After: &after[0]}
			before, after = before[1:], after[1:]
		case len(after) > len(before) || len(before) == 0:
			p.After, after = &after[0], after[1:]
		default:
			p.Before, before = &before[0], before[1:]
		}
		p.mark()
		pairs = append(pairs, p)
	}
	return pairs
}

// mark marks the parts that the other message does not have.
func (p *viewedPair) mark() {
	count := map[viewedPart]int{}
	sides := []*viewed{p.Before, p.After}
	for k, side := range sides {
		if side == nil {
			continue
		}
		clear(count)
		if other := sides[1-k]; other != nil {
			for _, part := range other.Parts {
				part.Changed = false
				count[part]++
			}
		}
		side.Parts = slices.Clone(side.Parts)
		for n := range side.Parts {
			part := side.Parts[n]
			part.Changed = false
			side.Parts[n].Changed = count[part] == 0
			count[part]--
		}
	}
}

// Size says how long the text is.
func (p viewedPart) Size() string { return countOf(max(p.size, len(p.Text)), "byte") }
