package compact

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"slices"

	"github.com/go-preflight/preflight"
)

// defaultKeep is how many messages stay as they are unless told otherwise, if the budget allows:
// some fifteen exchanges.
const defaultKeep = 30

// Flat replaces all but the last messages by one summary. It is the strategy for a history that is
// compacted once, and the default of a Session. Do not compact its output again and again as a
// session grows: the beginning of every request would change, and what an earlier summary left out
// is lost. Use a Session for that.
//
// Without a Summarizer the summary is extracted: the messages are cut into sentences and lines, and
// the best that fit the budget are kept, word for word, in their order. Each line begins with its
// owner, or with "| " where it goes on with the line above. A question of the model stays with the
// short answer to it, also one given to a tool, or with the first and last sentence of a long one.
// All that people said is kept first, as long as that takes no more than half of the budget, and
// orders that they repeated even then. Of the rest, what has the rarest words counts most; tool
// output counts a quarter, unless it names an error or is unlike the lines around it. A sentence
// that states a value counts more than others, and of several values of one setting the last. What
// several tool outputs say is kept where it comes last; a field or a status stays with what it is
// about. "…" says where a piece of a message is missing, "[…7]" that seven are, and "[12 messages
// left out]" that the line after it does not answer the one before it.
type Flat struct {
	// Keep is how many messages stay as they are, if the budget allows; 0 is 30. More stay where
	// the cut would part a tool call from its result.
	Keep int
	// Summarizer makes the summary; nil extracts it.
	Summarizer Summarizer
	// Question makes an extracted summary one about it: what is most like the question counts most.
	// With the user's next message as the question such a summary remembers more than any other, as
	// long as the two share words. "" is a summary of everything.
	Question string
}

// Compact returns the history unchanged (but for repairs) when it fits the budget. It calls the
// summarizer at most once; where that takes longer than Limits.SummaryTimeout, the summary is
// extracted, and the cluster Provisional. The error is the summarizer's, a *BudgetError, or one of
// preflight.Sanitize; the history comes back unchanged with it.
func (f Flat) Compact(
	ctx context.Context, history []preflight.Message, limits Limits,
) (Result, error) {
	return limits.compact(ctx, history, false, f.compact)
}

func (f Flat) compact(ctx context.Context, b *base) (Result, error) {
	b.clear()
	cut, left, err := b.cutFor(cmp.Or(f.Keep, defaultKeep), b.reserve())
	if err != nil {
		return Result{}, err
	}
	if f.Summarizer == nil {
		cut = b.fill(cut, nil, mostTokens)
		left = b.left(cut)
	}
	inputs, n := b.inputs(0, cut), cut
	slow := false
	if budget := left - b.frame(cut); f.Summarizer != nil && cut > 0 && budget > 0 {
		said := slices.DeleteFunc(slices.Collect(inputs),
			func(in Input) bool { return in.Text == "" })
		text, err := b.limits.Summarize(ctx, f.Summarizer, Material{Inputs: said, Budget: budget})
		switch slow = errors.Is(err, errSlow); {
		case err == nil:
			inputs = slices.Values([]Input{
				{Text: attributed(summaryLabel, text, false), Summary: true},
			})
		case !slow:
			return Result{}, err
		}
	}
	planned := b.limits.extractor(about(f.Question), inputs)
	return b.finish(ctx, cut, left, func(now, tokens int) ([]Cluster, error) {
		summary := ""
		if now > n { // the budget took more than planned: what was not summarized yet joins
			all := slices.AppendSeq(slices.Collect(inputs), b.inputs(n, now))
			summary = b.limits.Extract(f.Question, tokens, slices.Values(all))[0]
		} else {
			summary = planned(tokens)[0]
		}
		return []Cluster{{Sources: b.cold(now), Summary: summary, Provisional: slow}}, nil
	})
}

// inputs returns messages of the base as text, as they were before their results were cleared. What
// is never compacted is empty. Each is made when it is asked for: together they are as long as the
// history.
func (b *base) inputs(from, to int) iter.Seq[Input] {
	messages := b.off.recorded(b.said[from:to])
	return func(yield func(Input) bool) {
		for k, m := range messages {
			in := Input{Role: m.Role}
			if !b.pinned[from+k] {
				in = InputOf(m)
			}
			if !yield(in) {
				return
			}
		}
	}
}

// inputsOf returns messages as text.
func inputsOf(messages []preflight.Message) []Input {
	out := make([]Input, len(messages))
	for i, m := range messages {
		out[i] = InputOf(m)
	}
	return out
}
