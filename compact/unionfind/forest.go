package unionfind

import (
	"cmp"
	"maps"
	"slices"

	"github.com/go-preflight/preflight/compact"
)

// This file is the union-find forest: which texts belong together, the text that replaces them, and
// which of that is out of date.

// text is a text of the forest, or the summary of several.
type text struct {
	compact.Input
	first int // the number of the first text in it: inputs are put in this order
}

// Forest groups texts into clusters. A text is named by its number, in the order of insertion, and
// a cluster by the number of one of its texts, its root. The zero value is an empty forest that
// compares vectors by Cosine; NewForest makes others.
//
// A Forest calls no summarizer: Union marks the cluster as dirty, and the caller summarizes it and
// calls SetSummary. A Forest is not safe for concurrent use.
type Forest struct {
	likeness func(a, b Vector) float64
	parent   []int
	rank     []int
	texts    []text
	clusters map[int]*cluster // by root
	unions   int              // so far; dates dirty clusters
}

// cluster is what is known of the texts under one root.
type cluster struct {
	members    []int // in no order
	first      int   // the least of them
	centroid   Vector
	summary    string // current only while dirty is nil
	summarized bool   // there is a summary, whatever it says
	dirty      []text // what the summary has to be made of, in no order; nil when it is current
	since      int    // the union that made it dirty
}

// NewForest returns an empty forest that compares vectors by likeness. A panic in likeness passes
// to the caller of the method that compares, and the forest is as it was.
func NewForest(likeness func(a, b Vector) float64) *Forest { return &Forest{likeness: likeness} }

// Insert adds a text as a cluster of its own and returns its number. A single text needs no summary
// and is never dirty.
func (f *Forest) Insert(in compact.Input, v Vector) int {
	id := len(f.parent)
	if f.clusters == nil {
		f.clusters = make(map[int]*cluster)
	}
	f.parent, f.rank = append(f.parent, id), append(f.rank, 0)
	f.texts = append(f.texts, text{in, id})
	f.clusters[id] = &cluster{members: []int{id}, first: id, centroid: v}
	return id
}

// Len returns the number of texts.
func (f *Forest) Len() int { return len(f.parent) }

// Find returns the root of a text's cluster, -1 for an unknown number. It shortens the paths that
// later calls walk.
func (f *Forest) Find(id int) int {
	if id < 0 || id >= len(f.parent) {
		return -1
	}
	root := id
	for f.parent[root] != root {
		root = f.parent[root]
	}
	for f.parent[id] != root {
		f.parent[id], id = root, f.parent[id]
	}
	return root
}

// Union merges the clusters of two texts and returns the root of the merged one: the root with the
// higher rank, on a tie that of a. Its centroid is the mean over all texts, and it is dirty until a
// summary of the inputs of both is set. A cluster merged with itself does not change; an unknown
// number returns -1.
func (f *Forest) Union(a, b int) int {
	a, b = f.Find(a), f.Find(b)
	if a < 0 || b < 0 {
		return -1
	}
	if a == b {
		return a
	}
	if f.rank[a] < f.rank[b] {
		a, b = b, a
	}
	if f.rank[a] == f.rank[b] {
		f.rank[a]++
	}
	f.parent[b] = a
	ca, cb := f.clusters[a], f.clusters[b]
	f.unions++
	f.clusters[a] = &cluster{
		centroid: mean(ca.centroid, len(ca.members), cb.centroid, len(cb.members)),
		dirty:    joined(f.inputs(a), f.inputs(b)),
		members:  joined(ca.members, cb.members),
		first:    min(ca.first, cb.first),
		since:    f.unions,
	}
	delete(f.clusters, b)
	return a
}

// inputs returns what a summary of a cluster has to be made of, in no order.
func (f *Forest) inputs(root int) []text {
	c := f.clusters[root]
	switch {
	case c.dirty != nil:
		return c.dirty
	case c.summarized:
		return []text{{compact.Input{Text: c.summary, Summary: true}, c.first}}
	default:
		return []text{f.texts[root]}
	}
}

// joined appends the shorter list to the longer one, so that a text is copied only when its cluster
// has doubled.
func joined[E any](a, b []E) []E {
	if len(a) < len(b) {
		a, b = b, a
	}
	return append(a, b...)
}

// Roots returns the roots of all clusters, ascending.
func (f *Forest) Roots() []int {
	return slices.Sorted(maps.Keys(f.clusters))
}

