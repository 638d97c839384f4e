package compact

import (
	"context"
	"slices"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
)

// This file joins the summaries of what was compacted to what stays, so that a provider accepts the
// result and the budget holds.

// summary makes the texts that replace the messages before a cut, for at most so many tokens
// together. Cheap to call again.
type summary func(cut, tokens int) ([]Cluster, error)

// attempts is how often a finished history that is too long is made again with less, before the
// summaries go altogether.
const attempts = 4

// finish cuts the history, puts the summaries in front of the rest, and makes sure that the
// provider takes it and the budget holds. Repairs may cost tokens (a placeholder turn), so it tries
// with less until it fits, then cuts further on.
func (b *base) finish(ctx context.Context, cut, left int, texts summary) (Result, error) {
	res, _, err := b.finishFrom(ctx, cut, left, texts)
	return res, err
}

// finishFrom is finish, and says where the history was cut.
func (b *base) finishFrom(
	ctx context.Context, cut, left int, texts summary,
) (Result, int, error) {
	for {
		res, over, err := b.fit(ctx, cut, left, texts)
		if err != nil {
			return Result{Messages: slices.Clip(b.history)}, cut, err
		}
		if over <= 0 {
			return res, cut, nil
		}
		next := b.firstCutSaving(cut, over)
		if next < 0 {
			next = b.concede(b.cost[cut] - over)
		}
		if next < 0 {
			return Result{Messages: slices.Clip(b.history)}, cut, &BudgetError{
				Need:   b.limits.Budget + over,
				Budget: b.limits.Budget,
			}
		}
		cut, left = next, b.left(next)
	}
}

// left returns what a cut leaves for summaries.
func (b *base) left(cut int) int { return b.limits.Budget - b.fixed - b.cost[cut] }

// firstCutSaving returns the first cut that saves at least so many tokens, or the last one; -1 when
// cut is the last one.
func (b *base) firstCutSaving(cut, tokens int) int {
	for _, c := range b.cuts {
		if c > cut && b.cost[cut]-b.cost[c] >= tokens {
			return c
		}
	}
	if len(b.cuts) > 0 && b.cuts[len(b.cuts)-1] > cut {
		return b.cuts[len(b.cuts)-1]
	}
	return -1
}

// fit makes the history for one cut; over is how many tokens it is too long even without summaries.
func (b *base) fit(
	ctx context.Context, cut, left int, texts summary,
) (res Result, over int, err error) {
	for k := range attempts {
		if k == attempts-1 {
			left = 0
		}
		res, err = b.assemble(ctx, cut, left, texts)
		if err != nil {
			return res, 0, err
		}
		if over = res.Tokens - b.limits.Budget; b.limits.Budget <= 0 || over <= 0 {
			return res, 0, nil
		}
		left = max(0, left-over)
	}
	return res, over, nil
}

// seamed is what a history is made of before its last repair.
type seamed struct {
	lead     []preflight.Message // the message with the summaries, if there is room for it
	clusters []Cluster
	kept     []preflight.Message // what stays
	before   int                 // how many of them come before lead
	sources  [][]int             // of kept
	warnings []preflight.Warning
}

// assemble makes the history for one cut and so many tokens of summaries.
func (b *base) assemble(ctx context.Context, cut, left int, texts summary) (Result, error) {
	var s seamed
	if cut > 0 || b.compacted > 0 {
		var err error
		if s.lead, s.clusters, err = b.summarized(cut, left, texts); err != nil {
			return Result{}, err
		}
	}
	staying := b.staying(cut)
	s.warnings, s.before = slices.Clip(b.warnings), b.before(cut)
	for _, i := range staying {
		s.kept, s.sources = append(s.kept, b.messages[i]), append(s.sources, b.sources[i])
		if b.changed[i] != "" {
			s.warnings = append(s.warnings, b.shortened(i))
		}
	}
	if b.limits.profile().Reasoning.Bound {
		s.warnings = append(s.warnings, b.unbind(s.kept, staying, cut)...)
	}
	b.last = s
	messages := slices.Concat(b.head, s.kept[:s.before], s.lead, s.kept[s.before:])
	sources := slices.Concat(numbers(len(b.head)), s.sources[:s.before],
		make([][]int, len(s.lead)), s.sources[s.before:])
	fixed, err := preflight.Sanitize(ctx, messages, b.limits.profile(), b.limits.options(true))
	if err != nil {
		return Result{}, err
	}
	return Result{
		Messages: fixed.Messages,
		Sources:  through(fixed.Origins, sources),
		Clusters: s.clusters,
		Tokens:   b.limits.total(fixed.Messages),
		Changed:  cut > 0 || b.edited < len(b.messages) || len(s.warnings) > 0 || fixed.Changed,
		Warnings: append(slices.Clip(s.warnings), fixed.Warnings...),
	}, nil
}

