package preflight

import "slices"

// This file predicts, from the profile alone, into which messages the encoders of package wire put
// the tool results of a history of the caller's own (wire/layout.go). In such a history a tool
// message may hold any number of results, for every provider, and so may a user message: these
// results are left to the encoder, without a warning. What is laid out already, a body or the
// messages of a framework, is judged as it is.
//
//	Pairing.ResultRole user    tool messages become user messages, joined to those next to them
//	Pairing.ResultRole tool    each result becomes a tool message, the rest a user message
//	Items.OnePartPerMessage    each part becomes an item
//
// The history itself keeps the caller's layout, so that what is not repaired comes back as it was.
// TestNeutralHistory compares this file with the encoders.

// foreignFormat is the Native.Format of a message in a body of another format.
const foreignFormat = "foreign"

// isLaidOut reports whether a message is sent as it is: it was decoded from the provider's own
// format, or no encoder follows.
func isLaidOut(p *Profile, m *Message) bool {
	return p.Pairing.AsGiven || len(m.Native.JSON) > 0 &&
		(m.Native.Format == or(p.Format, p.Provider) || m.Native.Format == foreignFormat)
}

// freeLayout reports whether the encoder decides which messages hold the tool results of m. It does
// unless m is laid out already: there a result in the wrong message is a fault of the request.
func freeLayout(p *Profile, m *Message) bool {
	if isLaidOut(p, m) {
		return false
	}
	if roleOf(m) == RoleUser && p.Turns.BridgeResults {
		return onlyResults(m) // a turn may have to be inserted after the results
	}
	return !p.Items.OnePartPerMessage || !slices.ContainsFunc(m.Parts, isReasoning)
}

// layout is what freeLayout says of a message, which is computed when it is first asked for.
type layout struct {
	of         *Message
	asked, yes bool
}

func (l *layout) free(p *Profile) bool {
	if !l.asked {
		l.asked, l.yes = true, freeLayout(p, l.of)
	}
	return l.yes
}

// loneKinds are the kinds of parts that have to be messages of their own.
type loneKinds struct{ items, results bool }

// loneKindsOf returns the kinds of the parts of m that have to be messages of their own.
func loneKindsOf(p *Profile, m *Message) loneKinds {
	items := p.Items.OnePartPerMessage
	results := items || p.Pairing.OneResultPerMessage
	if !results || freeLayout(p, m) {
		return loneKinds{}
	}
	return loneKinds{items, results}
}

// hold reports whether a part has to be a message of its own.
func (k loneKinds) hold(part Part) bool {
	switch part.(type) {
	case *Reasoning, *ToolCall:
		return k.items
	}
	return k.results && clientResult(part) != nil
}

// joinedByEncoder reports whether the encoder joins two neighbouring messages with results: one is
// a tool message, and the provider has results in user messages.
func joinedByEncoder(p *Profile, a, b *Message) bool {
	return p.Pairing.ResultRole == RoleUser &&
		(a.Role == RoleTool && freeLayout(p, a) && (b.Role == RoleUser || b.Role == RoleTool) ||
			b.Role == RoleTool && freeLayout(p, b) && a.Role == RoleUser)
}

// becomesResult reports whether the encoder splits results off the end of a user message, because
// the provider wants them in tool messages.
func becomesResult(p *Profile, m *Message) bool {
	n := len(m.Parts)
	return n > 0 && p.Pairing.ResultRole == RoleTool && clientResult(m.Parts[n-1]) != nil
}
