package preflight

import "slices"

// This file puts every message into a role the provider knows, and every part into a message of a role that may hold it.

// PlaceRoles maps role aliases, turns system messages the model does not take where they stand into user turns in place,
// and splits messages whose parts belong to different roles. No text is lost; reasoning outside an assistant message is
// removed, since only the assistant can have thought it.
var PlaceRoles = Fixer{
	Name:   "place-roles",
	Doc:    "maps role aliases, places system messages, and moves parts into messages of the role that may hold them",
	repair: placeRoles,
}

func placeRoles(d *draft) {
	for i := range d.nodes {
		d.mapRole(i)
	}
	for i := range d.nodes {
		d.dropRefused(i)
		d.splitRoles(i)
	}
	d.commit()
	d.placeSystem() // last, since the pieces of a split system message stand in places of their own
	d.commit()
}

// mapRole gives node i a role the profile takes.
func (d *draft) mapRole(i int) {
	n := &d.nodes[i]
	if d.profile.takesRole(n.Role) {
		return
	}
	role, known := roleOf(n.Role)
	if !d.profile.takesRole(role) {
		role = RoleUser
	}
	d.warn(d.position(i, none), note{code: CodeRoleMapped, problem: ProblemRoleUnknown, detail: "gave a message a role the provider knows", ambiguous: !known}, Tally{}, Tally{})
	n.Role = role
}

// placeSystem turns system messages that stand where the model takes none into user turns.
func (d *draft) placeSystem() {
	n := len(d.nodes)
	for i := 0; i < n; i++ {
		if d.role(i) != RoleSystem {
			continue
		}
		end := d.profile.systemRun(n, i, d.message)
		problem := systemProblem(d.profile, n, i, end, d.message)
		if problem == "" && i > 0 && d.profile.System == SystemMidway && d.holdsForeignMedia(i, end) {
			problem = ProblemMediaRole // the media is going to be a user turn, which may not stand behind it
		}
		if problem != "" {
			d.demote(i, end, problem)
		}
		i = end - 1
	}
}

// holdsForeignMedia reports whether one of the system messages in [i, end) holds media that may not stand there.
func (d *draft) holdsForeignMedia(i, end int) bool {
	for ; i < end; i++ {
		for _, p := range d.nodes[i].Parts {
			if m, ok := p.(*Media); ok && m != nil && mediaProblem(d.profile, m) != ProblemMediaEmpty && d.role(i) == RoleSystem && !d.profile.takesMedia(RoleSystem) {
				return true
			}
		}
	}
	return false
}

func (d *draft) demote(i, end int, problem Problem) {
	for ; i < end; i++ {
		if d.role(i) != RoleSystem || d.profile.exempts(&d.nodes[i].Message) {
			continue
		}
		d.warn(d.position(i, none), note{code: CodeSystemDemoted, problem: problem, detail: "turned a system message into a user turn in place"}, Tally{}, Tally{})
		d.nodes[i].Role = RoleUser
		d.leaveSettings(i)
	}
}

// leaveSettings takes settings out of a message that is no system message any more: they stay behind it, as one of their own.
func (d *draft) leaveSettings(i int) {
	settings := made(RoleSystem, nil, nil)
	for j, p := range d.nodes[i].Parts {
		if d.profile.isSetting(p) {
			part, from := d.take(i, j)
			settings.Parts, settings.from = append(settings.Parts, part), append(settings.from, from)
		}
	}
	if len(settings.Parts) > 0 {
		d.insertBefore(i+1, settings)
	}
}

// systemRun is the end of the run of system messages that starts at i. Messages that are going to be removed, because
// nothing is in them, do not end it.
func (p *Profile) systemRun(n, i int, at func(int) *Message) int {
	for i++; i < n; i++ {
		if r, _ := roleOf(at(i).Role); r != RoleSystem && !p.vanishes(at(i)) {
			break
		}
	}
	return i
}