// Members returns the numbers of the texts in the cluster of id, ascending, in a fresh slice; nil
// for an unknown number.
func (f *Forest) Members(id int) []int {
	if root := f.Find(id); root >= 0 {
		return slices.Sorted(slices.Values(f.clusters[root].members))
	}
	return nil
}

// Expand returns the texts of the cluster of id as they were inserted, in order.
func (f *Forest) Expand(id int) []compact.Input {
	members := f.Members(id)
	out := make([]compact.Input, len(members))
	for k, m := range members {
		out[k] = f.texts[m].Input
	}
	return out
}

// Centroid returns the mean of the vectors of the cluster of id, nil for an unknown number. The
// caller must not write to it.
func (f *Forest) Centroid(id int) Vector {
	if root := f.Find(id); root >= 0 {
		return f.clusters[root].centroid
	}
	return nil
}

// Summary returns the text of the cluster of id, and whether it is current: for a single text the
// text itself, for a cluster the summary of all its texts. For a dirty cluster it returns "" and
// false.
func (f *Forest) Summary(id int) (summary string, current bool) {
	root := f.Find(id)
	if root < 0 {
		return "", false
	}
	switch c := f.clusters[root]; {
	case c.dirty != nil:
		return "", false
	case c.summarized:
		return c.summary, true
	default:
		return f.texts[root].Text, true
	}
}

// Pending is a cluster whose summary is out of date.
type Pending struct {
	Root   int
	Inputs []compact.Input // in order; not to be written to
	since  int
}

// Dirty returns the clusters whose summaries are out of date, in the order of their roots.
func (f *Forest) Dirty() []Pending {
	var out []Pending
	for _, root := range f.Roots() {
		if c := f.clusters[root]; c.dirty != nil {
			out = append(out, Pending{root, inOrder(c.dirty), c.since})
		}
	}
	return out
}

// inOrder returns texts in the order of the first text in each.
func inOrder(texts []text) []compact.Input {
	texts = slices.Clone(texts)
	slices.SortStableFunc(texts, func(a, b text) int { return cmp.Compare(a.first, b.first) })
	out := make([]compact.Input, len(texts))
	for k, t := range texts {
		out[k] = t.Input
	}
	return out
}

// SetSummary stores the summary of a dirty cluster. If a Union has changed the cluster since Dirty
// listed it, SetSummary stores nothing and returns false, and the cluster stays dirty.
func (f *Forest) SetSummary(p Pending, summary string) bool {
	c := f.clusters[p.Root]
	if c == nil || c.dirty == nil || c.since != p.since {
		return false
	}
	c.summary, c.summarized, c.dirty = summary, true, nil
	return true
}

// Match is a cluster and its similarity to a query.
type Match struct {
	Root       int
	Similarity float64
}

// Nearest returns up to k clusters whose similarity to v is at least least, the most similar first
// and, on a tie, the lower root first.
func (f *Forest) Nearest(v Vector, k int, least float64) []Match {
	var out []Match
	for _, root := range f.Roots() {
		if s := f.like(v, f.clusters[root].centroid); s >= least {
			out = append(out, Match{root, s})
		}
	}
	slices.SortStableFunc(out,
		func(a, b Match) int { return cmp.Compare(b.Similarity, a.Similarity) })
	return out[:max(0, min(k, len(out)))]
}

// ClosestPair returns the roots of the two most similar clusters that allow accepts: on a tie those
// with the fewest texts, then those with the lower roots. allow is given the numbers of texts of
// both; nil accepts all. A panic in allow passes to the caller. ok is false if there is no such
// pair. The cost is quadratic in the number of clusters.
func (f *Forest) ClosestPair(allow func(n, m int) bool) (a, b int, ok bool) {
	roots := f.Roots()
	best, size := 0.0, 0
	for i, x := range roots {
		for _, y := range roots[i+1:] {
			cx, cy := f.clusters[x], f.clusters[y]
			n := len(cx.members) + len(cy.members)
			if allow != nil && !allow(len(cx.members), len(cy.members)) {
				continue
			}
			s := f.like(cx.centroid, cy.centroid)
			if !ok || s > best || s == best && n < size {
				a, b, ok, best, size = x, y, true, s, n
			}
		}
	}
	return a, b, ok
}

func (f *Forest) like(a, b Vector) float64 {
	if f.likeness == nil {
		return Cosine(a, b)
	}
	return f.likeness(a, b)
}
