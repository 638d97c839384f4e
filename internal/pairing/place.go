package pairing

// This file matches calls and results by their ids in the place where the provider looks for the
// results, and near it.

// InPlace reports whether result r is where the provider looks for the answer of its call, and
// after it.
func (m *Matching) InPlace(r int) bool {
	result := &m.Results[r]
	return m.Calls[result.Call].Turn == result.Zone && m.Precedes(result.Call, r)
}

// matchTurn is the first step: it matches the calls of a turn with the results in its zone that
// have the same id, and name if names count.
func (m *Matching) matchTurn(turn *Turn) {
	if m.matchInOrder(turn, sameIDAndName) {
		return
	}
	calls, results := m.rest.open[:0], m.rest.free[:0]
	for c := turn.Calls.First; c < turn.Calls.End; c++ {
		calls = append(calls, c)
	}
	for r := turn.Results.First; r < turn.Results.End; r++ {
		if !m.Results[r].Further {
			results = append(results, r)
		}
	}
	m.rest.open, m.rest.free = calls, results
	choose := m.skipEarlier
	if m.Rules.Server {
		choose = nil
	}
	m.match(calls, results, sameIDAndName, choose)
}

// reset discards the matches of a turn with the results in its zone.
func (m *Matching) reset(turn *Turn) {
	for c := turn.Calls.First; c < turn.Calls.End; c++ {
		m.Calls[c].Answer = None
	}
	for r := turn.Results.First; r < turn.Results.End; r++ {
		m.Results[r].Call, m.Results[r].Changes = None, false
	}
}

// matchInPlace matches the calls of each turn with the results in its zone that have the same key.
func (m *Matching) matchInPlace(k key) {
	for _, t := range m.rest.turns {
		if !m.matchInOrder(&m.Turns[t.turn], k) {
			m.match(m.openCallsOf(t), m.freeResultsIn(t), k, m.skipEarlier)
		}
	}
}

// matchInOrder handles the common case, as many results as calls and in the same order, without a
// table. Otherwise it matches nothing. It reports whether all are matched. If names count, results
// with the exact ids may have names that no call so far has.
func (m *Matching) matchInOrder(turn *Turn, k key) bool {
	calls, first := turn.Calls, turn.Results.First
	if calls.len() != turn.Results.len() {
		return false
	}
	if k.respelled && calls.len() > 0 && m.Calls[calls.First].Answer == None &&
		m.callHash(calls.First) != m.resultHash(first) {
		return false
	}
	renamed := false
	for c := calls.First; c < calls.End; c++ {
		r := first + c - calls.First
		call, result := &m.Calls[c], &m.Results[r]
		if (call.Answer == None) != (result.Call == None) {
			return false
		}
		if call.Answer != None {
			continue
		}
		if !m.Precedes(c, r) || !m.sameType(c, r) || k.of(call.ID) != k.of(result.ID) {
			return false
		}
		if m.comparesNames(k, call.ID) && call.Name != result.Name {
			if k.respelled || blank(call.ID) {
				return false
			}
			renamed = true
		}
	}
	if renamed && !m.namesUnknown(turn) {
		return false
	}
	for c := calls.First; c < calls.End; c++ {
		if m.Calls[c].Answer == None {
			r := first + c - calls.First
			m.Bind(c, r, m.reason(r, k))
		}
	}
	return true
}
