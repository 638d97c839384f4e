package preflight

import (
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/problemset"
	"github.com/go-preflight/preflight/internal/titles"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file repairs documents: their titles, their number, and the text in their messages.
//
//	user: documents a to f, of which five are accepted    becomes  user: "[document: a]", b to f
//	user: document a, alone                               gets  "(see the attached document)"

// documents checks that a message holds no more media than it may, that document titles are unique,
// and that a message with a document holds text.
func (c *checker) documents() {
	p := c.profile
	if !c.media || len(p.Media.Limits) == 0 && !p.Media.UniqueTitles && !p.Media.DocumentNeedsText {
		return
	}
	c.used.Reset()
	title := func(at Position, part Part, id string) {
		m, ok := part.(*Media)
		if !ok || mediaKind(m) != "document" || m.Name == "" || !p.Media.UniqueTitles {
			return
		}
		if _, known := c.used.Of(m.Name); known {
			c.reportAt(problems.MediaNameTwice, at, id, "an earlier document has this title")
		}
	}
	for i := range c.history {
		text, document := false, false
		for j, part := range c.history[i].Parts {
			title(At(i, j), part, "")
			switch part := part.(type) {
			case *Text:
				_, refused := textRefusal(p, part)
				text = text || !refused
			case *Media:
				document = document || mediaKind(part) == "document"
			case *ToolResult:
				for k, inner := range part.Content {
					title(At(i, j, k), inner, part.CallID)
				}
			}
		}
		if p.Media.DocumentNeedsText && document && !text {
			c.report(problems.DocumentAlone, i, none, "", "the message holds a document and no text")
		}
		for _, limit := range p.Media.Limits {
			if excessMedia(c.history[i].Parts, limit) > 0 {
				c.report(problems.MediaLimit, i, none, "",
					"the message holds more media of one kind than it may")
			}
		}
	}
}

// excessMedia returns how many media of a kind are above the limit.
func excessMedia(parts []Part, limit provider.MediaLimit) int {
	n := 0
	for _, p := range parts {
		if m, ok := p.(*Media); ok && mediaKind(m) == limit.Kind {
			n++
		}
	}
	return n - max(limit.Most, 0)
}

// normalizeDocumentsFixer replaces the first media of a message that holds too many by
// descriptions, numbers documents with the same title, and adds a short text to messages that hold
// documents but no text.
var normalizeDocumentsFixer = Fixer{
	Name:   "normalize-documents",
	group:  "content",
	repair: normalizeDocuments,
	cures:  problemset.Of(problems.MediaLimit, problems.MediaNameTwice, problems.DocumentAlone),
	checks: []checks{{whole: (*checker).documents}},
}

// documentText is the text added to a message that holds documents but no text.
const documentText = "(see the attached document)"

func normalizeDocuments(d *draft) {
	p := d.profile
	for i := range d.nodes {
		for _, limit := range p.Media.Limits {
			d.limitMedia(i, limit)
		}
	}
	if p.Media.UniqueTitles {
		d.numberTitles()
	}
	if !p.Media.DocumentNeedsText {
		return
	}
	for i := range d.nodes {
		if d.holdsLoneDocument(i) {
			text := &Text{Text: documentText}
			d.warn(d.position(i, none), note{
				code: codes.TextAdded, problem: problems.DocumentAlone,
				detail: "put a short text beside a document",
			}, Tally{}, tallyPart(text))
			d.appendPart(i, text, origin{none, none})
		}
	}
}

// holdsLoneDocument reports whether node i holds a document and no text.
func (d *draft) holdsLoneDocument(i int) bool {
	found := false
	for _, part := range d.nodes[i].Parts {
		switch part := part.(type) {
		case *Text:
			if _, refused := textRefusal(d.profile, part); !refused {
				return false
			}
		case *Media:
			found = found || mediaKind(part) == "document"
		}
	}
	return found
}

// limitMedia replaces the first media of a kind in node i by descriptions until the rest are within
// the limit.
func (d *draft) limitMedia(i int, limit provider.MediaLimit) {
	excess := excessMedia(d.nodes[i].Parts, limit)
	for j := 0; excess > 0; j++ {
		if m, ok := d.nodes[i].Parts[j].(*Media); ok && mediaKind(m) == limit.Kind {
			d.replace(i, j,
				&Text{Carried: Carried{Meta: m.Meta, Cache: m.Cache}, Text: describe(m)},
				note{
					code: codes.MediaDescribed, problem: problems.MediaLimit,
					detail: "described media beyond the most that a message may hold",
				})
			excess--
		}
	}
}

// numberTitles appends a number to each document title that an earlier document has.
func (d *draft) numberTitles() {
	used := titles.New(d.profile.Media.Title.Max)
	for i := range d.nodes {
		for j, part := range d.nodes[i].Parts {
			n := note{
				code: codes.MediaRepaired, problem: problems.MediaNameTwice, id: partID(part),
				detail: "numbered a document with a duplicate title",
			}
			switch part := part.(type) {
			case *Media:
				if m := retitled(part, used); m != part {
					d.replace(i, j, m, n)
				}
			case *ToolResult:
				if r := retitledInside(part, used); r != part {
					d.replace(i, j, r, n)
				}
			}
		}
	}
}

// retitled returns a document with a title that no earlier one has: m itself if it has one.
func retitled(m *Media, used *titles.Set) *Media {
	if mediaKind(m) != "document" || m.Name == "" {
		return m
	}
	title := used.Take(m.Name)
	if title == m.Name {
		return m
	}
	return edited(m, func(x *Media) { x.Name = title })
}

// retitledInside does the same for the documents in a tool result.
func retitledInside(r *ToolResult, used *titles.Set) *ToolResult {
	return withContent(r, func(p Part) Part {
		if m, ok := p.(*Media); ok {
			return retitled(m, used)
		}
		return p
	})
}
