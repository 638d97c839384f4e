package explain

import (
	"encoding/binary"
	"slices"
	"sync"

	"github.com/go-preflight/preflight/rule"
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

// The thresholds of matching, in bytes of literal text.
const (
	anchorSize  = 8
	anchorParts = 3
	shortest    = 4  // a shorter literal does not begin a pattern
	enoughBytes = 30 // the first sentences that have this many are enough to know a text by
	weakBytes   = 26 // a text of no more than this needs surroundings that speak of a model request
)

// part is one literal and what may precede it. The literal is empty only in a last part,
// after a gapID.
type part struct {
	before  gap
	literal string
}

// pattern is what one error text of one rule or class looks like.
type pattern struct {
	rule   *rule.Rule // nil for a text that is not about the history
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

// library is the compiled catalogue.
type library struct {
	patterns []pattern
	anchors  map[uint64][]int // patterns by anchor
	filter   [1 << 10]uint64  // a bit for the hash of each anchor
}

var compiled = sync.OnceValue(func() *library {
	l := &library{anchors: map[uint64][]int{}}
	order := map[string]int{}
	rules := map[string]*rule.Rule{}
	all := rule.All()
	for i := range all {
		r := &all[i]
		order[r.ID], rules[r.ID] = i, r
		if r.Error != "" {
			l.add(r, i, r.Error)
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

func (l *library) add(r *rule.Rule, order int, text string) {
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
func (p *pattern) verbatim() bool { return p.rule != nil && p.rule.ErrorKind == rule.Verbatim }
