package unionfind

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact"
	"github.com/go-preflight/preflight/compact/internal/contain"
	"github.com/go-preflight/preflight/compact/tokens"
)

// This file decides for the forest: which cluster a text joins, how large a cluster may be,
// what its summary may cost.

// Clustering says how old messages are grouped and summarized. The zero value is the default of
// every field.
type Clustering struct {
	// MaxClusters is the most clusters there are; 0 is 10.
	MaxClusters int
	// Threshold is the least similarity, from -1 to 1, at which a message joins a cluster; 0 is
	// 0.15. Above 1 no message joins by similarity, at -1 every message does.
	Threshold float64
	// ClusterSize is the least that a cluster may grow to, in messages; 0 is 8. If there are more
	// messages than the clusters can hold at that size, a cluster may grow to twice its fair share,
	// so that no cluster absorbs the whole history.
	ClusterSize int
	// NewEmbedder makes the embedder that says which messages are alike; nil is the built-in TFIDF.
	NewEmbedder func() Embedder
	// Summarizer makes the summaries, each cluster by itself. Nil makes none: the best sentences of
	// all clusters together are extracted whenever a history is rendered.
	Summarizer compact.Summarizer
	// Concurrency is how many summaries are made at the same time; 0 is 4.
	Concurrency int
}

func (c Clustering) maxClusters() int { return max(1, cmp.Or(c.MaxClusters, 10)) }

// sizeCap returns the most texts a cluster may hold when there are n in all. Of more than
// maxClusters clusters the two smallest always fit together.
func (c Clustering) sizeCap(n int) int {
	fair := (2*n + c.maxClusters() - 1) / c.maxClusters()
	return max(1, cmp.Or(c.ClusterSize, 8), fair)
}

// clusterer is a forest that is filled by these decisions. Its lock guards the forest and what the
// embedder has learned.
type clusterer struct {
	Clustering
	limits   compact.Limits
	embedder Embedder
	learner  Learner // the embedder, if it is one

	// input makes the input of a text of the forest, which then does not hold it; nil if it does
	input func(node int) compact.Input

	mu     sync.Mutex
	forest *Forest
}

func newClusterer(c Clustering, limits compact.Limits) *clusterer {
	out := &clusterer{Clustering: c, limits: limits}
	out.embedder = c.newEmbedder()
	likeness := Cosine
	if l, ok := out.embedder.(Learner); ok {
		out.learner, likeness = l, func(a, b Vector) float64 {
			defer contain.Guard("embedder")
			return l.Similarity(a, b)
		}
	}
	out.forest = NewForest(likeness)
	return out
}

func (c Clustering) newEmbedder() Embedder {
	defer contain.Guard("function NewEmbedder")
	if c.NewEmbedder != nil {
		if e := c.NewEmbedder(); e != nil {
			return e
		}
	}
	return NewTFIDF()
}

// embed asks the embedder.
func (c *clusterer) embed(ctx context.Context, text string) (Vector, error) {
	defer contain.Guard("embedder")
	return c.embedder.Embed(ctx, text)
}

// learn tells a learning embedder of a text. The lock is held.
func (c *clusterer) learn(v Vector) {
	defer contain.Guard("embedder")
	if c.learner != nil {
		c.learner.Learn(v)
	}
}

// add puts a text into the forest: into the cluster it is most like, if any is alike enough and has
// room; while there are too many clusters, the two most alike that fit together become one. A text
// that is like nothing at all, because it has no words, stays with the text before it. The lock is
// held.
func (c *clusterer) add(in compact.Input, v Vector) {
	id := c.forest.Insert(in, v)
	most := c.sizeCap(c.forest.Len())
	fits := func(n, m int) bool { return n+m <= most }
	if root := c.home(id, v, fits); root >= 0 {
		c.forest.Union(root, id)
	}
	for len(c.forest.clusters) > c.maxClusters() {
		a, b, ok := c.forest.ClosestPair(fits)
		if !ok {
			return
		}
		c.forest.Union(a, b)
	}
}

// home returns the cluster that a new text joins, -1 for none.
func (c *clusterer) home(id int, v Vector, fits func(n, m int) bool) int {
	open := func(root int) bool {
		return root != id && root >= 0 && fits(len(c.forest.clusters[root].members), 1)
	}
	if v.isZero() {
		if root := c.forest.Find(id - 1); open(root) {
			return root
		}
		return -1
	}
	for _, m := range c.forest.Nearest(v, c.forest.Len(), cmp.Or(c.Threshold, 0.15)) {
		if open(m.Root) {
			return m.Root
		}
	}
	return -1
}

