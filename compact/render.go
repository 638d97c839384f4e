package compact

import (
	"cmp"
	"context"
	"slices"

	"github.com/go-preflight/preflight/internal/work"
)

// This file turns the forest into texts: which clusters are shown, in which order, and how much of
// each.

// Query asks for the clusters that have to do with something. The zero Query asks for all of them.
type Query struct {
	// Text is what is looked for, the user's last question for example; "" shows every cluster.
	Text string
	// Top is how many clusters are shown at most; 0 is 3. Without a Summarizer, sentences are
	// chosen by the question from the shown clusters, so a large Top with Least -1 searches all of
	// them.
	Top int
	// Least is the least similarity a cluster needs; 0 is 0.05.
	Least float64
}

func (q Query) least() float64 {
	if q.Least == 0 {
		return 0.05
	}
	return q.Least
}

// extractive is what makes texts shorter.
func (q Query) extractive() Extractive {
	if q.Text == "" {
		return Extractive{}
	}
	return Extractive{Score: About(q.Text)}
}

// view is a cluster as it was at one moment.
type view struct {
	nodes []int // its texts, by number
	// what can be shown of it: its summary if that is current, else everything it has to be made of
	inputs []Input
	hidden bool // the query does not ask for it
}

// views are the clusters at this moment, for a query whose vector is v. The lock is held.
func (c *clusterer) views(q Query, v Vector) []view {
	asked := make(map[int]bool)
	if q.Text != "" {
		for _, m := range c.forest.Nearest(v, orDefault(q.Top, 3), q.least()) {
			asked[m.Root] = true
		}
	}
	pending := make(map[int][]Input)
	for _, p := range c.forest.Dirty() {
		pending[p.Root] = p.Inputs
	}
	var out []view
	for _, root := range c.forest.Roots() {
		inputs := pending[root]
		if inputs == nil {
			inputs = slices.Clone(c.forest.inputs(root))
			inputs[0].Summary = false // it needs no label: all of these are summaries
		}
		out = append(out, view{c.forest.Members(root), inputs, q.Text != "" && !asked[root]})
	}
	return out
}

// embedQuery is the vector of a query, nil when it asks for everything.
func (c *clusterer) embedQuery(ctx context.Context, q Query) (Vector, error) {
	if q.Text == "" {
		return nil, nil
	}
	return c.embed(ctx, q.Text)
}

// texts makes the summaries for a cut of b out of views. index gives the places of a text's message
// in the history. Messages before the cut that are in no view, because the budget pushed them out
// before they were clustered, get a text of their own. What does not fit is extracted from: by the
// question, if there is one.
func (b *body) texts(views []view, q Query, index func(node int) []int) summary {
	return func(cut, tokens int) []Cluster {
		cold := b.cold(cut)
		clusters, inputs := gather(cold, views, index)
		if rest := missing(cold, clusters); len(rest) > 0 {
			var in []Input
			for _, src := range rest {
				in = append(in, inputOf(b.history[src], src))
			}
			clusters, inputs = append(clusters, Cluster{Sources: rest}), append(inputs, in)
		}
		if b.limits.Budget <= 0 {
			tokens = unlimited * len(clusters)
		}
		tokens -= b.limits.textTokens(separator) * len(clusters)
		for k, text := range q.extractive().extractAll(inputs, tokens, b.limits) {
			clusters[k].Summary, clusters[k].Shown = text, text != ""
		}
		return byLast(clusters)
	}
}

// gather makes a cluster of each view that has messages before the cut, and what can be shown of
// it: nil for a hidden one. A message that a repair split in two belongs to the first of its
// clusters; one with nothing else joins that.
func gather(cold []int, views []view, index func(node int) []int) ([]Cluster, [][]Input) {
	var clusters []Cluster
	var inputs [][]Input
	owner := make(map[int]int) // of a message, its cluster
	for _, v := range views {
		shown := v.inputs
		if v.hidden {
			shown = nil
		}
		sources, shared := share(cold, v, index, owner)
		switch {
		case len(sources) > 0:
			for _, src := range sources {
				owner[src] = len(clusters)
			}
			clusters, inputs = append(clusters, Cluster{Sources: sources}), append(inputs, shown)
		case shared >= 0:
			inputs[shared] = append(slices.Clip(inputs[shared]), shown...)
		}
	}
	return clusters, inputs
}

// share returns the messages of a view that are before the cut and have no owner yet, ascending,
// and an owner of the others, -1 when there is none: then the whole view is still valid.
func share(
	cold []int,
	v view,
	index func(node int) []int,
	owner map[int]int,
) (sources []int, shared int) {
	shared = -1
	for _, node := range v.nodes {
		for _, src := range index(node) {
			work.Done()
			if _, ok := slices.BinarySearch(cold, src); !ok {
				continue
			}
			if k, ok := owner[src]; ok {
				shared = k
			} else {
				sources = append(sources, src)
			}
		}
	}
	slices.Sort(sources)
	return slices.Compact(sources), shared
}

// missing are the indices that are in no cluster.
func missing(cold []int, clusters []Cluster) []int {
	in := make(map[int]bool)
	for _, c := range clusters {
		for _, src := range c.Sources {
			in[src] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(cold), func(src int) bool { return in[src] })
}

// byLast puts clusters in the order of their last messages, so that the most recent is last.
func byLast(clusters []Cluster) []Cluster {
	slices.SortStableFunc(clusters, func(a, b Cluster) int {
		return cmp.Compare(a.Sources[len(a.Sources)-1], b.Sources[len(b.Sources)-1])
	})
	return clusters
}
