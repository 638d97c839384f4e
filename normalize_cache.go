package preflight

import (
	"bytes"
	"encoding/json"
	"iter"
	"slices"
	"strings"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/problemset"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file repairs prompt-cache breakpoints, and keeps them while a draft changes: that of a part
// that is removed moves to its neighbour.
//
//	before  [text A]  [text "", breakpoint]  [call]
//	after   [text A, breakpoint]  [call]

// normalizeCacheFixer moves cache breakpoints off parts that may not carry one, removes the
// earliest ones over the limit, and shortens the lifetime of long-lived ones after a short-lived
// one.
var normalizeCacheFixer = Fixer{
	Name:   "normalize-cache",
	repair: normalizeCache,
	cures: problemset.Of(
		problems.CacheLimit, problems.CacheReasoning, problems.CacheDocument, problems.CacheOrder,
	),
	checks: []checks{{whole: (*checker).cache}},
}

func normalizeCache(d *draft) {
	for i := range d.nodes {
		for at := range breakpoints(d.nodes[i].Parts) {
			if problem := cacheProblem(d.profile, d.nodes[i].Parts[at.part]); problem != "" &&
				at.inner == none {
				d.rescueCache(i, at.part, problem)
				d.setCache(i, bearer{at.part, none}, nil)
			}
		}
	}
	count := 0
	for i := range d.nodes { // count after the moves above
		for range breakpoints(d.nodes[i].Parts) {
			count++
		}
	}
	if count == 0 {
		return
	}
	if d.profile.Cache.Limit != 0 {
		d.limitCache(count - max(d.profile.Cache.Limit, 0))
	}
	if d.profile.Cache.LongFirst {
		d.orderCache()
	}
}

// limitCache removes the first excess breakpoints, those of system messages last.
func (d *draft) limitCache(excess int) {
	for _, system := range []bool{false, true} {
		for i := 0; i < len(d.nodes) && excess > 0; i++ {
			if (d.role(i) == RoleSystem) != system {
				continue
			}
			var gone []bearer
			for at := range breakpoints(d.nodes[i].Parts) {
				if excess == 0 {
					break
				}
				d.warn(d.position(i, at.part), note{
					code: codes.CacheRemoved, problem: problems.CacheLimit,
					detail: "removed an early cache breakpoint, since there are more than the " +
						"provider takes",
				}, Tally{}, Tally{})
				gone = append(gone, at)
				excess--
			}
			d.setCaches(i, gone, nil)
		}
	}
}

// orderCache gives long-lived breakpoints after a short-lived one the short lifetime.
func (d *draft) orderCache() {
	short := false
	for i := range d.nodes {
		var long []bearer
		for at, cache := range breakpoints(d.nodes[i].Parts) {
			if shortLived(cache) {
				short = true
			} else if short && longLived(cache) {
				d.warn(d.position(i, at.part), note{
					code: codes.CacheChanged, problem: problems.CacheOrder,
					detail: "shortened a long-lived cache breakpoint after a short-lived one",
				}, Tally{}, Tally{})
				long = append(long, at)
			}
		}
		d.setCaches(i, long, json.RawMessage(`{"type":"ephemeral"}`))
	}
}

// shortLived reports whether a breakpoint has the short lifetime, which is the default. An unknown
// lifetime is neither long nor short.
func shortLived(cache json.RawMessage) bool {
	return !bytes.Contains(cache, []byte(`"ttl"`)) || bytes.Contains(cache, []byte(`"5m"`)) ||
		bytes.Contains(cache, []byte(`null`))
}

// longLived reports whether a breakpoint has a lifetime of one hour.
func longLived(cache json.RawMessage) bool {
	return bytes.Contains(cache, []byte(`"1h"`))
}

// cache checks the prompt-cache breakpoints.
func (c *checker) cache() {
	if !c.cached {
		return
	}
	count, short := 0, false
	for i := range c.history {
		for at, marker := range breakpoints(c.history[i].Parts) {
			j, part := at.part, c.history[i].Parts[at.part]
			count++
			if problem := cacheProblem(c.profile, part); problem != "" && at.inner == none {
				c.report(problem, i, j, "",
					c.words("a ", PartKind(part), " part of this kind carries a cache breakpoint"))
			}
			if c.profile.Cache.Limit != 0 && count > max(c.profile.Cache.Limit, 0) {
				c.report(problems.CacheLimit, i, j, "",
					"there are more cache breakpoints than the provider takes")
			}
			if c.profile.Cache.LongFirst {
				if shortLived(marker) {
					short = true
				} else if short && longLived(marker) {
					c.report(problems.CacheOrder, i, j, "",
						"a long-lived cache breakpoint comes after a short-lived one")
				}
			}
		}
	}
}

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
	d.setCaches(i, []bearer{at}, cache)
}

// setCaches sets or removes the breakpoints of several parts, in order. It copies each part of the
// message once, however many breakpoints it holds.
func (d *draft) setCaches(i int, places []bearer, cache json.RawMessage) {
	var p Part
	for k, at := range places {
		if k == 0 || at.part != places[k-1].part {
			p = CopyPart(d.nodes[i].Parts[at.part])
			if r, ok := p.(*ToolResult); ok {
				r.Content = slices.Clone(r.Content)
			}
			d.own(i).Parts[at.part] = p
		}
		if at.inner == none {
			p.carried().Cache = cache
			continue
		}
		r := p.(*ToolResult)
		r.Content[at.inner] = CopyPart(r.Content[at.inner])
		r.Content[at.inner].carried().Cache = cache
	}
}

// rescueCache moves the breakpoint of part j of node i, which cannot keep it, to the nearest
// earlier part of the message that can carry one, or else the nearest later part, or else the last
// such part of the message before. Without any such part it only warns that the breakpoint is
// removed.
func (d *draft) rescueCache(i, j int, problem problems.Problem) {
	cache := d.nodes[i].Parts[j].carried().Cache
	if cache == nil {
		return
	}
	ti, tj := d.cacheNeighbour(i, j)
	if ti == none {
		d.warn(d.position(i, j), note{
			code: codes.CacheRemoved, problem: problem,
			detail: "removed a cache breakpoint with the part that carried it",
		}, Tally{}, Tally{})
		return
	}
	d.warn(d.position(i, j), note{
		code: codes.CacheMoved, problem: problem,
		detail: "moved a cache breakpoint to the part next to the one that carried it",
	}, Tally{}, Tally{})
	if d.nodes[ti].Parts[tj].carried().Cache == nil {
		d.setCache(ti, bearer{tj, none}, cache)
	}
}

// rescue caches where the last breakpoint was moved to. The next one uses the same target if no
// part between the two can carry a breakpoint, without another search.
type rescue struct{ node, part, toNode, toPart int }

func (d *draft) cacheNeighbour(i, j int) (int, int) {
	parts, last := d.nodes[i].Parts, &d.rescued
	for k := j - 1; k >= 0; k-- {
		if bearsCache(d.profile, parts[k]) {
			return d.rescueTo(i, j, i, k)
		}
		if last.node == i && last.part == k &&
			(last.toNode == none ||
				bearsCache(d.profile, d.nodes[last.toNode].Parts[last.toPart])) {
			return d.rescueTo(i, j, last.toNode, last.toPart)
		}
	}
	for k := j + 1; k < len(parts); k++ {
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
