package compact

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
)

// This file is the seam between what was compacted and what stays: where a history may be cut, and
// how the two ends are joined so that a provider accepts the result. Every strategy uses it.

// body is a history ready to be cut: repaired, its leading system messages apart, every call next
// to its result.
type body struct {
	limits   Limits
	history  []preflight.Message
	head     []preflight.Message // leading system messages, as the caller wrote them
	messages []preflight.Message // the others, repaired
	sources  [][]int             // of each, the indices in history
	// indices in messages where no exchange is cut, ascending; the first is 0
	cuts  []int
	cost  []int // tokens from each message to the end
	fixed int   // tokens of the head
	// the first of messages that a strategy changed; their number when it changed none
	edited   int
	warnings []preflight.Warning
}

// repairWhole repairs a history and returns it if it fits the budget: then there is nothing to
// compact.
func repairWhole(
	ctx context.Context,
	history []preflight.Message,
	limits Limits,
) (Result, bool, error) {
	fixed, err := preflight.Sanitize(ctx, history, limits.profile(), limits.options(true))
	if err != nil {
		return Result{Messages: slices.Clip(history)}, false, err
	}
	res := Result{
		Messages: fixed.Messages,
		Sources:  fixed.Origins,
		Changed:  fixed.Changed,
		Warnings: fixed.Warnings,
		Tokens:   limits.total(fixed.Messages),
	}
	if res.Sources == nil {
		res.Sources = numbers(len(history))
	}
	return res, limits.Budget <= 0 || res.Tokens <= limits.Budget, nil
}

// numbers are lists of one index each.
func numbers(n int) [][]int {
	all := make([]int, n)
	out := make([][]int, n)
	for i := range out {
		all[i] = i
		out[i] = all[i : i+1 : i+1]
	}
	return out
}

// newBody repairs a history and finds out where it may be cut.
func newBody(ctx context.Context, history []preflight.Message, limits Limits) (*body, error) {
	n := systemHead(history)
	b := &body{
		limits:  limits,
		history: history,
		head:    history[:n:n],
		fixed:   limits.total(history[:n]),
	}
	fixed, err := preflight.Sanitize(ctx, history[n:], limits.profile(), limits.options(false))
	if errors.Is(err, preflight.ErrEmptyHistory) {
		return b, nil // nothing but system messages
	}
	if err != nil {
		return nil, err
	}
	b.messages, b.sources, b.warnings = fixed.Messages, fixed.Origins, fixed.Warnings
	if b.sources == nil {
		b.sources = numbers(len(b.messages))
	}
	b.shift(n)
	b.cuts, b.edited = cuts(b.messages, b.limits.profile()), len(b.messages)
	b.weigh()
	return b, nil
}

// weigh counts the tokens of the messages.
func (b *body) weigh() {
	b.cost = make([]int, len(b.messages)+1)
	for i := len(b.messages) - 1; i >= 0; i-- {
		b.cost[i] = b.cost[i+1] + b.limits.count(b.messages[i])
	}
}

// shift converts positions counted from the end of the head to positions in the history.
func (b *body) shift(n int) {
	if n == 0 {
		return
	}
	shifted := make([][]int, len(b.sources))
	for i, list := range b.sources {
		shifted[i] = make([]int, len(list))
		for k, src := range list {
			shifted[i][k] = src + n
		}
	}
	b.sources = shifted
	b.warnings = slices.Clone(b.warnings)
	for k := range b.warnings {
		b.warnings[k].At.Message += n
	}
}

// systemHead is the number of leading system messages.
func systemHead(history []preflight.Message) int {
	n := 0
	for n < len(history) && isSystem(history[n].Role) {
		n++
	}
	return n
}

func isSystem(r preflight.Role) bool {
	switch strings.ToLower(strings.TrimSpace(string(r))) {
	case "system", "developer":
		return true
	}
	return false
}

// cuts are the indices at which a history may be cut, ascending, 0 first: no tool call on the one
// side has its result on the other, no open call of the last turn falls off, and no turn of the
// assistant's is cut in two (its reasoning belongs to its calls).
func cuts(messages []preflight.Message, profile *preflight.Profile) []int {
	reach := make([]int, len(messages))
	current := lastTurn(messages)
	for _, p := range preflight.Pairs(messages, profile) {
		i, k := p.At.Message, p.CounterpartAt.Message
		if _, call := p.Part.(*preflight.ToolCall); call && p.Counterpart == nil && i >= current {
			k = len(messages)
		}
		reach[i] = max(reach[i], k)
	}
	var out []int
	last := 0 // the furthest message that an exchange before here reaches
	for i := range messages {
		inside := i > 0 &&
			(last >= i || isAssistant(messages[i-1].Role) && isAssistant(messages[i].Role))
		if !inside {
			out = append(out, i)
		}
		last = max(last, reach[i])
	}
	return out
}

// lastTurn is where the last turn of the assistant's begins.
func lastTurn(messages []preflight.Message) int {
	i := len(messages)
	for i > 0 && !isAssistant(messages[i-1].Role) {
		i--
	}
	for i > 0 && isAssistant(messages[i-1].Role) {
		i--
	}
	return i
}

func isAssistant(r preflight.Role) bool { return r == preflight.RoleAssistant || r == "model" }

// reserve is what summaries get at least when there is something to summarize and the last exchange
// leaves it: a quarter of the budget.
func (b *body) reserve() int { return max(0, b.limits.Budget-b.fixed) / 4 }

