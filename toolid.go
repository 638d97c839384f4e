package preflight

import (
	"cmp"
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

// idWriter hands out ids within one scope. It keeps its memory from one history to the next.
type idWriter struct {
	ids   idTable // of each id: how often a call came with it (first), and whether a call has it now (last)
	edits []idEdit
}

// idEdit gives a part, a call or a result, another id.
type idEdit struct {
	node, part int
	id         string
	note       note
}

// release lets go of all but the memory.
func (w *idWriter) release() {
	w.edits = emptied(w.edits)
	w.ids.reset()
}

// used reports whether a call has an id.
func (w *idWriter) used(id string) bool {
	s := w.ids.known(id)
	return s != nil && s.last != 0
}

func rewriteIDs(d *draft) {
	w := &d.renames
	defer w.release()
	after := false
	for i := range d.nodes {
		if len(d.nodes[i].Parts) == 0 {
			continue
		}
		assistant := d.role(i) == RoleAssistant
		if assistant && (!after || !d.profile.JoinTurns) && d.profile.UniqueIDs == ScopeTurn {
			w.ids.reset()
		}
		after = assistant
		for j, p := range d.nodes[i].Parts {
			if call, ok := p.(*ToolCall); ok {
				d.rewriteCall(w, i, j, call)
			}
		}
	}
	if len(w.edits) == 0 {
		return // results follow their calls
	}
	calls := w.edits
	d.followCalls(w, calls, clientSide)
	d.followCalls(w, calls, serverSide)
	slices.SortFunc(w.edits, func(a, b idEdit) int { return cmp.Or(cmp.Compare(a.node, b.node), cmp.Compare(a.part, b.part)) })
	for k := range w.edits {
		e := &w.edits[k]
		switch p := d.nodes[e.node].Parts[e.part].(type) {
		case *ToolCall:
			d.replace(e.node, e.part, edited(p, func(x *ToolCall) { x.ID = e.id }), e.note)
		case *ToolResult:
			d.replace(e.node, e.part, edited(p, func(x *ToolResult) { x.CallID = e.id }), e.note)
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
		w.edits = append(w.edits, idEdit{i, j, id, note{code: CodeIDRewritten, problem: problem, id: c.ID,
			detail: "gave a tool call an id the provider accepts"}})
	}
	taken, _ := w.ids.of(id)
	taken.last = 1
}

// followCalls gives the results of one side the new ids of their calls, of which the edits are given in order.
func (d *draft) followCalls(w *idWriter, edits []idEdit, of side) {
	p := &d.pairs
	p.ofDraft(d)
	defer p.release()
	p.survey(of)
	p.assign()
	fresh := make(map[int]string, len(edits)) // ids of calls
	for c := range p.calls {
		at := [2]int{p.calls[c].node, p.calls[c].part}
		for len(edits) > 0 && slices.Compare([]int{edits[0].node, edits[0].part}, at[:]) < 0 {
			edits = edits[1:]
		}
		if len(edits) > 0 && edits[0].node == at[0] && edits[0].part == at[1] {
			fresh[c] = edits[0].id
		}
	}
	for r := range p.results {
		ref := &p.results[r]
		id, ok := fresh[ref.call]
		if !ok || id == ref.result.CallID || ref.call == none {
			continue
		}
		problem := idProblemOr(d.profile.idPattern(bool(of), ref.result.Variant), ref.result.CallID)
		w.edits = append(w.edits, idEdit{ref.node, ref.part, id, note{code: CodeIDRewritten, problem: problem, id: ref.result.CallID,
			detail: "gave a tool result the new id of its call"}})
	}
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
	p = p.orPortable()
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
