package preflight

import (
	"strings"
	"sync"

	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/rule"
)

// This file keeps calls and results whose counterpart may be a part of an unknown kind. A provider
// may add a kind of call or result at any time: a part that names the id of a call is neither a
// proof that the call was answered nor that it was not, so the call is left alone.

// knownKinds are the kinds of parts without a type of their own that are known to be neither calls
// nor results of the client, nor reasoning.
var knownKinds = sync.OnceValue(func() map[string]bool {
	kinds := map[string]bool{
		// members of Gemini's parts, and of Anthropic's system messages
		"thoughtSignature": true, "videoMetadata": true, "output_config": true,
	}
	for _, block := range rule.BlockTypes() {
		kinds[block.Kind] = true
	}
	return kinds
})

// isUnknown reports whether a part is of a kind that no format is known to have.
func isUnknown(part Part) bool {
	x, ok := part.(*Other)
	return ok && x != nil && !knownKinds()[x.Kind]
}

// unknownParts are the ids that parts of unknown kinds name, with the messages of these parts. The
// names of tools count where results are matched by them.
type unknownParts struct {
	first, last map[string]int
	collected   bool // called has the calls of turn
	turn        int
	called      map[string]bool // their ids, and names where these count
	doc         jsonscan.Doc
}

// reset forgets all parts.
func (u *unknownParts) reset() {
	clear(u.first)
	clear(u.last)
	u.collected = false
}

// note records the ids that a part of message i names. It reports whether one of them is that of a
// call of turn t, which the part may answer.
func (p *toolPairing) note(part Part, i, t int) (answers bool) {
	x, ok := part.(*Other)
	if !ok || x == nil || len(x.Native.JSON) == 0 || p.unknown.doc.Parse(x.Native.JSON) != nil {
		return false
	}
	for m := p.unknown.doc.Root().First(); m.Exists(); m = m.Next() {
		answers = p.noteMember(m, i, t) || answers
		if m.Kind() != jsonscan.Object {
			continue
		}
		// blocks that are named by a member have their own members in it
		for inner := m.First(); inner.Exists(); inner = inner.Next() {
			answers = p.noteMember(inner, i, t) || answers
		}
	}
	p.unknown.doc.Release()
	return answers
}

// noteMember records the value of a member if it is an id, or a name that counts, and reports
// whether it is that of a call of turn t.
func (p *toolPairing) noteMember(m jsonscan.Value, i, t int) bool {
	if m.Kind() != jsonscan.String {
		return false
	}
	key := m.Key().Str()
	if key != "id" && !strings.HasSuffix(key, "_id") && !strings.HasSuffix(key, "Id") &&
		!(key == "name" && p.byName()) {
		return false
	}
	u := &p.unknown
	if u.first == nil {
		u.first, u.last = map[string]int{}, map[string]int{}
	}
	value := strings.Clone(m.Str())
	if _, known := u.first[value]; !known {
		u.first[value] = i
	}
	u.last[value] = i
	return t != none && !blank(value) && p.isCalledIn(t, value)
}

// isCalledIn reports whether a call of turn t has an id, or a name where names count. It remembers
// the calls of the last turn.
func (p *toolPairing) isCalledIn(t int, value string) bool {
	u := &p.unknown
	if !u.collected || u.turn != t {
		u.collected, u.turn, u.called = true, t, map[string]bool{}
		for c := p.Turns[t].Calls.First; c < p.Turns[t].Calls.End; c++ {
			u.called[p.Calls[c].ID] = true
			if p.byName() {
				u.called[p.Calls[c].Name] = true
			}
		}
	}
	return u.called[value]
}

// mayBeAnswered reports whether a part of an unknown kind may be the answer of call c: it names the
// call, and is not before it.
func (p *toolPairing) mayBeAnswered(c int) bool {
	call := &p.Calls[c]
	return p.isNamed(p.unknown.last, call.ID, call.Name, func(i int) bool {
		return i >= call.Message
	})
}

// mayBeCalled reports whether a part of an unknown kind may be the call of result r: it names the
// call that the result answers, and is not after it.
func (p *toolPairing) mayBeCalled(r *ToolResult, message int) bool {
	return p.isNamed(p.unknown.first, r.CallID, r.Name, func(i int) bool { return i <= message })
}

// isNamed reports whether an id is named at a message that fits, or the name of a tool is where
// names count.
func (p *toolPairing) isNamed(at map[string]int, id, name string, fits func(int) bool) bool {
	if len(at) == 0 {
		return false
	}
	for _, s := range [2]string{id, name} {
		if i, named := at[s]; named && !blank(s) && fits(i) {
			return true
		}
		if !p.byName() {
			break
		}
	}
	return false
}
