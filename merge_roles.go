package preflight

import (
	"slices"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/problemset"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file joins neighbouring messages of one role, and the results of a turn.
//
//	user: "a"
//	user: "b"                                  joined to the one before it: user: "a", "b"

func apartDetail(problem problems.Problem) string {
	switch problem {
	case problems.CallTurn:
		return "the message continues a turn with tool calls that the message before it began"
	case problems.ResultsApart:
		return "the message before it holds results of the same turn"
	}
	return "the message has the same role as the one before it"
}

// mergeRolesFixer joins neighbouring messages of one role where the profile wants them joined. See
// Fixers.MergeRoles.
var mergeRolesFixer = Fixer{
	Name:   "merge-roles",
	group:  "content",
	repair: mergeNeighbours,
	tidy:   (*draft).joinTouched,
	cures: problemset.Of(
		problems.Alternation, problems.CallTurn, problems.ResultsApart, problems.TextAfterResult,
	),
	checks: []checks{{
		on:      func(p *Profile) bool { return joinsNeighbours(p) || p.Turns.NoTextAfterResults },
		message: (*checker).neighbours,
	}},
}

func mergeNeighbours(d *draft) {
	p := d.profile
	if p.Turns.NoTextAfterResults {
		for i := range d.nodes {
			d.splitAfterResults(i)
		}
		d.commit()
	}
	if !joinsNeighbours(p) {
		return
	}
	joiner := joiner{draft: d}
	into := none
	called := false // node into has a call, by the last answer of neighbourProblem
	for i := range d.nodes {
		problem := problems.Problem("")
		if into != none {
			problem = neighbourProblem(p, &d.nodes[into].Message, &d.nodes[i].Message, called)
		}
		called = problem == problems.CallTurn
		if problem == problems.ResultsApart && slices.ContainsFunc(d.nodes[i].Parts, isNoResult) {
			d.gatherResults(into, i)
			problem = "" // the other parts stay in message i
		}
		if problem == "" {
			into = i
			continue
		}
		joiner.join(into, i, problem)
	}
	d.commit()
}

// gatherResults moves the tool results of node i to the end of node into, which is earlier and
// holds other results of the same turn.
func (d *draft) gatherResults(into, i int) {
	for j, part := range d.nodes[i].Parts {
		r := clientResult(part)
		if r == nil {
			continue
		}
		d.warn(d.position(i, j), note{
			code: codes.ResultMoved, problem: problems.ResultsApart, id: r.CallID,
			detail: "moved a result to the other results of its turn",
		}, Tally{}, Tally{})
		part, from := d.takePart(i, j)
		d.appendPart(into, part, from)
	}
}

// neighbourProblem returns why b may not be a message of its own directly after a, "" when it may.
// System messages of settings alone are accepted anywhere, so they are messages of their own.
// called means that a was joined from several messages because of CallTurn: then it is known to
// hold a call and no unknown part, and need not be searched.
func neighbourProblem(p *Profile, a, b *Message, called bool) problems.Problem {
	r, s := roleOf(a), roleOf(b)
	switch {
	case rolesMerge(p, r, s) &&
		!(s == RoleSystem && (isDirective(p, a) || isDirective(p, b))):
		return problems.Alternation
	case p.Turns.CallsAfterUser && r == RoleAssistant && s == r && len(a.Parts) > 0 &&
		len(b.Parts) > 0 && (called || !holdsUnknown(a)) && !holdsUnknown(b) &&
		((called || holdsCall(a)) != holdsCall(b) || opensUnsigned(b)):
		return problems.CallTurn
	case wantsResultsTogether(p) && r != RoleAssistant && s != RoleAssistant && endsInResult(a) &&
		holdsResult(b) && !joinedByEncoder(p, a, b):
		return problems.ResultsApart
	}
	return ""
}

// wantsResultsTogether reports whether the results of a turn have to be in one message. A profile
// that also wants one message for each result gets that instead.
func wantsResultsTogether(p *Profile) bool {
	results := p.Pairing.Results
	together := results == provider.ResultsTogether || results == provider.ResultsFirst
	return together && !p.Pairing.OneResultPerMessage && !p.Items.OnePartPerMessage
}

// opensUnsigned reports whether the first client call of a message has no signature. A message of
// its own is a step of its own, and the first call of a step needs a signature.
func opensUnsigned(m *Message) bool {
	for _, part := range m.Parts {
		if c := clientCall(part); c != nil {
			return c.Signature == ""
		}
	}
	return false
}

// textAfterResults returns the index of the first part after the last tool result of a message if
// any of the parts after it is text, otherwise none.
func textAfterResults(parts []Part) int {
	text := false
	for j := len(parts) - 1; j >= 0; j-- {
		if clientResult(parts[j]) != nil {
			if text {
				return j + 1
			}
			break
		}
		_, is := parts[j].(*Text)
		text = text || is
	}
	return none
}

// splitAfterResults moves the parts after the last tool result of node i into a new message if
// there is text among them.
func (d *draft) splitAfterResults(i int) {
	at := textAfterResults(d.nodes[i].Parts)
	if at == none || d.role(i) == RoleAssistant {
		return
	}
	rest := newNode(RoleUser, nil, nil)
	d.warn(d.position(i, at), note{
		code: codes.PartMoved, problem: problems.TextAfterResult,
		detail: "moved what comes after the tool results into a message of its own",
	}, Tally{}, Tally{})
	n := d.ownParts(i)
	rest.Parts, rest.from = slices.Clone(n.Parts[at:]), slices.Clone(n.from[at:])
	d.setParts(i, n.Parts[:at:at], n.from[:at:at])
	d.insertBefore(i+1, rest)
}

// joiner joins messages, in order and without a commit in between. It keeps the
// ContentRules.SingleKinds that the joined message holds, so that each of its parts is read once,
// however many messages are joined.
type joiner struct {
	*draft
	last, read int // the message, and the number of its parts that are in kinds
	kinds      map[string]bool
}

// join appends the parts of node i to the earlier node into, which has the same role.
func (d *joiner) join(into, i int, problem problems.Problem) {
	d.warn(d.position(i, none), note{
		code: codes.Merged, problem: problem,
		detail: "joined a message to the one before it, which has the same role",
	}, Tally{}, Tally{})
	if name := d.nodes[i].Name; name != "" && name != d.nodes[into].Name {
		d.warn(d.position(i, none), note{
			code: codes.FieldRemoved, problem: problem,
			detail: "left out the name of the participant of a message that was joined to another",
		}, Tally{}, Tally{})
	}
	if len(d.nodes[i].Meta) > 0 {
		d.warn(d.position(i, none), note{
			code: codes.FieldRemoved, problem: problem,
			detail: "left out the metadata of a message that was joined to another",
		}, Tally{}, Tally{})
	}
	for j, part := range d.nodes[i].Parts {
		if d.holdsSingle(into, part) {
			d.drop(i, j, note{
				code:   codes.PartRemoved,
				detail: "removed a part that the joined message may hold only once",
			})
			continue
		}
		d.appendPart(into, part, d.origin(i, j))
	}
	d.removeNode(i)
}

// holdsSingle reports whether node i, which others are joined to, already holds a part of this kind
// and may hold only one.
func (d *joiner) holdsSingle(i int, part Part) bool {
	kind, single := singleKind(d.profile, part)
	if !single {
		return false
	}
	if d.last != i || d.kinds == nil {
		d.last, d.read, d.kinds = i, 0, make(map[string]bool)
	}
	for _, p := range d.nodes[i].Parts[d.read:] {
		if k, ok := singleKind(d.profile, p); ok {
			d.kinds[k] = true
		}
	}
	d.read = len(d.nodes[i].Parts)
	return d.kinds[kind]
}

// singleKind returns the kind of a part, and whether a message may hold only one part of that kind.
func singleKind(p *Profile, part Part) (string, bool) {
	o, ok := part.(*Other)
	if !ok || !slices.Contains(p.Content.SingleKinds, o.Kind) {
		return "", false
	}
	return o.Kind, true
}

// rolesMerge reports whether neighbouring messages of these neutral roles merge. System messages
// merge only where the provider takes a single one.
func rolesMerge(p *Profile, r, s Role) bool {
	merged := p.Turns.Neighbours == provider.NeighboursMerged
	return r == s && (merged && (r == RoleUser || r == RoleAssistant) ||
		r == RoleSystem && p.System.Single)
}

// joinsNeighbours reports whether the profile wants any neighbouring messages joined.
func joinsNeighbours(p *Profile) bool {
	return p.Turns.Neighbours == provider.NeighboursMerged || p.System.Single ||
		p.Turns.CallsAfterUser ||
		wantsResultsTogether(p)
}

// neighbours checks that message i may be separate from the message before it, and that no text
// comes after tool results in it.
func (c *checker) neighbours(i int, m *Message) {
	assistant := c.role(i) == RoleAssistant
	if i > 0 && assistant == (c.role(i-1) == RoleAssistant) {
		if problem := neighbourProblem(c.profile, c.at(i-1), m, false); problem != "" {
			c.report(problem, i, none, "", apartDetail(problem))
		}
	}
	if !c.profile.Turns.NoTextAfterResults || assistant {
		return
	}
	if j := textAfterResults(m.Parts); j != none {
		c.report(problems.TextAfterResult, i, j, "", "text comes after a tool result in its message")
	}
}
