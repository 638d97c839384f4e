package preflight

import (
	"bytes"
	"slices"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file keeps system messages where the provider takes them, moves others to the next place
// that keeps their rank, and turns the rest into user text.
//
//	assistant: "a"
//	system:    "x"                             a model takes it only after the user:
//	user:      "ok"                            it moves after "ok"

func (c *checker) systems() {
	if c.profile.System.Placement == provider.SystemAnywhere {
		return
	}
	n := len(c.history)
	for i := 0; i < n; i++ {
		if c.role(i) != RoleSystem {
			continue
		}
		end := systemRun(c.profile, c, i)
		if problem := systemProblem(c.profile, c.options.Request, c, i, end); problem != "" {
			for k := i; k < end; k++ {
				if c.role(k) == RoleSystem && !exemptsSystem(c.profile, c.at(k)) {
					c.report(problem, k, none, "", systemDetail(problem))
				}
			}
		}
		i = end - 1
	}
}

func systemDetail(problem problems.Problem) string {
	switch problem {
	case problems.SystemAfter:
		return "a system message midway has to follow a user turn"
	case problems.SystemBefore:
		return "a system message midway has to come before an assistant turn or at the end"
	}
	return "the model takes no system message here"
}

// inSystem returns the problem of a part in a message that may not hold it. Where the provider
// takes system messages midway, the content of those has a rule of its own.
func (c *checker) inSystem(problem problems.Problem, role Role) problems.Problem {
	if role == RoleSystem && c.profile.System.Placement == provider.SystemMidway {
		return problems.SystemContent
	}
	return problem
}

// placeSystem moves misplaced system messages past the turn that follows them, or turns them into
// user turns.
func (d *draft) placeSystem() {
	n := len(d.nodes)
	var turn walkedTurn
	for i := 0; i < n; i++ {
		if d.role(i) != RoleSystem {
			continue
		}
		end := systemRun(d.profile, d, i)
		problem := systemProblem(d.profile, d.options.Request, d, i, end)
		if to := d.systemPlace(i, end, &turn); problem != "" && to != none {
			d.moveSystem(i, end, to, problem)
			i = end - 1
			continue
		}
		if problem == "" && i > 0 && d.profile.System.Placement == provider.SystemMidway &&
			d.holdsForeignMedia(i, end) {
			// the media will become a user turn, which a system message may not follow here
			problem = problems.MediaRole
		}
		if problem != "" {
			d.systemToUser(i, end, problem)
		}
		i = end - 1
	}
}

// holdsForeignMedia reports whether one of the system messages in [i, end) holds media that a
// system message may not hold.
func (d *draft) holdsForeignMedia(i, end int) bool {
	for ; i < end; i++ {
		for _, p := range d.nodes[i].Parts {
			if m, ok := p.(*Media); ok && m != nil && !holdsNothing(m) &&
				d.role(i) == RoleSystem && !acceptsMediaIn(d.profile, RoleSystem) {
				return true
			}
		}
	}
	return false
}

// systemPlace returns the node before which the run of system messages [i, end) may be, one turn
// from here, none if there is no such place.
func (d *draft) systemPlace(i, end int, turn *walkedTurn) int {
	switch {
	case d.holdsForeignMedia(i, end):
		return none
	case d.profile.System.Placement == provider.SystemMidway:
		return d.afterTurn(end, turn)
	case d.profile.System.Placement == provider.SystemAfterUser:
		return d.besideUser(i, end)
	}
	return none
}

// A walkedTurn is the turn of the user or of tools that was looked at last.
type walkedTurn struct {
	to    int // the node after its last message
	until int // the node where the assistant's turn begins
}

// afterTurn returns the node after the turn of the user or of tools that begins at node end, none
// if the assistant's begins there. A turn that holds several system messages is walked once.
func (d *draft) afterTurn(end int, turn *walkedTurn) int {
	if end >= turn.until {
		*turn = walkedTurn{to: none, until: len(d.nodes)}
		for k := end; k < turn.until; k++ {
			switch m := d.at(k); {
			case vanishes(d.profile, m), roleOf(m) == RoleSystem:
			case roleOf(m) == RoleAssistant:
				turn.until = k
			default:
				turn.to = k + 1
			}
		}
	}
	if turn.to <= end {
		return none
	}
	return turn.to
}

// besideUser returns the node after the next words of the user, if the assistant says nothing
// before them. For system messages [i, end) between a call and its result, it returns the node of
// the call, if they may be before that.
func (d *draft) besideUser(i, end int) int {
	answered := false
	for k := end; k < len(d.nodes); k++ {
		m := d.at(k)
		if vanishes(d.profile, m) {
			continue
		}
		if roleOf(m) == RoleAssistant {
			break
		}
		if roleOf(m) == RoleUser && !becomesResult(d.profile, m) {
			return k + 1
		}
		answered = answered || holdsResult(m)
	}
	if !answered || i < 2 || !holdsCall(d.at(i-1)) || becomesResult(d.profile, d.at(i-2)) ||
		roleOf(d.at(i-2)) != RoleUser && roleOf(d.at(i-2)) != RoleSystem {
		return none
	}
	return i - 1
}

// moveSystem moves the system messages in [i, end) to node to.
func (d *draft) moveSystem(i, end, to int, problem problems.Problem) {
	for ; i < end; i++ {
		if d.role(i) != RoleSystem || exemptsSystem(d.profile, d.at(i)) {
			continue
		}
		d.warn(d.position(i, none), note{
			code: codes.SystemMoved, problem: problem,
			detail: "moved a system message past the turn after it, where the provider takes it",
		}, Tally{}, Tally{})
		d.insertBefore(to, d.nodes[i])
		d.removeNode(i)
	}
}

func (d *draft) systemToUser(i, end int, problem problems.Problem) {
	for ; i < end; i++ {
		if d.role(i) != RoleSystem || exemptsSystem(d.profile, &d.nodes[i].Message) {
			continue
		}
		d.warn(d.position(i, none), note{
			code: codes.SystemDemoted, problem: problem,
			detail: "turned a system message into a user turn in place",
		}, Tally{}, Tally{})
		d.change(i).Role = RoleUser
		d.leaveSettings(i)
	}
}

// leaveSettings moves the settings of a message that is no longer a system message into a new
// system message after it.
func (d *draft) leaveSettings(i int) {
	settings := newNode(RoleSystem, nil, nil)
	for j, p := range d.nodes[i].Parts {
		if isSetting(d.profile, p) {
			part, from := d.takePart(i, j)
			settings.Parts, settings.from = append(settings.Parts, part),
				append(settings.from, from)
		}
	}
	if len(settings.Parts) > 0 {
		d.insertBefore(i+1, settings)
	}
}

// systemRun returns the end of the run of system messages that starts at i. Messages that will be
// removed because they are empty do not end the run.
func systemRun(p *Profile, v view, i int) int {
	for i++; i < v.len(); i++ {
		if roleOf(v.at(i)) != RoleSystem && !vanishes(p, v.at(i)) {
			break
		}
	}
	return i
}

// systemProblem returns why the run of system messages [i, end) of a history is
// misplaced, "" when it is not. A run is judged as a whole.
func systemProblem(p *Profile, r Request, v view, i, end int) problems.Problem {
	if p.System.Placement == provider.SystemAnywhere {
		return ""
	}
	if p.System.Placement == provider.SystemRefused {
		return problems.SystemRefused
	}
	if holdsOnlyDirectives(p, v, i, end) {
		return ""
	}
	for i > 0 && vanishes(p, v.at(i-1)) {
		i--
	}
	if i == 0 && !comesMidway(p, r, v.at(0)) {
		return ""
	}
	if p.System.Placement == provider.SystemLeading {
		return problems.SystemLate
	}
	if i == 0 {
		return systemBefore(v, end)
	}
	before := v.at(i - 1)
	if p.System.Placement == provider.SystemAfterUser {
		if roleOf(before) != RoleUser || becomesResult(p, before) {
			return problems.SystemAfter
		}
		return ""
	}
	if r := roleOf(before); r != RoleUser && r != RoleTool && !endsInServerResult(before) {
		return problems.SystemAfter
	}
	return systemBefore(v, end)
}

// systemBefore returns the problem of a run of system messages up to node end with what follows it.
func systemBefore(v view, end int) problems.Problem {
	if end == v.len() || roleOf(v.at(end)) == RoleAssistant {
		return ""
	}
	return problems.SystemBefore
}

// comesMidway reports whether the first message, a system message of the request's list with text,
// continues a history that the provider holds, and with it the system prompt.
func comesMidway(p *Profile, r Request, m *Message) bool {
	return r.ServerHoldsHistory && p.System.Placement == provider.SystemMidway &&
		bytes.HasPrefix(m.Native.JSON, []byte("{")) &&
		slices.ContainsFunc(m.Parts, func(p Part) bool { _, text := p.(*Text); return text })
}

// exemptsSystem reports whether a misplaced system message is accepted anyway: it is empty, or
// holds only settings.
func exemptsSystem(p *Profile, m *Message) bool {
	return len(m.Parts) == 0 || isDirective(p, m)
}

func holdsOnlyDirectives(p *Profile, v view, i, end int) bool {
	for ; i < end; i++ {
		if !isDirective(p, v.at(i)) && !vanishes(p, v.at(i)) {
			return false
		}
	}
	return true
}

func endsInServerResult(m *Message) bool {
	if roleOf(m) != RoleAssistant || len(m.Parts) == 0 {
		return false
	}
	last := m.Parts[len(m.Parts)-1]
	return serverResult(last) != nil && !isMCP(last) // not known to hold for MCP results
}

// stripSystemFixer removes every system message, for frameworks that add their own system message
// to a resumed session. Tool results in one stay, in a message of the role that results have.
var stripSystemFixer = Fixer{
	Name:   "strip-system",
	repair: stripSystem,
	always: true,
	first:  true,
}

func stripSystem(d *draft) {
	for i := range d.nodes {
		switch {
		case d.role(i) != RoleSystem:
		case !holdsResult(d.at(i)):
			d.dropMessage(i, note{code: codes.SystemRemoved, detail: "removed a system message"})
		default:
			for j, p := range d.nodes[i].Parts {
				if clientResult(p) == nil {
					d.drop(i, j, note{
						code: codes.SystemRemoved, detail: "removed the text of a system message",
					})
				}
			}
			d.warn(d.position(i, none), note{
				code: codes.RoleMapped, problem: problems.SystemContent,
				detail: "moved tool results out of a system message",
			}, Tally{}, Tally{})
			d.change(i).Role = resultRoleOf(d.profile)
		}
	}
	d.commit()
}
