package histgen

import (
	"bytes"
	"maps"

	"github.com/go-preflight/preflight"
)

// Clone returns a deep copy of a history, down to the bytes of raw JSON. It distinguishes nil from
// empty and keeps the spare capacity of slices, so that it is a snapshot to compare with later.
func Clone(history []preflight.Message) []preflight.Message {
	if history == nil {
		return nil
	}
	out := make([]preflight.Message, cap(history))
	for i, m := range history[:cap(history)] {
		m.Parts = cloneParts(m.Parts)
		m.Meta = cloneMeta(m.Meta)
		m.Native.JSON = bytes.Clone(m.Native.JSON)
		out[i] = m
	}
	return out[:len(history)]
}

// Whole returns a history up to its capacity, with the parts of every message up to theirs: two
// histories whose Whole are deeply equal agree in every element a stray append or write could
// reach.
func Whole(history []preflight.Message) []preflight.Message {
	out := make([]preflight.Message, cap(history))
	for i, m := range history[:cap(history)] {
		m.Parts = m.Parts[:cap(m.Parts)]
		out[i] = m
	}
	return out
}

// Roomy gives the history, and the parts of every message, spare capacity that holds sentinels.
func Roomy(history []preflight.Message) []preflight.Message {
	sentinel := &preflight.Text{Text: "sentinel"}
	out := make([]preflight.Message, len(history), len(history)+2)
	copy(out, history)
	for i := range out {
		parts := make([]preflight.Part, len(out[i].Parts), len(out[i].Parts)+2)
		copy(parts, out[i].Parts)
		spare := parts[len(parts):cap(parts)]
		for k := range spare {
			spare[k] = sentinel
		}
		if out[i].Parts != nil {
			out[i].Parts = parts
		}
	}
	spare := out[len(out):cap(out)]
	for k := range spare {
		spare[k] = preflight.Message{Role: "sentinel"}
	}
	return out
}

func cloneParts(parts []preflight.Part) []preflight.Part {
	if parts == nil {
		return nil
	}
	out := make([]preflight.Part, cap(parts))
	for j, p := range parts[:cap(parts)] {
		out[j] = clonePart(p)
	}
	return out[:len(parts)]
}

func clonePart(p preflight.Part) preflight.Part {
	switch p := p.(type) {
	case *preflight.Text:
		return cloneOf(p, func(c *preflight.Text) { cloneCarried(&c.Carried) })
	case *preflight.Reasoning:
		return cloneOf(p, func(c *preflight.Reasoning) { cloneCarried(&c.Carried) })
	case *preflight.ToolCall:
		return cloneOf(p, func(c *preflight.ToolCall) {
			cloneCarried(&c.Carried)
			c.Input = bytes.Clone(c.Input)
		})
	case *preflight.ToolResult:
		return cloneOf(p, func(c *preflight.ToolResult) {
			cloneCarried(&c.Carried)
			c.Output, c.Content = bytes.Clone(c.Output), cloneParts(c.Content)
		})
	case *preflight.Media:
		return cloneOf(p, func(c *preflight.Media) { cloneCarried(&c.Carried) })
	case *preflight.Other:
		return cloneOf(p, func(c *preflight.Other) { cloneCarried(&c.Carried) })
	}
	return p
}

// cloneOf returns a copy of *p, changed; nil stays nil.
func cloneOf[P any](p *P, change func(*P)) *P {
	if p == nil {
		return nil
	}
	c := *p
	change(&c)
	return &c
}

func cloneCarried(c *preflight.Carried) {
	c.Meta = cloneMeta(c.Meta)
	c.Cache = bytes.Clone(c.Cache)
	c.Native.JSON = bytes.Clone(c.Native.JSON)
}

func cloneMeta(m preflight.Metadata) preflight.Metadata {
	out := maps.Clone(m)
	for k, v := range out {
		out[k] = bytes.Clone(v)
	}
	return out
}
