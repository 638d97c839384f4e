package preflight

import "slices"

// This file merges neighbours of one role.

// MergeNeighbours joins neighbouring messages of one role where the profile wants them joined. The parts stay as they are,
// in order; the first message's own fields win, and the warning says so when the second's name is lost to them.
var MergeNeighbours = Fixer{
	Name:   "merge-neighbours",
	Doc:    "joins neighbouring messages of one role into one",
	repair: mergeNeighbours,
}

func mergeNeighbours(d *draft) {
	if !d.profile.Merge {
		return
	}
	into := none
	for i := range d.nodes {
		if into == none || !d.profile.mergeable(d.nodes[into].Role, d.nodes[i].Role) {
			into = i
			continue
		}
		d.join(into, i)
	}
	d.commit()
}

// join puts the parts of node i behind those of an earlier one of its role.
func (d *draft) join(into, i int) {
	detail := "joined a message to the one before it, which has the same role"
	if name := d.nodes[i].Name; name != "" && name != d.nodes[into].Name {
		detail += "; the name of its participant went"
	}
	d.warn(d.position(i, none), note{code: CodeMerged, problem: ProblemAlternation, detail: detail}, Tally{}, Tally{})
	for j, part := range d.nodes[i].Parts {
		if d.holdsLone(into, part) {
			d.drop(i, j, note{code: CodePartRemoved, detail: "removed a part of which the joined message can hold only one"})
			continue
		}
		d.put(into, part, d.origin(i, j))
	}
	d.kill(i)
}

// lones are the lone kinds in a message that others are joined to, as far as it was read: it is read once, however many are.
type lones struct {
	into, read int
	kinds      map[string]bool
}

// holdsLone reports whether node i, which others are joined to, holds one of part's kind already, where it can hold no more.
func (d *draft) holdsLone(i int, part Part) bool {
	kind, lone := d.profile.loneKind(part)
	if !lone {
		return false
	}
	if d.lones.into != i || d.lones.kinds == nil {
		d.lones = lones{into: i, kinds: make(map[string]bool)}
	}
	for _, p := range d.nodes[i].Parts[d.lones.read:] {
		if held, ok := d.profile.loneKind(p); ok {
			d.lones.kinds[held] = true
		}
	}
	d.lones.read = len(d.nodes[i].Parts)
	return d.lones.kinds[kind]
}

// loneKind is the kind of a part, and whether it is one of which a message can hold no more than one.
func (p *Profile) loneKind(part Part) (string, bool) {
	o, ok := part.(*Other)
	if !ok || !slices.Contains(p.LoneKinds, o.Kind) {
		return "", false
	}
	return o.Kind, true
}

// mergeable reports whether two neighbours are of one role that merges. System messages do only where one of them may lead.
func (p *Profile) mergeable(a, b Role) bool {
	r, _ := roleOf(a)
	s, _ := roleOf(b)
	return p.merges(r, s)
}

// merges is mergeable for neutral roles.
func (p *Profile) merges(r, s Role) bool {
	return r == s && (r == RoleUser || r == RoleAssistant || r == RoleSystem && p.OneSystem)
}
