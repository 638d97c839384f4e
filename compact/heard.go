package compact

// This file says where a record needs a mark that messages are missing: where what is shown would
// seem to answer what it did not.

// speaker is who a part of a message is of.
type speaker uint8

const (
	person speaker = iota
	model
	caller // the model, in a call
	tool
	speakers
)

// speaker returns who says a piece.
func (p piece) speaker() speaker {
	switch {
	case p.kind == called:
		return caller
	case p.label == toolLabel:
		return tool
	case p.label == assistantLabel:
		return model
	}
	return person
}

// heard is how many parts of each speaker there were so far.
type heard [speakers]int

// all counts parts of which nobody knows whose they are.
func (h *heard) all(n int) {
	for k := range h {
		h[k] += n
	}
}

// interrupted reports whether somebody else spoke between a segment and the one that is shown
// before it, so that the one would seem to answer the other, or what comes next to answer both.
// What tools said between two people does not count.
func (s *segment) interrupted(before *segment) bool {
	if s.label == before.label && !asks(before.text) {
		return false
	}
	for k := range s.heard {
		between := s.heard[k] - before.heard[k]
		who := speaker(k)
		if who == s.speaker {
			between--
		}
		talk := s.speaker <= model && before.speaker <= model
		if between > 0 && who != s.speaker && !(talk && who > model) {
			return true
		}
	}
	return false
}
