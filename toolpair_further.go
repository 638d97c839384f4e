package preflight

import (
	"bytes"
	"cmp"
	"hash/fnv"
	"slices"
	"strconv"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/pairing"
	"github.com/go-preflight/preflight/pairs"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file finds a place for the further results of answered calls, for toolpair.go. Such a result
// stays a tool's result: it is merged into the answer, or its call is repeated.
//
//	assistant: call a
//	tool:      result 1 of a, result 2 of a    merged
//	assistant: "Done."
//	tool:      result 3 of a                   a copy of call a, with a new id, is put before it

// givenResults are the results of one call so far.
type givenResults struct {
	said          map[uint64][]*ToolResult // by a hash of their content
	merged        bool                     // the answer takes in others
	before, after []Part                   // what it takes in before and after its own content
}

// mayComeLater reports whether the further result r of a call may stay where it is. A provider with
// FurtherResults accepts one that has the id of the call and comes after a turn with text and
// without calls, in which the assistant responded to the first result.
func (p *toolPairing) mayComeLater(r int) bool {
	if p.mayBeOfUnknown(r) {
		return true
	}
	if !p.profile.Pairing.FurtherResults || p.side == serverSide {
		return false
	}
	ref := &p.Results[r]
	call := &p.Calls[ref.Call]
	t := ref.LastTurn
	return call.Answer != none && call.Answer < r && p.InPlace(call.Answer) &&
		ref.ID == call.ID && !blank(ref.ID) &&
		t > call.Turn && p.Turns[t].Spoken != none && p.Turns[t].Calls.End == p.Turns[t].Calls.First
}

// mayBeOfUnknown reports whether the further result r may answer not its call but a part of an
// unknown kind: between the answer of the call and r, there is one that names the same id.
func (p *toolPairing) mayBeOfUnknown(r int) bool {
	ref := &p.Results[r]
	answer := p.Calls[ref.Call].Answer
	if answer == none || answer > r || len(p.unknown.last) == 0 {
		return false
	}
	for _, at := range [2]map[string]int{p.unknown.first, p.unknown.last} {
		if i, ok := at[ref.ID]; ok && !blank(ref.ID) && i > p.Results[answer].Message &&
			i <= ref.Message {
			return true
		}
	}
	return false
}

// resolveFurther applies Options.Duplicates to each further result of an answered call.
func (p *toolPairs) resolveFurther() {
	for r := range p.Results {
		if ref := &p.Results[r]; ref.Further && ref.Call != none && !ref.Handled && !p.mayComeLater(r) &&
			!p.resultLeftAlone(r) {
			p.resolveDuplicate(ref.Call, r)
		}
	}
	for kept, given := range p.given {
		if given.merged {
			x := p.result(kept)
			x.Content = slices.Concat(given.before, x.Content, given.after)
		}
	}
}

// resolveDuplicate decides about result r of call c, which has an answer. A placeholder, a copy, or
// an error beside a real result is removed; where the assistant has spoken between the two results,
// the call is repeated; for all else Options.Duplicates decides.
func (p *toolPairs) resolveDuplicate(c, r int) {
	kept := p.Calls[c].Answer
	a, b := p.result(kept), p.result(r)
	which := p.options.Duplicates
	merges := which != DuplicateFirst && which != DuplicateLast
	removed := note{code: codes.ResultRemoved}
	if r < kept {
		removed.code = codes.PlaceholderReplaced
	}
	if r < kept && !p.WorthOf(r).IsPlaceholder() {
		p.setReplaced(c)
	}
	switch worth, best := p.WorthOf(r), p.WorthOf(kept); {
	case worth.IsPlaceholder() && !best.IsPlaceholder() && r < kept:
		removed.detail = "removed a placeholder, since the real result was found"
		p.vacate(c, r)
		p.handCache(r, kept)
		p.dropDuplicate(r, removed)
	case worth.IsPlaceholder() || p.isGiven(kept, r):
		p.dropDuplicate(r, note{
			code:   codes.DuplicateRemoved,
			detail: "removed a repeated result of a call that has one",
		})
	case worth == pairing.Error && best == pairing.Real:
		removed.code, removed.detail = codes.ResultRemoved,
			"removed an error, since the call has a real result"
		p.dropDuplicate(r, removed)
	case worth == pairing.Doubtful && best == pairing.Real &&
		(r < kept && !p.AssistantBetween(r, kept) || which == DuplicateLast):
		removed.detail, removed.ambiguous =
			"removed what may be a placeholder, since a real result was found", true
		p.dropDuplicate(r, removed)
	case (merges || best.IsPlaceholder() || which == DuplicateFirst && best == pairing.Error &&
		worth == pairing.Real) && p.Precedes(c, r) && p.AssistantBetween(kept, r) &&
		p.repeatCall(c, r):
	case which == DuplicateLast && r > kept && !p.LessCertain(r, kept):
		p.replaceAnswer(c, r, note{
			code: codes.ResultRemoved, ambiguous: true,
			detail: "removed an earlier, different result of the same call",
		})
	case merges && mergeable(a, b):
		p.mergeDuplicate(kept, r)
	default:
		p.dropDuplicate(r, note{
			code: codes.ResultRemoved, ambiguous: true,
			detail: "removed a further, different result of the same call",
		})
	}
}

// mergeable reports whether two results can become one.
func mergeable(a, b *ToolResult) bool { return !isLone(a) && !isLone(b) }

// isLone reports whether a result takes no other content: it is of a provider's own variant, and
// its output is an object (OpenAI's computer_call_output holds one screenshot).
func isLone(r *ToolResult) bool {
	return r.Variant != "" && len(r.Output) > 0 && r.Output[0] == '{'
}

func (p *toolPairs) dropDuplicate(r int, n note) {
	ref := &p.Results[r]
	n.problem, n.id = problems.DuplicateResult, ref.ID
	p.d.drop(ref.Message, ref.Part, n)
	ref.Handled = true
}

// replaceAnswer makes r the answer of call c and drops the previous answer.
func (p *toolPairs) replaceAnswer(c, r int, n note) {
	old := p.Calls[c].Answer
	p.Turns[p.Calls[c].Turn].Swapped = true
	p.dropDuplicate(old, n)
	p.Results[old].Call = none
	p.Bind(c, r, p.Results[r].Reason)
	p.setReplaced(c)
}

// setReplaced notes that call c had a real result or an error before its answer.
func (p *toolPairs) setReplaced(c int) {
	if p.replaced == nil {
		p.replaced = make(map[int]bool)
	}
	p.replaced[c] = true
}

// mergeDuplicate adds the content of result r to the kept result, in history order. Nothing is
// lost: where both have an output, the output of r becomes text.
func (p *toolPairs) mergeDuplicate(kept, r int) {
	a, b := &p.Results[kept], &p.Results[r]
	given := p.givenTo(kept)
	if !given.merged {
		given.merged = true
		p.resultParts[kept] = edited(p.result(kept), func(*ToolResult) {})
		p.d.ownParts(a.Message).Parts[a.Part] = p.resultParts[kept]
	}
	into, from := p.result(kept), p.result(r)
	added := Tally{}
	content := from.Content
	if len(into.Output) == 0 {
		into.Output = from.Output
	} else if len(from.Output) > 0 {
		content = append(slices.Clip(content), &Text{Text: string(from.Output)})
		added.Texts = 1
	}
	if r < kept {
		given.before = append(given.before, content...)
	} else {
		given.after = append(given.after, content...)
	}
	into.IsError = into.IsError && from.IsError
	p.d.warn(p.d.position(b.Message, b.Part), note{
		code: codes.DuplicatesMerged, problem: problems.DuplicateResult, id: b.ID,
		detail:    "merged a further result of a call into the one it has",
		ambiguous: b.Reason == pairs.ByPosition || b.Reason == pairs.ByName,
	}, Tally{Results: 1}, added)
	p.d.recordAbsorbed(a.Message, a.Part, p.d.origin(b.Message, b.Part), from.Content...)
	p.d.takePart(b.Message, b.Part)
	b.Handled = true
}

// givenTo returns the results so far of the call whose answer is result kept.
func (p *toolPairs) givenTo(kept int) *givenResults {
	given := p.given[kept]
	if given == nil {
		if p.given == nil {
			p.given = make(map[int]*givenResults)
		}
		given = &givenResults{said: make(map[uint64][]*ToolResult)}
		p.given[kept] = given
		given.add(p.result(kept))
	}
	return given
}

// add adds a result, unless one with the same content is there, and reports whether one is.
func (g *givenResults) add(r *ToolResult) (known bool) {
	hash := contentHash(r)
	for _, other := range g.said[hash] {
		if sameResult(other, r) {
			return true
		}
	}
	g.said[hash] = append(g.said[hash], r)
	return false
}

// isGiven reports whether an earlier result of the same call has the content of result r; if none
// has, r counts as an earlier one from now on. kept is the answer of the call. The table of results
// is made for the first one that differs.
func (p *toolPairs) isGiven(kept, r int) bool {
	if p.given[kept] == nil {
		a, b := p.result(kept), p.result(r)
		if sameResult(a, b) {
			return true
		}
	}
	return p.givenTo(kept).add(p.result(r))
}

// contentHash returns a hash that is equal for results with the same content.
func contentHash(r *ToolResult) uint64 {
	hash := fnv.New64a()
	hash.Write(r.Output)
	for _, part := range r.Content {
		if isNil(part) {
			continue
		}
		switch part := part.(type) {
		case *Text:
			hash.Write([]byte(part.whole()))
		case *Media:
			for _, s := range []string{part.Data, part.URL, part.FileID} {
				hash.Write([]byte(s))
			}
		default:
			hash.Write(part.carried().Native.JSON)
		}
	}
	return hash.Sum64()
}

// repeatCall puts a copy of call c right before its further result r, so that what was sent before
// stays as it is: the assistant has responded to the first result. It reports false, and does
// nothing, where the call cannot be repeated.
func (p *toolPairs) repeatCall(c, r int) bool {
	ref, call := &p.Results[r], p.call(c)
	if !p.mayRepeat(c, r) {
		return false
	}
	again := &ToolCall{ID: call.ID, Name: call.Name, Input: bytes.Clone(call.Input)}
	p.d.warn(p.d.position(ref.Message, ref.Part), note{
		code: codes.CallRepeated, problem: problems.DuplicateResult, id: ref.ID,
		detail: "repeated the call of a later result before it, since the assistant has " +
			"responded to the first",
		ambiguous: ref.Reason == pairs.ByPosition || ref.Reason == pairs.ByName || p.namesOther(c, r),
	}, Tally{}, tallyPart(again))
	part, from := p.d.takePart(ref.Message, ref.Part)
	result := edited(part.(*ToolResult), func(x *ToolResult) {
		if p.byName() {
			x.Name = call.Name
		}
	})
	p.copies = append(p.copies, callCopy{r, again, result})
	at := p.before(r)
	p.inserts = append(p.inserts,
		insertion{at, newNode(RoleAssistant, []Part{again}, []origin{{none, none}})},
		insertion{at, newNode(resultRoleOf(p.profile), []Part{result}, []origin{from})},
	)
	ref.Handled = true
	return true
}

// callCopy is a copy of a call, before the result r that it is repeated for.
type callCopy struct {
	r      int
	call   *ToolCall
	result *ToolResult
}

// nameCopies gives the copies of calls their ids, in the order of their results: so a copy keeps
// its id when a later one follows.
func (p *toolPairs) nameCopies() {
	slices.SortFunc(p.copies, func(a, b callCopy) int { return cmp.Compare(a.r, b.r) })
	for _, c := range p.copies {
		c.call.ID = p.freshID(c.call.ID, c.r)
		c.result.CallID = c.call.ID
	}
}

// before returns the index of the message that the repeated call of result r goes in front of: that
// of r itself, unless the zone of the turn before reaches that far or other content comes before r
// in it. Then it is the first message after.
func (p *toolPairs) before(r int) int {
	ref := &p.Results[r]
	after := p.after(r)
	if t := ref.LastTurn; t != none {
		of := p.Turns[t].Results
		for k := of.End - 1; k >= of.First && p.Results[k].Message >= ref.Message; k-- {
			if p.Results[k].Call != none && !p.Results[k].Further {
				return after
			}
		}
	}
	for _, part := range p.d.nodes[ref.Message].Parts[:ref.Part] {
		if part != nil {
			return after
		}
	}
	return ref.Message
}

// freshID returns an id for a copy of a call: the id of the call and a number. No call before
// result r has it; a later one that has it is renamed by rewrite-ids where it must be.
func (p *toolPairs) freshID(id string, r int) string {
	if blank(id) {
		return id
	}
	if p.ids == nil {
		p.ids = make(map[string]int) // the first message with a call that has the id
		for c := range p.Calls {
			if _, known := p.ids[p.Calls[c].ID]; !known {
				p.ids[p.Calls[c].ID] = p.Calls[c].Message
			}
		}
	}
	for n := max(2, p.repeated[id]); ; n++ {
		fresh := id + "_" + strconv.Itoa(n)
		if first, known := p.ids[fresh]; !known || first > p.Results[r].Message {
			if p.repeated == nil {
				p.repeated = make(map[string]int)
			}
			p.ids[fresh], p.repeated[id] = none, n+1
			return fresh
		}
	}
}
