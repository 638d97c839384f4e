package compact

import (
	"context"
	"iter"
	"slices"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact/internal/contain"
)

// This file is what strategies of other packages are made of.

// Replace makes a history fit the budget for a Strategy of another package: texts writes the
// summaries, and Replace does what is the same for all. It repairs the history, shortens old tool
// results, cuts between two exchanges so that at least keep messages stay, if the budget allows,
// and more if all sentences of the others fit, and puts the summaries in front of the rest. A
// history that fits the budget is returned as it is; without a budget, all but the last keep
// messages are replaced.
//
// texts is given the indices of the messages to replace, ascending, and the tokens that all
// summaries may cost together, which without a budget is 0. It returns clusters of these messages;
// what it leaves out is in a cluster without a summary. It is called several times, later with
// fewer tokens or more messages, so that expensive work is done at the first call alone.
func (l Limits) Replace(
	ctx context.Context,
	history []preflight.Message,
	keep int,
	texts func(old []int, tokens int) ([]Cluster, error),
) (Result, error) {
	strategy := func(ctx context.Context, b *base) (Result, error) {
		if l.Budget > 0 {
			b.clear()
		}
		cut, left, err := b.cutFor(keep, b.reserve())
		if err != nil {
			return Result{}, err
		}
		if l.Budget > 0 { // no text says more than all sentences of the messages
			cut = b.fill(cut, nil, mostTokens)
			left = b.left(cut)
		}
		return b.finish(ctx, cut, left, func(now, tokens int) ([]Cluster, error) {
			old := b.cold(now)
			if l.Budget <= 0 {
				tokens = 0
			}
			clusters, err := written(texts, old, tokens)
			return complete(old, clusters), err
		})
	}
	return l.compact(ctx, history, l.Budget <= 0, strategy)
}

// written asks the caller's function.
func written(
	texts func(old []int, tokens int) ([]Cluster, error), old []int, tokens int,
) ([]Cluster, error) {
	if texts == nil || len(old) == 0 {
		return nil, nil
	}
	defer contain.Guard("function texts")
	return texts(slices.Clone(old), tokens)
}

// complete makes sure that each of the old messages is in exactly one cluster.
func complete(old []int, clusters []Cluster) []Cluster {
	left := make(map[int]bool, len(old))
	for _, src := range old {
		left[src] = true
	}
	var out []Cluster
	for _, c := range clusters {
		var sources []int
		for _, src := range c.Sources {
			if left[src] {
				sources = append(sources, src)
				delete(left, src)
			}
		}
		if c.Sources = sources; len(sources) > 0 {
			slices.Sort(c.Sources)
			out = append(out, c)
		}
	}
	if len(left) > 0 {
		rest := slices.DeleteFunc(slices.Clone(old), func(src int) bool { return !left[src] })
		out = append(out, Cluster{Sources: rest})
	}
	return out
}

// Extract chooses sentences and lines of groups of inputs, word for word, and returns a text for
// each group: "" for one of which nothing was chosen. All groups compete for so many tokens. The
// best are those with the rarest words, or, where there is a question, those most like it; see
// Flat. It calls no model. Each group is read several times, one input after the other; nil is none.
func (l Limits) Extract(question string, tokens int, groups ...iter.Seq[Input]) []string {
	for k, inputs := range groups {
		if inputs == nil {
			groups = slices.Clone(groups)
			groups[k] = slices.Values[[]Input](nil)
		}
	}
	return l.extractor(about(question), groups...)(tokens)
}
