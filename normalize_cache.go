package preflight

import (
	"encoding/json"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/cachepoint"
	"github.com/go-preflight/preflight/internal/problemset"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file repairs prompt-cache breakpoints: those on parts that may not carry one, too many, and
// long-lived ones after a short-lived one.
//
//	five breakpoints, where four are accepted     the first one goes
//	5 minutes, then 1 hour                        become  5 minutes, then 5 minutes

// normalizeCacheFixer moves cache breakpoints off parts that may not carry one, removes the
// earliest ones over the limit, and shortens the lifetime of long-lived ones after a short-lived
// one.
var normalizeCacheFixer = Fixer{
	Name:   "normalize-cache",
	group:  "end",
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
			d.editCaches(i, gone, without)
		}
	}
}

// without removes a breakpoint.
func without(json.RawMessage) json.RawMessage { return nil }

// orderCache gives long-lived breakpoints after a short-lived one the short lifetime.
func (d *draft) orderCache() {
	short := false
	for i := range d.nodes {
		var long []bearer
		for at, cache := range breakpoints(d.nodes[i].Parts) {
			if cachepoint.Short(cache) {
				short = true
			} else if short && cachepoint.Long(cache) {
				d.warn(d.position(i, at.part), note{
					code: codes.CacheChanged, problem: problems.CacheOrder,
					detail: "shortened a long-lived cache breakpoint after a short-lived one",
				}, Tally{}, Tally{})
				long = append(long, at)
			}
		}
		d.editCaches(i, long, cachepoint.Shorten)
	}
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
				if cachepoint.Short(marker) {
					short = true
				} else if short && cachepoint.Long(marker) {
					c.report(problems.CacheOrder, i, j, "",
						"a long-lived cache breakpoint comes after a short-lived one")
				}
			}
		}
	}
}
