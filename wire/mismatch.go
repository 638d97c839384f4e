package wire

import "github.com/go-preflight/preflight/internal/jsonscan"

// This file finds bodies in another format than the one named. Only what a body holds is
// evidence against a format, never what it lacks. Nothing is evidence where the body also holds
// something of the named format: such a mixture comes from an agent that switched providers, and
// is repaired.

// family is the group of formats that keep messages, calls and results in the same places.
type family uint8

const (
	anthropicFamily family = iota
	chatFamily             // with Mistral, Cohere and Ollama
	bedrockFamily
	responsesFamily
	geminiFamily
	families
)

// familyNames are the formats that errors name.
var familyNames = [families]string{"anthropic", openAIChat, "bedrock", openAIResponses, gemini}

// familyOf returns the family of a format.
func familyOf(f *format) family {
	for k, name := range familyNames {
		if f.name == name {
			return family(k)
		}
	}
	return chatFamily
}

// marks are the evidence for each family, in four bits each.
type marks uint32

const (
	// a place of its own for calls, results, tools or the system prompt
	someMark   marks = 1 << iota
	callMark         // a block or an item that is a call
	resultMark       // one that is a result
	// something that others have too, or that is copied without a thought
	lightMark
	markBits = iota
	allMarks = 1<<markBits - 1
)

func (f family) mark(m marks) marks { return m << (markBits * f) }

// decides reports whether marks are enough evidence for a family, in a body without any for the
// named one: a place of its own for calls or tools, or both calls and results in blocks of its own.
// A single block may have been copied.
func (m marks) decides(f family) bool {
	own := m >> (markBits * f) & allMarks
	return own&someMark != 0 || own&(callMark|resultMark) == callMark|resultMark
}

// shows reports whether there is any evidence for a family.
func (m marks) shows(f family) bool { return m>>(markBits*f)&allMarks != 0 }

// markPlace is the place of a mark: a member of the body, or an element of the list.
type markPlace struct {
	member string
	index  int
}

func (p markPlace) path(r *Request) string {
	if p.member != "" {
		return p.member
	}
	return indexed(r.format.list, p.index)
}

// mismatch returns the error for a body in another format than r's, which was named, nil if there
// is no evidence.
func (r *Request) mismatch() error {
	named := familyOf(r.format)
	var all marks
	var at [families]markPlace // where the first mark of each family is
	note := func(m marks, place markPlace) {
		for f := range families {
			if !all.shows(f) && m.shows(f) {
				at[f] = place
			}
		}
		all |= m
	}
	if r.whole() {
		if r.format.list != "messages" {
			return nil // no other format keeps its messages there
		}
		note(toolMarks(r.root), markPlace{member: "tools"})
		settings, member := settingMarks(r.root)
		note(settings, markPlace{member: member})
		note(systemMarks(r.root, r.list), markPlace{member: "system"})
		if all.shows(named) {
			return nil
		}
	}
	for k, v := range r.list.All() {
		m, stored := messageMarks(v)
		if stored {
			return inStoredForm(modelMessages, indexed(r.format.list, k))
		}
		if (m &^ named.mark(lightMark)).shows(named) {
			return nil
		}
		if m != 0 && all|m != all {
			note(m, markPlace{index: k})
		}
	}
	if all.shows(named) {
		return nil
	}
	for f := range families {
		if f != named && all.decides(f) &&
			!(all>>(markBits*f)&someMark == 0 && r.isNamedFor(named)) {
			return otherFormat(r.Provider, familyNames[f], at[f].path(r))
		}
	}
	return nil
}

// showsForeign reports whether a body has enough evidence for another family, or for a stored form:
// with none for its own, it would be refused.
func (r *Request) showsForeign() bool {
	var all marks
	if r.whole() {
		if r.format.list != "messages" {
			return false // no other format keeps its messages there
		}
		all = rootMarks(r.root, r.list)
	}
	for v := r.list.First(); v.Exists(); v = v.Next() {
		m, stored := messageMarks(v)
		if stored {
			return true
		}
		all |= m
	}
	for f := range families {
		if f != familyOf(r.format) && all.decides(f) {
			return true
		}
	}
	return false
}

// isNamedFor reports whether the body names a model of the family's own provider. Then blocks of
// another family are copies.
func (r *Request) isNamedFor(f family) bool {
	for _, of := range formats {
		if familyOf(of) == f && of.signs.inModel(r.root.Get("model").Str()) {
			return true
		}
	}
	return false
}

