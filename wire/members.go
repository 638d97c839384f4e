package wire

import (
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/internal/members"
)

// This file reads what the members of a request say about its history; see package members.

// readMembers sets the state of the request by its members, and makes room in the limit of cache
// breakpoints for those that take one.
func (r *Request) readMembers() {
	r.said = members.Said{}
	if !r.whole() {
		return
	}
	r.said = members.OfRequest(r.format.name, r.root)
	r.readState()
}

// readState sets the state by what the members say, except those that were removed.
func (r *Request) readState() {
	said := r.said.Meaning
	r.State.ServerHoldsHistory = r.heldBy() != ""
	r.State.AnyEnd = said.Has(members.NoAnswer | members.Prefill)
	r.State.Unknown = ""
	if !r.untied {
		r.State.Unknown = r.said.Unknown
	}
}

// heldBy returns the name of the member that says that the server holds the beginning of the
// history, "" for none.
func (r *Request) heldBy() string {
	if r.untied {
		return ""
	}
	name := r.said.Naming(members.Held)
	if name == "" && r.list.Len() == 0 && r.list.Kind() != jsonscan.String {
		name = r.said.Naming(members.HeldBare)
	}
	return name
}

// lost returns an error if a member says that the server holds the beginning of the history, but
// the server that the request is for ignores this member: it would answer what is there as if that
// were all.
func (r *Request) lost() error {
	held := r.heldBy()
	for k := range r.said.By {
		if row := &r.said.By[k]; held != "" && row.Name == held && row.IgnoredBy(r.Provider) {
			return &Error{Reason: ErrHeldHistory, Path: r.wrappedPath(held)}
		}
	}
	return nil
}

// mayBeHeld reports whether the server may hold the beginning of the history, with the tools that
// were declared there.
func (r *Request) mayBeHeld() bool { return r.State.ServerHoldsHistory || r.State.Unknown != "" }

// unlisted reports whether a body may have no messages, because the server has them.
func (f *format) unlisted(root jsonscan.Value) bool {
	return f.mayBeUnlisted &&
		members.OfRequest(f.name, root).Has(members.Held|members.HeldBare)
}

// markers counts the members that take the place of a cache breakpoint.
func (r *Request) markers() int {
	n := 0
	for _, row := range r.said.By {
		if row.Has(members.Marker) {
			n++
		}
	}
	return n
}
