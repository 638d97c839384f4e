// Package natives makes the JSON that messages were decoded from agree with changed parts: what was
// removed is not left in that JSON, which json.Marshal of a message writes.
package natives

import (
	"encoding/json"
	"reflect"
	"slices"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/respell"
)

// This file updates the JSON that a message was decoded from to agree with its changed parts.

// Rewrite updates the native JSON of every part and message of res that differs from given.
// all holds the sources of its messages.
func Rewrite(res *preflight.Result, all []Sources) {
	for i, was := range all {
		m := &res.Messages[i]
		var changes []respell.Change
		lost := was.Lost
		for j, p := range m.Parts {
			before := was.Parts[j].Before
			if before == nil || before == p {
				continue
			}
			now, here, explained := Rewritten(before, p)
			changes, lost = append(changes, here...), lost || !explained
			m.Parts[j] = now // in a slice of the result's own, since p is not the caller's
		}
		switch {
		case len(m.Native.JSON) == 0:
		case lost:
			m.Native = preflight.Native{}
		case len(changes) > 0:
			m.Native = Respelled(m.Native, changes)
		}
	}
}

// TallyOf returns the tally of one part.
func TallyOf(p preflight.Part) preflight.Tally {
	return preflight.TallyOf(preflight.Message{Parts: []preflight.Part{p}})
}

// Rewritten returns p, which replaced before, with native JSON that agrees with it, and the
// changes; explained reports whether these are all. It removes native JSON that cannot be updated,
// since that may hold other removed content.
func Rewritten(
	before, p preflight.Part,
) (now preflight.Part, changes []respell.Change, explained bool) {
	changes, explained = changesOf(before, p)
	if explained && len(changes) == 0 {
		return p, nil, true
	}
	c := preflight.CopyPart(p)
	native := &preflight.CarriedBy(c).Native
	switch {
	case !explained:
		*native = preflight.Native{}
		return c, changes, false
	case len(native.JSON) > 0:
		*native = Respelled(*native, changes)
	}
	if r, ok := c.(*preflight.ToolResult); ok {
		r.Content = slices.Clone(r.Content)
		for k, nested := range r.Content {
			r.Content[k] = rewrittenNested(nested, changes)
		}
	}
	return c, changes, true
}

// rewrittenNested returns a part of a result with changed values in its native JSON. It keeps
// native JSON that holds none of the old values, since the change may be in another part.
func rewrittenNested(p preflight.Part, changes []respell.Change) preflight.Part {
	carried := preflight.CarriedBy(p)
	if _, other := p.(*preflight.Other); other || carried == nil || len(carried.Native.JSON) == 0 {
		return p // the native JSON of an unknown part is its content
	}
	c := preflight.CopyPart(p)
	native := &preflight.CarriedBy(c).Native
	native.JSON, _ = respell.JSON(native.JSON, changes)
	return c
}

// Respelled returns native JSON with changed values, or none when it holds none of the old values.
func Respelled(native preflight.Native, changes []respell.Change) preflight.Native {
	raw, found := respell.JSON(native.JSON, changes)
	if !found {
		return preflight.Native{}
	}
	return preflight.Native{Format: native.Format, JSON: raw}
}

// changesOf returns the changed values of a part; explained reports whether these are all the
// changes of its content.
func changesOf(before, p preflight.Part) (changes []respell.Change, explained bool) {
	text := func(a, b string) {
		if a != b && a != "" {
			changes = append(changes, respell.Change{Old: a, Now: b})
		}
	}
	raw := func(a, b json.RawMessage) {
		if string(a) != string(b) && len(a) > 0 {
			if len(b) == 0 {
				b = json.RawMessage("null")
			}
			changes = append(changes, respell.Change{Old: string(a), Now: string(b), Raw: true})
		}
	}
	if preflight.CarriedBy(before) == nil || preflight.CarriedBy(p) == nil {
		return nil, preflight.CarriedBy(before) == preflight.CarriedBy(p)
	}
	switch a := before.(type) {
	case *preflight.Other:
		_, ok := p.(*preflight.Other)
		return nil, ok // its native JSON is its content, and what the hook made of it
	case *preflight.Text:
		if b, ok := p.(*preflight.Text); ok {
			text(a.Text, b.Text)
			return changes, true
		}
	case *preflight.Reasoning:
		if b, ok := p.(*preflight.Reasoning); ok {
			text(a.Text, b.Text)
			return changes, a.Signature == b.Signature && a.Opaque == b.Opaque
		}
	case *preflight.ToolCall:
		if b, ok := p.(*preflight.ToolCall); ok {
			raw(a.Input, b.Input)
			return changes, true
		}
	case *preflight.ToolResult:
		b, ok := p.(*preflight.ToolResult)
		if !ok || len(a.Content) != len(b.Content) {
			return nil, false
		}
		raw(a.Output, b.Output)
		for k := range a.Content {
			if a.Content[k] == b.Content[k] {
				continue
			}
			nested, ok := changesOf(a.Content[k], b.Content[k])
			if changes = append(changes, nested...); !ok {
				return changes, false
			}
		}
		return changes, true
	}
	return nil, sameContent(before, p)
}

// sameContent reports whether media have the same content.
func sameContent(a, b preflight.Part) bool {
	a, b = preflight.CopyPart(a), preflight.CopyPart(b)
	for _, c := range []*preflight.Carried{preflight.CarriedBy(a), preflight.CarriedBy(b)} {
		*c = preflight.Carried{}
	}
	return reflect.DeepEqual(a, b)
}
