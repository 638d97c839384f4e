package preflight

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// This file gives tool calls ids, and tools names, that the provider accepts.
//
// A rewritten id is a function of the old id and of how often that id stood before it: no clock, no randomness, nothing
// that comes later. If a later call happens to carry the very id that was made, the later one is rewritten in turn, so what
// was already sent stays as it is.

// RewriteIDs rewrites call ids the provider refuses, or that were used before, on both sides of the pair.
var RewriteIDs = Fixer{
	Name:   "rewrite-ids",
	Doc:    "rewrites tool call ids the provider refuses or that occur twice, on call and result alike",
	repair: rewriteIDs,
}

// RewriteNames rewrites tool names, and participants' names, that the provider refuses.
var RewriteNames = Fixer{
	Name:   "rewrite-names",
	Doc:    "rewrites tool names and participant names with refused characters or lengths",
	repair: rewriteNames,
}

// renamed is a call whose result has to follow it.
type renamed struct {
	id      string
	server  bool
	variant string // where a result has the variant of its call
	name    string // where it bears its name
	waits   bool   // a call that waits, where a result anywhere behind its call is meant for the others first
}

// idWriter hands out ids within one scope. It keeps its memory from one history to the next.
type idWriter struct {
	ids  idTable // of each id: how often a call came with it (first), and whether a call has it now (last)
	todo map[renamed][]renaming

	wanted map[renamed]int // how many results of a call are still to come in this turn, once it matters
	lists  arena[renaming] // of one element each, as nearly all in todo have
}

// renaming is the id that a call has now.
type renaming struct {
	id    string
	waits bool
}

// forget ends what is to do: results behind are those of other calls. Clearing a map costs what the most it ever held cost, so one that
// was large is not kept for the small turns behind it.
func (w *idWriter) forget() {
	const few = 64
	if w.todo == nil || len(w.todo) > few {
		w.todo = make(map[renamed][]renaming)
	}
	clear(w.todo)
	w.lists.reset()
}

// release lets go of all but the memory.
func (w *idWriter) release() {
	w.forget()
	w.ids.reset()
	w.wanted = nil
}

// used reports whether a call has an id.
func (w *idWriter) used(id string) bool {
	s := w.ids.known(id)
	return s != nil && s.last != 0
}

func rewriteIDs(d *draft) {
	w := &d.renames
	w.forget()
	defer w.release()
	after := false
	for i := range d.nodes {
		if len(d.nodes[i].Parts) == 0 {
			continue
		}
		assistant := d.role(i) == RoleAssistant
		if assistant && (!after || !d.profile.JoinTurns) {
			if !d.profile.AnswerAnywhere {
				w.forget()
			}
			if d.profile.UniqueIDs == ScopeTurn {
				w.ids.reset()
			}
			w.wanted = nil
		}
		after = assistant
		for j, p := range d.nodes[i].Parts {
			switch p := p.(type) {
			case *ToolCall:
				d.rewriteCall(w, i, j, p)
			case *ToolResult:
				d.rewriteResult(w, i, j, p)
			}
		}
	}
}

func (d *draft) rewriteCall(w *idWriter, i, j int, c *ToolCall) {
	pattern := d.profile.idPattern(c.ProviderExecuted, c.Variant)
	id := c.ID
	problem := idProblem(pattern, id)
	if problem == "" && d.profile.UniqueIDs != ScopeNone && w.used(id) {
		problem = ProblemIDDuplicate
	}
	seen, _ := w.ids.of(c.ID)
	occurrence := seen.first
	seen.first++
	if problem != "" {
		id = pattern.rewrite(c.ID, occurrence)
		for n := occurrence + 1; w.used(id); n++ {
			id = pattern.rewrite(c.ID, n)
		}
		if c.ProviderExecuted && problem != ProblemIDDuplicate {
			problem = ProblemServerID
		}
		d.replace(i, j, edited(c, func(x *ToolCall) { x.ID = id }),
			note{code: CodeIDRewritten, problem: problem, id: c.ID, detail: "gave a tool call an id the provider accepts"})
	}
	taken, _ := w.ids.of(id)
	taken.last = 1
	key, waits := d.profile.renamed(c.ID, c.ProviderExecuted, c.Variant, c.Name), d.policy.pending(c)
	key.waits = waits && d.profile.AnswerAnywhere
	if w.todo[key] == nil {
		w.todo[key] = w.lists.take(1)[:0]
	}
	w.todo[key] = append(w.todo[key], renaming{id, waits})
}

