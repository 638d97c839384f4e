package wire

import (
	"bytes"
	"slices"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file writes leading system messages into the request's system member.

// encodeSystem writes the leading system messages into the system member, and returns the other
// messages. Formats without such a member keep them in the list. A message that moves is a finding.
func (r *Request) encodeSystem(
	top *jsonscan.ObjectEdit, messages []preflight.Message,
) (others []preflight.Message, found []finding, err error) {
	if r.format.system == "" || !r.whole() {
		return messages, nil, nil
	}
	own := r.ownsSystem()
	if !own && r.holdsSystem() {
		return messages, nil, nil
	}
	lead := leadingSystem(messages)
	if r.format.systemBeside && !slices.ContainsFunc(messages[:lead], r.isMember) && !own {
		return messages, nil, nil
	}
	var native preflight.Native
	parts := r.lead[:0]
	untouched := true
	for i := range messages[:lead] {
		m := &messages[i]
		switch {
		case r.isSystemMember(m):
			native = m.Native
			untouched = untouched && i == 0 && len(r.sources) > 0 && r.same(0, m)
			parts = append(parts, m.Parts...)
		case r.fitsSystemField(m):
			untouched = false
			if s := r.sourceOf(m, i); s >= 0 {
				found = append(found, r.hoisted(s))
			}
			text, settings := r.settingsOf(m)
			if parts = append(parts, text...); len(settings) > 0 {
				stays := *m
				stays.Parts = settings
				others = append(others, stays)
			}
		default:
			others = append(others, *m)
		}
	}
	r.lead = parts
	if others == nil {
		others = messages[lead:]
	} else {
		others = append(others, messages[lead:]...)
	}
	switch {
	case len(parts) == 0:
		if own {
			top.DeleteMember(r.systemKey())
			found = append(found, r.removeAlias(top)...)
		}
		return others, found, nil
	case untouched:
		return others, found, nil
	}
	raw, err := r.format.encodeSystem(native, parts)
	if err != nil {
		return nil, nil, err
	}
	top.SetPieces(r.systemKey(), raw)
	return others, found, nil
}

// ownsSystem reports whether the first message is the request's system member.
func (r *Request) ownsSystem() bool { return len(r.sources) > 0 && r.sources[0].index < 0 }

// holdsSystem reports whether the provider holds the system prompt, and refuses one in a request
// that continues the history.
func (r *Request) holdsSystem() bool { return r.State.ServerHoldsHistory && r.format.systemHeld }

// hoisted returns the finding that the message of source s moves to the system member.
func (r *Request) hoisted(s int) finding {
	return finding{
		code: codes.SystemHoisted, rule: r.format.systemRule,
		path:  r.requestPath(preflight.At(s)),
		at:    preflight.At(s),
		wrong: "a leading system message belongs into the request's system field",
		done:  "moved a leading system message to the request's system field",
	}
}

// leadingSystem counts the system messages at the start of the list.
func leadingSystem(messages []preflight.Message) int {
	n := 0
	for n < len(messages) && messages[n].Role == preflight.RoleSystem {
		n++
	}
	return n
}

// systemKey returns the name of the system member, in the body's spelling.
func (r *Request) systemKey() string { return r.format.systemIn(r.root) }

func (r *Request) isMember(m preflight.Message) bool { return r.isSystemMember(&m) }

// isSystemMember reports whether a message was decoded from the system member: its JSON is no
// message object, or is that member's.
func (r *Request) isSystemMember(m *preflight.Message) bool {
	if m.Native.Format != r.format.name || len(m.Native.JSON) == 0 {
		return false
	}
	return m.Native.JSON[0] != '{' || r.ownsSystem() &&
		bytes.Equal(m.Native.JSON, r.Messages[0].Native.JSON)
}

// fitsSystemField reports whether a system message has to move into the system member: it holds
// text or unknown blocks, not only settings, and the list may not have it.
func (r *Request) fitsSystemField(m *preflight.Message) bool {
	if r.format.systemBeside || !r.readsSystem() {
		return false
	}
	for _, p := range m.Parts {
		switch p.(type) {
		case *preflight.Text, *preflight.Other:
		default:
			return false
		}
	}
	text, _ := r.settingsOf(m)
	return len(text) > 0
}

// settingsOf splits a system message into parts that are settings, which stay in the list, and the
// others.
func (r *Request) settingsOf(m *preflight.Message) (others, settings []preflight.Part) {
	for _, p := range m.Parts {
		if r.setting(p) {
			settings = append(settings, p)
		} else {
			others = append(others, p)
		}
	}
	return others, settings
}

// setting reports whether a part of a system message is a setting.
func (r *Request) setting(p preflight.Part) bool {
	o, ok := p.(*preflight.Other)
	return ok && slices.Contains(r.Profile.System.Directives, o.Kind)
}

// removeAlias removes the other spelling of the system member, if the body has both: it would be
// read in the place of the one that was removed.
func (r *Request) removeAlias(top *jsonscan.ObjectEdit) []finding {
	alias := r.format.systemAlias
	if alias == "" || alias == r.systemKey() || !r.root.Has(alias) {
		return nil
	}
	top.DeleteMember(alias)
	return []finding{{
		code: codes.FieldRemoved, rule: ruleShape, path: alias,
		wrong: "the system prompt is there in two spellings",
		done:  "removed the other spelling of the system prompt",
	}}
}

// systemList writes the system member as a list of parts.
func systemList(
	native preflight.Native, parts []preflight.Part,
	block func(preflight.Part) ([][]byte, error),
) ([][]byte, error) {
	o := &object{v: valueOf(native.JSON), src: native.JSON, to: len(native.JSON)}
	if o.v.Kind() != jsonscan.Array {
		raw := o.list(parts, block)
		return raw, o.err
	}
	o.spliceParts(o.v, parts, block)
	return o.pieces()
}

// decodeInstructions reads the instructions, a string.
func decodeInstructions(d *decoder, v jsonscan.Value) preflight.Message {
	d.value = v
	return preflight.Message{
		Role: preflight.RoleSystem, Native: d.native(v), Parts: d.oneText(v.Str(), v),
	}
}

// encodeInstructions writes the instructions as a string.
func encodeInstructions(_ preflight.Native, parts []preflight.Part) ([][]byte, error) {
	var texts []string
	for _, p := range parts {
		t, ok := p.(*preflight.Text)
		if !ok {
			return nil, noForm(preflight.PartKind(p) + " in instructions")
		}
		texts = append(texts, wordsOf(t))
	}
	return onePiece(quoted(strings.Join(texts, "\n\n"))), nil
}