// systemProblem says why the run of system messages [i, end) of a history of n messages may not stand there, "" when it
// may. A run is judged as a whole.
func systemProblem(p *Profile, n, i, end int, at func(int) *Message) Problem {
	if p.System == SystemAnywhere {
		return ""
	}
	if p.System == SystemRefused {
		return ProblemSystemRefused
	}
	if p.allDirectives(i, end, at) {
		return ""
	}
	for i > 0 && p.vanishes(at(i-1)) {
		i--
	}
	if i == 0 {
		return ""
	}
	if p.System == SystemLeading {
		return ProblemSystemLate
	}
	before := at(i - 1)
	if p.System == SystemBehind {
		if r, _ := roleOf(before.Role); r != RoleUser {
			return ProblemSystemAfter
		}
		return ""
	}
	if r, _ := roleOf(before.Role); r != RoleUser && r != RoleTool && !endsInServerResult(before) {
		return ProblemSystemAfter
	}
	if end == n {
		return ""
	}
	if r, _ := roleOf(at(end).Role); r != RoleAssistant {
		return ProblemSystemBefore
	}
	return ""
}

// vanishes reports whether a message holds nothing that the provider takes, so that it is removed.
func (p *Profile) vanishes(m *Message) bool {
	for _, part := range m.Parts {
		t, ok := part.(*Text)
		if !ok || t == nil {
			return false
		}
		if _, refused := p.refusesText(t.Text); !refused {
			return false
		}
	}
	return p.RefuseEmptyMessage
}

// exempts reports whether a system message in the wrong place is none of anybody's concern: it is empty, or holds settings
// only.
func (p *Profile) exempts(m *Message) bool {
	return len(m.Parts) == 0 || p.isDirective(m)
}

func (p *Profile) allDirectives(i, end int, at func(int) *Message) bool {
	for ; i < end; i++ {
		if !p.isDirective(at(i)) && !p.vanishes(at(i)) {
			return false
		}
	}
	return true
}

// isDirective reports whether a system message holds settings only, no text: providers take it anywhere.
func (p *Profile) isDirective(m *Message) bool {
	for _, part := range m.Parts {
		if !p.isSetting(part) {
			return false
		}
	}
	return len(m.Parts) > 0
}

func (p *Profile) isSetting(part Part) bool {
	o, ok := part.(*Other)
	return ok && slices.Contains(p.Directives, o.Kind)
}

func endsInServerResult(m *Message) bool {
	if r, _ := roleOf(m.Role); r != RoleAssistant || len(m.Parts) == 0 {
		return false
	}
	last := m.Parts[len(m.Parts)-1]
	return serverResult(last) != nil && !isMCP(last) // of MCP results it is not on record
}

// dropRefused drops the parts the provider refuses on input, whatever is in them. Where one stood between two runs of signed
// reasoning, the runs would become one that the provider cannot verify, so the reasoning of the message goes, too.
func (d *draft) dropRefused(i int) {
	parts := d.nodes[i].Parts
	for j, p := range parts {
		if problem := kindProblem(d.profile, p, d.role(i)); problem != "" {
			if d.profile.SignedReasoning && j > 0 && j+1 < len(parts) && signed(parts[j-1]) && signed(parts[j+1]) {
				d.dropReasoning(i, 0, note{code: CodeReasoningRemoved, problem: problem, detail: "removed reasoning around a part that the provider refuses on input"})
			}
			d.drop(i, j, note{code: CodePartRemoved, problem: problem, id: partID(p), detail: "removed a part of a kind that the provider refuses on input"})
		}
	}
}

// kindProblem says why the provider refuses parts of p's kind in a message of role r, "" when it takes them.
func kindProblem(profile *Profile, p Part, r Role) Problem {
	switch p := p.(type) {
	case *Other:
		if profile.refusesKind(p.Kind, r) {
			return ProblemKindRefused
		}
	case *ToolCall, *ToolResult:
		if profile.NoServerTools && (serverCall(p) != nil || serverResult(p) != nil) {
			return ProblemServerRefused
		}
	}
	return ""
}

