package wire

import (
	"slices"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/internal/members"
	"github.com/go-preflight/preflight/internal/shorten"
)

// This file finds messages whose form is no format's: what frameworks store. Who says what is in
// members that no format has, so that a repair would give it to the user, or remove it.
//
//	{"_role":"assistant","_content":[{"text":"a"}]}
//	{"source":"weather_agent","content":"a","type":"AssistantMessage"}
//	{"role":"assistant","blocks":[{"block_type":"text","text":"a"}]}

// unframed describes an element of the list of messages that has no role, but members that no
// message has in any format. It returns "" for any other, and for blocks and items.
func unframed(v jsonscan.Value) string {
	if v.Kind() != jsonscan.Object || v.Has("role") {
		return ""
	}
	strange := members.Strange(v)
	if kind := v.Get("type"); hasType(v) && !kind.StrIs("message") {
		strange = append(strange, "type")
	}
	key, _ := kindOf(v)
	known := knownKinds()[key] != nil && key.kind != "message" && key != bareText
	if len(strange) == 0 || known || key == bareText && isBareText(v) {
		return ""
	}
	return "a list of messages without roles, with " + nameMembers(strange)
}

// storedBlocks are calls and results as frameworks have them in lists of blocks without types: by
// the member that holds one, and a member that it holds.
var storedBlocks = []struct{ member, holds, form string }{
	{"media", "url", "messages of Genkit"},
	{"toolRequest", "name", "messages of Genkit"},
	{"toolResponse", "output", "messages of Genkit"},
	{"tool_call", "tool_name", "messages of Haystack"},
	{"tool_call_result", "origin", "messages of Haystack"},
}

// storedBlockOf returns the form in which a framework stores a block, "" for any other block.
func storedBlockOf(v jsonscan.Value) string {
	for _, b := range storedBlocks {
		if v.Get(b.member).Has(b.holds) {
			return b.form
		}
	}
	return ""
}

// nameMembers names some members in words, as far as they have the form of a name.
func nameMembers(names []string) string {
	const most = 4
	var said []string
	for _, name := range names {
		if shorten.ID(name) == name && len(said) < most {
			said = append(said, name)
		}
	}
	if len(said) == 0 {
		return "members of other names"
	}
	return "the members " + strings.Join(said, ", ")
}

// unsaid returns the error for a list of messages with roles in which no message says anything,
// because what they say is in members that no message has in any format. It returns nil for any
// other list.
func (r *Request) unsaid() error {
	var at, form string
	for k := range r.Messages {
		s := &r.sources[k]
		if s.index < 0 {
			continue
		}
		if speaks(r.Messages[k]) {
			return nil
		}
		v := s.value
		if at != "" || !v.Has("role") || hasType(v) && !v.Get("type").StrIs("message") ||
			hasValue(v.Get("content")) {
			continue
		}
		strange := members.Strange(v)
		if v.Get("parts").Len() > 0 {
			strange = append(strange, "parts")
		}
		if len(strange) > 0 {
			at = r.listPath(s.index)
			form = "a list of messages without content, with " + nameMembers(strange)
		}
	}
	if at == "" {
		return nil
	}
	return inStoredForm(form, at)
}

// speaks reports whether a message holds anything.
func speaks(m preflight.Message) bool { return slices.ContainsFunc(m.Parts, says) }

// says reports whether a part holds anything.
func says(p preflight.Part) bool {
	switch p := p.(type) {
	case *preflight.Text:
		return p.Text != ""
	case *preflight.ToolResult:
		return len(p.Content) > 0 || len(p.Output) > 0
	}
	return true
}
