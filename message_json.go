package preflight

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/go-preflight/preflight/internal/neutraljson"
	"github.com/go-preflight/preflight/internal/respell"
)

// This file reads and writes the JSON form of messages. The native JSON of parts is in that form,
// too: this file makes it agree with a part that was changed.

// errPart is wrapped by the errors of reading a part.
var errPart = errors.New("preflight: not a message part")

// MarshalJSON writes the message in its JSON form:
//
//	{"role":"user","id":"…","name":"…","parts":[…],"meta":{"openai":{…}},
//	 "native":{"format":"anthropic","json":"…"}}
//
// A part is an object with a "type":
//
//	{"type":"text","text":"…"}
//	{"type":"reasoning","text":"…","signature":"…","opaque":"…"}
//	{"type":"tool_call","id":"…","name":"…","input":{…},
//	 "provider_executed":true,"awaiting":"approval","variant":"…","signature":"…"}
//	{"type":"tool_result","call_id":"…","name":"…","content":[parts],"output":{…},
//	 "is_error":true,"provider_executed":true,"variant":"…"}
//	{"type":"media","kind":"image","media_type":"…",
//	 "data":"…","url":"…","file_id":"…","name":"…"}
//	{"type":"other","kind":"…"}
//
// Every part may also have "meta", "cache" and "native". Fields with their zero value are left out.
// Native JSON is written as a string, so that every byte of it survives; arguments and outputs that
// are not JSON, or that encoding/json would respell (white space, "<"), are written as "input_text"
// and "output_text". Strings that are not valid UTF-8 cannot survive JSON: repair them first. It
// fails on a nil part, and on parts that no tool result may hold.
func (m Message) MarshalJSON() ([]byte, error) {
	out := neutraljson.Message{
		Role: string(m.Role), ID: m.ID, Name: m.Name, Meta: m.Meta, Native: m.Native.form(),
		Parts: make([]neutraljson.Part, 0, len(m.Parts)),
	}
	for j, p := range m.Parts {
		f, err := formOf(p)
		if err != nil {
			return nil, fmt.Errorf("parts[%d]: %w", j, err)
		}
		out.Parts = append(out.Parts, f)
	}
	return neutraljson.Encode(out)
}

// UnmarshalJSON reads the JSON form that MarshalJSON writes. On error the message stays as it was.
func (m *Message) UnmarshalJSON(data []byte) error {
	var in neutraljson.Message
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	out := Message{Role: Role(in.Role), ID: in.ID, Name: in.Name, Meta: in.Meta,
		Native: nativeOf(in.Native)}
	for j := range in.Parts {
		p, err := partOf(&in.Parts[j])
		if err != nil {
			return fmt.Errorf("parts[%d]: %w", j, err)
		}
		out.Parts = append(out.Parts, p)
	}
	*m = out
	return nil
}

func (n Native) form() *neutraljson.Native {
	if n.JSON == nil && n.Format == "" {
		return nil
	}
	return &neutraljson.Native{Format: n.Format, JSON: string(n.JSON)}
}

func nativeOf(n *neutraljson.Native) Native {
	if n == nil {
		return Native{}
	}
	return Native{n.Format, json.RawMessage(n.JSON)}
}

// formOf returns the JSON form of a part.
func formOf(p Part) (neutraljson.Part, error) {
	if isNil(p) {
		return neutraljson.Part{}, fmt.Errorf("%w: it is nil", errPart)
	}
	c := p.carried()
	f := neutraljson.Part{Type: PartKind(p), Meta: c.Meta, Cache: c.Cache, Native: c.Native.form()}
	switch p := p.(type) {
	case *Text:
		f.Text = p.whole()
	case *Reasoning:
		f.Text, f.Signature, f.Opaque = p.whole(), p.Signature, p.Opaque
	case *ToolCall:
		f.ID, f.Name, f.ProviderExecuted, f.Awaiting, f.Variant = p.ID, p.Name, p.ProviderExecuted,
			string(p.Awaiting), p.Variant
		f.Signature = p.Signature
		f.Input, f.InputText = neutraljson.RawOrText(p.Input)
	case *ToolResult:
		f.CallID, f.Name, f.IsError, f.ProviderExecuted, f.Variant = p.CallID, p.Name, p.IsError,
			p.ProviderExecuted, p.Variant
		f.Output, f.OutputText = neutraljson.RawOrText(p.Output)
		for k, c := range p.Content {
			if !nestable(c) {
				return f,
					fmt.Errorf("%w: content[%d]: a tool result may not hold it", errPart, k)
			}
			nested, err := formOf(c)
			if err != nil {
				return f, err
			}
			f.Content = append(f.Content, nested)
		}
	case *Media:
		f.Kind, f.MediaType, f.Data, f.URL, f.FileID, f.Name = p.Kind, p.MediaType, p.Data, p.URL,
			p.FileID, p.Name
	case *Other:
		f.Kind = p.Kind
	}
	return f, nil
}

