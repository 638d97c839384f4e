package wire

import (
	"cmp"
	"slices"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/internal/output"
)

// This file writes as text what parts say that only another provider has.

// other converts part j of message i, which only another provider has: to the text that it is known
// to say, or else it is removed.
func (h *handOff) other(i, j int, p *preflight.Other) {
	text, quoted := saidBy(p, h.given[i].Role)
	switch {
	case text == "":
		h.replace(i, j, nil, codes.PartRemoved,
			"removed a part of a kind that only another provider knows")
	case quoted:
		h.replace(i, j, textFor(p, text), codes.ResultToText,
			"quoted the result of another provider's own tool as text")
	default:
		h.replace(i, j, textFor(p, text), codes.PartChanged,
			"wrote a part of a kind that only another provider knows as text")
	}
}

// textFor returns a text in the place of a part.
func textFor(p preflight.Part, text string) *preflight.Text {
	t := &preflight.Text{Text: text}
	t.Meta = preflight.CarriedBy(p).Meta
	return t
}

// ownWords read the blocks of known types in which the author of the message speaks.
var ownWords = map[kindKey]func(v, data jsonscan.Value) string{
	{"refusal", false}:         func(v, _ jsonscan.Value) string { return v.Get("refusal").Str() },
	{"citationsContent", true}: func(_, data jsonscan.Value) string { return citedText(data) },
	{"guardContent", true}: func(_, data jsonscan.Value) string {
		return data.Get("text").Get("text").Str()
	},
}

// quotedKinds are the known types of blocks with what a page or a file says, or with a summary, in
// messages of any role.
var quotedKinds = []kindKey{
	{"search_result", false}, {"searchResult", true}, {"document", false},
	{"scoped_content", false}, {"compaction", false},
}

// saidBy returns what a part in a message of a role says, "" for nothing that is known. quoted is
// whether a tool said it: that is written only where the assistant's message has it, since it would
// become the user's words elsewhere.
func saidBy(p *preflight.Other, role preflight.Role) (text string, quoted bool) {
	doc, err := jsonscan.Parse(p.Native.JSON)
	if err != nil {
		return "", false
	}
	v := doc.Root()
	if v.Kind() == jsonscan.String && p.Kind == "refusal" { // a member of a Chat message
		return v.Str(), false
	}
	key, data := kindOf(v)
	own := false
	if known := knownKinds()[key]; known != nil {
		_, own = known.formats[p.Native.Format]
	}
	switch words := ownWords[key]; {
	case own && words != nil:
		return words(v, data), false
	case own && slices.Contains(quotedKinds, key):
		return quotedText(key.kind, v, data), false
	case isAssistant(role) && (own || strings.HasSuffix(key.kind, "_tool_result")):
		return outputText(key.kind, data), true
	}
	return "", false
}

func isAssistant(role preflight.Role) bool {
	neutral, _ := role.Neutral()
	return neutral == preflight.RoleAssistant
}

// outputText quotes the output in a block of the provider's own tool. A block that is known to have
// none, such as a call, says nothing.
func outputText(kind string, data jsonscan.Value) string {
	switch kind {
	case "code_interpreter_call", "file_search_call", "mcp_call", "program_output",
		"codeExecutionResult", "toolResponse", "tool_response":
	default:
		if !strings.HasSuffix(kind, "_result") {
			return ""
		}
	}
	for _, member := range []string{
		"outputs", "results", "output", "response", "result", "content", "error",
	} {
		said := data.Get(member)
		if !hasValue(said) {
			continue
		}
		text := serverText(&preflight.ToolResult{
			Name:    cmp.Or(data.Get("name").Str(), data.Get("toolType").Str()),
			Variant: toolOf(kind), Output: said.Raw(),
		})
		if strings.Contains(text, "\n") {
			return text
		}
	}
	return ""
}

// toolOf returns the name of a tool from the type of a block with its output.
func toolOf(kind string) string {
	for _, end := range []string{
		"_tool_result", "_result", "_call", "_response", "Result", "Response",
	} {
		if tool, found := strings.CutSuffix(kind, end); found {
			return tool
		}
	}
	return kind
}

// quotedText quotes the readable strings of a block, "" where it has none.
func quotedText(kind string, v, data jsonscan.Value) string {
	if kind == "document" {
		said, _ := documentText(v)
		if said == "" {
			return ""
		}
		return output.Fenced(said)
	}
	text := quotation(kind, data)
	if !strings.Contains(text, "\n") {
		return ""
	}
	return text
}

// documentText returns the text of a document whose source is text, "" for any other, and whether
// the document says nothing else.
func documentText(v jsonscan.Value) (text string, whole bool) {
	source := v.Get("source")
	if bare := v.Get("document"); bare.Kind() == jsonscan.Object { // Bedrock's, or Cohere's
		source = bare.Get("source")
		switch data := bare.Get("data"); {
		case data.Kind() == jsonscan.String:
			return data.Str(), true
		case hasValue(data):
			return string(data.Raw()), true
		}
	}
	if text := source.Get("text"); text.Kind() == jsonscan.String {
		return text.Str(), true
	}
	content := source.Get("content")
	if source.Get("type").StrIs("text") {
		content = source.Get("data")
	}
	if content.Kind() == jsonscan.String {
		return content.Str(), true
	}
	var texts []string
	whole = true
	for e := first(content); e.Exists(); e = e.Next() {
		t := e.Get("text")
		whole = whole && t.Exists()
		if t.Str() != "" {
			texts = append(texts, t.Str())
		}
	}
	return strings.Join(texts, "\n"), whole && texts != nil
}

// textOfDocument returns what documentText does, "" for any other media.
func textOfDocument(m *preflight.Media) (text string, whole bool) {
	if m.Kind != "document" || len(m.Native.JSON) == 0 {
		return "", false
	}
	doc, err := jsonscan.Parse(m.Native.JSON)
	if err != nil {
		return "", false
	}
	return documentText(doc.Root())
}

// textInResult returns the text for a block inside a tool's result: what the tool said stays the
// tool's, whether or not the type of the block is known. It is nil where the block says nothing.
// whole is whether nothing else is in the block, as far as its type is known.
func textInResult(p *preflight.Other) (text *preflight.Text, whole bool) {
	doc, err := jsonscan.Parse(p.Native.JSON)
	if err != nil {
		return nil, false
	}
	key, data := kindOf(doc.Root())
	said := ""
	if key.kind == "document" {
		said, whole = documentText(doc.Root())
	}
	if said == "" {
		said, whole = quotation(key.kind, data), slices.Contains(quotedKinds, key)
		if !strings.Contains(said, "\n") {
			return nil, false
		}
	}
	return textFor(p, said), whole
}
