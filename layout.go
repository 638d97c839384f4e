package preflight

import "slices"

// This file tells histories whose tool results may be in any message from request bodies, where the
// message that holds them is part of what the provider judges.

// foreignFormat is the Native.Format of a message that a request body holds in another format than
// its own.
const foreignFormat = "foreign"

// freeLayout reports whether the encoder decides which messages hold the tool results of m. It does
// unless m was decoded from the provider's own format: there a result in the wrong message is a
// fault of the request.
//
// A tool message may then hold any number of results, for every provider, and a user message may
// hold results. So neither is changed, and neither is warned of.
func freeLayout(p *Profile, m *Message) bool {
	if len(m.Native.JSON) > 0 &&
		(m.Native.Format == or(p.Format, p.Provider) || m.Native.Format == foreignFormat) {
		return false
	}
	if r, _ := roleOf(m.Role); r == RoleUser && p.Turns.BridgeResults {
		return onlyResults(p, m) // a turn may have to be inserted after the results
	}
	return !p.Items.OnePartPerMessage || !slices.ContainsFunc(m.Parts, reasons)
}

func reasons(part Part) bool {
	_, is := part.(*Reasoning)
	return is
}

// takesRole reports whether the provider takes the role of a message as it is spelled.
func takesRole(p *Profile, m *Message) bool {
	return acceptsRole(p, m.Role) || m.Role == RoleTool && freeLayout(p, m)
}

// joinedByEncoder reports whether the encoder joins two neighbouring messages with results: one is
// a tool message, and the provider has results in user messages.
func joinedByEncoder(p *Profile, a, b *Message) bool {
	return p.Pairing.ResultRole == RoleUser &&
		(a.Role == RoleTool && freeLayout(p, a) && (b.Role == RoleUser || b.Role == RoleTool) ||
			b.Role == RoleTool && freeLayout(p, b) && a.Role == RoleUser)
}