// partOf returns the part of a JSON form.
func partOf(f *neutraljson.Part) (Part, error) {
	c := Carried{Meta: f.Meta, Cache: f.Cache, Native: nativeOf(f.Native)}
	switch f.Type {
	case "text":
		return &Text{c, f.Text}, nil
	case "reasoning":
		return &Reasoning{c, f.Text, f.Signature, f.Opaque}, nil
	case "tool_call":
		return &ToolCall{c, f.ID, f.Name, neutraljson.TextOrRaw(f.InputText, f.Input),
			f.ProviderExecuted, Awaiting(f.Awaiting), f.Variant, f.Signature}, nil
	case "tool_result":
		r := &ToolResult{Carried: c, CallID: f.CallID, Name: f.Name,
			Output: neutraljson.TextOrRaw(f.OutputText, f.Output), IsError: f.IsError,
			ProviderExecuted: f.ProviderExecuted, Variant: f.Variant}
		for k := range f.Content {
			p, err := partOf(&f.Content[k])
			if err != nil {
				return nil, fmt.Errorf("content[%d]: %w", k, err)
			}
			if !nestable(p) {
				return nil,
					fmt.Errorf("content[%d]: %w: a tool result may not hold it", k, errPart)
			}
			r.Content = append(r.Content, p)
		}
		return r, nil
	case "media":
		return &Media{c, f.Kind, f.MediaType, f.Data, f.URL, f.FileID, f.Name}, nil
	case "other":
		return &Other{c, f.Kind}, nil
	}
	return nil, fmt.Errorf("%w: unknown type", errPart)
}

// agreed returns p, which takes the place of the part before, with native JSON that agrees with it,
// and what changes in the native JSON of the message around it. Native JSON that cannot be updated
// is removed, since it may hold removed content. If p has other native JSON than before, it is
// kept: whoever changed the part wrote it.
func agreed(before, p Part) (now Part, change nativeChange) {
	native := before.carried().Native
	values, explained := changesOf(before, p)
	change.values = values
	switch {
	case !explained:
		change = removal(before)
	case len(values) == 0 && sameBytes(native.JSON, p.carried().Native.JSON):
		return p, change
	}
	now = p
	_, other := p.(*Other)
	same := sameBytes(native.JSON, p.carried().Native.JSON)
	if !other && same && len(native.JSON) > 0 {
		if now = withoutNative(p); explained {
			*nativeIn(now) = respelled(native, values)
		}
	}
	if r, ok := now.(*ToolResult); ok {
		if b, ok := before.(*ToolResult); ok && same {
			now = edited(r, func(x *ToolResult) {
				x.Content = agreedContent(b.Content, r.Content, values, explained)
			})
		}
	}
	if mine := now.carried().Native.JSON; explained && len(native.JSON) > 0 {
		change.whole = respell.Change{Old: string(native.JSON), Now: string(mine),
			Raw: true, Cut: len(mine) == 0}
	}
	return now, change
}

// A nativeChange is what the change of a part changes in native JSON that holds the part: its own
// native JSON as a whole, if it has any, or else each of the values in it.
type nativeChange struct {
	whole   respell.Change
	values  []respell.Change
	removed bool // the part was removed, and is not empty
}

// removal returns the change for a part that was removed.
func removal(p Part) (change nativeChange) {
	tally := tallyPart(p)
	change.removed = tally.Bytes > 0 || tally.Texts+tally.Reasonings == 0
	if native := p.carried().Native.JSON; len(native) > 0 {
		change.whole = respell.Change{Old: string(native), Raw: true, Cut: true}
	}
	text := func(s string) {
		if s != "" {
			change.values = append(change.values, respell.Change{Old: s, Cut: true})
		}
	}
	switch p := p.(type) { // of other parts, the values are not all
	case *Text:
		text(p.whole())
	case *Reasoning:
		text(p.whole())
		text(p.Signature)
		text(p.Opaque)
	}
	return change
}

// renaming returns the change of the name of a message's author.
func renaming(old, now string) nativeChange {
	return nativeChange{whole: respell.Change{Old: old, Now: now, Key: "name"}}
}

// changed returns native JSON of a message with the changes of its parts, or none when it does not
// hold one of the old values. Native JSON that a hook wrote need not hold them.
func changed(native Native, parts []nativeChange, written bool) Native {
	var all []respell.Change
	for _, c := range parts {
		if c.whole.Old != "" {
			all = append(all, c.whole)
		}
		all = append(all, c.values...)
	}
	if len(all) == 0 {
		return native
	}
	raw, found := respell.JSON(native.JSON, all)
	for _, c := range parts {
		whole := false
		if c.whole.Old != "" {
			whole, found = found[0], found[1:]
		}
		each := found[:len(c.values)]
		if found = found[len(each):]; written || whole {
			continue
		}
		if slices.Contains(each, false) || len(each) == 0 && c.removed {
			return Native{}
		}
	}
	return Native{native.Format, raw}
}

