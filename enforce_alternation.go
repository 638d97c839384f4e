package preflight

import (
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/rule"
)

// This file inserts a user turn where the provider requires one first.

// EnforceAlternation inserts a placeholder user turn where the provider requires one: before a
// leading assistant message, or into a history that is empty or holds only system messages. It
// never removes a turn. MergeRoles handles neighbours of one role.
var EnforceAlternation = Fixer{
	Name:   "enforce-alternation",
	Doc:    "inserts a placeholder user turn before a leading assistant message",
	repair: enforceAlternation,
	cures:  problems(rule.FirstRole, rule.NoMessages),
}

// needsUserFirst reports whether the provider wants a user turn before m, the first message that is
// not a system message.
func needsUserFirst(p *Profile, m *Message) bool {
	r, _ := roleOf(m.Role)
	return p.Turns.UserFirst && r != RoleUser ||
		p.Turns.CallsAfterUser && r == RoleAssistant && holdsCall(m)
}

func enforceAlternation(d *draft) {
	first := 0
	for first < len(d.nodes) && d.role(first) == RoleSystem {
		first++
	}
	missing := first == len(d.nodes) &&
		(d.profile.Turns.UserFirst || d.profile.Turns.Required || first == 0)
	if !missing && (first == len(d.nodes) || !needsUserFirst(d.profile, &d.nodes[first].Message)) {
		return
	}
	problem := rule.FirstRole
	if missing {
		problem = rule.NoMessages
	}
	d.insertText(first, RoleUser, d.policy.placeholder(), note{
		code: codes.TurnInserted, problem: problem, detail: "inserted a placeholder user turn",
	})
	d.commit()
}

// firstTurn checks that there is a turn, and that the first one is of the right role.
func (c *checker) firstTurn() {
	p, n := c.profile, len(c.history)
	first := 0
	for first < n && c.role(first) == RoleSystem {
		first++
	}
	missing := n == 0 && !c.policy.Request.ServerHoldsHistory ||
		first == n && (p.Turns.UserFirst || p.Turns.Required)
	switch {
	case missing:
		c.report(rule.NoMessages, 0, none, "", "there is no message to send")
	case first < n && needsUserFirst(p, c.at(first)):
		c.report(rule.FirstRole, first, none, "", "the first turn is not the user's")
	}
}
