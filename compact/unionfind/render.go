package unionfind

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact"
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

// view is a cluster as it was at one moment.
type view struct {
	nodes []int // its texts, by number
	// what can be shown of it: its summary if that is current, else everything it has to be made of
	inputs iter.Seq[compact.Input]
	hidden bool // the query does not ask for it
}

// views returns the clusters at this moment, for a query whose vector is v. The lock is held.
func (c *clusterer) views(q Query, v Vector) []view {
	asked := make(map[int]bool)
	if q.Text != "" {
		for _, m := range c.forest.Nearest(v, cmp.Or(q.Top, 3), cmp.Or(q.Least, 0.05)) {
			asked[m.Root] = true
		}
	}
	pending := make(map[int][]compact.Input)
	for _, p := range c.forest.Dirty() {
		pending[p.Root] = p.Inputs
	}
	var out []view
	for _, root := range c.forest.Roots() {
		inputs, members := pending[root], c.forest.Members(root)
		if inputs == nil {
			inputs = inOrder(c.forest.inputs(root))
			inputs[0].Summary = false // it needs no label: all of these are summaries
		}
		shown := slices.Values(inputs)
		if c.input != nil {
			shown = made(members, c.input)
		}
		out = append(out, view{members, shown, q.Text != "" && !asked[root]})
	}
	return out
}

// made returns the inputs of nodes, each made when it is asked for.
func made(nodes []int, input func(node int) compact.Input) iter.Seq[compact.Input] {
	return func(yield func(compact.Input) bool) {
		for _, node := range nodes {
			if !yield(input(node)) {
				return
			}
		}
	}
}

// embedQuery returns the vector of a query, nil when it asks for everything.
func (c *clusterer) embedQuery(ctx context.Context, q Query) (Vector, error) {
	if q.Text == "" {
		return nil, nil
	}
	return c.embed(ctx, q.Text)
}

// texts returns what makes the summaries of old messages out of views. index gives the place of a
// text's message in the history. Messages that are in no view, because the budget pushed them out
// before they were clustered, get a text of their own. What does not fit is extracted from: by the
// question, if there is one.
func (c *clusterer) texts(
	history []preflight.Message, views []view, q Query, index func(node int) int,
) func(old []int, tokens int) []compact.Cluster {
	return func(old []int, tokens int) []compact.Cluster {
		clusters, inputs := gather(old, views, index)
		if rest := missing(old, clusters); len(rest) > 0 {
			clusters = append(clusters, compact.Cluster{Sources: rest})
			inputs = append(inputs, made(rest, func(src int) compact.Input {
				return c.inputOf(history[src])
			}))
		}
		if c.limits.Budget <= 0 {
			tokens = unlimited * len(clusters)
		}
		tokens -= separatorTokens * len(clusters)
		for k, summary := range c.limits.Extract(q.Text, tokens, inputs...) {
			clusters[k].Summary = summary
		}
		slices.SortStableFunc(clusters, func(a, b compact.Cluster) int { // the most recent is last
			return cmp.Compare(a.Sources[len(a.Sources)-1], b.Sources[len(b.Sources)-1])
		})
		return clusters
	}
}

// separatorTokens is about what the line between two summaries costs.
const separatorTokens = 2

// gather makes a cluster of each view that has old messages, and what can be shown of it: nil for a
// hidden one.
func gather(
	old []int, views []view, index func(node int) int,
) ([]compact.Cluster, []iter.Seq[compact.Input]) {
	var clusters []compact.Cluster
	var inputs []iter.Seq[compact.Input]
	for _, v := range views {
		var sources []int
		for _, node := range v.nodes {
			if _, ok := slices.BinarySearch(old, index(node)); ok {
				sources = append(sources, index(node))
			}
		}
		if len(sources) == 0 {
			continue
		}
		shown := v.inputs
		if v.hidden {
			shown = slices.Values[[]compact.Input](nil)
		}
		slices.Sort(sources)
		clusters = append(clusters, compact.Cluster{Sources: sources})
		inputs = append(inputs, shown)
	}
	return clusters, inputs
}

// missing returns the indices that are in no cluster.
func missing(old []int, clusters []compact.Cluster) []int {
	in := make(map[int]bool)
	for _, c := range clusters {
		for _, src := range c.Sources {
			in[src] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(old), func(src int) bool { return in[src] })
}
