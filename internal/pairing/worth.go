package pairing

import "github.com/go-preflight/preflight/pairs"

// This file decides which of several results of one call is its answer: the one with the highest
// worth.

// WorthOf returns the worth of result r. The source is asked once.
func (m *Matching) WorthOf(r int) Worth {
	result := &m.Results[r]
	if result.worth == unknown {
		result.worth = m.Source.Worth(r, result.Call)
	}
	return result.worth
}

// weigh makes the first result with the highest worth the answer of each call.
func (m *Matching) weigh() {
	for _, r := range m.rest.results {
		m.weighOne(r)
	}
}

// weighOne makes a further result the answer of its call if it has a higher worth than the answer.
func (m *Matching) weighOne(r int) {
	result := &m.Results[r]
	if !result.Further || result.Call == None {
		return
	}
	call := &m.Calls[result.Call]
	if a := call.Answer; a != None {
		if !m.outweighs(r, a) {
			return
		}
		m.Results[a].Further = true
		m.Turns[call.Turn].Swapped = true
	}
	m.Bind(result.Call, r, result.Reason)
}

// outweighs reports whether result r replaces a, the answer so far.
func (m *Matching) outweighs(r, a int) bool {
	c := m.Results[a].Call
	early := !m.Precedes(c, r) // it may belong to a lost call
	worth, answer := m.WorthOf(r), m.WorthOf(a)
	switch {
	case !worth.IsPlaceholder() && m.LessCertain(a, r) && !m.AssistantBetween(a, r):
		return true // it names the call
	case worth == answer || worth.IsPlaceholder() && answer.IsPlaceholder():
		return m.InPlace(r) && !m.InPlace(a)
	case answer.IsPlaceholder():
		return worth == Real || !early && !m.LessCertain(r, a)
	case answer == Error:
		return worth == Real && !early && !m.LessCertain(r, a) &&
			(!m.AssistantBetween(a, r) || m.isOnlyOfID(c, r))
	case answer == Doubtful: // it may be data, which the assistant may have responded to
		return worth == Real && !m.LessCertain(r, a) && !m.AssistantBetween(a, r)
	}
	return false
}

// LessCertain reports whether result a is matched with its call by an id and result r is not. Then
// r may be the result of another call, and does not replace a: both are kept.
func (m *Matching) LessCertain(r, a int) bool {
	byID := func(why pairs.Reason) bool { return why == pairs.ByID || why == pairs.ByNormalizedID }
	return byID(m.Results[a].Reason) && !byID(m.Results[r].Reason)
}

// isOnlyOfID reports whether call c is the only call with its id before result r. Then r belongs to
// it, wherever r is. Later calls are ignored, so that appending a call does not change what was
// sent before.
func (m *Matching) isOnlyOfID(c, r int) bool {
	if m.second == nil {
		m.second = make(map[string]int, len(m.Calls))
		for k := range m.Calls {
			id := m.Calls[k].ID
			if second, known := m.second[id]; !known {
				m.second[id] = None
			} else if second == None {
				m.second[id] = k
			}
		}
	}
	id := m.Calls[c].ID
	second := m.second[id]
	return !blank(id) && (second == None || !m.Precedes(second, r))
}

// AssistantBetween reports whether a turn of the assistant begins after result a and before result
// b.
func (m *Matching) AssistantBetween(a, b int) bool {
	return m.Results[b].LastTurn > m.Results[a].LastTurn
}

// markRepeats marks messages of results after a turn that equal the message right before them,
// result by result, if there are more results than calls: a retry was recorded twice. Matched by
// name alone, such a result would answer some earlier call. It reports whether there are any.
func (m *Matching) markRepeats(turn *Turn) bool {
	surplus := turn.Results.len() - turn.Calls.len()
	found := false
	before := Span{} // the results of the message before
	for r := turn.Results.First; r < turn.Results.End && surplus > 0; {
		end := r + 1
		for end < turn.Results.End && m.Results[end].Message == m.Results[r].Message {
			end++
		}
		if m.repeats(before, Span{r, end}) {
			found = true
			surplus -= end - r
			for k := r; k < end; k++ {
				m.Results[k].Further, m.Results[k].copyOf = true, end-r
			}
		}
		before, r = Span{r, end}, end
	}
	return found
}

// repeats reports whether the results of a message equal those of the message before.
func (m *Matching) repeats(before, of Span) bool {
	if before.len() != of.len() ||
		m.Results[before.First].Message != m.Results[of.First].Message-1 {
		return false
	}
	for k := range of.len() {
		a, b := &m.Results[before.First+k], &m.Results[of.First+k]
		if a.ID != b.ID || a.Name != b.Name || !m.Source.Same(before.First+k, of.First+k) {
			return false
		}
	}
	return true
}