// shares divides a budget among texts: in proportion to the square root of what they cost in full,
// so that a short text keeps more of itself than a long one, and never more than that.
func shares(full []int, total int) []int {
	out := make([]int, len(full))
	open := make([]int, 0, len(full))
	for k, n := range full {
		if n > 0 {
			open = append(open, k)
		}
	}
	for len(open) > 0 && total > 0 {
		sum := 0.0
		for _, k := range open {
			sum += math.Sqrt(float64(full[k]))
		}
		share := func(k int) int { return int(float64(total) * math.Sqrt(float64(full[k])) / sum) }
		rest := slices.DeleteFunc(slices.Clone(open),
			func(k int) bool { return share(k) >= full[k] })
		if len(rest) == len(open) {
			for _, k := range open {
				out[k] = share(k)
			}
			return out
		}
		for _, k := range open {
			if !slices.Contains(rest, k) {
				out[k] = full[k]
				total -= full[k]
			}
		}
		open = rest
	}
	return out
}

// cost returns what a text costs inside a message.
func (c *clusterer) cost(s string) int {
	count := c.limits.Count
	if count == nil {
		count = tokens.Estimate
	}
	defer contain.Guard("token counter")
	say := func(s string) preflight.Message {
		return preflight.Message{
			Role:  preflight.RoleUser,
			Parts: []preflight.Part{&preflight.Text{Text: s}},
		}
	}
	return max(0, min(count(say(s)), mostTokens)-max(0, min(count(say("")), mostTokens)))
}

// mostTokens is the most that a text costs: sums of a few such numbers do not overflow.
const mostTokens = math.MaxInt / 1024

// need returns what inputs cost together.
func (c *clusterer) need(inputs []text) int {
	n := 0
	for _, in := range inputs {
		n = min(n+c.cost(in.Text+"\n"), mostTokens)
	}
	return n
}

// unlimited is the budget of one summary when there is no budget for all: that of the source
// system's experiments.
const unlimited = 500

// jobs returns the dirty clusters and what their summaries may cost, out of a total for all
// clusters; 0 is no total. One whose share is nothing is left out.
func (c *clusterer) jobs(total int) ([]Pending, []int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	roots := c.forest.Roots()
	full := make([]int, len(roots))
	for k, root := range roots {
		full[k] = c.need(c.forest.inputs(root))
	}
	share := shares(full, total)
	var pending []Pending
	var budgets []int
	for _, p := range c.forest.Dirty() {
		budget := unlimited
		if total > 0 {
			k, _ := slices.BinarySearch(roots, p.Root)
			budget = share[k]
		}
		if budget > 0 {
			pending, budgets = append(pending, p), append(budgets, budget)
		}
	}
	return pending, budgets
}

// resolve summarizes the dirty clusters, several at a time. The first error stops the others, and
// clusters that are not done stay dirty, as does a cluster that changed in the meantime.
func (c *clusterer) resolve(ctx context.Context, total int) error {
	if c.Summarizer == nil {
		return ctx.Err()
	}
	pending, budgets := c.jobs(total)
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	slots := make(chan struct{}, max(1, cmp.Or(c.Concurrency, 4)))
	var wg sync.WaitGroup
	for k, p := range pending {
		select {
		case slots <- struct{}{}:
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			break
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			defer func() { <-slots }()
			err := contain.Ended("summarizer")
			defer func() {
				if err != nil {
					stop(err)
				}
			}()
			err = c.summarize(ctx, p, budgets[k])
		}()
	}
	wg.Wait()
	return context.Cause(ctx)
}

// summarize summarizes one cluster.
func (c *clusterer) summarize(ctx context.Context, p Pending, budget int) (err error) {
	defer contain.Into(&err)
	summary, err := c.limits.Summarize(ctx, c.Summarizer,
		compact.Material{Inputs: p.Inputs, Budget: budget})
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.forest.SetSummary(p, summary)
	return nil
}

// orBackground is ctx, and context.Background for nil.
func orBackground(ctx context.Context) context.Context {
	if ctx == nil {
		return context.Background()
	}
	return ctx
}
