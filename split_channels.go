package preflight

import (
	"strings"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/rule"
)

// This file takes text apart that still has the channel tags of gpt-oss, as a server writes it that
// does not parse them: "<|channel|>analysis<|message|>…<|end|>…<|channel|>final<|message|>…".

// splitChannelsFixer turns the analysis in such text into reasoning, and the rest into text without
// tags.
var splitChannelsFixer = Fixer{
	Name:   "split-channels",
	Doc:    "makes reasoning and text of text with channel tags, where the template refuses them",
	repair: splitChannels,
	cures:  problems(rule.ChannelTags),
}

const (
	channelTag = "<|channel|>"
	messageTag = "<|message|>"
	analysis   = "analysis"
)

func splitChannels(d *draft) {
	if !d.profile.Content.RefuseChannelTags {
		return
	}
	for i := range d.nodes {
		n := &d.nodes[i]
		var parts []Part
		var from []origin
		for j, p := range n.Parts {
			t, ok := p.(*Text)
			if !ok || !holdsChannels(t) || d.role(i) != RoleAssistant {
				if parts != nil {
					parts, from = append(parts, p), append(from, d.origin(i, j))
				}
				continue
			}
			if parts == nil {
				for k, before := range n.Parts[:j] {
					parts, from = append(parts, before), append(from, d.origin(i, k))
				}
			}
			var added Tally
			for _, piece := range channelsOf(t) {
				parts, from = append(parts, piece), append(from, d.origin(i, j))
				added = added.Plus(tallyPart(piece))
			}
			d.warn(d.position(i, j), note{
				code: codes.PartChanged, problem: rule.ChannelTags,
				detail: "made reasoning and text of text with channel tags",
			}, tallyPart(t), added)
		}
		if parts != nil {
			d.own(i)
			d.setParts(i, parts, from)
		}
	}
}

// holdsChannels reports whether a text has the tags that begin a message in a channel.
func holdsChannels(t *Text) bool {
	_, after, found := strings.Cut(t.Text, channelTag)
	return found && strings.Contains(after, messageTag)
}

// channelsOf returns the messages in a text with channel tags, in order: what is in the channel for
// analysis as reasoning, everything else as text. The last text has the fields of t.
func channelsOf(t *Text) []Part {
	var parts []Part
	text := func(s string) {
		if s = strings.TrimSpace(s); s != "" {
			parts = append(parts, edited(t, func(x *Text) { x.Text = s }))
		}
	}
	left := t.Text
	for {
		before, after, found := strings.Cut(left, channelTag)
		header, body, complete := strings.Cut(after, messageTag)
		if !found || !complete {
			text(left)
			break
		}
		text(withoutStart(before))
		if end := endOfMessage(body); end >= 0 {
			body, left = body[:end], afterEnd(body[end:])
		} else {
			left = ""
		}
		name, _, _ := strings.Cut(strings.TrimSpace(header), " ")
		if name != analysis {
			text(body)
		} else if body = strings.TrimSpace(body); body != "" {
			parts = append(parts, &Reasoning{Text: body})
		}
	}
	if len(parts) == 0 {
		parts = append(parts, edited(t, func(x *Text) { x.Text = "" }))
	}
	return parts
}

// ends are the tags that end a message, and the one that begins the next.
var ends = []string{"<|end|>", "<|return|>", "<|call|>", "<|start|>", channelTag}

// endOfMessage returns the index of the first tag that ends the message, or -1.
func endOfMessage(s string) int {
	for from := 0; ; {
		i := strings.Index(s[from:], "<|")
		if i < 0 {
			return -1
		}
		from += i
		for _, tag := range ends {
			if strings.HasPrefix(s[from:], tag) {
				return from
			}
		}
		from += len("<|")
	}
}

// afterEnd returns what follows the tag that ended a message.
func afterEnd(s string) string {
	for _, tag := range ends[:3] {
		if after, found := strings.CutPrefix(s, tag); found {
			return after
		}
	}
	return s
}

// withoutStart removes the tag and the role that begin a message before its channel.
func withoutStart(s string) string {
	before, role, found := strings.Cut(s, "<|start|>")
	if found && !strings.ContainsAny(strings.TrimSpace(role), " \n") {
		return before
	}
	return s
}

// channels checks that a text of the assistant has no channel tags.
func (c *checker) channels(i, j int, part Part, role Role) {
	if t, ok := part.(*Text); ok && c.profile.Content.RefuseChannelTags &&
		role == RoleAssistant && holdsChannels(t) {
		c.report(rule.ChannelTags, i, j, "", "the text has channel tags, which the template refuses")
	}
}
