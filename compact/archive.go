package compact

import (
	"cmp"
	"context"
	"slices"

	"github.com/go-preflight/preflight"
)

// This file keeps what a session has compacted: which messages, in which clusters, and the texts
// that replace them.

// archive holds the compacted messages of a session as entries, in the order they were compacted.
// Their texts are always made from the messages, never from an earlier summary of them.
type archive struct {
	limits     Limits
	summarizer Summarizer
	topics     *clusterer // its texts are the entries; nil: all entries are one cluster

	pool    *pool
	sources []int   // of each entry, its index in the session
	about   []Input // of each entry, without its text
	fresh   []Input // the inputs that were added last, whole
	from    int     // the first entry of fresh
	by      []int   // of each entry, the number of the written summary that covers it; 0 is none
	written map[int]written
	serial  int
}

// written is a summary that the summarizer made.
type written struct {
	text string
	cost int
}

// newArchive returns an empty archive for summaries of at most so many tokens.
func newArchive(limits Limits, how method, tokens int) *archive {
	a := &archive{
		limits:     limits,
		summarizer: how.summarizer,
		pool:       newPool(limits, how.score, poolFactor*tokens),
		written:    make(map[int]written),
	}
	if how.topics != nil {
		a.topics = newClusterer(*how.topics, limits)
	}
	return a
}

// poolFactor is how many times the size of a summary the pool is: a segment that is not among so
// many of the best will hardly become one of them.
const poolFactor = 4

// add compacts messages, given their indices. Where a function of the caller panics or ends the
// goroutine, either nothing was added or everything.
func (a *archive) add(ctx context.Context, indices []int, messages []preflight.Message) {
	from := len(a.sources)
	inputs := inputsOf(messages, from)
	segments := a.pool.cut(inputs) // the counter may panic: nothing has changed yet
	a.from, a.fresh = from, inputs
	for k, in := range inputs {
		a.pool.add(from+k, segments[k])
		a.sources, a.by = append(a.sources, indices[k]), append(a.by, 0)
		a.about = append(a.about, about(in))
	}
	if a.topics != nil {
		a.topics.join(ctx, a.fresh)
	}
	a.pool.prune()
}

// about is an input without its text.
func about(in Input) Input {
	in.Text, in.pieces = "", nil
	return in
}

// join puts inputs into the forest. One that cannot be embedded stays with the text before it.
func (c *clusterer) join(ctx context.Context, inputs []Input) {
	c.mu.Lock()
	defer c.mu.Unlock()
	before := c.forest.Len()
	without := func(k int) Input { return about(inputs[k]) } // the store has the texts
	// those that are left when a function of the caller does not return
	defer func() {
		for k := c.forest.Len() - before; k < len(inputs); k++ {
			c.forest.Insert(without(k), nil)
		}
	}()
	vectors := make([]Vector, len(inputs))
	for k, in := range inputs {
		vectors[k] = c.learned(ctx, in.Text)
	}
	for k := range inputs {
		c.add(without(k), vectors[k])
	}
}

// learned embeds a text, which a learning embedder learns; nil where it cannot be embedded.
func (c *clusterer) learned(ctx context.Context, text string) (v Vector) {
	var err error
	defer func() {
		if err != nil {
			v = nil
		}
	}()
	defer contain(&err)
	if v, err = c.embed(ctx, text); err == nil {
		c.learn(v)
	}
	return v
}

// cluster is the number of an entry's cluster.
func (a *archive) cluster(entry int) int {
	if a.topics == nil {
		return 0
	}
	return a.topics.forest.Find(entry)
}

// group is the entries that one text replaces: those of a written summary, or those of a cluster
// that no written summary covers.
type group struct {
	written, cluster int
	entries          []int
}

// groups are the groups of all entries, and of each entry the number of its group.
func (a *archive) groups() ([]group, []int) {
	type key struct{ written, cluster int }
	var out []group
	of := make([]int, len(a.sources))
	numbers := make(map[key]int)
	for e := range a.sources {
		k := key{written: a.by[e]}
		if k.written == 0 {
			k.cluster = a.cluster(e)
		}
		n, ok := numbers[k]
		if !ok {
			n = len(out)
			numbers[k] = n
			out = append(out, group{written: k.written, cluster: k.cluster})
		}
		out[n].entries, of[e] = append(out[n].entries, e), n
	}
	return out, of
}