func (d *draft) rewriteResult(w *idWriter, i, j int, r *ToolResult) {
	key := d.profile.renamed(r.CallID, r.ProviderExecuted, r.Variant, r.Name)
	d.leaveWaiting(w, i, key)
	ids := w.todo[key]
	if len(ids) == 0 {
		key.waits = true
		ids = w.todo[key]
	}
	if len(ids) == 0 {
		return
	}
	w.todo[key] = ids[1:]
	if ids[0].id != r.CallID {
		d.replace(i, j, respelled(r, ids[0].id),
			note{code: CodeIDRewritten, problem: idProblemOr(d.profile.idPattern(r.ProviderExecuted, r.Variant), r.CallID), id: r.CallID, detail: "gave a tool result the new id of its call"})
	}
}

// leaveWaiting takes calls that wait on purpose out of those that have one id, of which node i holds a result, where there are
// fewer results than calls: as pairing does.
func (d *draft) leaveWaiting(w *idWriter, i int, key renamed) {
	ids := w.todo[key]
	if w.wanted == nil {
		if len(ids) < 2 || key.server || d.profile.AnswerAnywhere || !slices.ContainsFunc(ids, func(r renaming) bool { return r.waits }) {
			return
		}
		w.wanted = make(map[renamed]int)
		for ; i < len(d.nodes) && d.role(i) != RoleAssistant; i++ {
			for _, p := range d.nodes[i].Parts {
				if r := clientResult(p); r != nil {
					w.wanted[d.profile.renamed(r.CallID, false, r.Variant, r.Name)]++
				}
			}
		}
	}
	w.todo[key] = leaveWaiting(ids, w.wanted[key], func(r renaming) bool { return r.waits })
	w.wanted[key]--
}

func (p *Profile) renamed(id string, server bool, variant, name string) renamed {
	if !p.TypedResults && !(server && variant == mcpVariant) { // an MCP call is answered by an MCP result alone
		variant = ""
	}
	if !p.PairByName {
		name = ""
	}
	return renamed{id: id, server: server, variant: variant, name: name}
}

func idProblemOr(p Pattern, id string) Problem {
	if problem := idProblem(p, id); problem != "" {
		return problem
	}
	return ProblemIDDuplicate
}

// idPattern is what ids of a call or result look like. MCP ids are the provider's own, in a form of which no rule is known.
func (p *Profile) idPattern(server bool, variant string) Pattern {
	switch {
	case server && variant == mcpVariant:
		return Pattern{}
	case server:
		return p.ServerCallID
	}
	return p.CallID
}

// idProblem says what is wrong with a call id. An id that is empty, blank, or not Unicode is wrong everywhere.
func idProblem(p Pattern, id string) Problem {
	switch {
	case p.Optional && id == "":
		return ""
	case !p.spelled(id) || !p.visible(id) && (blank(id) || textProblem(id) != ""):
		return ProblemIDPattern
	case !p.fits(id):
		return ProblemIDLength
	}
	return ""
}

// visible reports whether an id that is spelled after the pattern is of visible ASCII for that alone, so that nobody has to ask
// whether it is blank, or Unicode: that was half the time ids took.
func (p Pattern) visible(id string) bool {
	switch p.Alphabet {
	case AnyChars, TitleChars, NameChars:
		return false
	}
	return p.Prefix == "" && id != ""
}

// rewrite makes an id after the pattern out of a refused one: what is legal of it, and a hash of all of it.
func (p Pattern) rewrite(id string, occurrence int) string {
	sum := sha256.Sum256([]byte(id + "\x00" + strconv.Itoa(occurrence)))
	hash := hex.EncodeToString(sum[:])
	room := 40
	if p.Max > 0 {
		room = min(room, p.Max)
	}
	room -= len(p.Prefix)
	if p.Alphabet == AlnumChars && p.Min == p.Max || room < 16 {
		return p.Prefix + hash[:max(room, 1)] // no room for anything readable
	}
	stem := p.Alphabet.spell(strings.TrimSpace(strings.TrimPrefix(id, p.Prefix)))
	if stem == "" {
		stem = "call"
	}
	const tail = 8
	if keep := room - tail - 1; len(stem) > keep {
		stem = stem[:keep]
	}
	return p.Prefix + stem + p.Alphabet.joint() + hash[:tail]
}

