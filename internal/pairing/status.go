package pairing

import "github.com/go-preflight/preflight/pairs"

// CallStatus returns the status of call c. paused reports whether its turn may be one that the
// provider has paused.
func (m *Matching) CallStatus(c int, paused bool) pairs.Status {
	switch call := &m.Calls[c]; {
	case call.Answer != None:
		return m.ResultStatus(call.Answer)
	case paused || m.Source.Waits(c):
		return pairs.Waiting
	}
	return pairs.Dangling
}

// ResultStatus returns the status of result r.
func (m *Matching) ResultStatus(r int) pairs.Status {
	switch result := &m.Results[r]; {
	case result.Call == None:
		return pairs.Orphan
	case result.Further:
		return pairs.Duplicate
	case m.WorthOf(r).IsPlaceholder():
		return pairs.Placeholder
	case m.InPlace(r):
		return pairs.Matched
	}
	return pairs.Displaced
}

// Taken reports whether the provider takes result r for the answer of its call.
func (m *Matching) Taken(r int) bool {
	result := &m.Results[r]
	return m.InPlace(r) && (!result.Changes ||
		!m.OtherID(result.Call, r) && m.sameType(result.Call, r))
}

// IsLate reports whether result r follows the turn of its call, but after other content.
func (m *Matching) IsLate(r int) bool {
	result := &m.Results[r]
	t := m.Calls[result.Call].Turn
	return result.LastTurn == t && result.Message > m.Turns[t].Last && !result.Changes
}

// changes reports whether result r has to change so that the provider accepts it as the answer of
// call c. If names count, an id missing on one side is accepted, and so is another name: only an
// empty name is refused, unless the encoder fills it in.
func (m *Matching) changes(c, r int) bool {
	call, result := &m.Calls[c], &m.Results[r]
	unnamed := m.byName() && blank(result.Name) && call.Name != result.Name &&
		!NamedByEncoder(call.ID, result.ID, result.Name, result.Decoded)
	return unnamed || m.OtherID(c, r) || !m.sameType(c, r)
}

// NamedByEncoder reports whether the encoder gives a result without a name that of its call: the
// result has the id of the call, and was not decoded from a request, which lacks the name.
func NamedByEncoder(call, result, name string, decoded bool) bool {
	return name == "" && result == call && !decoded && !blank(call)
}

// OtherID reports whether result r has another id than call c and the provider would refuse that.
func (m *Matching) OtherID(c, r int) bool {
	call, result := m.Calls[c].ID, m.Results[r].ID
	switch {
	case call == result:
		return false
	case !m.byName():
		return !m.Rules.ResultIDOptional || result != ""
	}
	return result != "" && (call != "" || !m.Source.Accepts(result))
}

// OtherType reports whether result r has another variant than call c, if variants have to agree.
func (m *Matching) OtherType(c, r int) bool { return !m.sameType(c, r) }

// otherName reports whether result r names another tool than call c, if names count.
func (m *Matching) otherName(c, r int) bool {
	name := m.Results[r].Name
	return m.byName() && !blank(name) && name != m.Calls[c].Name
}