// clusters are the clusters of groups, without texts.
func (a *archive) clusters(groups []group) []Cluster {
	clusters := make([]Cluster, len(groups))
	for n, g := range groups {
		for _, e := range g.entries {
			clusters[n].Sources = append(clusters[n].Sources, a.sources[e])
		}
		if !slices.IsSorted(clusters[n].Sources) {
			slices.Sort(clusters[n].Sources)
		}
		clusters[n].Provisional = g.written == 0 && a.summarizer != nil
	}
	return clusters
}

// summaries are the clusters, with texts of at most so many tokens together: the written summaries
// first, then what is extracted of everything else.
func (a *archive) summaries(tokens int) []Cluster {
	groups, of := a.groups()
	clusters := a.clusters(groups)
	tokens -= a.limits.textTokens(separator) * len(groups)
	for n, g := range groups {
		if g.written == 0 {
			continue
		}
		if w := a.written[g.written]; w.cost <= tokens {
			tokens -= w.cost
			clusters[n].Summary, clusters[n].Shown = w.text, true
		}
	}
	pick := func(covered bool) {
		texts := a.pool.pick(func(entry int) int {
			if a.by[entry] > 0 != covered {
				return -1
			}
			return of[entry]
		}, len(groups), max(0, tokens))
		for n, text := range texts {
			if text == "" {
				continue
			}
			tokens -= a.limits.textTokens(text)
			if covered && clusters[n].Shown {
				text = clusters[n].Summary + "\n" + text
			}
			clusters[n].Summary, clusters[n].Shown = text, true
		}
	}
	pick(false)
	pick(true) // what is left holds sentences of the messages that the written summaries cover
	return byLast(clusters)
}

// job is a summary to be written.
type job struct {
	entries  []int
	material Material
}

// next is what the summarizer should write next, for at most so many tokens: the cluster of which
// the most is not covered by a written summary yet. Its inputs are what was compacted last, whole,
// and the best segments of everything before. ok is false when there is nothing to write.
func (a *archive) next(tokens int) (j job, ok bool) {
	if a.summarizer == nil || tokens <= 0 {
		return job{}, false
	}
	open := make(map[int]int) // bytes
	for k, in := range a.fresh {
		if e := a.from + k; a.by[e] == 0 {
			open[a.cluster(e)] += len(in.Text) + 1
		}
	}
	if len(open) == 0 {
		return job{}, false
	}
	target, most := 0, 0
	for c, n := range open {
		if n > most || n == most && c < target {
			target, most = c, n
		}
	}
	members := make(map[int]bool)
	for e := range a.sources {
		if a.cluster(e) == target {
			j.entries = append(j.entries, e)
			members[e] = true
		}
	}
	inputs := a.pool.inputs(func(e int) bool { return members[e] && e < a.from },
		func(e int) Input { return a.about[e] })
	for k, in := range a.fresh {
		if members[a.from+k] {
			inputs = append(inputs, in)
		}
	}
	slices.SortStableFunc(inputs, func(x, y Input) int { return cmp.Compare(x.First, y.First) })
	// the next block is likely to be as long as the last, and gets its share
	share := float64(len(j.entries)) / float64(len(a.sources)+len(a.fresh))
	j.material = Material{
		Inputs: inputs,
		Budget: max(1, int(float64(tokens)*share)),
		Count:  a.limits.Count,
	}
	return j, true
}

// write stores the text that the summarizer wrote for a job. Written summaries of which nothing is
// left are forgotten.
func (a *archive) write(j job, text string) {
	text = a.limits.shrink(text, j.material.Budget)
	if text == "" {
		return
	}
	a.serial++
	for _, e := range j.entries {
		a.by[e] = a.serial
	}
	a.written[a.serial] = written{text, a.limits.textTokens(text)}
	inUse := make(map[int]bool)
	for _, n := range a.by {
		inUse[n] = true
	}
	for n := range a.written {
		if !inUse[n] {
			delete(a.written, n)
		}
	}
}
