package rule

import (
	"encoding/binary"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// A pattern is an error text of the catalogue taken apart: literals that must occur in order, and
// between them what one occurrence has and another has not. All patterns are searched in one pass
// over the text: eight bytes of each are its anchor, and only where an anchor occurs is the pattern
// itself tried.

// gap is what may precede a literal.
type gap uint8

const (
	gapNone   gap = iota // nothing: the literal follows at once
	gapNumber            // a number, or a letter in place of one
	gapValue             // a name, a type, an address
	gapID                // ids of calls or items
)

// The reach of a gap, in bytes of folded text.
const (
	valueReach = 160
	idReach    = 2400
)

// The thresholds of matching, in bytes of literal text.
const (
	anchorSize  = 8
	anchorParts = 3
	shortest    = 4  // a shorter literal does not begin a pattern
	enoughBytes = 30 // the first sentences that have this many are enough to know a text by
	weakBytes   = 26 // a text of no more than this needs surroundings that speak of a model request
)

// maxTries bounds how often one pattern is tried on one text.
const maxTries = 1000

// part is one literal and what may precede it. The literal is empty only in a last part,
// after a gapID.
type part struct {
	before  gap
	literal string
}

// pattern is what one error text of one rule or class looks like.
type pattern struct {
	rule   *Rule // nil for a text that is not about the history
	class  Class
	order  int // of the rule in the catalogue
	parts  []part
	core   int  // so many of the parts are required
	anchor int  // the part, one of the first anchorParts, that begins with the anchor
	lead   bool // the sentence begins before the first part, with a word that is another each time
	open   bool // the sentence continues after the last part, each time differently
	weak   bool
	rarer  bool
}

// match is one occurrence of a pattern.
type match struct {
	*pattern
	start, end int   // in view.folded
	size       int   // bytes of literal text found
	full       bool  // nothing of the pattern is missing
	ids        []int // offsets in view.folded where ids begin
}

// library is the compiled catalogue.
type library struct {
	patterns []pattern
	anchors  map[uint64][]int // patterns by anchor
	filter   [1 << 10]uint64  // a bit for the hash of each anchor
}

var compiled = sync.OnceValue(func() *library {
	l := &library{anchors: map[uint64][]int{}}
	order := map[string]int{}
	rules := map[string]*Rule{}
	for _, t := range tables {
		for i := range t.rules {
			r := &t.rules[i]
			order[r.ID], rules[r.ID] = len(order), r
			if r.Error != "" {
				l.add(r, order[r.ID], r.Error)
			}
		}
	}
	for _, w := range wordings {
		if r := rules[w.rule]; r != nil {
			l.add(r, order[w.rule], w.text)
		}
	}
	for _, c := range classTexts {
		p := parse(unmarked.Replace(c.text), marked(c.text))
		p.class, p.order = c.class, len(order)
		l.addPattern(p, false)
	}
	for i, p := range l.patterns {
		gram := binary.BigEndian.Uint64([]byte(p.parts[p.anchor].literal[:anchorSize]))
		l.anchors[gram] = append(l.anchors[gram], i)
		h := gramHash(gram)
		l.filter[h>>6] |= 1 << (h & 63)
	}
	return l
})

func gramHash(gram uint64) uint64 { return gram * 0x9e3779b97f4a7c15 >> 48 }

func (l *library) add(r *Rule, order int, text string) {
	p := parse(text, specimens[r.ID])
	p.rule, p.class, p.order, p.rarer = r, ClassHistory, order, slices.Contains(rarer, r.ID)
	l.addPattern(p, slices.Contains(commonplace, r.ID))
}

// addPattern adds p, which is weak if it says so or has too few literal bytes, unless it has none.
func (l *library) addPattern(p pattern, weak bool) {
	if p.parts == nil {
		return
	}
	p.anchor = anchored(p.parts)
	required := 0
	for _, part := range p.parts[:p.core] {
		required += len(part.literal)
	}
	p.weak = weak || required <= weakBytes
	l.patterns = append(l.patterns, p)
}

// verbatim reports whether the text of p is known to the letter.
func (p *pattern) verbatim() bool { return p.rule != nil && p.rule.ErrorKind == Verbatim }

// unmarked takes the marks of free words out of a text; marked lists those words with their marks.
var unmarked = strings.NewReplacer("‹", "", "›", "", "«", "", "»", "")

func marked(text string) []string {
	var words []string
	for {
		i := strings.IndexAny(text, "‹«")
		if i < 0 {
			return words
		}
		end := i + strings.IndexAny(text[i:], "›»") + len("›")
		words = append(words, text[i:end])
		text = text[end:]
	}
}

// span is a stretch of an error text that is not literal.
type span struct {
	start, end int
	kind       gap
}

// What is free in every error text, by its form.
var freeForms = sync.OnceValue(func() []struct {
	form *regexp.Regexp
	kind gap
} {
	return []struct {
		form *regexp.Regexp
		kind gap
	}{
		{regexp.MustCompile(`https?://[^\s"']*[^\s"'.]`), gapValue},
		{regexp.MustCompile(`\.\.\.|…`), gapValue},
		{regexp.MustCompile(
			`\b(?:srvtoolu|mcptoolu|toolu|tooluse|call|fc|rs|msg)_(?:[A-Za-z_]*[0-9]\w*|XXXX)`), gapID},
		{regexp.MustCompile(`\bXXXX\b`), gapID},
		// abcDEF123, Wr0ngId99
		{regexp.MustCompile(`\b(?:[a-z]+[A-Z]+[0-9]+|[A-Z][a-z]+[0-9][A-Za-z]+[0-9]+)\b`), gapID},
		{regexp.MustCompile(`<n>|\b[NM]\b`), gapNumber},
		{regexp.MustCompile(`\b[0-9]+\b`), gapNumber},
	}
})

// freeSpans finds what is not literal in text, in order and without overlaps.
func freeSpans(text string, free []string) []span {
	var spans []span
	add := func(s span) {
		if !slices.ContainsFunc(spans,
			func(o span) bool { return s.start < o.end && o.start < s.end }) {
			spans = append(spans, s)
		}
	}
	for _, entry := range free {
		kind, open, shut := gapValue, "‹", "›"
		if strings.Contains(entry, "«") {
			kind, open, shut = gapID, "«", "»"
		}
		before, rest, _ := strings.Cut(entry, open)
		inner, after, _ := strings.Cut(rest, shut)
		whole := before + inner + after
		for from := 0; ; {
			i := strings.Index(text[from:], whole)
			if i < 0 {
				break
			}
			start := from + i + len(before)
			add(span{start, start + len(inner), kind})
			from = start + len(inner)
		}
	}
	for _, f := range freeForms() {
		for _, at := range f.form.FindAllStringIndex(text, -1) {
			if f.kind == gapNumber &&
				strings.Contains(text[max(0, at[0]-2):min(len(text), at[1]+2)], "0-9") {
				continue // a character class
			}
			add(span{at[0], at[1], f.kind})
		}
	}
	slices.SortFunc(spans, func(a, b span) int { return a.start - b.start })
	return spans
}

// vague are the beginnings of messages that say nothing without the field they are about.
var vague = []string{"Extra inputs", "Field required", "Input should", "String should"}

// pathless cuts off the path that text begins with, since hosts and versions put different ones
// there. The field names at its end stay where the message needs them.
func pathless(text string) int {
	token, _, _ := strings.Cut(text, " ")
	name := strings.TrimLeft(token, "'*.")
	rooted := strings.HasPrefix(name, "messages") || strings.HasPrefix(name, "tools") ||
		strings.HasPrefix(token, "***")
	if !rooted || !strings.ContainsAny(token, ".:") {
		return 0
	}
	rest := strings.TrimLeft(text[len(token):], " ")
	if strings.HasSuffix(token, ":") &&
		!slices.ContainsFunc(vague, func(g string) bool { return strings.HasPrefix(rest, g) }) {
		return len(token)
	}
	last := 0
	for _, at := range pathIndex().FindAllStringIndex(token, -1) {
		last = at[1]
	}
	return last
}

var pathIndex = sync.OnceValue(
	func() *regexp.Regexp { return regexp.MustCompile(`\b(?:[0-9]+|[NM])\b`) })

// parse takes an error text apart. core is the number of parts that hold its first sentences, as
// many as make enoughBytes.
func parse(text string, free []string) pattern {
	var parts []part
	core := 0
	spans := freeSpans(text, free)
	pos := pathless(text)
	before, size := gapNone, 0
	literal := func(s string) {
		if s = fold(s); s == "" {
			return
		}
		parts = append(parts, part{before, s})
		before = gapNone
		size += len(s)
	}
	sentences := func(s string) {
		// where to look for the next end: a sentence begins with the mark that ends the one before
		from := 0
		for {
			i := sentenceEnd(s[from:])
			if i < 0 {
				literal(s)
				return
			}
			literal(s[:from+i])
			if core == 0 && size >= enoughBytes {
				core = len(parts)
			}
			s, from = s[from+i:], 1
		}
	}
	for _, s := range spans {
		if s.start < pos {
			continue
		}
		sentences(text[pos:s.start])
		before, pos = max(before, s.kind), s.end
	}
	sentences(text[pos:])
	if before != gapNone {
		parts = append(parts, part{before, ""})
	}
	if core == 0 {
		core = len(parts)
	}
	p := pattern{parts: parts, core: core}
	p.trimStart()
	p.trimEnd()
	p.core = max(1, min(p.core, len(p.parts)))
	return p
}

// sentenceEnd is the offset of the first character in s that ends a sentence with another after
// it, or -1.
func sentenceEnd(s string) int {
	for i := 0; i+2 < len(s); i++ {
		if (s[i] == '.' || s[i] == ';' || s[i] == '!') && s[i+1] == ' ' &&
			(s[i] == ';' || s[i+2] < 'a' || s[i+2] > 'z') {
			return i
		}
	}
	return -1
}

const punctuation = ".,:;!?()<>{}[]-"

// trimStart drops what cannot be relied on at the beginning: punctuation, and pieces too short to
// be found by.
func (p *pattern) trimStart() {
	p.lead = len(p.parts) > 0 && p.parts[0].before != gapNone
	for len(p.parts) > 0 {
		first := &p.parts[0]
		first.before = gapNone
		first.literal = strings.TrimLeft(first.literal, punctuation)
		if len(first.literal) >= shortest && anchored(p.parts) >= 0 {
			return
		}
		p.lead = len(first.literal) > 0
		p.parts, p.core = p.parts[1:], p.core-1
	}
}

// trimEnd drops punctuation and gaps from the end, but keeps a gap that gives away an id.
func (p *pattern) trimEnd() {
	for len(p.parts) > 0 {
		last := &p.parts[len(p.parts)-1]
		last.literal = strings.TrimRight(last.literal, punctuation)
		p.open = p.open || last.literal == "" && last.before != gapNone
		if last.literal != "" || last.before == gapID {
			return
		}
		p.parts = p.parts[:len(p.parts)-1]
	}
}

// anchored is the first part that can hold the anchor, or -1.
func anchored(parts []part) int {
	return slices.IndexFunc(parts[:min(len(parts), anchorParts)],
		func(p part) bool { return len(p.literal) >= anchorSize })
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

// numberSize is the length of the number, or of the placeholder of one, that s begins with.
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