// joint stands between what is readable and a hash.
func (a Alphabet) joint() string {
	if a == AnyChars || a.has('_') {
		return "_"
	}
	return ""
}

// spell writes s in the alphabet: every character outside it becomes an underscore, or nothing where there is none.
func (a Alphabet) spell(s string) string {
	if a == AnyChars {
		a = WordChars
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case r < utf8.RuneSelf && a.has(r):
			b.WriteRune(r)
		case a != AlnumChars && a != Base64:
			b.WriteByte('_')
		}
	}
	if s := b.String(); a.named() && s != "" && !startsName(s[0]) {
		return "_" + s
	}
	return b.String()
}

func rewriteNames(d *draft) {
	for i := range d.nodes {
		d.rewriteParticipant(i)
		for j, p := range d.nodes[i].Parts {
			switch p := p.(type) {
			case *ToolCall:
				if problem := toolNameProblem(d.profile, p); problem != "" {
					d.replace(i, j, edited(p, func(c *ToolCall) { c.Name = d.profile.RepairToolName(c.Name) }),
						note{code: CodeNameRepaired, problem: problem, id: p.ID, detail: "gave a tool call a name the provider accepts"})
				}
			case *ToolResult:
				if p.Name != "" && !p.ProviderExecuted && p.Name != d.profile.RepairToolName(p.Name) {
					d.replace(i, j, edited(p, func(r *ToolResult) { r.Name = d.profile.RepairToolName(r.Name) }),
						note{code: CodeNameRepaired, problem: ProblemToolName, id: p.CallID, detail: "gave a tool result the name of its call"})
				}
			}
		}
	}
}

func (d *draft) rewriteParticipant(i int) {
	n := &d.nodes[i]
	if n.Name == "" || d.profile.NamePattern.Matches(n.Name) {
		return
	}
	d.warn(d.position(i, none), note{code: CodeNameRepaired, problem: ProblemNamePattern, detail: "gave a participant a name the provider accepts"}, Tally{}, Tally{})
	n.Name = d.profile.NamePattern.repair(n.Name)
}

// toolNameProblem says what is wrong with the name of a called tool.
func toolNameProblem(p *Profile, c *ToolCall) Problem {
	switch {
	case c.ProviderExecuted:
		return ""
	case blank(c.Name) || !p.ToolName.fits(c.Name):
		return ProblemNameLength
	case !p.ToolName.spelled(c.Name):
		return ProblemToolName
	case slices.Contains(p.ReservedTools, c.Name):
		return ProblemToolReserved
	}
	return ""
}

// RepairToolName is the name under which a tool goes in a repaired history: the name itself when the profile accepts it.
// It depends on nothing but the name, so declarations and calls can be renamed apart and still agree.
func (p *Profile) RepairToolName(name string) string {
	repaired := p.ToolName.repair(name)
	if slices.Contains(p.ReservedTools, repaired) {
		return p.ToolName.tagged(name)
	}
	return repaired
}

// repair makes a name after the pattern: white space around it goes; other refused characters are replaced, what is too
// long is cut, and then a hash of the old name keeps two of them apart.
func (p Pattern) repair(name string) string {
	if !blank(name) && p.Matches(name) {
		return name
	}
	trimmed := strings.TrimSpace(name)
	if trimmed == "" {
		name, trimmed = unknownToolName, unknownToolName
	}
	if p.Matches(trimmed) {
		return trimmed
	}
	return p.tagged(name)
}

// tagged is a name with a hash of it behind what is legal of it, as much of both as there is room for.
func (p Pattern) tagged(name string) string {
	sum := sha256.Sum256([]byte(name))
	tail := p.Alphabet.joint() + hex.EncodeToString(sum[:4])
	stem := p.Alphabet.spell(strings.TrimSpace(name))
	if p.Max > 0 {
		tail = tail[:min(len(tail), p.Max)]
		stem = stem[:min(len(stem), p.Max-len(tail))]
	}
	return stem + tail
}
