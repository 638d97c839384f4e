package preflight

import (
	"sync"

	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/internal/members"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file finds the parts that are left alone because of a member of the JSON that they were
// decoded from: a call that says that it stays open, and calls, results and items with a member of
// an unknown meaning, which may say so. See package members. Such a part is neither removed nor
// answered nor moved, and Check does not report that it should be.
//
//	{"type":"function_call","call_id":"c","async":true}  the result may come later

// memberDocs keeps the memory for reading the JSON of parts.
var memberDocs = sync.Pool{New: func() any { return new(jsonscan.Doc) }}

// leftAlone reports whether a part is left alone. It reads the JSON of the part, so that it is
// asked last, of parts that would be changed otherwise.
func leftAlone(p *Profile, part Part) bool { return leftFor(p, part) != "" }

// leftFor returns the name of the member for which a part that was decoded from the provider's own
// format is left alone, "" for none.
func leftFor(p *Profile, part Part) string {
	if isNil(part) {
		return ""
	}
	native := part.carried().Native
	if len(native.JSON) == 0 || native.Format != or(p.Format, p.Provider) {
		return ""
	}
	place := members.Item
	switch part := part.(type) {
	case *ToolCall:
		if !part.ProviderExecuted || !p.Items.OnePartPerMessage {
			place = members.Call
		}
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
	return members.LeftFor(native.Format, place, doc.Root())
}

// messageLeftFor returns the name of the member for which a call, a result or an item in a message
// is left alone, "" for none.
func messageLeftFor(p *Profile, m *Message) string {
	for _, part := range m.Parts {
		if member := leftFor(p, part); member != "" {
			return member
		}
	}
	return ""
}

// maySayElsewhere returns the name of a member of an unknown meaning that a message has, "" for
// none. It may hold what the message says, so that one without parts is not empty.
func maySayElsewhere(p *Profile, m *Message) (member string) {
	readMembers(p, m, func(v jsonscan.Value) { member = members.MayHold(m.Native.Format, v) })
	return member
}

// saysElsewhere reports whether a message has a member in which another format has what a message
// says.
func saysElsewhere(p *Profile, m *Message) (says bool) {
	readMembers(p, m, func(v jsonscan.Value) { says = members.SaysElsewhere(m.Native.Format, v) })
	return says
}

// beginsAnswer reports whether a member of a message says that the answer begins with it, if only
// with its name: platform.kimi.ai/docs/api/partial.
func beginsAnswer(p *Profile, m *Message) (begins bool) {
	readMembers(p, m, func(v jsonscan.Value) { begins, _ = v.Get("partial").Bool() })
	return begins
}

// readMembers calls read with the object that a message was decoded from, if it was in the format
// of the profile.
func readMembers(p *Profile, m *Message, read func(jsonscan.Value)) {
	if len(m.Native.JSON) == 0 || m.Native.Format != or(p.Format, p.Provider) {
		return
	}
	doc := memberDocs.Get().(*jsonscan.Doc)
	defer memberDocs.Put(doc)
	defer doc.Release()
	if doc.Parse(m.Native.JSON) == nil {
		read(doc.Root())
	}
}

// holdsLeftAlone reports whether a message holds a call, a result or an item that is left alone.
func holdsLeftAlone(p *Profile, m *Message) bool { return messageLeftFor(p, m) != "" }

// keepsOpen reports whether call c stays open: because of a member, because a part of an unknown
// kind may answer it, or because the history may end on it.
func (p *toolPairing) keepsOpen(c int) bool {
	return p.mayBeAnswered(c) || p.endsAt(c) || p.callLeftFor(c) != ""
}

// endsAt reports whether the history may end on call c, since it may end anywhere.
func (p *toolPairing) endsAt(c int) bool {
	return p.options.Request.endsAnywhere() && p.Calls[c].Turn == len(p.Turns)-1 &&
		p.Turns[p.Calls[c].Turn].Last == p.len()-1
}

// callLeftFor returns the name of the member for which call c, or the result it was matched with,
// is left alone, "" for none.
func (p *toolPairing) callLeftFor(c int) string {
	if member := leftFor(p.profile, p.call(c)); member != "" {
		return member
	}
	if answer := p.Calls[c].Answer; answer != none && answer < len(p.Results) {
		return p.resultLeftFor(answer)
	}
	return ""
}

// resultLeftAlone reports whether result r, or the call that it was matched with, is left alone.
func (p *toolPairing) resultLeftAlone(r int) bool { return p.resultLeftFor(r) != "" }

// resultLeftFor returns the name of the member for which result r or its call is left alone, "" for
// none.
func (p *toolPairing) resultLeftFor(r int) string {
	if member := leftFor(p.profile, p.result(r)); member != "" {
		return member
	}
	call := p.Results[r].Call
	if call == none {
		return ""
	}
	if member := leftFor(p.profile, p.call(call)); member != "" {
		return member
	}
	// the answer may say that this further result comes
	if a := p.Calls[call].Answer; a != none && a < r {
		return leftFor(p.profile, p.result(a))
	}
	return ""
}

// startsElsewhere reports whether the history may begin on the provider's side, so that nothing is
// missing before its first message.
func (r Request) startsElsewhere() bool { return r.ServerHoldsHistory || r.Unknown != "" }

// endsAnywhere reports whether the history may end on the assistant's turn.
func (r Request) endsAnywhere() bool { return r.AnyEnd || r.Unknown != "" }

// frontHeld reports whether the next result of a survey is at the front of a history whose
// beginning the provider may hold, because the request has a member of an unknown meaning. Then the
// provider may hold its call, too. At the front, no turn of the assistant is before it, or only the
// one that the history begins with, which may continue an earlier one.
func (p *toolPairing) frontHeld() bool {
	if p.options.Request.Unknown == "" {
		return false
	}
	if len(p.Turns) != 1 {
		return len(p.Turns) == 0
	}
	first := p.Turns[0].First
	return first == 0 || first == 1 && roleOf(p.at(0)) == RoleSystem
}

// reportUnless reports a problem, or, if member is not "", lists it as one that is left because of
// that member.
func (c *checker) reportUnless(
	member string, problem problems.Problem, i, j int, id, detail string,
) {
	if member == "" {
		c.report(problem, i, j, id, detail)
		return
	}
	c.anyLeft = true
	if c.detailed {
		c.left = append(c.left, Violation{
			Problem: problem, Rule: c.profile.RuleID(problem), At: At(i, j), ToolCallID: id,
			Detail: detail, Member: member,
		})
	}
}

// checkAndLeft returns what Check finds and, in no order, the problems that are left because of a
// member.
func checkAndLeft(history []Message, profile *Profile, options *Options) ([]Violation, []Violation) {
	r := run{profile: profile, options: options}
	r.applyDefaults()
	found, left := checkInDetail(history, r.profile, r.options)
	if r.options.Request.Unknown == "" {
		return found, left
	}
	type place struct {
		problem problems.Problem
		at      Position
	}
	reported := make(map[place]bool, len(found))
	for _, v := range found {
		reported[place{v.Problem, v.At}] = true
	}
	known := *r.options
	known.Request.Unknown = ""
	for _, v := range check(history, r.profile, &known) {
		if !reported[place{v.Problem, v.At}] {
			v.Member = r.options.Request.Unknown
			left = append(left, v)
		}
	}
	return found, left
}

// listLeft returns what a run left because of a member, with the positions of the input.
func (r *run) listLeft(res *Result) []Violation {
	if !r.checker.anyLeft && r.options.Request.Unknown == "" {
		return nil
	}
	_, left := checkAndLeft(res.Messages, r.profile, r.options)
	if !res.Changed {
		return left
	}
	for k := range left {
		left[k].At = res.origin(left[k].At)
	}
	return left
}

// origin returns the position in the input of what is at a position of Messages. The message of the
// position is -1 for what was not in the input.
func (r *Result) origin(at Position) Position {
	switch i, j := at.Message(), at.Part(); {
	case i < 0 || i >= len(r.Origins) || len(r.Origins[i]) == 0:
		return At(none)
	case j < 0 || j >= len(r.PartOrigins[i]):
		return At(r.Origins[i][0])
	default:
		return r.PartOrigins[i][j]
	}
}
