package preflight

import (
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/problemset"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file maps roles and gives each part a message of a role that may hold it. In a history of
// the caller's own any message may hold tool results; in a request body, which message holds them
// is part of what the provider judges: see layout.go.
//
//	model:     "a"                       becomes  assistant: "a"
//	user:      "q", thoughts             becomes  user: "q", since only the assistant thinks
//	assistant: "b", result a             becomes  assistant: "b"; tool: result a

// refusesKind reports whether an Other part of this kind is refused in a message of this role.
func refusesKind(p *Profile, kind string, r Role) bool {
	for _, k := range p.Content.RefusedKinds {
		if k.Kind == kind && (k.Role == "" || k.Role == r) {
			return true
		}
	}
	return false
}

// placeRolesFixer maps role aliases, turns misplaced system messages into user turns in place, and
// splits messages whose parts belong to different roles. No text is lost. Reasoning outside an
// assistant message is removed, since only the assistant produces reasoning.
var placeRolesFixer = Fixer{
	Name:   "place-roles",
	group:  "roles",
	repair: placeRoles,
	cures: problemset.Of(
		problems.RoleUnknown, problems.CallMisplaced, problems.ReasoningRole, problems.ResultMisplaced,
		problems.TextMisplaced, problems.MCPPairing, problems.ServerOrphan, problems.KindRefused,
		problems.ServerRefused, problems.ItemMixed, problems.SystemRefused, problems.SystemLate,
		problems.SystemAfter, problems.SystemBefore, problems.SystemContent, problems.MediaRole,
	),
	checks: []checks{{
		message: (*checker).messageRole, whole: (*checker).systems,
		call: (*checker).place, result: (*checker).place, thought: (*checker).place,
		other: (*checker).place,
	}},
}

func placeRoles(d *draft) {
	authors := authors{draft: d}
	for i := range d.nodes {
		authors.keep(i)
		d.mapRole(i)
	}
	for i := range d.nodes {
		d.dropRefused(i)
		d.restoreServed(i)
		d.splitRoles(i)
	}
	d.commit()
	d.placeSystem() // last, since splitting a system message makes new ones
	d.commit()
}

// mapRole gives node i a role that the provider takes.
func (d *draft) mapRole(i int) {
	n := &d.nodes[i]
	if takesRole(d.profile, &n.Message) {
		return
	}
	role, known := n.Role.Neutral()
	if !known && isClaimed(&n.Message) {
		role = RoleAssistant
	}
	if !acceptsRole(d.profile, role) {
		role = RoleUser
	}
	d.warn(d.position(i, none), note{
		code: codes.RoleMapped, problem: problems.RoleUnknown, ambiguous: !known,
		detail: "changed a message's role to one the provider accepts",
	}, Tally{}, Tally{})
	d.change(i).Role = role
}

// dropRefused drops the parts that the provider refuses on input, whatever they hold. If such parts
// were between two runs of signed reasoning, the runs would become one that the provider cannot
// verify, so the reasoning of the message is removed, too.
func (d *draft) dropRefused(i int) {
	parts, role := d.nodes[i].Parts, d.role(i)
	var before Part // the last part that stays
	for j := 0; j < len(parts); {
		problem := kindProblem(d.profile, parts[j], role)
		if problem == "" {
			before = parts[j]
			j++
			continue
		}
		end := j + 1
		for end < len(parts) && kindProblem(d.profile, parts[end], role) != "" {
			end++
		}
		if d.profile.Reasoning.Signed && end < len(parts) && signed(before) && signed(parts[end]) {
			d.dropReasoning(i, 0, note{
				code: codes.ReasoningRemoved, problem: problem,
				detail: "removed reasoning around a part that the provider refuses on input",
			})
		}
		for ; j < end; j++ {
			d.drop(i, j, note{
				code: codes.PartRemoved, problem: kindProblem(d.profile, parts[j], role),
				id:     partID(parts[j]),
				detail: "removed a part of a kind that the provider refuses on input",
			})
		}
	}
}

// kindProblem returns why the provider refuses parts of p's kind in a message of role r, "" when it
// takes them.
func kindProblem(profile *Profile, p Part, r Role) problems.Problem {
	switch p := p.(type) {
	case *Other:
		if refusesKind(profile, p.Kind, r) {
			return problems.KindRefused
		}
	case *ToolCall, *ToolResult:
		if profile.Tools.NoServerTools && (serverCall(p) != nil || serverResult(p) != nil) {
			return problems.ServerRefused
		}
	}
	return ""
}

// partRole returns the role of the message that may hold part p, given the neutral role r of the
// message m that holds it now.
func partRole(profile *Profile, p Part, m *layout, r Role) Role {
	switch p := p.(type) {
	case *ToolCall, *Reasoning:
		return RoleAssistant
	case *ToolResult:
		if p.ProviderExecuted {
			return RoleAssistant
		}
		if profile.Pairing.ResultRole == "" && r == RoleUser ||
			r == RoleTool && acceptsRole(profile, functionRole) ||
			(r == RoleUser || r == RoleTool) && m.free(profile) {
			return r
		}
		return resultRoleOf(profile)
	}
	return r
}

// roleProblem returns why part p may not be in message m of the neutral role r, "" when it may.
func roleProblem(profile *Profile, p Part, m *layout, r Role) problems.Problem {
	switch p := p.(type) {
	case *ToolCall:
		if r != RoleAssistant {
			return problems.CallMisplaced
		}
	case *Reasoning:
		if r != RoleAssistant {
			return problems.ReasoningRole
		}
	case *ToolResult:
		switch {
		case r == partRole(profile, p, m, r):
		case !p.ProviderExecuted:
			return problems.ResultMisplaced
		default:
			return claimProblem(p)
		}
	case *Other:
		// where function messages hold results, it may be one of an unknown kind
		if r == RoleTool && !(isUnknown(p) && profile.Pairing.ResultRole == RoleUser &&
			acceptsRole(profile, functionRole)) {
			return problems.TextMisplaced
		}
	default:
		if r == RoleTool {
			return problems.TextMisplaced
		}
	}
	return ""
}

// splitRoles splits node i where its parts belong to different roles, or need a message of their
// own. The first piece that keeps the role also keeps the other fields of the message.
func (d *draft) splitRoles(i int) {
	role := d.role(i)
	if !d.needsSplit(i, role) {
		return
	}
	n := d.nodes[i]
	parts, from := n.Parts, make([]origin, len(n.Parts))
	for j := range from {
		from[j] = d.origin(i, j)
	}
	var pieces []node
	closed := false // the last piece takes no further part
	holds, lone := layout{of: &n.Message}, loneKindsOf(d.profile, &n.Message)
	for j, p := range parts {
		if p == nil {
			continue
		}
		problem := roleProblem(d.profile, p, &holds, role)
		if problem == problems.ReasoningRole {
			d.drop(i, j, note{
				code: codes.ReasoningRemoved, problem: problem,
				detail: "removed reasoning from a message that is not the assistant's",
			})
			continue
		}
		detail := "moved a part into a message of the role that may hold it"
		target := partRole(d.profile, p, &holds, role)
		own := lone.hold(p)
		if k := len(pieces) - 1; k < 0 || pieces[k].Role != target || closed || own {
			pieces = append(pieces, newNode(target, nil, nil))
			if problem == "" && k >= 0 {
				problem, detail = problems.ResultMisplaced, "moved a part into a message of its own"
				if d.profile.Items.OnePartPerMessage {
					problem = problems.ItemMixed
				}
			}
		}
		closed = own
		if problem != "" {
			n := note{code: codes.PartMoved, problem: problem, id: partID(p), detail: detail}
			if _, result := p.(*ToolResult); result || target == RoleAssistant {
				if target != role && role != RoleAssistant {
					n.code = codes.PartLifted
				}
			}
			d.warn(d.position(i, j), n, Tally{}, Tally{})
		}
		k := len(pieces) - 1
		pieces[k].Parts, pieces[k].from = append(pieces[k].Parts, p),
			append(pieces[k].from, from[j])
	}
	d.replaceNode(i, pieces)
}

func (d *draft) needsSplit(i int, role Role) bool {
	parts, closed := 0, false
	m := &d.nodes[i].Message
	holds, lone := layout{of: m}, loneKindsOf(d.profile, m)
	for _, p := range m.Parts {
		if p == nil {
			continue
		}
		if roleProblem(d.profile, p, &holds, role) != "" {
			return true
		}
		parts++
		closed = closed || lone.hold(p)
	}
	return parts > 1 && closed
}

// replaceNode replaces node i by pieces; the first piece of its role keeps its other fields.
func (d *draft) replaceNode(i int, pieces []node) {
	old := d.nodes[i]
	for k := range pieces {
		if pieces[k].Role == d.role(i) {
			p := pieces[k]
			pieces[k] = old
			pieces[k].Parts, pieces[k].from, pieces[k].owned = p.Parts, p.from, true
			break
		}
	}
	for _, p := range pieces {
		d.insertBefore(i, p)
	}
	d.removeNode(i)
}

// messageRole checks that the provider takes a message's role as it is spelled, that no tool
// message holds text or media, and that no message holds more than one tool result where each has
// to be a message of its own.
func (c *checker) messageRole(i int, m *Message) {
	c.layout = layout{of: m}
	if !takesRole(c.profile, m) {
		c.report(problems.RoleUnknown, i, none, "", "the provider does not know the role")
	}
	if c.role(i) == RoleTool {
		for j, part := range m.Parts {
			if kind := kindOf(part); kind == kindText || kind == kindMedia {
				c.place(i, j, part)
			}
		}
	}
	if !c.profile.Pairing.OneResultPerMessage || freeLayout(c.profile, m) {
		return
	}
	results := 0
	for j, part := range m.Parts {
		if clientResult(part) == nil {
			continue
		}
		if results++; results > 1 {
			c.report(problems.ResultMisplaced, i, j, partID(part),
				"each tool result has to be a message of its own")
		}
	}
}

// place checks that a message of this role may hold the part, and that the provider takes parts of
// this kind on input.
func (c *checker) place(i, j int, part Part) {
	role := c.role(i)
	if problem := roleProblem(c.profile, part, &c.layout, role); problem != "" {
		detail := c.words("a ", PartKind(part), " part may not be in a ", string(role), " message")
		c.report(c.inSystem(problem, role), i, j, partID(part), detail)
	}
	if !maybeRefused(part) {
		return
	}
	if problem := kindProblem(c.profile, part, role); problem != "" {
		c.report(problem, i, j, partID(part), "the provider refuses parts of this kind on input")
	}
}

// maybeRefused reports whether providers may refuse parts of this kind: those that are of no
// neutral kind, or that the provider itself makes.
func maybeRefused(part Part) bool {
	switch part := part.(type) {
	case *Other:
		return true
	case *ToolCall:
		return part.ProviderExecuted
	case *ToolResult:
		return part.ProviderExecuted
	}
	return false
}
