package preflight

import "slices"

// This file is about text of nothing but white space, which some providers take beside other content only.

// spareBlank remembers, for the message looked at last, whether it may hold blank text: a message of many blank texts is
// looked through once.
type spareBlank struct {
	message int // its index plus one
	spared  bool
}

// of reports whether message i, which is m, may hold blank text although the profile refuses that by itself.
func (s *spareBlank) of(p *Profile, i int, m *Message) bool {
	if len(p.BlankBeside) == 0 {
		return false
	}
	if s.message != i+1 {
		*s = spareBlank{i + 1, p.takesBlankBeside(m.Role) && slices.ContainsFunc(m.Parts, p.saysMore)}
	}
	return s.spared
}

func (p *Profile) takesBlankBeside(r Role) bool {
	neutral, _ := roleOf(r)
	return slices.Contains(p.BlankBeside, neutral)
}

// saysMore reports whether a part is content beside which blank text may stand.
func (p *Profile) saysMore(part Part) bool {
	if isNil(part) {
		return false
	}
	t, ok := part.(*Text)
	if !ok {
		return true
	}
	_, refused := p.refusesText(t.Text)
	return !refused
}