// frame returns what the delimiter, the note inside of it and the message around it cost.
func (b *base) frame(omitted int) int {
	return b.limits.count(textMessage(block(omitted, []string{""})))
}

// summarized returns the message with the summaries, for at most left tokens, and the clusters in
// it. Summaries grow when they are made safe for their delimiter, so it tries again with less.
// Where not even a note that something is missing fits, there is no message.
func (b *base) summarized(
	cut, left int, texts summary,
) ([]preflight.Message, []Cluster, error) {
	omitted := b.compacted + len(b.cold(cut))
	if omitted == 0 { // what is before the cut was made of a message of which the rest stays
		return nil, nil, nil
	}
	tokens := left - b.frame(omitted)
	for k := range attempts {
		clusters, err := texts(cut, tokens)
		if err != nil {
			return nil, nil, err
		}
		m := b.lead(clusters)
		if b.limits.Budget <= 0 {
			return []preflight.Message{m}, clusters, nil
		}
		over := b.limits.count(m) - left
		if over <= 0 {
			return []preflight.Message{m}, clusters, nil
		}
		tokens = max(0, tokens-over-k*tokens/64) // further each time: texts shrink in steps
	}
	clusters, err := texts(cut, 0)
	if err != nil {
		return nil, nil, err
	}
	if m := b.lead(clusters); b.limits.count(m) <= left {
		return []preflight.Message{m}, clusters, nil
	}
	clusters = slices.Clone(clusters)
	for k := range clusters {
		clusters[k].Summary = ""
	}
	return nil, clusters, nil
}

// lead returns the message before what stays: the summaries, or a note that something is missing.
func (b *base) lead(clusters []Cluster) preflight.Message {
	var shown []string
	omitted := 0
	for _, c := range clusters {
		omitted += len(c.Sources)
		if c.Summary != "" {
			shown = append(shown, c.Summary)
		}
	}
	return textMessage(block(omitted, shown))
}

// unbind takes the reasoning out of the messages that stay with a cut, wherever the text before it
// is not what it was: providers that bind reasoning to everything before it refuse it.
func (b *base) unbind(
	messages []preflight.Message, staying []int, cut int,
) []preflight.Warning {
	from := max(0, b.edited-cut)
	if cut > 0 || b.compacted > 0 {
		from = 0
	}
	var warnings []preflight.Warning
	for i := from; i < len(messages); i++ {
		kept := make([]preflight.Part, 0, len(messages[i].Parts))
		for j, p := range messages[i].Parts {
			r, ok := p.(*preflight.Reasoning)
			if !ok || r == nil {
				kept = append(kept, p)
				continue
			}
			at := preflight.At(staying[i], j)
			if src := b.sources[staying[i]]; len(src) > 0 {
				at = preflight.At(src[0], j)
			}
			warnings = append(warnings, preflight.Warning{
				Code: codes.ReasoningRemoved,
				At:   at,
				Detail: "removed reasoning that is bound to the messages before it, " +
					"which were compacted",
				Removed: preflight.TallyOf(preflight.Message{Parts: []preflight.Part{r}}),
			})
		}
		if len(kept) < len(messages[i].Parts) {
			messages[i].Parts = kept
		}
	}
	return warnings
}

// through follows origins one step further back.
func through(origins, sources [][]int) [][]int {
	if origins == nil {
		return sources
	}
	out := make([][]int, len(origins))
	for i, list := range origins {
		for _, k := range list {
			out[i] = append(out[i], sources[k]...)
		}
		slices.Sort(out[i])
		out[i] = slices.Compact(out[i])
	}
	return out
}
