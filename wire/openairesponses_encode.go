package wire

import (
	"bytes"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file writes the OpenAI Responses format by editing the JSON that messages were decoded from.

// encodeResponses writes a message. Members of items that OpenAI refuses are left out if the
// profile has rules about them.
func encodeResponses(r *Request, m *preflight.Message) ([][]byte, error) {
	w := itemWriter{elementWriter: elementWriter{r: r, m: m}, id: m.ID, strict: r.checksItems()}
	if len(m.Parts) == 0 && m.Native.Format == openAIResponses && !isMessageItem(m.Native.JSON) {
		return onePiece(m.Native.JSON), nil // an item without parts is kept as it is
	}
	return w.write(w.isItem, w.item, w.message)
}

// isMessageItem reports whether an item is a message, which may leave its type out.
func isMessageItem(item []byte) bool {
	kind := valueOf(item).Get("type")
	return kind.Kind() != jsonscan.String || kind.StrIs("") || kind.StrIs("message")
}

// itemWriter writes the items of one message.
type itemWriter struct {
	elementWriter
	id     string // what the next item is to be called
	strict bool   // members that OpenAI refuses are left out
}

// isItem reports whether a part is an item of its own. Items of no known kind are the assistant's,
// so those in messages of other roles are blocks of their content. In the assistant's, an unknown
// part is an item if it was one in the request, or else if the message's own JSON does not hold it.
func (w *itemWriter) isItem(p preflight.Part) bool {
	o, ok := p.(*preflight.Other)
	if !ok {
		return isWhole(p)
	}
	if bytes.Equal(o.Native.JSON, w.m.Native.JSON) {
		return true
	}
	if contentKinds[o.Kind] || !callsTools(w.m.Role) && !isItemKind(o.Kind) {
		return false
	}
	return w.wasElement(o, true)
}

// dropRefused drops members that OpenAI refuses.
func (w *itemWriter) dropRefused(item *member, keys ...string) {
	if w.strict {
		item.drop(keys...)
	}
}

// writeID sets the id of an item. The first item of a message has the message's.
func (w *itemWriter) writeID(item *member) {
	if v := item.v.Get("id"); w.id != "" {
		item.text("id", w.id)
	} else if v.Exists() && v.Kind() != jsonscan.Null {
		item.drop("id")
	}
	w.id = ""
}

// message writes parts as the content of a message.
func (w *itemWriter) message(parts []preflight.Part) ([][]byte, error) {
	native := w.native()
	o, item := openObject(native, openAIResponses, `{"role":"","content":[]}`, "message")
	if o.v.Get("content").Len() == 0 && len(native.JSON) == 0 {
		o, item = openObject(preflight.Native{}, openAIResponses, `{"role":""}`)
	}
	role := w.m.Role
	if role == preflight.RoleTool || role == "" {
		role = preflight.RoleUser
	}
	item.text("role", string(role))
	block := inputBlock
	if callsTools(role) {
		block = assistantBlock
	}
	if have := item.v.Get("content"); isEmptyList(have) && saysNothing(parts) {
		// it stays
	} else if len(parts) > 0 {
		o.content(item, "content", parts, block)
	} else if !have.Exists() || have.Len() > 0 ||
		!have.StrIs("") && have.Kind() == jsonscan.String {
		item.raw("content", []byte("[]"))
	}
	w.dropRefused(item, "tool_calls", "cache_control")
	if isShortMessage(item.v) {
		w.dropRefused(item, "status")
	}
	w.writeID(item)
	return o.pieces()
}

// item writes a part that is an item by itself.
func (w *itemWriter) item(p preflight.Part) ([][]byte, error) {
	switch p := p.(type) {
	case *preflight.Reasoning:
		return w.reasoning(p)
	case *preflight.ToolCall:
		return w.call(p)
	case *preflight.ToolResult:
		return w.result(p)
	case *preflight.Other:
		return w.other(p)
	}
	return nil, noForm(preflight.PartKind(p))
}

func (w *itemWriter) other(p *preflight.Other) ([][]byte, error) {
	if p.Native.Format != openAIResponses || len(p.Native.JSON) == 0 {
		return nil, noFormOf(p.Kind)
	}
	o, item := openObject(p.Native, openAIResponses, `{}`)
	if p.Kind != itemReference {
		w.writeID(item)
	}
	w.dropRefused(item, "cache_control")
	if p.Kind == imageCall {
		w.dropRefused(item, "action")
	}
	if action := item.v.Get("action"); action.Kind() == jsonscan.Object {
		if action.Get("sources").Kind() == jsonscan.Array {
			w.dropRefused(o.member(action), "sources")
		}
		if p.Kind == webSearch && isQueryless(action) {
			w.dropRefused(o.member(action), "query")
		}
	}
	return o.pieces()
}

func (w *itemWriter) reasoning(r *preflight.Reasoning) ([][]byte, error) {
	o, item := openObject(r.Native, openAIResponses, `{"type":"reasoning","summary":[]}`,
		"reasoning")
	item.text("type", "reasoning")
	w.writeID(item)
	switch have, text := summaryText(item.v), thoughtsOf(r); {
	case have != text && text != "":
		item.o.SetMember("summary",
			[]byte(`[{"type":"summary_text","text":`+string(quoted(text))+`}]`))
	case have != text, w.strict && item.v.Get("summary").Kind() != jsonscan.Array:
		item.o.SetMember("summary", []byte("[]"))
	}
	item.optional("encrypted_content", r.Opaque)
	if item.v.Get("content").Len() > 0 {
		w.dropRefused(item, "content")
	}
	w.dropRefused(item, "status", "cache_control")
	return o.pieces()
}

func (w *itemWriter) call(c *preflight.ToolCall) ([][]byte, error) {
	kind := callKind(c.Variant)
	template := `{"type":"` + kind.kind + `","call_id":"","name":"","` + kind.payload + `":""}`
	if kind.name != "" {
		template = `{"type":"` + kind.kind + `","call_id":"","status":"completed","` +
			kind.payload + `":{}}`
	}
	o, item := openObject(c.Native, openAIResponses, template, kind.kind)
	item.text("type", kind.kind)
	w.writeID(item)
	item.text("call_id", c.ID)
	payload := item.v.Get(kind.payload)
	if kind.name == "" {
		item.text("name", c.Name)
		if payload.Kind() != jsonscan.String || !bytes.Equal(payload.Bytes(), c.Input) {
			item.o.SetMember(kind.payload, quoted(string(c.Input)))
		}
	} else if !bytes.Equal(c.Input, item.v.Raw()) && len(c.Input) > 0 {
		item.raw(kind.payload, c.Input)
	}
	w.dropRefused(item, "cache_control")
	return o.pieces()
}

func (w *itemWriter) result(r *preflight.ToolResult) ([][]byte, error) {
	kind := callKind(r.Variant)
	kinds := []string{kind.output}
	template := `{"type":"` + kind.output + `","call_id":""}`
	switch kind.variant {
	case localShell:
		kinds = append(kinds, itemCalls[0].output)
	case toolSearch:
		kinds = append(kinds, itemCalls[0].output)
		template = `{"type":"` + kind.output +
			`","call_id":"","execution":"client","status":"completed","tools":[]}`
	}
	o, item := openObject(r.Native, openAIResponses, template, kinds...)
	if item.v.Get("type").Kind() != jsonscan.String {
		item.text("type", kind.output)
		if kind.variant == toolSearch {
			item.text("execution", "client") // otherwise it would be the provider's
		}
	}
	w.writeID(item)
	item.text("call_id", r.CallID)
	w.output(o, item, r, kind)
	w.dropRefused(item, "cache_control")
	return o.pieces()
}

// output writes the output of a result in the form of its kind.
func (w *itemWriter) output(o *object, item *member, r *preflight.ToolResult, kind *itemCall) {
	parts, have := contentOf(r), item.v.Get("output")
	isSearch := kind.variant == toolSearch
	asFunction := isSearch && item.v.Get("type").StrIs(itemCalls[0].output)
	switch {
	case isSearch && !asFunction:
		switch {
		case valueOf(r.Output).Kind() == jsonscan.Array && len(r.Content) == 0:
			item.raw("tools", r.Output)
		case len(r.Content)+len(r.Output) > 0: // tools are a list, whatever the result was before
			tools, _ := outputLists(r)
			item.o.SetMember("tools", joined(tools))
		}
	case (holdsContent(kind) || asFunction) && len(parts) > 0:
		o.content(item, "output", parts, inputBlock)
	case holdsContent(kind) || asFunction:
		if have.Kind() != jsonscan.String || !have.StrIs("") {
			item.raw("output", []byte(`""`))
		}
	case kind.variant == "apply_patch_call":
		if status := item.v.Get("status"); status.StrIs("failed") != r.IsError || !status.Exists() {
			item.text("status", map[bool]string{true: "failed", false: "completed"}[r.IsError])
		}
		if len(r.Content) > 0 {
			item.text("output", strings.Join(textsOf(r.Content), "\n"))
		}
	case kind.variant == "shell_call" && !isShellOutput(r):
		item.o.SetMember("output", shellOutput(r))
	case len(r.Output) > 0:
		item.raw("output", r.Output)
	}
}

// isShellOutput reports whether a result has no output, or a list as a shell returns it.
func isShellOutput(r *preflight.ToolResult) bool {
	_, list := elementsOf(r.Output)
	return len(r.Content) == 0 && (list || len(r.Output) == 0)
}

// shellOutput returns the output of a shell, a list of chunks: its own, those of results that were
// merged into it, and other texts as the error output of a failed command.
func shellOutput(r *preflight.ToolResult) []byte {
	chunks, words := outputLists(r)
	if len(words) > 0 {
		chunks = append(chunks, []byte(`{"stdout":"","stderr":`+
			string(quoted(strings.Join(words, "\n")))+
			`,"outcome":{"type":"exit","exit_code":1}}`))
	}
	return joined(chunks)
}

// outputLists returns the elements of the lists that a result holds, its own and those of merged
// results. words are texts that are no list.
func outputLists(r *preflight.ToolResult) (elements [][]byte, words []string) {
	for _, text := range append([]string{string(r.Output)}, textsOf(r.Content)...) {
		if list, ok := elementsOf([]byte(text)); ok {
			elements = append(elements, list...)
		} else if text != "" {
			words = append(words, text)
		}
	}
	return elements, words
}

// elementsOf returns the elements of a JSON list of objects; ok is false for anything else.
func elementsOf(list []byte) (elements [][]byte, ok bool) {
	whole := valueOf(list)
	if whole.Kind() != jsonscan.Array {
		return nil, false
	}
	for v := whole.First(); v.Exists(); v = v.Next() {
		if v.Kind() != jsonscan.Object {
			return nil, false
		}
		elements = append(elements, v.Raw())
	}
	return elements, true
}
