package unionfind

import (
	"cmp"
	"context"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact"
	"github.com/go-preflight/preflight/compact/internal/told"
)

// This file is union-find as a strategy.

// Strategy replaces everything but the last messages by the summaries of clusters: messages that
// have one topic are summarized together, wherever they are. It is a compact.Strategy. It starts
// from nothing at every call; Window keeps its clusters from one to the next.
type Strategy struct {
	// Keep is how many messages stay as they are, if the budget allows; 0 is 30. More stay where
	// the cut would part a tool call from its result.
	Keep int
	// Clustering says how the others are grouped and summarized.
	Clustering Clustering
	// Query limits what is shown to the clusters that have to do with it, so that they get the
	// whole budget.
	Query Query
}

// defaultKeep is how many messages stay as they are unless told otherwise.
const defaultKeep = 30

// Compact returns the history unchanged (but for repairs) when it fits the budget, or when there is
// none. It calls the summarizer once for each cluster of more than one message, shown or not;
// without one, the text of all shown clusters is extracted for one budget. The error is the
// summarizer's or the embedder's, the context's, a *compact.BudgetError, or one of
// preflight.Sanitize; the history comes back unchanged with it.
//
// The cost is linear in the history, with a factor for comparing clusters: at most MaxClusters²
// vectors for each message.
func (s Strategy) Compact(
	ctx context.Context,
	history []preflight.Message,
	limits compact.Limits,
) (compact.Result, error) {
	if limits.Budget <= 0 {
		return compact.Flat{}.Compact(ctx, history, limits)
	}
	var show func(old []int, tokens int) []compact.Cluster
	return limits.Replace(ctx, history, cmp.Or(s.Keep, defaultKeep),
		func(old []int, tokens int) ([]compact.Cluster, error) {
			if show == nil {
				made, err := s.cluster(orBackground(ctx), history, limits, old, tokens)
				if err != nil {
					return nil, err
				}
				show = made
			}
			return show(old, tokens), nil
		})
}

// cluster groups the old messages of a history, and returns what shows them.
func (s Strategy) cluster(
	ctx context.Context, history []preflight.Message, limits compact.Limits, old []int, tokens int,
) (func(old []int, tokens int) []compact.Cluster, error) {
	c := newClusterer(s.Clustering, limits)
	if c.Summarizer == nil { // each text is needed twice, and never together with all others
		c.input = func(node int) compact.Input { return c.inputOf(history[old[node]]) }
	}
	if err := c.fill(ctx, history, old); err != nil {
		return nil, err
	}
	if err := c.resolve(ctx, max(1, tokens)); err != nil {
		return nil, err
	}
	v, err := c.embedQuery(ctx, s.Query)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	views := c.views(s.Query, v)
	c.mu.Unlock()
	return c.texts(history, views, s.Query, func(node int) int { return old[node] }), nil
}

// inputOf returns what a record may tell of a message.
func (c *clusterer) inputOf(m preflight.Message) compact.Input {
	return compact.InputOf(told.Of(m, c.limits.Options))
}

// fill clusters the old messages of a history. An embedder that learns is shown all messages first:
// it knows which words are rare before the first comparison is made.
func (c *clusterer) fill(ctx context.Context, history []preflight.Message, old []int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	embed := func(m preflight.Message, f func(compact.Input, Vector)) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		in := c.inputOf(m)
		v, err := c.embed(ctx, in.Text)
		if c.input != nil {
			in = compact.Input{}
		}
		if err == nil {
			f(in, v)
		}
		return err
	}
	if c.learner != nil {
		for _, m := range history {
			if err := embed(m, func(_ compact.Input, v Vector) { c.learn(v) }); err != nil {
				return err
			}
		}
	}
	for _, src := range old {
		if err := embed(history[src], c.add); err != nil {
			return err
		}
	}
	return nil
}