// partRole is the role of the message that may hold part p, of which the message it stands in has role r.
func partRole(profile *Profile, p Part, r Role) Role {
	switch p := p.(type) {
	case *ToolCall, *Reasoning:
		return RoleAssistant
	case *ToolResult:
		if p.ProviderExecuted {
			return RoleAssistant
		}
		if profile.ResultRole == "" && r == RoleUser || r == RoleTool && profile.takesRole(functionRole) {
			return r
		}
		return profile.resultRole()
	}
	if r == RoleTool {
		return RoleUser
	}
	return r
}

// functionRole is the spelling of the tool's role that some providers take beside the user's for messages of tool results.
const functionRole Role = "function"

// roleProblem is what is wrong with part p in a message of role r, "" when it may stand there.
func roleProblem(profile *Profile, p Part, r Role) Problem {
	switch p := p.(type) {
	case *ToolCall:
		if r != RoleAssistant {
			return ProblemCallMisplaced
		}
	case *Reasoning:
		if r != RoleAssistant {
			return ProblemReasoningRole
		}
	case *ToolResult:
		switch {
		case r == partRole(profile, p, r):
		case !p.ProviderExecuted:
			return ProblemResultMisplaced
		case isMCP(p):
			return ProblemMCPPairing
		default:
			return ProblemServerOrphan // its call can only stand in a turn of the assistant's
		}
	default:
		if r == RoleTool {
			return ProblemTextMisplaced
		}
	}
	return ""
}

// splitRoles splits node i where its parts belong to different roles, or to messages of their own. The message keeps its
// own fields in the first piece that has its role.
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
	lone := false // the last piece is a tool result that is a message of its own
	for j, p := range parts {
		if p == nil {
			continue
		}
		problem := roleProblem(d.profile, p, role)
		if problem == ProblemReasoningRole {
			d.drop(i, j, note{code: CodeReasoningRemoved, problem: problem, detail: "removed reasoning from a message that is not the assistant's"})
			continue
		}
		target := partRole(d.profile, p, role)
		alone := d.profile.lone(p)
		if k := len(pieces) - 1; k < 0 || pieces[k].Role != target || lone || alone {
			pieces = append(pieces, made(target, nil, nil))
			if problem == "" && k >= 0 {
				problem = ProblemResultMisplaced
				if d.profile.LoneParts {
					problem = ProblemItemMixed
				}
			}
		}
		lone = alone
		if problem != "" {
			d.warn(d.position(i, j), note{code: CodePartMoved, problem: problem, id: partID(p), detail: "moved a part into a message of the role that may hold it"}, Tally{}, Tally{})
		}
		k := len(pieces) - 1
		pieces[k].Parts, pieces[k].from = append(pieces[k].Parts, p), append(pieces[k].from, from[j])
	}
	d.replaceNode(i, pieces)
}

func (d *draft) needsSplit(i int, role Role) bool {
	parts, lone := 0, false
	for _, p := range d.nodes[i].Parts {
		if p == nil {
			continue
		}
		if roleProblem(d.profile, p, role) != "" {
			return true
		}
		parts++
		lone = lone || d.profile.lone(p)
	}
	return parts > 1 && lone
}

// lone reports whether a part has to be a message of its own.
func (p *Profile) lone(part Part) bool {
	switch part.(type) {
	case *Reasoning, *ToolCall:
		return p.LoneParts
	}
	return clientResult(part) != nil && (p.OneResultPerMessage || p.LoneParts)
}

// replaceNode puts pieces in the place of node i; the first one with its role stays the message it was.
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
	d.kill(i)
}

// partID is the tool call id of a part, "" when it has none.
func partID(p Part) string {
	switch p := p.(type) {
	case *ToolCall:
		return p.ID
	case *ToolResult:
		return p.CallID
	}
	return ""
}