// cutFor is where to cut so that at least keep messages stay, if the budget allows, and what is
// left for summaries: the earliest cut that leaves the reserve, or else the earliest that fits at
// all.
func (b *body) cutFor(keep, reserve int) (cut int, left int, err error) {
	first := 0
	for k, c := range b.cuts {
		if c <= max(0, len(b.messages)-keep) {
			first = k
		}
	}
	if len(b.cuts) == 0 {
		return 0, b.limits.Budget - b.fixed, nil
	}
	if b.limits.Budget <= 0 {
		return b.cuts[first], 0, nil
	}
	room := b.limits.Budget - b.fixed
	for _, reserve := range []int{reserve, 0} {
		for _, c := range b.cuts[first:] {
			if c == 0 && b.cost[0] <= room {
				return 0, room - b.cost[0], nil
			}
			if c > 0 && b.cost[c] <= room-reserve {
				return c, room - b.cost[c], nil
			}
		}
	}
	return 0, 0, b.tooSmall()
}

func (b *body) tooSmall() error {
	return &BudgetError{Need: b.fixed + b.cost[b.cuts[len(b.cuts)-1]], Budget: b.limits.Budget}
}

// cold returns the indices in the history of the messages before a cut, ascending. What a message
// after the cut was made of, too, is not among them.
func (b *body) cold(cut int) []int {
	hot := make(map[int]bool)
	for _, list := range b.sources[cut:] {
		for _, src := range list {
			hot[src] = true
		}
	}
	var out []int
	for _, list := range b.sources[:cut] {
		for _, src := range list {
			if !hot[src] {
				out = append(out, src)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// summary makes the texts that replace the messages before a cut, for at most so many tokens
// together. Cheap to call again.
type summary func(cut, tokens int) []Cluster

// attempts is how often a finished history that is too long is made again with less, before the
// summaries go altogether.
const attempts = 4

// finish cuts the history, puts the summaries in front of the rest, and makes sure that the
// provider takes it and the budget holds. Repairs may cost tokens (a placeholder turn), so it tries
// with less until it fits, then cuts further on.
func (b *body) finish(ctx context.Context, cut, left int, texts summary) (Result, error) {
	for {
		res, over, err := b.fit(ctx, cut, left, texts)
		if err != nil {
			return Result{Messages: slices.Clip(b.history)}, err
		}
		if over <= 0 {
			return res, nil
		}
		next := b.firstCutSaving(cut, over)
		if next < 0 {
			return Result{Messages: slices.Clip(b.history)}, &BudgetError{
				Need:   b.limits.Budget + over,
				Budget: b.limits.Budget,
			}
		}
		cut, left = next, b.limits.Budget-b.fixed-b.cost[next]
	}
}

// firstCutSaving is the first cut that saves at least so many tokens, or the last one; -1 when cut
// is the last one.
func (b *body) firstCutSaving(cut, tokens int) int {
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
func (b *body) fit(
	ctx context.Context,
	cut, left int,
	texts summary,
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

// assemble makes the history for one cut and so many tokens of summaries.
func (b *body) assemble(ctx context.Context, cut, left int, texts summary) (Result, error) {
	messages, sources := slices.Clone(b.head), numbers(len(b.head))
	var clusters []Cluster
	if cut > 0 {
		frame := b.frame(len(b.cold(cut)))
		clusters = texts(cut, left-frame)
		if m, ok := b.lead(clusters, left); ok {
			messages, sources = append(messages, m), append(sources, nil)
		}
	}
	rest := slices.Clone(b.messages[cut:])
	warnings := b.warnings
	if b.limits.profile().Reasoning.Bound {
		warnings = append(slices.Clip(warnings), b.unbind(rest, cut)...)
	}
	messages, sources = append(messages, rest...), append(sources, b.sources[cut:]...)
	fixed, err := preflight.Sanitize(ctx, messages, b.limits.profile(), b.limits.options(true))
	if err != nil {
		return Result{}, err
	}
	return Result{
		Messages: fixed.Messages,
		Sources:  through(fixed.Origins, sources),
		Clusters: clusters,
		Tokens:   b.limits.total(fixed.Messages),
		Changed:  cut > 0 || b.edited < len(b.messages) || len(warnings) > 0 || fixed.Changed,
		Warnings: append(slices.Clip(warnings), fixed.Warnings...),
	}, nil
}

// frame is what the delimiter, the note inside of it and the message around it cost.
func (b *body) frame(omitted int) int {
	return b.limits.count(textMessage(block(omitted, []string{""})))
}

// lead is the message in front of the rest: the summaries, or at least a note that something is
// missing, if there is room.
func (b *body) lead(clusters []Cluster, left int) (preflight.Message, bool) {
	var shown []string
	omitted := 0
	for _, c := range clusters {
		omitted += len(c.Sources)
		if c.Shown {
			shown = append(shown, c.Summary)
		}
	}
	m := textMessage(block(omitted, shown))
	return m, b.limits.Budget <= 0 || left > 0 && b.limits.count(m) <= left
}

// unbind takes the reasoning out of messages, which begin at a cut, wherever the text before it is
// not what it was: providers that bind reasoning to everything before it refuse it.
func (b *body) unbind(messages []preflight.Message, cut int) []preflight.Warning {
	from := max(0, b.edited-cut)
	if cut > 0 {
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
			at := preflight.Position{Message: i + cut, Part: j, Inner: -1}
			if src := b.sources[i+cut]; len(src) > 0 {
				at.Message = src[0]
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
