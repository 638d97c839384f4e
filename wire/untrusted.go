package wire

import (
	"slices"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/members"
)

// This file removes what a stranger's body refers to: see preflight.Options.Untrusted.

// dropStored removes the members by which a body continues what the provider stores. Whoever writes
// them could continue the conversation of another user.
func (r *Request) dropStored() {
	removed := func(f finding) bool { return f.code == codes.ContainerRemoved }
	for _, name := range r.storedMembers() {
		if name == "container" && slices.ContainsFunc(r.findings, removed) {
			continue
		}
		r.note(finding{
			code: codes.FieldRemoved, rule: ruleShape, path: name, at: nowhere,
			done: "removed references to what the provider holds from an untrusted request",
		})
		r.deleteMember(name)
		r.untied = true
	}
	if !r.untied {
		return
	}
	r.readState()
	if r.format.mayBeUnlisted {
		r.readStorage()
	}
}

// storedMembers are the names of the members that name what the provider stores, and of those that
// no row has, whatever they hold: strangers may send what a new server takes for such a name.
func (r *Request) storedMembers() (names []string) {
	for _, m := range r.root.All() {
		name := m.Key().Str()
		row, known := members.Of(r.format.name, members.Request, name)
		if hasValue(m) && (!known || row.Has(members.State)) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
