package compact

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/go-preflight/preflight"
)

// This file keeps what a session has compacted, and the texts that replace it.

// archive holds the compacted messages of a session as entries, in the order they were compacted.
// Their texts are always made from the messages, never from an earlier summary of them.
type archive struct {
	limits     Limits
	summarizer Summarizer

	pool    *pool
	tokens  int              // of all entries
	sources []int            // of each entry, its index in the session
	roles   []preflight.Role // of each entry
	fresh   []Input          // the inputs that were added last, whole
	from    int              // the first entry of fresh

	written string // the summary that the summarizer wrote last
	cost    int    // of written
	covered int    // the entries before this one are covered by written
}

// newArchive returns an empty archive for summaries of at most so many tokens.
func newArchive(limits Limits, how method, tokens int) *archive {
	return &archive{
		limits:     limits,
		summarizer: how.summarizer,
		pool:       newPool(limits, how.score, poolFactor*tokens),
	}
}

// poolFactor is how many times the size of a summary the pool is: a segment that is not among so
// many of the best will hardly become one of them.
const poolFactor = 4

// add compacts messages, given their indices and the messages that stay after them. Where a
// function of the caller panics or ends the goroutine, either nothing was added or everything.
func (a *archive) add(indices []int, messages, later []preflight.Message) {
	from := len(a.sources)
	inputs := inputsOf(messages)
	x := a.pool.x
	x.calls = maps.Clone(x.calls)
	segments := a.pool.cut(inputs, &x) // the counter may panic: nothing has changed yet
	tokens := plus(a.tokens, a.limits.total(messages))
	a.from, a.fresh, a.tokens, a.pool.x = from, inputs, tokens, x
	for k, in := range inputs {
		a.pool.add(from+k, segments[k])
		a.sources, a.roles = append(a.sources, indices[k]), append(a.roles, in.Role)
	}
	a.pool.prune()
	said, _, _ := allSegments(nil, slices.Values(inputsOf(later)))
	a.pool.outdate(said)
}

// clusters returns the messages that the written summary covers, and the others, without texts.
func (a *archive) clusters() []Cluster {
	var out []Cluster
	for _, list := range [][]int{a.sources[:a.covered], a.sources[a.covered:]} {
		if len(list) > 0 {
			out = append(out, Cluster{Sources: slices.Sorted(slices.Values(list))})
		}
	}
	if a.covered < len(a.sources) {
		out[len(out)-1].Provisional = a.summarizer != nil
	}
	return out
}

// summaries returns the clusters, with texts of at most so many tokens together: the written
// summary first, then what is extracted of everything else.
func (a *archive) summaries(tokens int) []Cluster {
	clusters := a.clusters()
	tokens -= a.limits.textTokens(separator) * len(clusters)
	if a.covered > 0 && a.cost <= tokens {
		tokens -= a.cost
		clusters[0].Summary = a.written
	}
	pick := func(c *Cluster, from, end int) {
		if text := a.pool.pick(from, end, max(0, tokens), a.limits); text != "" {
			tokens -= a.limits.textTokens(text)
			c.Summary = strings.TrimPrefix(c.Summary+"\n"+text, "\n")
		}
	}
	if a.covered < len(a.sources) {
		pick(&clusters[len(clusters)-1], a.covered, len(a.sources))
	}
	if a.covered > 0 { // what is left holds sentences of the messages that are covered
		pick(&clusters[0], 0, a.covered)
	}
	return byLast(clusters)
}

// byLast puts clusters in the order of their last messages, so that the most recent is last.
func byLast(clusters []Cluster) []Cluster {
	slices.SortStableFunc(clusters, func(a, b Cluster) int {
		return cmp.Compare(a.Sources[len(a.Sources)-1], b.Sources[len(b.Sources)-1])
	})
	return clusters
}

// job is a summary to be written of the entries before end.
type job struct {
	end      int
	material Material
}

// next returns what the summarizer should write next, for at most so many tokens. Its inputs are a
// record, and what was compacted last, whole unless that takes more than half of a prompt. ok is
// false when there is nothing to write.
func (a *archive) next(tokens int) (j job, ok bool) {
	if a.summarizer == nil || tokens <= 0 || a.covered >= len(a.sources) {
		return job{}, false
	}
	n := len(a.sources)
	// the next block is likely to be as long as the last, and gets its share
	share := float64(n) / float64(n+len(a.fresh))
	room, end, inputs := a.limits.promptBytes(), a.from, a.fresh
	left := room
	for _, in := range inputs {
		left -= in.size()
	}
	if left < room/2 {
		left, end, inputs = room, n, nil
	}
	record := Input{Summary: true}
	for most := left / 4; most > 0; most -= 1 + most/16 { // in tokens; a prompt escapes characters
		record.Text = a.pool.pick(0, end, most, Limits{})
		if record.size() <= left {
			break
		}
	}
	if record.Text != "" {
		inputs = append([]Input{record}, inputs...)
	} else {
		inputs = a.fresh
	}
	return job{n, Material{Inputs: inputs, Budget: max(1, int(float64(tokens)*share))}}, true
}

// write stores the text that the summarizer wrote for a job.
func (a *archive) write(j job, text string) {
	record := slices.Values([]Input{{Text: text}})
	if text = a.limits.Extract("", j.material.Budget, record)[0]; text != "" {
		text = attributed(summaryLabel, text, false)
		a.written, a.cost, a.covered = text, a.limits.textTokens(text), j.end
	}
}
