package wire

import (
	"bytes"
	"slices"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file reads and writes reasoning in the Chat format, where it is in members of a message.

// reasoningKey returns the member that holds a message's reasoning, "" for none. Hosts use
// different names.
func (c *chat) reasoningKey(v jsonscan.Value) string {
	for k, key := range c.reasoning {
		r := v.Get(key)
		keepEmpty := c.emptyReasoningKept && k == 0
		if r.Kind() == jsonscan.String && (!r.StrIs("") || keepEmpty) {
			return key
		}
	}
	return ""
}

const detailsKey = "reasoning_details"

// reasoningParts reads the reasoning in members of a message.
func (c *chat) reasoningParts(d *decoder, v jsonscan.Value) []preflight.Part {
	var parts []preflight.Part
	if key := c.reasoningKey(v); key != "" && c.takes(preflight.RoleAssistant, key) {
		text := v.Get(key)
		parts = d.single(d.thoughts.one(preflight.Reasoning{
			Carried: d.nativeOnly(text), Text: d.prose(text, text),
		}))
		if c.reasoningRule != "" && key != c.reasoning[0] {
			d.repaired(v, key, c.reasoningRule,
				"the reasoning is in another host's field",
				"moved reasoning into the field that the host reads")
		}
	}
	if c.onlyReasoning {
		for _, key := range c.reasoning[1:] {
			if v.Has(key) && (len(parts) == 0 || key != c.reasoningKey(v)) {
				d.refused(v, key, c.reasoningRule)
			}
		}
	}
	if list := v.Get(detailsKey); c.details && list.Len() > 0 && list.Kind() == jsonscan.Array {
		parts = append(parts,
			d.thoughts.one(preflight.Reasoning{Opaque: string(list.Raw()),
				Carried: d.nativeOnly(list)}))
	}
	return parts
}

// isBlock reports whether reasoning is a block of the content.
func (c *chat) isBlock(r *preflight.Reasoning) bool {
	fromMember := len(c.reasoning) > 0 && len(r.Native.JSON) > 0 && r.Native.JSON[0] == '"'
	return c.inBlocks && !fromMember
}

// encodeReasoning writes the reasoning in members.
func (c *chat) encodeReasoning(message *member, reasoning []*preflight.Reasoning) error {
	var texts []string
	var details [][]byte
	for _, r := range reasoning {
		switch list, ok := detailsOf(r); {
		case c.details && ok:
			details = append(details, list)
		case isOpaque(r):
			return errOpaque
		default:
			texts = append(texts, thoughtsOf(r))
		}
	}
	c.encodeDetails(message, details)
	key := c.reasoningKey(message.v)
	if c.onlyReasoning {
		for _, other := range c.reasoning[1:] {
			if other != key {
				message.drop(other)
			}
		}
	}
	if len(texts) == 0 {
		if key != "" {
			message.drop(key)
		}
		return nil
	}
	want := key
	if key == "" || c.reasoningRule != "" {
		want = c.reasoning[0]
	}
	if key != "" && key != want {
		message.drop(key)
	}
	texts = slices.DeleteFunc(texts, func(text string) bool { return text == "" })
	message.text(want, strings.Join(texts, "\n"))
	return nil
}

// detailsOf is opaque reasoning that is a JSON list; ok is false for any other.
func detailsOf(r *preflight.Reasoning) (list []byte, ok bool) {
	list = []byte(r.Opaque)
	return list, first(valueOf(list)).Exists()
}

// encodeDetails writes opaque reasoning, joining several lists.
func (c *chat) encodeDetails(message *member, details [][]byte) {
	switch {
	case !c.details:
	case len(details) == 1:
		message.raw(detailsKey, details[0])
	case len(details) > 1:
		for k := range details {
			details[k] = bytes.TrimSpace(details[k])
			details[k] = details[k][1 : len(details[k])-1]
		}
		message.raw(detailsKey, joined(details))
	case message.v.Get(detailsKey).Len() > 0:
		message.drop(detailsKey)
	}
}
