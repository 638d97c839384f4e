package session

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file repairs lists of messages in the forms in which frameworks store them. The forms
// themselves are in files of their own.

// listForm is a form of storage: a JSON list with an element for each message.
type listForm struct {
	name  string
	title string

	// What follows is of forms that are those of a client's session files.

	programs []string // the names of the client's processes
	places   []Place  // where it keeps sessions
	habits   []habits // of the versions that were measured
	// version returns the version of the client that a document names.
	version func(jsonscan.Value) string
	// answers is the text with which the client itself answers a call without a result, given the
	// name of its tool; nil for one that does not.
	answers func(name string) string
	// heals reports that the client replaces lone surrogates itself.
	heals bool
	// folder returns the folder in which the client works on the session of a file, "" if it is not
	// known.
	folder func(name string) string
	// content reads an element as a record of a log, and what a repair of the request does to the
	// content of messages is done to the elements. Nil for a form whose programs are not known.
	content *client
	// renamed gives results the names of their calls, after those were repaired.
	renamed func(*log)

	// shows reports whether an element is in the form, and in no other.
	shows func(jsonscan.Value) bool
	// read returns what an element says.
	read func(jsonscan.Value) listMessage
	// answer returns an element with failed results of calls that an element makes, and where it
	// is put. next is the element after it, or Absent.
	answer func(of, next jsonscan.Value, calls []listCall, text string) ([]byte, place)
	// without returns an element without some of its results, by their index; nil if nothing is
	// left of it.
	without func(of jsonscan.Value, removed map[int]Code) []byte
}

// place is where the answer to calls is put.
type place int

const (
	insteadOfNext place = iota + 1
	insteadOfCalls
	afterCalls
)

// listForms are the known forms. To add one, write a file with a value and list it here.
var listForms = []*listForm{
	&uiMessages, &modelMessages, &pydanticMessages, &langchainMessages, &clineCLI,
}

// listMessage is what is read of an element.
type listMessage struct {
	role    string // user, assistant, system; results count as the user's
	id      string // of an element that the client knows by an id
	again   bool   // it is in the list before, and is removed
	text    string
	calls   []listCall
	results []listResult
}

type listCall struct {
	id, name string
	input    []byte // JSON, nil for none
	closed   bool   // it needs no result, or has it in the same place
	waits    bool   // it is closed as long as nothing follows it
	content  string // of the result, where it is in the same place
	index    int    // of the part of the element
}

type listResult struct {
	id, name, content string
	index             int            // of the part of the element
	text              jsonscan.Value // a string that is all that it says, Absent for none
}

// listOf returns the form of a JSON document and its list: the document itself, or its member
// messages.
func listOf(data []byte) (*listForm, jsonscan.Value) {
	doc, err := jsonscan.Parse(data)
	if err != nil {
		return nil, jsonscan.Value{}
	}
	list := doc.Root()
	if list.Kind() == jsonscan.Object {
		list = list.Get("messages")
	}
	for _, element := range elements(list) {
		for _, f := range listForms {
			if f.shows(element) {
				return f, list
			}
		}
	}
	return nil, list
}

