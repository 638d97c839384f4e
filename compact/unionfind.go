package compact

import (
	"context"

	"github.com/go-preflight/preflight"
)

// UnionFind replaces everything but the last messages by the summaries of clusters: messages that
// have one topic are summarized together, wherever they are. It starts from nothing at every call;
// Window keeps its clusters from one to the next.
type UnionFind struct {
	// Keep is how many messages stay as they are, if the budget allows; 0 is DefaultKeep. More stay
	// where the cut would part a tool call from its result.
	Keep int
	// Clustering says how the others are grouped and summarized.
	Clustering Clustering
	// Query limits what is shown to the clusters that have to do with it, so that they get the
	// whole budget.
	Query Query
}

// Compact returns the history unchanged (but for repairs) when it fits the budget. It calls the
// summarizer once for each cluster of more than one message, shown or not; without one, the text of
// all shown clusters is extracted for one budget. The error is the summarizer's or the embedder's,
// the context's, a *BudgetError, or one of preflight.Sanitize; the history comes back unchanged
// with it.
//
// The cost is linear in the history, with a factor for comparing clusters: at most MaxClusters²
// vectors for each message.
func (u UnionFind) Compact(
	ctx context.Context,
	history []preflight.Message,
	limits Limits,
) (Result, error) {
	return limits.compact(ctx, history, u.compact)
}

func (u UnionFind) compact(ctx context.Context, b *body) (Result, error) {
	b.clear()
	cut, left, err := b.cutFor(orDefault(u.Keep, DefaultKeep), b.reserve())
	if err != nil {
		return Result{}, err
	}
	c := newClusterer(u.Clustering, b.limits)
	if err := c.fill(ctx, b.inputs(0, len(b.messages)), cut); err != nil {
		return Result{}, err
	}
	if err := c.resolve(ctx, max(1, left-b.frame(cut))); err != nil {
		return Result{}, err
	}
	v, err := c.embedQuery(ctx, u.Query)
	if err != nil {
		return Result{}, err
	}
	c.mu.Lock()
	views := c.views(u.Query, v)
	c.mu.Unlock()
	return b.finish(ctx, cut, left,
		b.texts(views, u.Query, func(node int) []int { return b.sources[node] }))
}

// fill clusters the inputs before a cut. An embedder that learns is shown all of them first: it
// knows which words are rare before the first comparison is made.
func (c *clusterer) fill(ctx context.Context, inputs []Input, cut int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.learner != nil {
		if err := c.each(ctx, inputs, func(_ Input, v Vector) { c.learn(v) }); err != nil {
			return err
		}
	}
	return c.each(ctx, inputs[:cut], c.add)
}

// each calls f with every input and its vector.
func (c *clusterer) each(ctx context.Context, inputs []Input, f func(Input, Vector)) error {
	for _, in := range inputs {
		if err := ctx.Err(); err != nil {
			return err
		}
		v, err := c.embed(ctx, in.Text)
		if err != nil {
			return err
		}
		f(in, v)
	}
	return nil
}
