package compact

import (
	"context"
	"errors"
	"slices"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact/internal/parts"
)

// This file is the seam between what was compacted and what stays: where a history may be cut.
// Every strategy uses it.

// base is a history ready to be cut: repaired, its leading system messages apart, every call next
// to its result.
type base struct {
	limits   Limits
	history  []preflight.Message
	head     []preflight.Message // leading system messages, as the caller wrote them
	messages []preflight.Message // the others, repaired; long results may be cleared or cut
	said     []preflight.Message // the same before that
	sources  [][]int             // of each, the indices in history
	// indices in messages where no exchange is cut, ascending; the first is 0
	cuts  []int
	cost  []int // tokens of what stays with a cut at each message: from it on, and what is pinned
	fixed int   // tokens of the head
	// the first of messages that a strategy changed; their number when it changed none
	edited   int
	changed  []string // of each message that a strategy changed, what it did
	pinned   []bool   // of each message, whether it is never compacted
	opaque   [2]int   // the exchange with the provider's own compaction
	warnings []preflight.Warning

	off       *offloads
	compacted int    // messages that were compacted before, and are not in history
	whole     bool   // the last exchange stays as it is
	waits     bool   // a call in the last exchange waits
	over      bool   // the last exchange may be compacted, too
	last      seamed // what the last attempt was made of
}

// compact returns the repaired history if it fits the budget, unless always is set, and else what a
// strategy makes of it. With an error it returns the history as it was.
func (l Limits) compact(
	ctx context.Context,
	history []preflight.Message,
	always bool,
	strategy func(context.Context, *base) (Result, error),
) (res Result, err error) {
	defer containIn(&res, history, &err)
	ctx = orBackground(ctx)
	if err := ctx.Err(); err != nil {
		return Result{Messages: slices.Clip(history)}, err
	}
	if !always {
		res, fits, err := repairWhole(ctx, history, l)
		if err != nil || fits {
			return res, err
		}
	}
	b, err := newBase(ctx, history, l)
	if err == nil {
		res, err = strategy(ctx, b)
	}
	if err != nil {
		return Result{Messages: slices.Clip(history)}, err
	}
	return res, nil
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

// numbers returns lists of one index each.
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
func newBase(ctx context.Context, history []preflight.Message, limits Limits) (*base, error) {
	n := systemHead(history)
	b := &base{
		limits:  limits,
		history: history,
		head:    history[:n:n],
		fixed:   limits.total(history[:n]),
		off:     limits.offloads(ctx),
	}
	if err := b.repair(ctx, history[n:], limits.profile()); err != nil {
		return nil, err
	}
	b.shift(n)
	b.pin(func(src int) bool { return limits.pins(history[src]) })
	return b, nil
}

// repair fills a base with the messages after the head.
func (b *base) repair(
	ctx context.Context,
	messages []preflight.Message,
	profile *preflight.Profile,
) error {
	b.cost = []int{0}
	fixed, err := preflight.Sanitize(ctx, messages, profile, b.limits.options(false))
	if errors.Is(err, preflight.ErrEmptyHistory) {
		return nil // nothing but system messages
	}
	if err != nil {
		return err
	}
	b.messages, b.sources, b.warnings = fixed.Messages, fixed.Origins, fixed.Warnings
	if b.sources == nil {
		b.sources = numbers(len(b.messages))
	}
	b.said, b.cuts, b.edited = b.messages, b.findCuts(), len(b.messages)
	b.changed, b.pinned = make([]string, len(b.messages)), make([]bool, len(b.messages))
	b.weigh()
	return nil
}

// weigh counts the tokens of the messages.
func (b *base) weigh() {
	b.cost = make([]int, len(b.messages)+1)
	for i, pinned := range b.pinned {
		if pinned {
			b.cost[len(b.messages)] = plus(b.cost[len(b.messages)], b.limits.count(b.messages[i]))
		}
	}
	for i := len(b.messages) - 1; i >= 0; i-- {
		if b.cost[i] = b.cost[i+1]; !b.pinned[i] {
			b.cost[i] = plus(b.cost[i+1], b.limits.count(b.messages[i]))
		}
	}
}

// shift converts positions counted from the end of the head to positions in the history.
func (b *base) shift(n int) {
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
		at := &b.warnings[k].At
		*at = preflight.At(at.Message()+n, at.Part(), at.Inner())
	}
}

// systemHead returns the number of leading system messages.
func systemHead(history []preflight.Message) int {
	n := 0
	for n < len(history) && parts.IsSystem(history[n].Role) {
		n++
	}
	return n
}

// findCuts returns the indices at which the messages may be cut, ascending, 0 first: no tool call
// on the one side has its result on the other, no open call of the last turn and no call that waits
// falls off, and no turn of the assistant's is cut in two (its reasoning belongs to its calls).
func (b *base) findCuts() []int {
	messages := b.messages
	reach := make([]int, len(messages))
	current := lastTurn(messages)
	waits := b.limits.pending()
	for _, p := range preflight.Pairs(messages, b.limits.profile()) {
		i, k := p.At.Message(), p.CounterpartAt.Message()
		if c, call := p.Part.(*preflight.ToolCall); call && p.Counterpart == nil &&
			(i >= current || c.Awaiting != "" || waits(c)) {
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
	b.waits = last >= len(messages)
	return out
}

// lastTurn returns where the last turn of the assistant's begins.
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

// reserve returns what summaries get at least when there is something to summarize: a quarter of
// what the last exchange leaves.
func (b *base) reserve() int { return b.older() / 4 }

// older returns what the last exchange leaves of the budget for summaries and earlier messages.
func (b *base) older() int {
	if len(b.cuts) == 0 {
		return max(0, b.limits.Budget-b.fixed)
	}
	return max(0, b.left(b.cuts[len(b.cuts)-1]))
}

// cutFor returns where to cut so that at least keep messages stay, if the budget allows, and what
// is left for summaries: the earliest cut that leaves the reserve, or else the last.
func (b *base) cutFor(keep, reserve int) (cut int, left int, err error) {
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
	for _, c := range b.cuts[first:] {
		switch last := c == b.cuts[len(b.cuts)-1]; {
		case c == 0 && b.compacted == 0:
			if b.cost[0] <= room {
				return 0, room - b.cost[0], nil
			}
		case b.cost[c] <= room-reserve, last && b.cost[c] <= room:
			return c, room - b.cost[c], nil
		}
	}
	if c := b.concede(room); c >= 0 {
		return c, room - b.cost[c], nil
	}
	return 0, 0, b.tooSmall()
}

func (b *base) tooSmall() error {
	return &BudgetError{Need: b.fixed + b.cost[b.cuts[len(b.cuts)-1]], Budget: b.limits.Budget}
}

// cold returns the indices in the history of the messages before a cut, ascending. What a message
// after the cut was made of, too, is not among them.
func (b *base) cold(cut int) []int {
	hot := make(map[int]bool)
	for _, i := range b.staying(cut) {
		for _, src := range b.sources[i] {
			hot[src] = true
		}
	}
	var out []int
	for i, list := range b.sources[:cut] {
		if b.pinned[i] {
			continue
		}
		for _, src := range list {
			if !hot[src] {
				out = append(out, src)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
