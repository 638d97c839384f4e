package explain

import (
	"regexp"
	"strings"
	"sync"
)

// This file finds the patterns of the catalogue in a text.

// maxTries bounds how often one pattern is tried on one text.
const maxTries = 1000

// The reach of a gap, in bytes of folded text.
const (
	valueReach = 160
	idReach    = 2400
)

// match is one occurrence of a pattern.
type match struct {
	*pattern
	start, end int   // in view.folded
	size       int   // bytes of literal text found
	full       bool  // nothing of the pattern is missing
	ids        []int // offsets in view.folded where ids begin
}

// search finds all occurrences of all patterns, at most limit of them.
func (l *library) search(v *view, limit int) []match {
	var found []match
	text := v.folded
	tries := make([]int, len(l.patterns))
	next := make([]int, len(l.patterns)) // where each may match again
	var gram uint64
	for i := 0; i < len(text); i++ {
		gram = gram<<8 | uint64(text[i])
		h := gramHash(gram)
		if l.filter[h>>6]&(1<<(h&63)) == 0 {
			continue
		}
		at := i - anchorSize + 1
		for _, n := range l.anchors[gram] {
			if at < next[n] || tries[n] >= maxTries {
				continue
			}
			tries[n]++
			m, ok := l.patterns[n].match(text, at)
			if !ok || m.weak && !m.credible(v) {
				continue
			}
			next[n] = m.end
			if found = append(found, m); len(found) == limit {
				return found
			}
		}
	}
	return found
}

// match tries the pattern with its anchor at text[at:].
func (p *pattern) match(text string, at int) (match, bool) {
	m := match{pattern: p, start: at}
	for i := p.anchor; i > 0; i-- {
		literal := p.parts[i-1].literal
		from := max(0, m.start-reach(p.parts[i].before)-len(literal))
		n := strings.LastIndex(text[from:m.start], literal)
		if n < 0 {
			return m, false
		}
		m.start = from + n
	}
	pos := m.start
	for i, part := range p.parts {
		next, ok := part.match(text, pos)
		if !ok {
			if i < p.core {
				return m.cut(text, pos, part)
			}
			if part.before == gapID {
				m.ids = append(m.ids, pos)
			}
			return m, true
		}
		if part.before == gapID {
			m.ids = append(m.ids, pos)
		}
		m.size += len(part.literal)
		pos = next
		m.end = pos
	}
	m.full = true
	return m, p.open || !goesOn(text, pos)
}

// goesOn reports whether a path into the request continues at pos, so that the text names another
// place than the pattern.
func goesOn(text string, pos int) bool {
	return pos > 0 && pos+1 < len(text) && nameByte(text[pos-1]) && text[pos] == '[' &&
		digits(text[pos+1:]) > 0
}

// cut decides on a text that ends before the pattern does: it is still known if enough was
// there before the text itself ended.
func (m match) cut(text string, pos int, p part) (match, bool) {
	rest := text[pos:]
	switch p.before {
	case gapValue:
		return m, false
	case gapNumber:
		return m, m.size >= enoughBytes && atEnd(rest[numberSize(rest):])
	case gapID:
		m.ids = append(m.ids, pos)
		return m, m.size >= enoughBytes && len(rest) <= idReach &&
			atEnd(strings.TrimLeft(rest, idBytes))
	}
	n := 0
	for n < len(rest) && n < len(p.literal) && rest[n] == p.literal[n] {
		n++
	}
	m.size += n
	m.end = pos + n
	return m, m.size >= enoughBytes && atEnd(rest[n:])
}

// idBytes are the characters of the ids that a cut-off list of ids may hold.
const idBytes = "abcdefghijklmnopqrstuvwxyz0123456789_-:|,"

// atEnd reports whether s is the end of a text, or the mark of one that was shortened.
func atEnd(s string) bool {
	if s == "" {
		return true
	}
	for _, mark := range []string{
		"...", "…", "[truncated", "(truncated", "<truncated", "[…", "[...",
	} {
		if strings.HasPrefix(s, mark) {
			return true
		}
	}
	return false
}