// repairList repairs a list, and returns the document with it. removed are results that have to go.
func (f *listForm) repairList(
	data []byte, list jsonscan.Value, removed map[int]map[int]Code, r *Report,
) ([]byte, error) {
	all := elements(list)
	messages := f.readAll(all)
	markAgain(all, messages)
	m, last, path := match(messages, r.text, removed), lastResults(all, messages), pathsOf(list)
	var edits jsonscan.Edits
	replaced := map[int]bool{}
	kept := false // an element before stays
	insert := func(k int, raw []byte) {
		at := last[k].End()
		edits.Replace(at, at, append([]byte(","), raw...))
	}
	for k, element := range all {
		if messages[k].again {
			remove(&edits, all, k, kept)
			r.add(Finding{
				Code: CodeDoubledLine, Rows: []string{path(k)},
				Problem: "the message is in the list twice",
				Fix:     "remove the second one",
			})
			continue
		}
		found := Finding{
			Code: CodeDanglingCall, Rows: []string{path(k)},
			Problem: "a tool call has no result",
			Fix:     "add an error result",
		}
		if calls := m.open[k]; len(calls) > 0 && f.answers == nil {
			next := jsonscan.Value{}
			_, late := m.late[k+1]
			if k+1 < len(all) && m.removed[k+1] == nil && !late {
				next = all[k+1]
			}
			raw, put := f.answer(element, next, calls, r.text)
			r.add(found)
			switch put {
			case insteadOfNext:
				edits.Replace(next.Start(), next.End(), raw)
				replaced[k+1] = true
			case insteadOfCalls:
				edits.Replace(element.Start(), element.End(), raw)
				replaced[k] = true
			default:
				insert(k, raw)
			}
		}
		for _, late := range m.after[k] {
			insert(k, all[late].Raw())
		}
		if of, late := m.late[k]; late {
			remove(&edits, all, k, kept)
			problem := "the result comes after other messages than its call"
			if k < of {
				problem = "the result comes before its call"
			}
			r.add(Finding{
				Code: CodeOutOfOrder, Rows: []string{path(k)}, Problem: problem,
				Fix: "move the result after its call",
			})
			continue
		}
		if m.removed[k] != nil && !replaced[k] {
			r.addRemoved(path(k), m.removed[k])
			left := f.without(element, m.removed[k])
			if left == nil {
				remove(&edits, all, k, kept)
				continue
			}
			edits.Replace(element.Start(), element.End(), left)
		}
		kept = true
	}
	if edits.Len() == 0 {
		return data, nil
	}
	out, err := edits.Apply(data)
	if err != nil {
		return data, err
	}
	return bytes.Clone(out), nil
}

// markAgain marks elements that are in the list again, of those that the client knows by an id.
func markAgain(all []jsonscan.Value, messages []listMessage) {
	seen := map[string]bool{}
	for k := range messages {
		if messages[k].id == "" {
			continue
		}
		raw := string(all[k].Raw())
		if seen[raw] {
			messages[k] = listMessage{again: true}
		}
		seen[raw] = true
	}
}

// lastResults returns for each element the last of the elements with results that follow it, or it.
func lastResults(all []jsonscan.Value, messages []listMessage) []jsonscan.Value {
	last := slices.Clone(all)
	for k := len(all) - 2; k >= 0; k-- {
		if len(messages[k+1].results) > 0 {
			last[k] = last[k+1]
		}
	}
	return last
}

// pathsOf returns the paths of the elements of a list. Value.Path walks over all before the value.
func pathsOf(list jsonscan.Value) func(k int) string {
	path := list.Path()
	return func(k int) string { return fmt.Sprintf("%s[%d]", path, k) }
}

// removals says what is wrong with results that are removed, and what is done about it.
var removals = []Finding{
	{
		Code:    CodeOrphanResult,
		Problem: "a result's tool call is not in the list",
		Fix:     "remove the result: no call asks for it any more",
	},
	{
		Code: CodeDoubledResult, Problem: "a tool result is in the list twice",
		Fix: "remove the second one",
	},
	lateResult,
}

// lateResult is the finding of a result that an earlier repair added.
var lateResult = Finding{
	Code:    CodeLateResult,
	Problem: "the tool's own result arrived after a repair had added one",
	Fix:     "remove the added result",
}

// addRemoved adds the findings of the results that are removed from an element.
func (r *Report) addRemoved(path string, why map[int]Code) {
	for _, finding := range removals {
		for _, code := range why {
			if code == finding.Code {
				finding.Rows = []string{path}
				r.add(finding)
				break
			}
		}
	}
}

// remove removes element k with the comma before it, or the one after it if kept is false: then no
// element before it stays.
func remove(edits *jsonscan.Edits, all []jsonscan.Value, k int, kept bool) {
	start, end := all[k].Start(), all[k].End()
	if kept {
		start = all[k-1].End()
	} else if k+1 < len(all) {
		end = all[k+1].Start()
	}
	edits.Replace(start, end, nil)
}

