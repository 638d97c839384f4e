package preflight

import (
	"encoding/json"

	"github.com/go-preflight/preflight/internal/respell"
)

// This file updates the JSON that a message was decoded from to agree with its repaired parts.

// mirrorNatives updates the native JSON of every changed part and message.
func (d *draft) mirrorNatives() {
	for i := range d.nodes {
		var changes []respell.Change
		for j, p := range d.nodes[i].Parts {
			o := d.origin(i, j)
			if o.msg < 0 {
				continue
			}
			before := d.given[o.msg].Parts[o.part]
			if before == p || isNil(before) {
				continue
			}
			now, here := mirrored(before, p)
			if now != p {
				d.own(i).Parts[j] = now
			}
			changes = append(changes, here...)
		}
		n := &d.nodes[i]
		switch {
		case len(n.Native.JSON) == 0:
		case d.lostParts(i):
			n.Native = Native{}
		case len(changes) > 0:
			n.Native = respelledNative(n.Native, changes)
		}
	}
}

// lostParts reports whether node i lost a part that held content, or has a part with changes that
// respellings cannot describe. The native JSON of the message then shows content that was removed.
func (d *draft) lostParts(i int) bool {
	n := &d.nodes[i]
	if n.src < 0 || n.from == nil {
		return false
	}
	kept := make(map[int32]Part, len(n.from))
	for j, o := range n.from {
		if o.msg == n.src {
			kept[o.part] = n.Parts[j]
		}
	}
	for j, before := range d.given[n.src].Parts {
		now, ok := kept[int32(j)]
		if !ok && !isNil(before) && tallyPart(before).Bytes > 0 {
			return true
		}
		if ok && now != before && !isNil(before) {
			if _, explained := respellings(before, now); !explained {
				return true
			}
		}
	}
	return false
}

// mirrored returns p, which replaced before, with native JSON that agrees with it, and the changes.
// It removes native JSON that cannot be updated, since that may hold other removed content.
func mirrored(before, p Part) (Part, []respell.Change) {
	changes, explained := respellings(before, p)
	native := p.carried().Native
	if explained && len(changes) == 0 || len(native.JSON) == 0 && !holdsNative(p) {
		return p, changes
	}
	c := copyPart(p)
	if !explained {
		c.carried().Native = Native{}
		return c, changes
	}
	if len(native.JSON) > 0 {
		c.carried().Native = respelledNative(native, changes)
	}
	if r, ok := c.(*ToolResult); ok {
		c = withContent(r, func(nested Part) Part {
			if isNil(nested) || len(nested.carried().Native.JSON) == 0 {
				return nested
			}
			n := copyPart(nested)
			n.carried().Native = respelledNested(n.carried().Native, changes)
			return n
		})
	}
	return c, changes
}

// holdsNative reports whether a part inside p has native JSON.
func holdsNative(p Part) bool {
	r, ok := p.(*ToolResult)
	if !ok {
		return false
	}
	for _, nested := range r.Content {
		if !isNil(nested) && len(nested.carried().Native.JSON) > 0 {
			return true
		}
	}
	return false
}

// respellings returns the changed values of a part; explained reports whether these are all the
// changes of its content.
func respellings(before, p Part) (changes []respell.Change, explained bool) {
	text := func(a, b string) {
		if a != b && a != "" {
			changes = append(changes, respell.Change{Old: a, Now: b})
		}
	}
	raw := func(a, b json.RawMessage) {
		if string(a) != string(b) && len(a) > 0 {
			changes = append(changes, respell.Change{
				Old: string(a), Now: or(string(b), "null"), Raw: true,
			})
		}
	}
	switch a := before.(type) {
	case *Text:
		b, ok := p.(*Text)
		if ok {
			text(a.Text, b.Text)
		}
		return changes, ok
	case *Reasoning:
		b, ok := p.(*Reasoning)
		if ok {
			text(a.Text, b.Text)
			ok = a.Signature == b.Signature && a.Opaque == b.Opaque
		}
		return changes, ok
	case *ToolCall:
		b, ok := p.(*ToolCall)
		if ok {
			raw(a.Input, b.Input)
		}
		return changes, ok
	case *ToolResult:
		b, ok := p.(*ToolResult)
		if !ok {
			return nil, false
		}
		raw(a.Output, b.Output)
		explained = len(a.Content) == len(b.Content)
		for k := range min(len(a.Content), len(b.Content)) {
			if a.Content[k] != b.Content[k] {
				nested, ok := nestedRespellings(a.Content[k], b.Content[k])
				changes, explained = append(changes, nested...), explained && ok
			}
		}
		return changes, explained
	}
	return nil, samePart(before, p)
}

func nestedRespellings(before, p Part) ([]respell.Change, bool) {
	a, ok := before.(*Text)
	b, same := p.(*Text)
	switch {
	case !ok || !same || a == nil || b == nil:
		return nil, samePart(before, p)
	case a.Text == b.Text || a.Text == "":
		return nil, true
	}
	return []respell.Change{{Old: a.Text, Now: b.Text}}, true
}

// respelledNative returns native JSON with changed values, or none when it holds none of the old
// values.
func respelledNative(native Native, changes []respell.Change) Native {
	if out, found := respellJSON(native, changes); found {
		return out
	}
	return Native{}
}

// respelledNested returns the native JSON of a part inside another with changed values. It keeps
// native JSON that holds none of the old values, since the change may be in another part.
func respelledNested(native Native, changes []respell.Change) Native {
	out, _ := respellJSON(native, changes)
	return out
}

func respellJSON(native Native, changes []respell.Change) (out Native, found bool) {
	raw, found := respell.JSON(native.JSON, changes)
	return Native{native.Format, raw}, found
}
