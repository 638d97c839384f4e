package preflight

import (
	"slices"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/problemset"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file inserts turns where the provider requires them: a user turn first, and an assistant
// turn between tool results and a user turn.
//
//	assistant: "hi"                      before it: user: "(conversation resumed)"
//	tool: result a; user: "next"         between:   assistant: "I have read the tool results."

// enforceAlternationFixer inserts a user turn with the text Options.Placeholder where the profile
// requires one: before a leading assistant message, or into a history that is empty or holds only
// system messages. See Fixers.EnforceAlternation.
var enforceAlternationFixer = Fixer{
	Name:   "enforce-alternation",
	group:  "content",
	repair: enforceAlternation,
	cures:  problemset.Of(problems.FirstRole, problems.NoMessages),
	checks: []checks{{whole: (*checker).firstTurn}},
}

// needsUserFirst reports whether the provider wants a user turn before message first of v, the
// first one that is not a system message.
func needsUserFirst(p *Profile, v view, first int) bool {
	m := v.at(first)
	r := roleOf(m)
	return p.Turns.UserFirst && r != RoleUser ||
		p.Turns.CallsAfterUser && r == RoleAssistant && holdsCall(m) ||
		p.Turns.UserSpeaks && !userSpeaks(v, first)
}

// userSpeaks reports whether the user says something in a message of v from first on.
func userSpeaks(v view, first int) bool {
	for i := first; i < v.len(); i++ {
		if m := v.at(i); roleOf(m) == RoleUser && slices.ContainsFunc(m.Parts, besidesResults) {
			return true
		}
	}
	return false
}

// needsTurn reports whether the provider refuses a history of system messages alone.
func needsTurn(p *Profile) bool {
	return p.Turns.UserFirst || p.Turns.UserSpeaks || p.Turns.Required
}

func enforceAlternation(d *draft) {
	if d.options.Request.startsElsewhere() {
		return // the first turn is not here
	}
	first := 0
	for first < len(d.nodes) && d.role(first) == RoleSystem {
		first++
	}
	missing := first == len(d.nodes) && (needsTurn(d.profile) || first == 0)
	if !missing && (first == len(d.nodes) || !needsUserFirst(d.profile, d, first)) {
		return
	}
	problem := problems.FirstRole
	if missing {
		problem = problems.NoMessages
	}
	d.insertText(first, RoleUser, d.options.placeholder(), note{
		code: codes.TurnInserted, problem: problem, detail: "inserted a placeholder user turn",
	})
	d.commit()
}

// firstTurn checks that there is a turn, and that the first one is of the right role.
func (c *checker) firstTurn() {
	if c.options.Request.startsElsewhere() {
		return // it is not here
	}
	p, n := c.profile, len(c.history)
	first := 0
	for first < n && c.role(first) == RoleSystem {
		first++
	}
	missing := n == 0 || first == n && needsTurn(p)
	switch {
	case missing:
		c.report(problems.NoMessages, 0, none, "", "there is no message to send")
	case first < n && needsUserFirst(p, c, first):
		c.report(problems.FirstRole, first, none, "", "the first turn is not the user's")
	}
}

// bridgeResultsFixer inserts a short assistant turn between tool results and a user turn.
var bridgeResultsFixer = Fixer{
	Name:   "bridge-results",
	group:  "content",
	repair: bridgeResults,
	cures:  problemset.Of(problems.Bridge, problems.BridgeDocument),
	checks: []checks{{
		on:      func(p *Profile) bool { return bridged(p) != "" },
		message: (*checker).bridge,
	}},
}

// bridged returns the problem of content that follows tool results directly although the provider
// wants an assistant turn between them, "" if the profile has no such rule.
func bridged(p *Profile) problems.Problem {
	switch {
	case p.Turns.BridgeResults:
		return problems.Bridge
	case p.Turns.BridgeDocuments:
		return problems.BridgeDocument
	}
	return ""
}

func bridgeResults(d *draft) {
	problem := bridged(d.profile)
	if problem == "" {
		return
	}
	for i := range d.nodes {
		if mixesResults(d.profile, &d.nodes[i].Message) {
			d.splitResults(i, problem)
		}
	}
	d.commit()
	for i := 1; i < len(d.nodes); i++ {
		if !lacksBridge(d.profile, &d.nodes[i-1].Message, &d.nodes[i].Message) {
			continue
		}
		d.insertText(i, RoleAssistant, d.options.bridge(), note{
			code: codes.TurnInserted, problem: problem,
			detail: "inserted an assistant turn between tool results and a user turn",
		})
	}
	d.commit()
}

// splitResults divides node i into its tool results and the rest, with an assistant turn between.
func (d *draft) splitResults(i int, problem problems.Problem) {
	n := d.nodes[i]
	results, rest := n, newNode(n.Role, nil, nil)
	results.Parts, results.from, results.owned = nil, nil, true
	for j, part := range n.Parts {
		to := &results
		if clientResult(part) == nil {
			d.warn(d.position(i, j), note{
				code: codes.PartMoved, problem: problem, id: partID(part),
				detail: "moved a part from beside tool results into a message of its own",
			}, Tally{}, Tally{})
			to = &rest
		}
		to.Parts, to.from = append(to.Parts, part), append(to.from, d.origin(i, j))
	}
	d.insertBefore(i, results)
	d.insertText(i, RoleAssistant, d.options.bridge(), note{
		code: codes.TurnInserted, problem: problem,
		detail: "inserted an assistant turn between tool results and a user turn",
	})
	d.insertBefore(i, rest)
	d.removeNode(i)
}

// mixesResults reports whether m is a user message of tool results and parts that may not be beside
// them. Where results are messages of the tool role, another fixer divides it.
func mixesResults(p *Profile, m *Message) bool {
	if roleOf(m) != RoleUser || p.Pairing.ResultRole == RoleTool {
		return false
	}
	results := 0
	for _, part := range m.Parts {
		if clientResult(part) != nil {
			results++
		}
	}
	return 0 < results && results < len(m.Parts) && wantsBridge(p, m)
}

// wantsBridge reports whether a user message holds something that may not follow tool results
// directly. It must not be a message of results alone.
func wantsBridge(p *Profile, m *Message) bool {
	return p.Turns.BridgeResults || p.Turns.BridgeDocuments && slices.ContainsFunc(m.Parts,
		func(part Part) bool {
			x, ok := part.(*Media)
			return ok && x != nil && mediaKind(x) == "document" && !mayBePDF(x.MediaType)
		})
}

// lacksBridge reports whether b, the message after a, is a user turn right after tool results. A
// message of the old role function does not count, and no wire format reads what it answers.
func lacksBridge(p *Profile, a, b *Message) bool {
	r, s := roleOf(a), roleOf(b)
	return s == RoleUser && !holdsOnlyResults(b) && !isFunctionMessage(b) &&
		(r == RoleTool || holdsOnlyResults(a)) && wantsBridge(p, b)
}

// isFunctionMessage reports whether m is a message of the role function, kept as it is.
func isFunctionMessage(m *Message) bool {
	if len(m.Parts) != 1 {
		return false
	}
	x, ok := m.Parts[0].(*Other)
	return ok && x != nil && x.Kind == string(functionRole)
}

// bridge checks that message i is not a user turn directly after tool results, nor holds any beside
// other parts.
func (c *checker) bridge(i int, m *Message) {
	switch problem := bridged(c.profile); {
	case mixesResults(c.profile, m):
		c.report(problem, i, none, "", "a user message holds tool results and other parts")
	case i > 0 && lacksBridge(c.profile, c.at(i-1), m):
		c.report(problem, i, none, "", "a user turn follows tool results directly")
	}
}
