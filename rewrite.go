package preflight

import (
	"cmp"
	"slices"
	"sync"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/idtable"
	"github.com/go-preflight/preflight/internal/problemset"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file gives tool calls ids that the provider accepts, and tools and participants names that
// it accepts.
//
//	call "ccc…" of 41 characters, result "ccc…"    both become  "ccc…_e9f7d94e"
//	tool "a.b"                                     becomes  "a_b_2e7336dc"

// ids checks that the provider accepts the call ids and that they are unique in the scope it
// requires.
func (c *checker) ids() {
	unique := c.profile.IDs.Unique
	if unique == provider.ScopeHistory {
		c.used.MakeRoom(c.calls)
	}
	after := false
	accepted := "" // the last call id that is accepted, which most results repeat
	for i := range c.history {
		if len(c.history[i].Parts) == 0 {
			continue
		}
		assistant := c.role(i) == RoleAssistant
		if assistant && unique == provider.ScopeTurn &&
			!(after && c.profile.Turns.Joined()) {
			c.used.Reset()
		}
		after = assistant
		for j, part := range c.history[i].Parts {
			switch part := part.(type) {
			case *ToolCall:
				if problem := idProblem(
					idPattern(c.profile, part.ProviderExecuted, part.Variant), part.ID,
				); problem != "" {
					if part.ProviderExecuted {
						problem = problems.ServerID
					}
					c.report(problem, i, j, part.ID, "the provider refuses this tool call id")
				} else if !part.ProviderExecuted {
					accepted = part.ID
				}
				if unique == provider.ScopeNone || part.ID == "" && c.profile.IDs.Call.Optional {
					continue
				}
				if _, known := c.used.Of(part.ID); known {
					c.report(problems.IDDuplicate, i, j, part.ID, "the tool call id was used before")
				}
			case *ToolResult:
				if part.ProviderExecuted {
					continue // it has the id of its call, where the id is checked
				}
				if part.CallID == accepted && accepted != "" ||
					c.profile.Pairing.Unpaired && blank(part.CallID) {
					continue
				}
				if problem := idProblem(c.profile.IDs.Call, part.CallID); problem != "" {
					// one that is left alone only follows its call
					c.reportUnless(leftFor(c.profile, part), problem, i, j, part.CallID,
						"the provider refuses this tool call id")
				}
			}
		}
	}
}

// rewriteIDsFixer rewrites call ids that the provider refuses or that were used before, in the call
// and its results.
var rewriteIDsFixer = Fixer{
	Name:   "rewrite-ids",
	group:  "content",
	repair: rewriteIDs,
	cures: problemset.Of(
		problems.IDPattern, problems.IDLength, problems.IDDuplicate, problems.ServerID,
	),
	checks: []checks{{whole: (*checker).ids}},
}

// idWriters keeps the memory of idWriter, which the next history uses again.
var idWriters = sync.Pool{New: func() any { return new(idWriter) }}

// idWriter assigns ids within one scope.
type idWriter struct {
	// for each id: the number of calls that came with it (First), and whether a call has it now
	// (Last: 0, ownID or newID)
	ids   idtable.Table
	edits []idEdit
}

// Values of idtable.Slot.Last in idWriter.ids: the call with the id came with it, or got it.
const (
	ownID = 1
	newID = 2
)

// maxIDTries is how many ids are tried for one call.
const maxIDTries = 100

// idEdit gives a part, a call or a result, another id.
type idEdit struct {
	node, part int
	id         string
	note       note
}

// release drops all references and keeps the buffers for reuse.
func (w *idWriter) release() {
	w.edits = emptied(w.edits)
	w.ids.Reset()
	idWriters.Put(w)
}

// used reports whether a call has an id.
func (w *idWriter) used(id string) bool {
	s := w.ids.Known(id)
	return s != nil && s.Last != 0
}

func rewriteIDs(d *draft) {
	w := idWriters.Get().(*idWriter)
	defer w.release()
	after := false
	alone := false // a result that may be without a call has an id that is refused
	for i := range d.nodes {
		if len(d.nodes[i].Parts) == 0 {
			continue
		}
		assistant := d.role(i) == RoleAssistant
		if assistant && (!after || !d.profile.Turns.Joined()) &&
			d.profile.IDs.Unique == provider.ScopeTurn {
			w.ids.Reset()
		}
		after = assistant
		for j, p := range d.nodes[i].Parts {
			if call, ok := p.(*ToolCall); ok {
				d.rewriteCall(w, i, j, call)
			}
			alone = alone || d.profile.Pairing.Unpaired && clientResult(p) != nil &&
				d.refusesAlone(clientResult(p).CallID)
		}
	}
	if len(w.edits) == 0 && !alone {
		return // results follow their calls
	}
	calls := w.edits
	d.followCalls(w, calls, clientSide)
	d.followCalls(w, calls, serverSide)
	slices.SortFunc(w.edits, func(a, b idEdit) int {
		return cmp.Or(cmp.Compare(a.node, b.node), cmp.Compare(a.part, b.part))
	})
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
	pattern := idPattern(d.profile, c.ProviderExecuted, c.Variant)
	id := c.ID
	problem := idProblem(pattern, id)
	if problem == "" && w.used(id) && id != "" && (d.profile.IDs.Unique != provider.ScopeNone ||
		w.ids.Known(id).Last == newID) { // a result could not tell the two calls apart
		problem = problems.IDDuplicate
	}
	seen, _ := w.ids.Of(c.ID)
	occurrence := seen.First
	seen.First++
	if problem != "" {
		id = pattern.RewriteID(c.ID, occurrence)
		for n := occurrence + 1; w.used(id); n++ {
			if n > occurrence+maxIDTries {
				return // the pattern allows fewer ids than there are calls
			}
			id = pattern.RewriteID(c.ID, n)
		}
		if c.ProviderExecuted && problem != problems.IDDuplicate {
			problem = problems.ServerID
		}
		w.edits = append(w.edits, idEdit{i, j, id, note{
			code: codes.IDRewritten, problem: problem, id: c.ID,
			detail: "changed a tool call's id to one the provider accepts",
		}})
	}
	taken, _ := w.ids.Of(id)
	if taken.Last = ownID; problem != "" {
		taken.Last = newID
	}
}

// followCalls gives the results of one side the new ids of their calls. edits are the edits of the
// calls, in order.
func (d *draft) followCalls(w *idWriter, edits []idEdit, of side) {
	p := d.pairs
	p.setDraft(d)
	defer p.release()
	p.survey(of)
	p.Assign()
	fresh := make(map[int]string, len(edits)) // ids of calls
	for c := range p.Calls {
		at := [2]int{p.Calls[c].Message, p.Calls[c].Part}
		for len(edits) > 0 && slices.Compare([]int{edits[0].node, edits[0].part}, at[:]) < 0 {
			edits = edits[1:]
		}
		if len(edits) > 0 && edits[0].node == at[0] && edits[0].part == at[1] {
			fresh[c] = edits[0].id
		}
	}
	for r := range p.Results {
		ref := &p.Results[r]
		id, ok := fresh[ref.Call]
		if ref.Call == none && of == clientSide && d.profile.Pairing.Unpaired {
			if ok = d.refusesAlone(ref.ID); ok {
				id = d.profile.IDs.Call.RewriteID(ref.ID, 0)
			}
		} else if ref.Call == none {
			continue
		}
		if !ok || id == ref.ID {
			continue
		}
		problem := idProblemOr(idPattern(d.profile, bool(of), p.result(r).Variant), ref.ID)
		w.edits = append(w.edits, idEdit{ref.Message, ref.Part, id, note{
			code: codes.IDRewritten, problem: problem, id: ref.ID,
			detail: "changed a tool result's id to the new id of its call",
		}})
	}
}

// refusesAlone reports whether the provider refuses the id of a result without a call.
func (d *draft) refusesAlone(id string) bool {
	return !blank(id) && idProblem(d.profile.IDs.Call, id) != ""
}

func idProblemOr(p provider.Pattern, id string) problems.Problem {
	if problem := idProblem(p, id); problem != "" {
		return problem
	}
	return problems.IDDuplicate
}

// idPattern returns the pattern for the id of a call or result. MCP ids are made by the provider,
// and no rule for their form is known.
func idPattern(p *Profile, server bool, variant string) provider.Pattern {
	switch {
	case server && variant == mcpVariant:
		return provider.Pattern{}
	case server:
		return p.IDs.ServerCall
	}
	return p.IDs.Call
}

// idProblem returns the problem of a call id, or "". An id that is empty, blank, or invalid Unicode
// is refused everywhere, unless the pattern allows it.
func idProblem(p provider.Pattern, id string) problems.Problem {
	switch {
	case p.Optional && id == "":
		return ""
	case !p.FitsAlphabet(id) || !p.IsVisible(id) && (blank(id) || textProblem(id) != ""):
		return problems.IDPattern
	case !p.FitsLength(id):
		return problems.IDLength
	}
	return ""
}

// rewriteNamesFixer rewrites tool names, and participants' names, that the provider refuses.
var rewriteNamesFixer = Fixer{
	Name:   "rewrite-names",
	group:  "content",
	repair: rewriteNames,
	cures: problemset.Of(
		problems.NamePattern, problems.ToolName, problems.NameLength, problems.ToolReserved,
	),
	checks: []checks{
		{
			on:      func(p *Profile) bool { return p.IDs.Participant != provider.Pattern{} },
			message: (*checker).participant,
		},
		{call: (*checker).toolName, result: (*checker).resultName},
	},
}

func rewriteNames(d *draft) {
	var renamed renamedCalls
	if d.profile.Tools.FreeResultNames {
		renamed = renamedCalls{}
		for i := range d.nodes {
			renamed.add(d.profile, d.nodes[i].Parts)
		}
	}
	for i := range d.nodes {
		d.rewriteParticipant(i)
		for j, p := range d.nodes[i].Parts {
			switch p := p.(type) {
			case *ToolCall:
				if problem := toolNameProblem(d.profile, p); problem != "" {
					d.replace(i, j, edited(p, func(c *ToolCall) {
						c.Name = d.profile.RepairToolName(c.Name)
					}), note{
						code: codes.NameRepaired, problem: problem, id: p.ID,
						detail: "changed a tool call's name to one the provider accepts",
					})
				}
			case *ToolResult:
				if !p.ProviderExecuted && refusesResultName(d.profile, p) &&
					(renamed == nil || renamed[p.Name]) {
					d.replace(i, j, edited(p, func(r *ToolResult) {
						r.Name = d.profile.RepairToolName(r.Name)
					}), note{
						code: codes.NameRepaired, problem: problems.ToolName, id: p.CallID,
						detail: "changed a tool result's name to one the provider accepts",
					})
				}
			}
		}
	}
}

func (d *draft) rewriteParticipant(i int) {
	n := &d.nodes[i]
	if n.Name == "" || d.profile.IDs.Participant.Matches(n.Name) {
		return
	}
	d.warn(d.position(i, none), note{
		code: codes.NameRepaired, problem: problems.NamePattern,
		detail: "changed a participant's name to one the provider accepts",
	}, Tally{}, Tally{})
	d.change(i).Name = d.profile.IDs.Participant.RepairName(n.Name)
}

// isHosts reports whether a call or result is, as its JSON says, of a tool of the provider's and
// not of the caller's. The provider names such a tool and says what its arguments are.
func isHosts(variant string, native Native) bool {
	return variant != "" && variant != "custom" && len(native.JSON) > 0
}

// toolNameProblem returns the problem of the tool name of a call, or "".
func toolNameProblem(p *Profile, c *ToolCall) problems.Problem {
	switch {
	case c.ProviderExecuted || isHosts(c.Variant, c.Native):
		return ""
	case blank(c.Name) || !p.Tools.Name.FitsLength(c.Name):
		return problems.NameLength
	case !p.Tools.Name.FitsAlphabet(c.Name):
		return problems.ToolName
	case slices.Contains(p.Tools.Reserved, c.Name):
		return problems.ToolReserved
	}
	return ""
}

// participant checks the name of a message's participant, if it has one.
func (c *checker) participant(i int, m *Message) {
	if m.Name != "" && !c.profile.IDs.Participant.Matches(m.Name) {
		c.report(problems.NamePattern, i, none, "",
			"the participant's name has characters or a length that the provider refuses")
	}
}

const refusedToolName = "the tool's name has characters or a length that the provider refuses"

// toolName checks the name of a called tool.
func (c *checker) toolName(i, j int, part Part) {
	call := part.(*ToolCall)
	if problem := toolNameProblem(c.profile, call); problem != "" {
		c.report(problem, i, j, call.ID, refusedToolName)
	}
}

// resultName checks the tool name of a result, if it has one.
func (c *checker) resultName(i, j int, part Part) {
	r := clientResult(part)
	if r == nil || !refusesResultName(c.profile, r) {
		return
	}
	if c.profile.Tools.FreeResultNames {
		if c.renamed == nil {
			c.renamed = renamedCalls{}
			for i := range c.history {
				c.renamed.add(c.profile, c.history[i].Parts)
			}
		}
		if !c.renamed[r.Name] {
			return
		}
	}
	c.report(problems.ToolName, i, j, r.CallID, refusedToolName)
}

// refusesResultName reports whether no tool may have the name of a result.
func refusesResultName(p *Profile, r *ToolResult) bool {
	return r.Name != "" && !isHosts(r.Variant, r.Native) && r.Name != p.RepairToolName(r.Name)
}

// renamedCalls are the names of the calls that are renamed. Where the names of results are free,
// those of their results are renamed with them, and no others.
type renamedCalls map[string]bool

func (r renamedCalls) add(p *Profile, parts []Part) {
	for _, part := range parts {
		if call, ok := part.(*ToolCall); ok && toolNameProblem(p, call) != "" {
			r[call.Name] = true
		}
	}
}
