package preflight

import (
	"encoding/json"
	"iter"
	"slices"
	"strings"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file finds and sets prompt-cache breakpoints, and keeps them while a draft changes,
// whichever fixer changes it: that of a part that is removed moves to its neighbour.
//
//	before  [text A]  [text "", breakpoint]  [call]
//	after   [text A, breakpoint]  [call]

// bearer is the position of a breakpoint within a message: a part, or a part inside a tool result.
// inner is none for a part of the message itself.
type bearer struct{ part, inner int }

// breakpoints yields the breakpoints of a message, in order.
func breakpoints(parts []Part) iter.Seq2[bearer, json.RawMessage] {
	return func(yield func(bearer, json.RawMessage) bool) {
		for j, p := range parts {
			if isNil(p) {
				continue
			}
			if r, ok := p.(*ToolResult); ok {
				for k, c := range r.Content {
					if !isNil(c) && c.carried().Cache != nil &&
						!yield(bearer{j, k}, c.carried().Cache) {
						return
					}
				}
			}
			if cache := p.carried().Cache; cache != nil && !yield(bearer{j, none}, cache) {
				return
			}
		}
	}
}

// bearsCache reports whether a part may carry a breakpoint and will be kept.
func bearsCache(p *Profile, part Part) bool {
	if isNil(part) {
		return false
	}
	switch part := part.(type) {
	case *Reasoning, *Media:
		return cacheProblem(p, part) == ""
	case *Text:
		_, refused := textRefusal(p, part)
		return !refused
	}
	return true
}

// cacheProblem returns why a part that may stay may not carry a breakpoint, "" when it may.
func cacheProblem(p *Profile, part Part) problems.Problem {
	switch part := part.(type) {
	case *Reasoning:
		if p.Cache.NoReasoning {
			return problems.CacheReasoning
		}
	case *Media:
		if p.Cache.NoDocument && mediaKind(part) == "document" && !mayBePDF(part.MediaType) {
			return problems.CacheDocument
		}
	}
	return ""
}

// mayBePDF reports whether a type of documents is that of PDF files, or an unknown one.
func mayBePDF(mediaType string) bool {
	name, ok := strings.CutPrefix(mediaType, "application/")
	return ok && name != "msword" && !strings.HasPrefix(name, "vnd.")
}

// setCache sets or removes (nil) the breakpoint of a part of node i, or of one inside it, without a
// warning.
func (d *draft) setCache(i int, at bearer, cache json.RawMessage) {
	d.editCaches(i, []bearer{at}, func(json.RawMessage) json.RawMessage { return cache })
}

// editCaches puts what edit returns in the place of the breakpoints of several parts, in order; nil
// removes one. It copies each part of the message once, however many breakpoints it holds.
func (d *draft) editCaches(
	i int, places []bearer, edit func(json.RawMessage) json.RawMessage,
) {
	var p Part
	for k, at := range places {
		if k == 0 || at.part != places[k-1].part {
			p = CopyPart(d.nodes[i].Parts[at.part])
			if r, ok := p.(*ToolResult); ok {
				r.Content = slices.Clone(r.Content)
			}
			d.ownParts(i).Parts[at.part] = p
		}
		if at.inner == none {
			p.carried().Cache = edit(p.carried().Cache)
			continue
		}
		r := p.(*ToolResult)
		r.Content[at.inner] = CopyPart(r.Content[at.inner])
		inner := r.Content[at.inner].carried()
		inner.Cache = edit(inner.Cache)
	}
}

// rescueCache moves the breakpoint of part j of node i, which cannot keep it, or the last one
// inside the part if it has none, to the nearest earlier part of the message that can carry one, or
// else the nearest later part, or else the last such part of the message before. Without any such
// part it only warns that the breakpoint is removed, as it does for all others inside the part.
func (d *draft) rescueCache(i, j int, problem problems.Problem) {
	part := d.nodes[i].Parts[j]
	at, cache, n := lastBreakpoint(part)
	if n == 0 {
		return
	}
	ti, tj := d.cacheNeighbour(i, j)
	if ti == none {
		d.warnCacheRemoved(i, j, n, problem)
		return
	}
	d.warnCacheRemoved(i, j, n-1, problem)
	d.warn(d.position(i, j), note{
		code: codes.CacheMoved, problem: problem,
		detail: "moved a cache breakpoint to the part next to the one that carried it",
	}, Tally{}, Tally{})
	to := d.nodes[ti].Parts[tj]
	if there, _, _ := lastBreakpoint(to); !endsInBreakpoint(to) &&
		!(there == at && isCopy(to, part)) { // which has it in the same place
		d.setCache(ti, bearer{tj, none}, cache)
	}
}

// warnCacheRemoved warns that n breakpoints are removed with part j of node i.
func (d *draft) warnCacheRemoved(i, j, n int, problem problems.Problem) {
	for range n {
		d.warn(d.position(i, j), note{
			code: codes.CacheRemoved, problem: problem,
			detail: "removed a cache breakpoint with the part that carried it",
		}, Tally{}, Tally{})
	}
}

// lastBreakpoint returns the last of the n breakpoints of a part and of what is inside it.
func lastBreakpoint(p Part) (at bearer, cache json.RawMessage, n int) {
	for found, c := range breakpoints([]Part{p}) {
		at, cache, n = found, c, n+1
	}
	return at, cache, n
}

// isCopy reports whether two parts are results that say the same.
func isCopy(a, b Part) bool {
	x, isResult := a.(*ToolResult)
	y, both := b.(*ToolResult)
	return isResult && both && sameResult(x, y)
}

// endsInBreakpoint reports whether a part carries a breakpoint, or its last content does.
func endsInBreakpoint(p Part) bool {
	if r, ok := p.(*ToolResult); ok && p.carried().Cache == nil && len(r.Content) > 0 {
		p = r.Content[len(r.Content)-1]
	}
	return !isNil(p) && p.carried().Cache != nil
}

// rescue caches where the last breakpoint was moved to. The next one moves there, too, without
// another search, if no part between the two can carry a breakpoint.
type rescue struct{ node, part, toNode, toPart int }

func (d *draft) cacheNeighbour(i, j int) (int, int) {
	parts, last := d.nodes[i].Parts, &d.rescued
	later := j + 1
	for k := j - 1; k >= 0; k-- {
		if bearsCache(d.profile, parts[k]) {
			return d.rescueTo(i, j, i, k)
		}
		if last.node != i || last.part != k {
			continue
		}
		here := last.toNode == i
		if last.toNode == none || !(here && last.toPart == j) &&
			bearsCache(d.profile, d.nodes[last.toNode].Parts[last.toPart]) {
			return d.rescueTo(i, j, last.toNode, last.toPart)
		}
		if here && last.toPart > k { // no part before that one can carry it
			later = max(later, last.toPart)
			break
		}
	}
	for k := later; k < len(parts); k++ {
		if bearsCache(d.profile, parts[k]) {
			return d.rescueTo(i, j, i, k)
		}
	}
	if i > 0 {
		before := d.nodes[i-1].Parts
		for k := len(before) - 1; k >= 0; k-- {
			if bearsCache(d.profile, before[k]) {
				return d.rescueTo(i, j, i-1, k)
			}
		}
	}
	return d.rescueTo(i, j, none, none)
}

func (d *draft) rescueTo(i, j, toNode, toPart int) (int, int) {
	d.rescued = rescue{i, j, toNode, toPart}
	return toNode, toPart
}
