package preflight

import (
	"slices"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/channels"
	"github.com/go-preflight/preflight/internal/problemset"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file splits text that still has the channel tags of gpt-oss.

// splitChannelsFixer turns text with channel tags into reasoning, which is what is in the channel
// for analysis, and text.
var splitChannelsFixer = Fixer{
	Name:   "split-channels",
	repair: splitChannels,
	cures:  problemset.Of(problems.ChannelTags),
}

func splitChannels(d *draft) {
	if !d.profile.Content.RefuseChannelTags {
		return
	}
	for i := range d.nodes {
		if d.role(i) == RoleAssistant && slices.ContainsFunc(d.nodes[i].Parts, holdsChannels) {
			d.splitChannels(i)
		}
	}
}

// splitChannels replaces each text with channel tags in node i by its pieces. The pieces of text
// have the fields of the text.
func (d *draft) splitChannels(i int) {
	var parts []Part
	var from []origin
	for j, p := range d.nodes[i].Parts {
		if !holdsChannels(p) {
			parts, from = append(parts, p), append(from, d.origin(i, j))
			continue
		}
		t := p.(*Text)
		pieces := channels.Split(t.whole())
		if pieces == nil {
			pieces = make([]channels.Piece, 1) // drop-empty removes the empty text
		}
		var added Tally
		for _, piece := range pieces {
			var now Part = &Reasoning{Text: piece.Text}
			if !piece.Analysis {
				now = edited(t, func(x *Text) { x.Text = piece.Text })
			}
			parts, from = append(parts, now), append(from, d.origin(i, j))
			added = added.Plus(tallyPart(now))
		}
		d.warn(d.position(i, j), note{
			code: codes.PartChanged, problem: problems.ChannelTags,
			detail: "split channel-tagged text into reasoning and text",
		}, tallyPart(t), added)
	}
	d.own(i)
	d.setParts(i, parts, from)
}

// holdsChannels reports whether a part is text with channel tags.
func holdsChannels(p Part) bool {
	t, ok := p.(*Text)
	return ok && t.holdsChannels()
}

// channels checks that a text of the assistant has no channel tags.
func (c *checker) channels(i, j int, part Part, role Role) {
	if c.profile.Content.RefuseChannelTags && role == RoleAssistant && holdsChannels(part) {
		c.report(problems.ChannelTags, i, j, "",
			"the text has channel tags, which the template refuses")
	}
}
