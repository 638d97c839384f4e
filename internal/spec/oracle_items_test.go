package spec

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/preflighttest/histgen"
)

// This file judges histories of items by the rules of the Responses format, apart from Check.

// writtenApart reports whether the encoder writes an item for each part of a message: it was not
// decoded from items, and which item follows which reasoning is no question.
func writtenApart(m preflight.Message) bool {
	return len(m.Native.JSON) == 0 && !slices.ContainsFunc(m.Parts, func(p preflight.Part) bool {
		_, reasons := p.(*preflight.Reasoning)
		return reasons
	})
}

// judgeItems is a second reading of the rules about items, with lists and nested loops.
func judgeItems(h []preflight.Message, p *preflight.Profile) string {
	seen := map[string]bool{}
	for i, m := range h {
		if len(m.Parts) != 1 && !writtenApart(m) {
			for _, part := range m.Parts {
				switch part.(type) {
				case *preflight.Reasoning, *preflight.ToolCall, *preflight.ToolResult:
					return fmt.Sprintf("items[%d] holds more than one part", i)
				}
			}
		}
		if m.ID != "" &&
			(seen[m.ID] || len(m.ID) > 64 ||
				strings.Trim(m.ID, "abcdefghijklmnopqrstuvwxyz_0123456789") != "") {
			return fmt.Sprintf("items[%d]: id %q", i, m.ID)
		}
		seen[m.ID] = true
		if r, ok := m.Parts[0].(*preflight.Reasoning); ok {
			next := i + 1
			for next < len(h) && isReasoning(h[next]) {
				next++
			}
			switch {
			case r.Opaque == "" && (m.ID == "" || !p.Items.Held):
				return fmt.Sprintf("items[%d]: reasoning that the provider does not hold", i)
			case !p.Items.Held || m.ID == "": // nothing is compared with what the provider holds
			case next == len(h) || h[next].Role != preflight.RoleAssistant:
				if r.Opaque == "" || next == len(h) {
					return fmt.Sprintf("items[%d]: reasoning that led to nothing", i)
				}
			case h[next].ID == "" && !isOther(h[next]):
				return fmt.Sprintf("items[%d]: what reasoning led to has no id", i)
			}
		}
	}
	return judgeItemPairs(h)
}

func isReasoning(m preflight.Message) bool { _, ok := m.Parts[0].(*preflight.Reasoning); return ok }

func isOther(m preflight.Message) bool { _, ok := m.Parts[0].(*preflight.Other); return ok }

func judgeItemPairs(h []preflight.Message) string {
	var open []*preflight.ToolCall
	referred := false
	for i, m := range h {
		for _, part := range m.Parts {
			switch x := part.(type) {
			case *preflight.Other:
				referred = referred || x.Kind == "item_reference"
			case *preflight.ToolCall:
				open = append(open, x)
			case *preflight.ToolResult:
				k := slices.IndexFunc(open, func(c *preflight.ToolCall) bool {
					return c.ID == x.CallID && c.Variant == x.Variant
				})
				if k < 0 && !referred {
					return fmt.Sprintf("items[%d]: no call for the result of %q", i, x.CallID)
				}
				if k >= 0 {
					open = slices.Delete(open, k, k+1)
				}
			}
		}
	}
	if len(open) > 0 {
		return fmt.Sprintf("no result for the call %q", open[0].ID)
	}
	return ""
}

// certainItemPairs lists the calls, by tag, of which it is certain which results may answer them.
// These are calls whose id no other call has: any result of that id after it. And these are the
// calls of an id where calls and results take turns, a call first: the result right after each.
// Left out are ids that some result spells in another way, or that calls of two kinds have, and
// calls that are there twice.
func certainItemPairs(h []preflight.Message) map[string][]string {
	type answered struct {
		calls   []*preflight.ToolCall
		results [][]string // after each call, before the next of that id
		variant string
		unclear bool
	}
	ids := map[string]*answered{}
	of := func(id string) *answered {
		plain, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(id)), "|")
		if ids[plain] == nil {
			ids[plain] = &answered{}
		}
		ids[plain].unclear = ids[plain].unclear || plain != id
		return ids[plain]
	}
	for _, p := range partsOf(h) {
		switch p := p.(type) {
		case *preflight.ToolCall:
			a := of(p.ID)
			a.unclear = a.unclear || len(a.calls) > 0 && a.variant != p.Variant
			a.calls, a.results, a.variant = append(a.calls, p), append(a.results, nil), p.Variant
		case *preflight.ToolResult:
			a := of(p.CallID)
			if len(a.calls) == 0 || p.Variant != a.variant {
				a.unclear = true
				continue
			}
			last := len(a.results) - 1
			a.results[last] = append(a.results[last], histgen.Tag(p))
		}
	}
	tags, out := tagCounts(h), map[string][]string{}
	for _, a := range ids {
		takeTurns := !slices.ContainsFunc(a.results, func(r []string) bool { return len(r) != 1 })
		for k, c := range a.calls {
			if !a.unclear && (takeTurns || len(a.calls) == 1 && len(a.results[k]) > 0) &&
				tags[histgen.Tag(c)] == 1 {
				out[histgen.Tag(c)] = a.results[k]
			}
		}
	}
	return out
}
