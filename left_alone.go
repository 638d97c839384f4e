package preflight

import (
	"sync"

	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/internal/members"
)

// This file holds what is left alone because of a member in the JSON that it was decoded from: a
// call that says that it stays open, and calls, results and items with a member of an unknown
// meaning, which may say so. See package members. Such a part is neither removed nor answered nor
// moved, and Check reports no such fault of it.

// memberDocs keeps the memory for reading the JSON of parts.
var memberDocs = sync.Pool{New: func() any { return new(jsonscan.Doc) }}

// leftAlone reports whether a part is left alone. It reads the JSON of the part, so that it is asked
// last, of parts that would be changed otherwise.
func leftAlone(p *Profile, part Part) bool { return keptFor(p, part) != "" }

// keptFor returns the name of the member for which a part that was decoded from the provider's own
// format is left alone, "" for none.
func keptFor(p *Profile, part Part) string {
	if isNil(part) {
		return ""
	}
	native := part.carried().Native
	if len(native.JSON) == 0 || native.Format != or(p.Format, p.Provider) {
		return ""
	}
	place := members.Item
	switch part.(type) {
	case *ToolCall:
		place = members.Call
	case *ToolResult:
		place = members.Result
	case *Reasoning:
		if !p.Items.OnePartPerMessage {
			return "" // they are blocks, and their rules are about what is in them
		}
	default:
		return ""
	}
	doc := memberDocs.Get().(*jsonscan.Doc)
	defer memberDocs.Put(doc)
	defer doc.Release()
	if doc.Parse(native.JSON) != nil {
		return ""
	}
	return members.Keeps(native.Format, place, doc.Root())
}

// holdsLeftAlone reports whether a message holds a call, a result or an item that is left alone.
func holdsLeftAlone(p *Profile, m *Message) bool {
	for _, part := range m.Parts {
		if leftAlone(p, part) {
			return true
		}
	}
	return false
}

// keepsOpen reports whether call c of a pairing is left alone, or may be answered by a part of an
// unknown kind. So is one of the last turn if the history may end there.
func (p *toolPairing) keepsOpen(c int) bool {
	answer := p.Calls[c].Answer
	return p.mayBeAnswered(c) || leftAlone(p.profile, p.call(c)) ||
		answer != none && answer < len(p.Results) && p.stays(answer) ||
		p.policy.Request.endsAnywhere() && p.Calls[c].Turn == len(p.Turns)-1 &&
			p.Turns[p.Calls[c].Turn].Last == p.len()-1
}

// stays reports whether result r is left alone, or the call that it was matched with.
func (p *toolPairing) stays(r int) bool {
	call := p.Results[r].Call
	return leftAlone(p.profile, p.result(r)) || call != none && leftAlone(p.profile, p.call(call))
}

// startsElsewhere reports whether the history may begin on the provider's side, so that nothing is
// missing before its first message.
func (r Request) startsElsewhere() bool { return r.ServerHoldsHistory || r.Unknown != "" }

// endsAnywhere reports whether the history may end on the assistant's turn.
func (r Request) endsAnywhere() bool { return r.AnyEnd || r.Unknown != "" }

// frontHeld reports whether a result that comes next in a survey may answer a call that the provider
// holds, because of a member of the request with an unknown meaning: no turn of the assistant is
// before it, or only the one that the history begins with, which may go on with an earlier one.
func (p *toolPairing) frontHeld() bool {
	if p.policy.Request.Unknown == "" {
		return false
	}
	if len(p.Turns) != 1 {
		return len(p.Turns) == 0
	}
	first := p.Turns[0].First
	return first == 0 || first == 1 && roleOf(p.at(0)) == RoleSystem
}
