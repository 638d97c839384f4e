package wire

import (
	"cmp"
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

// speakers are members in which stored messages without a role have who says it.
var speakers = []string{
	"type", "author", "sender", "from", "source", "speaker", "messageType", "_role", "Role",
}

// unframed describes an element of the list of messages that has no role, but members that no
// message has in any format, if no message of the list has a role. It returns "" for any other, and
// for blocks and items. Members of a vendor's own do not count beside content, unless they say who
// says it.
func (d *decoder) unframed(v jsonscan.Value) string {
	strange := members.Strange(v)
	if kind := v.Get("type"); hasType(v) && !kind.StrIs("message") {
		strange = append(strange, "type")
	}
	key, _ := kindOf(v)
	known := knownKinds()[key] != nil && key.kind != "message" && key != bareText
	if len(strange) == 0 || known || key == bareText && isBareText(v) {
		return ""
	}
	names := func(name string) bool { return slices.Contains(speakers, name) }
	content := v.Get("content")
	said := content.Kind() == jsonscan.String || content.Kind() == jsonscan.Array || hasType(content)
	if said && !slices.ContainsFunc(strange, names) ||
		d.r.format.name == gemini && v.Has("parts") || d.hasFramed() {
		return ""
	}
	return "a list of messages without roles, with " + nameMembers(strange)
}

// hasFramed reports whether an element of the list says who says it as its format does: it has a
// role, or, where items are in the list, a type.
func (d *decoder) hasFramed() bool {
	if d.framed == nil {
		found := false
		for v := d.r.list.First(); v.Exists() && !found; v = v.Next() {
			found = hasText(v.Get("role")) || d.r.format.list == "input" && hasType(v)
		}
		d.framed = &found
	}
	return *d.framed
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

// storedList records that the content of a message is a list in which a framework stores blocks, if
// it holds nothing in the format of the body. A tool's result may look like anything.
func (d *decoder) storedList(content jsonscan.Value) {
	name, form := d.r.format.name, ""
	for e := content.First(); e.Exists(); e = e.Next() {
		if hasType(e) {
			return
		}
		stored := storedBlockOf(e)
		if stored == "" && (!e.Has("text") || name == "bedrock" || name == gemini) {
			return // the texts of these have no type
		}
		form = cmp.Or(form, stored)
	}
	if form != "" && d.isSaid(content) {
		d.store(form)
	}
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
// because what they say is in members that no message has in any format, and of which a repair
// would remove one. It returns nil for any other list.
func (r *Request) unsaid() error {
	var at, form string
	loses := false
	for k := range r.Messages {
		s, m := &r.sources[k], &r.Messages[k]
		if s.index < 0 {
			continue
		}
		if speaks(*m) {
			return nil
		}
		v := s.value
		if !v.Has("role") || hasType(v) && !v.Get("type").StrIs("message") ||
			hasValue(v.Get("content")) {
			continue
		}
		strange := members.Strange(v)
		if v.Get("parts").Len() > 0 && r.format.name != gemini {
			strange = append(strange, "parts")
		}
		if len(strange) == 0 {
			continue
		}
		if at == "" {
			at = r.listPath(s.index)
			form = "a list of messages without content, with " + nameMembers(strange)
		}
		stays := !r.leaves && members.MayHold(m.Native.Format, v) != ""
		loses = loses || !stays || onlyResult(m) != nil // of a call that is not there
	}
	if !loses {
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
		return !isEmptyText(p)
	case *preflight.ToolResult:
		return len(p.Content) > 0 || len(p.Output) > 0
	}
	return true
}
