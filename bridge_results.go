package preflight

import (
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/rule"
)

// This file inserts an assistant turn between tool results and a user turn.

// bridgeResultsFixer inserts a short assistant turn between tool results and a user turn.
var bridgeResultsFixer = Fixer{
	Name: "bridge-results",
	Doc: "inserts an assistant turn between tool results and a user turn where the provider " +
		"wants one",
	repair: bridgeResults,
	cures:  problems(rule.Bridge),
}

func bridgeResults(d *draft) {
	if !d.profile.Turns.BridgeResults {
		return
	}
	for i := 1; i < len(d.nodes); i++ {
		if !lacksBridge(d.profile, &d.nodes[i-1].Message, &d.nodes[i].Message) {
			continue
		}
		d.insertText(i, RoleAssistant, d.policy.bridge(), note{
			code: codes.TurnInserted, problem: rule.Bridge,
			detail: "inserted an assistant turn between tool results and a user turn",
		})
	}
	d.commit()
}

// lacksBridge reports whether b, the message after a, is a user turn right after tool results.
func lacksBridge(p *Profile, a, b *Message) bool {
	r, _ := roleOf(a.Role)
	s, _ := roleOf(b.Role)
	return s == RoleUser && !heldResults(p, b) && (r == RoleTool || heldResults(p, a))
}

// heldResults reports whether a message holds tool results and nothing else.
func heldResults(p *Profile, m *Message) bool { return len(m.Parts) > 0 && onlyResults(p, m) }

// bridge checks that message i is not a user turn directly after tool results.
func (c *checker) bridge(i int) {
	if c.profile.Turns.BridgeResults && i > 0 && lacksBridge(c.profile, c.at(i-1), c.at(i)) {
		c.report(rule.Bridge, i, none, "", "a user turn follows tool results directly")
	}
}
