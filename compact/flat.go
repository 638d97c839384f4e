package compact

import (
	"context"

	"github.com/go-preflight/preflight"
)

// DefaultKeep is how many messages stay as they are unless told otherwise, if the budget allows:
// some fifteen exchanges.
const DefaultKeep = 30

func orDefault(n, fallback int) int {
	if n == 0 {
		return fallback
	}
	return n
}

// Flat replaces all but the last messages by one summary. It is the strategy for a history that is
// compacted once, and the default of a Session: see docs/compaction.md. Do not compact its output
// again and again as a session grows: the beginning of every request would change, and what an
// earlier summary left out is lost. Use a Session for that.
type Flat struct {
	// Keep is how many messages stay as they are, if the budget allows; 0 is DefaultKeep. More stay
	// where the cut would part a tool call from its result.
	Keep int
	// Summarizer makes the summary; nil is Extractive{}.
	Summarizer Summarizer
}

// Compact returns the history unchanged (but for repairs) when it fits the budget. It calls the
// summarizer at most once. The error is the summarizer's, a *BudgetError, or one of
// preflight.Sanitize; the history comes back unchanged with it.
func (f Flat) Compact(
	ctx context.Context,
	history []preflight.Message,
	limits Limits,
) (Result, error) {
	return limits.compact(ctx, history, f.compact)
}

func (f Flat) compact(ctx context.Context, b *body) (Result, error) {
	b.clear()
	cut, left, err := b.cutFor(orDefault(f.Keep, DefaultKeep), b.reserve())
	if err != nil {
		return Result{}, err
	}
	if f.Summarizer == nil {
		cut = b.fill(cut, nil)
		left = b.left(cut)
	}
	text := ""
	if budget := left - b.frame(cut); cut > 0 && budget > 0 {
		m := Material{Inputs: b.inputs(0, cut), Budget: budget, Count: b.limits.Count}
		if text, err = summarize(ctx, orExtractive(f.Summarizer), m); err != nil {
			return Result{}, err
		}
	}
	return b.finish(ctx, cut, left, func(now, tokens int) []Cluster {
		summary := b.limits.shrink(text, tokens)
		if now > cut { // the budget took more than planned: what was not summarized yet joins
			inputs := append([]Input{{Text: text}}, b.inputs(cut, now)...)
			summary = Extractive{}.extract(Material{
				Inputs: inputs,
				Budget: tokens,
				Count:  b.limits.Count,
			})
		}
		return []Cluster{{Sources: b.cold(now), Summary: summary, Shown: summary != ""}}
	})
}

// inputs are messages of the body as text, as they were before their results were cleared. What is
// never compacted is empty.
func (b *body) inputs(from, to int) []Input {
	out := inputsOf(b.said[from:to], from)
	for k := range out {
		if b.held[from+k] {
			out[k].Text, out[k].pieces = "", nil
		}
	}
	return out
}

// inputsOf are messages as text, the first with the number first.
func inputsOf(messages []preflight.Message, first int) []Input {
	out := make([]Input, len(messages))
	for i, m := range messages {
		out[i] = inputOf(m, first+i)
	}
	return out
}

func orExtractive(s Summarizer) Summarizer {
	if s == nil {
		return Extractive{}
	}
	return s
}