// misplacedHistory returns the error for a body without messages where the format keeps them: a
// ErrOtherFormat if they are where another format keeps them.
func (r *Request) misplacedHistory() error {
	for f, name := range familyNames {
		of, err := formatOf(name)
		if err != nil || of.list == r.format.list || !of.holdsHistory(r.root) {
			continue
		}
		if found, err := detect(r.root); err == nil {
			name = found.provider()
		} else if family(f) == anthropicFamily {
			name = "another provider"
		}
		return otherFormat(r.Provider, name, of.list)
	}
	return nil
}

// toolMarks returns the marks of the tools that a body declares.
func toolMarks(root jsonscan.Value) marks {
	tool := root.Get("tools").First()
	switch {
	case tool.Get("function").Kind() == jsonscan.Object:
		return chatFamily.mark(someMark)
	case tool.Has("input_schema"):
		return anthropicFamily.mark(someMark)
	}
	return 0
}

// rootMarks returns the marks of all members of a body but its messages.
func rootMarks(root, list jsonscan.Value) marks {
	settings, _ := settingMarks(root)
	return toolMarks(root) | settings | systemMarks(root, list)
}

// settingMarks returns the marks of settings that one format alone has, and the first of them.
func settingMarks(root jsonscan.Value) (m marks, member string) {
	for _, member := range []string{"toolConfig", "inferenceConfig"} {
		if root.Has(member) {
			return bedrockFamily.mark(someMark), member
		}
	}
	return 0, ""
}

// systemMarks returns the marks of the system prompt. In a body with typed blocks its blocks have
// lost their types.
func systemMarks(root, list jsonscan.Value) marks {
	switch v := root.Get("system"); {
	case isUntypedList(v) && !hasTypedBlocks(list):
		return bedrockFamily.mark(someMark)
	case holdsText(v):
		return anthropicFamily.mark(someMark)
	}
	return 0
}

// messageMarks returns the marks of an element of the list. stored reports a model message of the
// Vercel AI SDK.
func messageMarks(v jsonscan.Value) (m marks, stored bool) {
	var role, id, content, calls, parts, kind jsonscan.Value
	for member := v.First(); member.Exists(); member = member.Next() {
		switch key := member.Key(); {
		case key.StrIs("role"):
			role = member
		case key.StrIs("content"):
			content = member
		case key.StrIs("tool_call_id"):
			id = member
		case key.StrIs("tool_calls"):
			calls = member
		case key.StrIs("parts"):
			parts = member
		case key.StrIs("type"):
			kind = member
		}
	}
	if calls.First().Kind() == jsonscan.Object {
		m |= chatFamily.mark(someMark)
	}
	if first := parts.First(); first.Kind() == jsonscan.Object && !first.Has("type") {
		m |= geminiFamily.mark(someMark)
	}
	m |= itemMarks(kind)
	switch {
	case role.StrIs("tool") && (id.Kind() == jsonscan.String || content.Kind() == jsonscan.String):
		m |= chatFamily.mark(someMark)
	case role.StrIs("system"), role.StrIs("developer"), role.StrIs("function"):
		m |= chatFamily.mark(lightMark)
	}
	for b := content.First(); b.Exists() && content.Kind() == jsonscan.Array; b = b.Next() {
		if isModelMessagePart(b) {
			return m, true
		}
		m |= blockMarks(b)
	}
	return m, false
}

// itemMarks returns the marks of an item of the Responses API, by its type.
func itemMarks(kind jsonscan.Value) marks {
	switch {
	case oneOf(kind, "function_call", "custom_tool_call", "reasoning"):
		return responsesFamily.mark(callMark)
	case oneOf(kind, "function_call_output", "custom_tool_call_output"):
		return responsesFamily.mark(resultMark)
	}
	return 0
}

// blockMarks returns the marks of a block of a message's content.
func blockMarks(b jsonscan.Value) marks {
	kind := b.Get("type")
	switch {
	case kind.StrIs("text"), b.Kind() != jsonscan.Object:
		return 0
	case !kind.Exists():
		switch {
		case b.Has("toolUse"):
			return bedrockFamily.mark(callMark)
		case b.Has("toolResult"):
			return bedrockFamily.mark(resultMark)
		}
	case oneOf(kind, "tool_use", "server_tool_use", "redacted_thinking"),
		kind.StrIs("thinking") && b.Has("signature"):
		return anthropicFamily.mark(callMark)
	case kind.StrIs("tool_result"):
		return anthropicFamily.mark(resultMark)
	case oneOf(kind, "image_url", "input_audio"):
		return chatFamily.mark(lightMark)
	case oneOf(kind, "image", "document") && b.Has("source"):
		return anthropicFamily.mark(lightMark)
	}
	return 0
}