// match returns the end of the part in text, of which everything before pos is taken.
func (p part) match(text string, pos int) (int, bool) {
	switch p.before {
	case gapNone:
		return pos + len(p.literal), strings.HasPrefix(text[pos:], p.literal)
	case gapNumber:
		end := pos + numberSize(text[pos:])
		return end + len(p.literal), end > pos && strings.HasPrefix(text[end:], p.literal)
	}
	window := text[pos:min(len(text), pos+reach(p.before)+len(p.literal))]
	i := strings.Index(window, p.literal)
	return pos + i + len(p.literal), i >= 0
}

func reach(g gap) int {
	switch g {
	case gapNumber:
		return 24
	case gapValue:
		return valueReach
	case gapID:
		return idReach
	}
	return 0
}

// numberSize returns the length of the number, or of the placeholder of one, that s begins with.
func numberSize(s string) int {
	n := 0
	for n < len(s) && n < 24 && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	switch {
	case n > 0:
		return n
	case len(s) >= 3 && s[0] == '<' && s[2] == '>':
		return 3
	case s != "" && strings.IndexByte("nmxyi", s[0]) >= 0:
		return 1
	}
	return 0
}

// vicinity is how many bytes of folded text around a weak match are asked who serves the model.
const vicinity = 400

// credible reports whether the surroundings of a weak match support it: it is a sentence of its
// own, and it is the whole text but for the words of an SDK, the message of an error body, or after
// a path into a request, or the text names a service that serves models.
func (m match) credible(v *view) bool {
	before := strings.TrimRight(v.plain[:v.offset(m.start)], " \"'`*")
	if m.lead {
		before = strings.TrimRight(before[:1+strings.LastIndexByte(before, ' ')], " \"'`*")
	}
	after := strings.TrimLeft(v.plain[v.end(m.end):], " \"'`*")
	open := m.open || !m.full
	if !leadsIn(before) || !open && !leadsOut(after) {
		return false
	}
	if strings.Trim(before, punctuation) == "" &&
		(strings.Trim(after, ".!)]} ") == "" || open && len(after) <= valueReach) {
		return true
	}
	if leadsOut(after) && wrapperOnly(before) {
		return true
	}
	const short = 200 // bytes of a text that is hardly more than the message itself
	if m.rule == nil && before == "" && len(v.plain) < short {
		return true
	}
	return errorKey(before) || pathBefore(before) != "" ||
		named(v.folded[max(0, m.start-vicinity):min(len(v.folded), m.end+vicinity)]) != 0
}

var statusCode = sync.OnceValue(
	func() *regexp.Regexp { return regexp.MustCompile(`\b4[0-9][0-9]$`) })

// leadsIn reports whether a message can begin after s: at the start, after punctuation, a status,
// or the name of an error.
func leadsIn(s string) bool {
	if s == "" || strings.IndexByte("{[(:>|=-.,;]", s[len(s)-1]) >= 0 {
		return true
	}
	tail := s[max(0, len(s)-16):]
	return statusCode().MatchString(tail) || strings.HasSuffix(tail, "Error") ||
		strings.HasSuffix(tail, "Exception")
}

// leadsOut reports whether a message can end before s: at the end, before punctuation, or before a
// stack trace.
func leadsOut(s string) bool {
	return s == "" || strings.IndexByte("}])<|,;.!:(", s[0]) >= 0 || strings.HasPrefix(s, "at ")
}

// errorKey reports whether before ends with the key, in JSON or a Python dict, under which a body
// holds its message.
func errorKey(before string) bool {
	key, ok := strings.CutSuffix(before, ":")
	if !ok {
		return false
	}
	key = strings.TrimRight(key, " ")
	for _, name := range []string{"error", "message", "detail", "msg", "raw"} {
		if strings.HasSuffix(key, `"`+name+`"`) || strings.HasSuffix(key, "'"+name+"'") {
			return true
		}
	}
	return false
}
