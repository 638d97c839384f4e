package remedy

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/wire"
)

// This file is the remedy that drops the members of messages that a refusal names: a provider that
// says of a member that it does not know it takes the request without it.

// histories are the members of a body that hold its history.
var histories = []string{"messages", "input", "contents", "system"}

// needed are the members that are never dropped: content, what pairs calls with results, what a
// provider signed, and what names the kind of an object. They are spelled as plain has them.
var needed = func() map[string]bool {
	set := map[string]bool{}
	for name := range strings.FieldsSeq(`
		role type kind content parts text thinking summary refusal transcript
		name arguments args input output response result results error
		toolcalls function functioncall functionresponse tooluse toolresult custom action
		callid toolcallid tooluseid tooluseids signature thoughtsignature
		encryptedcontent redactedcontent reasoningtext data
		source imageurl inputaudio filedata inlinedata image document audio video file url uri
		bytes json query queries`) {
		set[name] = true
	}
	return set
}()

// empty are the needed members that do not make up an object by themselves.
var empty = map[string]bool{"role": true, "type": true, "kind": true, "name": true}

// payloads are the members whose objects are the caller's or a tool's own.
var payloads = map[string]bool{
	"args": true, "arguments": true, "input": true, "response": true, "parameters": true,
	"json": true, "schema": true,
}

// plain returns a name without what spellings differ in: thought_signature and thoughtSignature.
func plain(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }

// dropNamed returns the body that was refused without the members that the refusal names, and
// without those like them: of the same name, in the same place of messages of the same kind,
// because a provider may name only the first. dropped is empty if there is nothing to drop.
func dropNamed(sent []byte, refusal string) (edited []byte, dropped []string, forms []like) {
	edited = sent
	for _, n := range namedIn(refusal) {
		doc, err := jsonscan.Parse(edited)
		if err != nil {
			return sent, nil, nil
		}
		found, ok := locate(doc.Root(), n)
		if !ok || !found.optional() {
			continue
		}
		form := found.like()
		var paths []string
		if edited, paths, err = without(edited, form.in(doc.Root())); err != nil {
			return sent, nil, nil
		}
		dropped, forms = append(dropped, paths...), append(forms, form)
	}
	return edited, dropped, forms
}

// without returns a body without members in the given places, and their paths.
func without(body []byte, places []place) (edited []byte, paths []string, err error) {
	var edits jsonscan.Edits
	for _, p := range places {
		object := jsonscan.EditObject(p.object)
		object.DeleteMember(p.name)
		object.AppendTo(&edits)
		paths = append(paths, p.path()+"."+p.name)
	}
	edited, err = edits.Apply(body)
	return edited, paths, err
}

// place is an object of a body, and the way to it.
type place struct {
	object jsonscan.Value
	steps  []string // names and indices of the body
	name   string   // of the member in question, as the body spells it
}

// locate finds the member that a refusal names. Steps of its path that the body does not have are
// the names that validators give to kinds of messages and blocks.
func locate(root jsonscan.Value, n named) (place, bool) {
	at := place{object: root}
	for _, step := range n.steps {
		if index, isIndex := indexOf(step); isIndex {
			if at.object.Kind() != jsonscan.Array || index >= at.object.Len() {
				return place{}, false
			}
			at.object, at.steps = at.object.At(index), append(at.steps, strconv.Itoa(index))
			continue
		}
		key, v := memberOf(at.object, step)
		if k := v.Kind(); k == jsonscan.Object || k == jsonscan.Array {
			at.object, at.steps = v, append(at.steps, key)
		}
	}
	if len(at.steps) < 2 { // a setting, and no part of a message
		return place{}, false
	}
	key, v := memberOf(at.object, n.name)
	at.name = key
	return at, v.Exists() && allPlain(append(at.steps, key)) // they are in the path of the warning
}

// memberOf finds a member by its name, or by its name as another spelling has it.
func memberOf(object jsonscan.Value, name string) (key string, v jsonscan.Value) {
	if object.Kind() != jsonscan.Object {
		return "", jsonscan.Value{}
	}
	if v := object.Get(name); v.Exists() {
		return name, v
	}
	for v := object.First(); v.Exists(); v = v.Next() {
		if key := v.Key().Str(); plain(key) == plain(name) {
			return key, v
		}
	}
	return "", jsonscan.Value{}
}

