package wire

import (
	"slices"

	"github.com/go-preflight/preflight/codes"
)

// This file removes what a stranger's body refers to: see preflight.Options.Untrusted.

// dropStored removes the members by which a body continues what the provider stores. Whoever writes
// them could continue the conversation of another user.
func (r *Request) dropStored() {
	removed := func(f finding) bool { return f.code == codes.ContainerRemoved }
	for _, name := range r.format.stored {
		if !hasValue(r.root.Get(name)) ||
			name == "container" && slices.ContainsFunc(r.findings, removed) {
			continue
		}
		r.note(finding{
			code: codes.FieldRemoved, rule: ruleShape, path: name, at: nowhere,
			done: "removed references to what the provider holds from an untrusted request",
		})
		r.deleteMember(name)
		r.untied = true
	}
	if r.untied && r.format.unlisted != nil {
		r.readStorage()
	}
}
