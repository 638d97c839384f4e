package compact

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact/internal/cut"
)

// Masking shortens old tool results to their beginning and end, and keeps everything else. The
// oldest are shortened first, errors last, and no more than the budget requires. Calls, arguments
// and texts stay, so that the model still sees what it did, and can repeat a call to see its
// result.
//
// Results of provider-executed tools are never shortened, because the provider verifies their
// payloads. Where masking is not enough, the oldest messages are replaced by a summary, extracted
// from their original text.
type Masking struct {
	// Keep is how many messages at the end keep their results, if the budget allows; 0 is 30.
	Keep int
}

// Compact returns the history unchanged (but for repairs) when it fits the budget. It needs no
// summarizer. The error is a *BudgetError or one of preflight.Sanitize; the history comes back
// unchanged with it.
func (m Masking) Compact(
	ctx context.Context, history []preflight.Message, limits Limits,
) (Result, error) {
	return limits.compact(ctx, history, false, m.compact)
}

func (m Masking) compact(ctx context.Context, b *base) (Result, error) {
	b.mask(cmp.Or(m.Keep, defaultKeep), 0)
	cut, left, err := b.cutFor(len(b.messages), b.reserve())
	if err != nil {
		return Result{}, err
	}
	return b.finish(ctx, cut, left, func(now, tokens int) ([]Cluster, error) {
		summary := b.limits.extractor(nil, b.inputs(0, now))(tokens)[0]
		return []Cluster{{Sources: b.cold(now), Summary: summary}}, nil
	})
}

// mask masks the oldest results until so many tokens of the budget are left: first those before the
// last keep messages, then those before the last exchange, and errors after all others.
func (b *base) mask(keep, reserve int) {
	if len(b.cuts) == 0 {
		return
	}
	b.messages = slices.Clone(b.messages)
	over := b.fixed + b.cost[0] + reserve - b.limits.Budget
	end := b.cuts[len(b.cuts)-1]
	edge := max(0, min(end, len(b.messages)-keep))
	for k, zone := range [][2]int{{0, edge}, {edge, end}, {0, end}} {
		for i := zone[0]; i < zone[1] && over > 0; i++ {
			saved := b.maskMessage(i, k == 2)
			if saved > 0 {
				b.edited = min(b.edited, i)
			}
			over -= saved
		}
	}
	b.weigh()
}

// maskMessage masks the results of one message, errors or all others, and returns the tokens that
// saves; a message that would not get shorter stays.
func (b *base) maskMessage(i int, errors bool) int {
	if b.pinned[i] {
		return 0
	}
	m := b.messages[i]
	m.Parts = slices.Clone(m.Parts)
	for j, p := range m.Parts {
		if r, ok := p.(*preflight.ToolResult); ok && r != nil && !r.ProviderExecuted &&
			r.IsError == errors {
			m.Parts[j] = masked(r, b.off.mark(r))
		}
	}
	saved := b.limits.count(b.messages[i]) - b.limits.count(m)
	if saved <= 0 {
		return 0
	}
	b.messages[i], b.changed[i] = m, "shortened old tool results"
	return saved
}

// maskEdge is how many bytes of a masked result's beginning, and of its end, are kept.
const maskEdge = 100

// masked returns a result with all but the beginning and the end of its content replaced by a line
// of text: a mark, if there is one.
func masked(r *preflight.ToolResult, mark string) *preflight.ToolResult {
	if mark == "" {
		mark = storedMark(contentText(r))
	}
	if mark != "" {
		return distilled(r, mark, maskEdge)
	}
	text := contentText(r)
	size := preflight.TallyOf(preflight.Message{Parts: []preflight.Part{r}}).Bytes
	head, tail := text, ""
	if len(text) > 2*maskEdge {
		head, tail = text[:cut.Point(text, maskEdge)], "\n"+text[cut.Tail(text, maskEdge):]
	}
	c := *r
	c.Output = nil
	c.Content = []preflight.Part{&preflight.Text{
		Text: fmt.Sprintf("%s\n[%d bytes omitted]%s", head, size-len(head)-len(tail), tail),
	}}
	return &c
}
