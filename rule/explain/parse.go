package explain

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// This file takes error texts apart into patterns.

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

// sentenceEnd returns the offset of the first character in s that ends a sentence with another
// after it, or -1.
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

// anchored returns the first part that can hold the anchor, or -1.
func anchored(parts []part) int {
	return slices.IndexFunc(parts[:min(len(parts), anchorParts)],
		func(p part) bool { return len(p.literal) >= anchorSize })
}