// optional reports whether the object says the same without the member.
func (p *place) optional() bool {
	name := plain(p.name)
	if empty[name] || name == "content" || name == "id" && !p.ownID() ||
		needed[name] && !isEmpty(p.object.Get(p.name)) {
		return false
	}
	if slices.ContainsFunc(p.steps[1:], func(step string) bool { return payloads[plain(step)] }) {
		return false
	}
	if _, inList := indexOf(p.steps[len(p.steps)-1]); !inList {
		return p.object.Len() > 1 // the member of a message or a part, such as cache_control
	}
	for v := p.object.First(); v.Exists(); v = v.Next() {
		other := plain(v.Key().Str())
		if other != name && needed[other] && !empty[other] && v.Kind() != jsonscan.Null {
			return true // what the object is about stays
		}
	}
	return false
}

// isEmpty reports whether a value is null or a list without elements.
func isEmpty(v jsonscan.Value) bool {
	return v.Kind() == jsonscan.Null || v.Kind() == jsonscan.Array && v.Len() == 0
}

// ownID reports whether the id in an object is that of a message, an item or a part, and not of a
// call or a reference.
func (p *place) ownID() bool {
	switch kind := p.object.Get("type").Str(); {
	case kind == "item_reference", strings.HasSuffix(kind, "tool_use"),
		strings.HasSuffix(kind, "tool_call"):
		return false
	}
	n := len(p.steps)
	if _, inList := indexOf(p.steps[n-1]); !inList || n > 2 && p.steps[n-2] == "tool_calls" {
		return false
	}
	return p.object.Has("role") || p.object.Has("call_id") || p.steps[0] == "contents" ||
		len(p.steps) == 2 && p.object.Has("type")
}

// path returns the way to the object as warnings spell it: messages[1].content[0].
func (p *place) path() string {
	var b strings.Builder
	for _, step := range p.steps {
		if _, isIndex := indexOf(step); isIndex {
			b.WriteString("[" + step + "]")
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(step)
	}
	return b.String()
}

// withoutNamed returns the result of the first attempt without the members that a refusal names,
// nil if it names none that can be dropped.
func withoutNamed(
	first *wire.Result, given, sent []byte, refusal string,
) (result *wire.Result, forms []like) {
	edited, dropped, forms := dropNamed(sent, refusal)
	if len(dropped) == 0 {
		return nil, nil
	}
	return withoutMembers(first, given, edited, dropped), forms
}

// withoutMembers returns a result whose body is edited: the members at the paths of its own were
// dropped.
func withoutMembers(first *wire.Result, given, edited []byte, dropped []string) *wire.Result {
	out := *first
	out.Body, out.Changed = edited, !bytes.Equal(edited, given)
	out.Warnings = slices.Clone(first.Warnings)
	source := sources(first.Elements)
	for _, path := range dropped {
		out.Warnings = append(out.Warnings, wire.Warning{
			Warning: preflight.Warning{
				Code: codes.FieldRemoved, At: preflight.At(-1),
				Detail: "removed a member that the provider named as unknown",
			},
			Path: source(path),
		})
	}
	out.Elements = elementsOf(first.Elements, given, edited)
	return &out
}

// sources returns a function that makes a path into the repaired body one into the caller's.
func sources(elements []wire.Element) func(path string) string {
	return func(path string) string {
		list, rest, _ := strings.Cut(path, "[")
		index, rest, _ := strings.Cut(rest, "]")
		k, isIndex := indexOf(index)
		if elements == nil || !isIndex || list == "system" || k >= len(elements) ||
			elements[k].From < 0 {
			return path
		}
		return list + "[" + strconv.Itoa(elements[k].From) + "]" + rest
	}
}

// elementsOf returns the elements of the edited body's list of messages.
func elementsOf(elements []wire.Element, given, edited []byte) []wire.Element {
	before, after := listOf(given), listOf(edited)
	out := make([]wire.Element, len(after))
	for k, raw := range after {
		out[k] = wire.Element{From: k, JSON: raw}
		if elements != nil && k < len(elements) {
			out[k].From = elements[k].From
		}
		if from := out[k].From; from >= 0 && from < len(before) && string(before[from]) == string(raw) {
			out[k].JSON = nil
		}
	}
	return out
}

// listOf returns the elements of the list of messages of a body.
func listOf(body []byte) [][]byte {
	doc, err := jsonscan.Parse(body)
	if err != nil {
		return nil
	}
	var out [][]byte
	for _, name := range histories[:3] {
		if list := doc.Root().Get(name); list.Kind() == jsonscan.Array {
			for v := list.First(); v.Exists(); v = v.Next() {
				out = append(out, v.Raw())
			}
			return out
		}
	}
	return nil
}