// agreedContent returns what a result now holds with native JSON that agrees with it. was is what
// it had before, changes are what changed, and all reports whether these are all changes.
func agreedContent(was, now []Part, changes []respell.Change, all bool) []Part {
	before := make(map[string]Part, len(was))
	for _, p := range was {
		if !isNil(p) {
			before[string(p.carried().Native.JSON)] = p
		}
	}
	content, _ := mapped(now, func(p Part) Part {
		_, other := p.(*Other) // its native JSON is its content
		if other || isNil(p) || len(p.carried().Native.JSON) == 0 {
			return p
		}
		b, known := before[string(p.carried().Native.JSON)]
		if !known || reflect.DeepEqual(b, p) {
			return p
		}
		native := p.carried().Native
		raw, found := respell.JSON(native.JSON, changes)
		c := withoutNative(p)
		if all && slices.Contains(found, true) {
			*nativeIn(c) = Native{native.Format, raw}
		}
		return c
	})
	return content
}

// respelled returns native JSON with changed values, or none when it does not hold all old values:
// what it holds of them is not known.
func respelled(native Native, changes []respell.Change) Native {
	raw, found := respell.JSON(native.JSON, changes)
	if slices.Contains(found, false) {
		return Native{}
	}
	return Native{native.Format, raw}
}

// changesOf returns the changed values of a part; explained reports whether these are all the
// changes of its content.
func changesOf(before, p Part) (changes []respell.Change, explained bool) {
	text := func(a, b string) {
		if a != b && a != "" {
			changes = append(changes, respell.Change{Old: a, Now: b})
		}
	}
	raw := func(a, b json.RawMessage) {
		if !sameBytes(a, b) && len(a) > 0 {
			if len(b) == 0 {
				b = json.RawMessage("null")
			}
			changes = append(changes, respell.Change{Old: string(a), Now: string(b), Raw: true})
		}
	}
	if isNil(before) || isNil(p) {
		return nil, isNil(before) && isNil(p)
	}
	switch a := before.(type) {
	case *Other:
		_, ok := p.(*Other)
		return nil, ok // its native JSON is its content, and what a hook made of it
	case *Text:
		if b, ok := p.(*Text); ok {
			text(a.whole(), b.whole())
			return changes, true
		}
	case *Reasoning:
		if b, ok := p.(*Reasoning); ok {
			text(a.whole(), b.whole())
			return changes, a.Signature == b.Signature && a.Opaque == b.Opaque
		}
	case *ToolCall:
		if b, ok := p.(*ToolCall); ok {
			raw(a.Input, b.Input)
			return changes, true
		}
	case *ToolResult:
		b, ok := p.(*ToolResult)
		if !ok {
			return nil, false
		}
		raw(a.Output, b.Output)
		nested, explained := changesIn(a.Content, b.Content)
		return append(changes, nested...), explained
	}
	return nil, sameContent(before, p)
}

// changesIn is changesOf for the content of a result. Where parts were added or removed, the others
// are known by their native JSON or their text.
func changesIn(a, b []Part) (changes []respell.Change, explained bool) {
	key := func(p Part) string {
		if isNil(p) {
			return ""
		}
		if t, ok := p.(*Text); ok && len(t.Native.JSON) == 0 {
			return t.whole()
		}
		return string(p.carried().Native.JSON)
	}
	rest := make(map[string][]Part)
	if len(a) != len(b) {
		for _, p := range a {
			if !isNil(p) {
				rest[key(p)] = append(rest[key(p)], p)
			}
		}
	}
	for k, p := range b {
		var before Part
		if list := rest[key(p)]; len(a) == len(b) {
			before = a[k]
		} else if len(list) > 0 && !isNil(p) {
			before, rest[key(p)] = list[0], list[1:]
		}
		if before == p || before == nil {
			continue
		}
		nested, ok := changesOf(before, p)
		if changes = append(changes, nested...); !ok {
			return changes, false
		}
	}
	for _, p := range a {
		list := rest[key(p)]
		if len(list) == 0 || isNil(p) {
			continue
		}
		gone := removal(list[0])
		if rest[key(p)] = list[1:]; gone.whole.Old != "" {
			gone.values = append(gone.values, gone.whole)
		}
		changes = append(changes, gone.values...)
	}
	return changes, true
}

// sameContent reports whether media have the same content.
func sameContent(a, b Part) bool {
	a, b = CopyPart(a), CopyPart(b)
	*a.carried(), *b.carried() = Carried{}, Carried{}
	return reflect.DeepEqual(a, b)
}