func (f *listForm) readAll(all []jsonscan.Value) []listMessage {
	messages := make([]listMessage, len(all))
	for k, element := range all {
		messages[k] = f.says(element)
	}
	return messages
}

// session returns what a list comes to as Chat messages.
func (f *listForm) session(list jsonscan.Value) *Session {
	if f.content != nil {
		return f.contentOf(list)
	}
	var messages []message
	s := &Session{Rows: [][]string{}}
	all, path := elements(list), pathsOf(list)
	read := f.readAll(all)
	answered := map[string]bool{} // calls, by their id
	for _, said := range read {
		for _, result := range said.results {
			answered[result.id] = true
		}
	}
	for k, said := range read {
		var raws [][]byte
		for _, result := range said.results {
			raws = append(raws, chatToolMessage(result.id, result.content))
		}
		if said.text != "" || len(said.calls) > 0 {
			raws = append(raws, said.chat())
		}
		for _, c := range said.calls {
			if c.closed && !answered[c.id] && (!c.waits || k == len(read)-1) {
				raws = append(raws, chatToolMessage(c.id, c.content))
			}
		}
		for _, c := range said.calls {
			if f.answers != nil && !answered[c.id] {
				raws = append(raws, chatToolMessage(c.id, f.answers(c.name)))
			}
		}
		for _, raw := range raws {
			messages = append(messages, message{json: raw})
			s.Rows = append(s.Rows, []string{path(k)})
		}
	}
	built := (&client{name: f.name, format: "openai-chat"}).session(messages)
	built.setBody()
	built.Lines, built.Rows = nil, s.Rows
	return built
}

// chat returns a message without its results as a Chat message.
func (m *listMessage) chat() []byte {
	members := []any{"role", m.role, "content", m.text}
	if len(m.calls) > 0 {
		var calls [][]byte
		for _, c := range m.calls {
			input := c.input
			if len(input) == 0 || input[0] != '{' {
				input = []byte("{}")
			}
			calls = append(calls, chatCall(c.id, c.name, string(input)))
		}
		members = append(members, "tool_calls", array(calls...))
	}
	return object(members...)
}

func chatCall(id, name, arguments string) []byte {
	return object("id", id, "type", "function",
		"function", object("name", name, "arguments", arguments))
}

func chatToolMessage(id, content string) []byte {
	return object("role", "tool", "tool_call_id", id, "content", content)
}

// withoutElements returns a list without some of its elements, and with others in their place.
func withoutElements(list jsonscan.Value, removed map[int]bool, instead map[int][]byte) []byte {
	var kept [][]byte
	for k, element := range elements(list) {
		switch {
		case removed[k]:
		case instead[k] != nil:
			kept = append(kept, instead[k])
		default:
			kept = append(kept, element.Raw())
		}
	}
	return array(kept...)
}

// withoutParts returns an element without some of the parts in its list of a name; nil if no part
// is left.
func withoutParts(of jsonscan.Value, name string, why map[int]Code) []byte {
	removed := map[int]bool{}
	for part := range why {
		removed[part] = true
	}
	parts := withoutElements(of.Get(name), removed, nil)
	if string(parts) == "[]" {
		return nil
	}
	return setMember(of, parts, name)
}

// textOf returns the text of a value: a string, the text parts of a list, or its JSON.
func textOf(v jsonscan.Value) string {
	switch v.Kind() {
	case jsonscan.String:
		return v.Str()
	case jsonscan.Array:
		var texts []string
		for _, part := range elements(v) {
			switch text := part.Get("text"); {
			case part.Kind() == jsonscan.String:
				texts = append(texts, part.Str())
			case text.Kind() == jsonscan.String:
				texts = append(texts, text.Str())
			}
		}
		return strings.Join(texts, "\n")
	}
	return string(v.Raw())
}

// oneOf reports whether a value is one of some strings.
func oneOf(v jsonscan.Value, names ...string) bool {
	return v.Kind() == jsonscan.String && slices.Contains(names, v.Str())
}
