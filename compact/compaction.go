package compact

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact/internal/told"
)

// This file is the compaction of a session that no longer fits its budget.

// method is how a strategy works inside a session.
type method struct {
	keep       int
	mask       bool       // tool results are masked before messages are compacted
	summarizer Summarizer // nil: summaries are extracted
	score      scorer     // for extracting; nil is the default
}

// methodOf returns the method of a strategy. Those of other packages need the whole history each
// time, and a session would not be linear with them.
func methodOf(s Strategy) (method, error) {
	switch s := s.(type) {
	case nil:
		return method{keep: defaultKeep}, nil
	case Flat:
		keep := cmp.Or(s.Keep, defaultKeep)
		return method{keep: keep, summarizer: s.Summarizer, score: about(s.Question)}, nil
	case Masking:
		return method{keep: cmp.Or(s.Keep, defaultKeep), mask: true}, nil
	}
	return method{}, fmt.Errorf("compact: a session compacts with Flat or Masking, not with %T: %w", s,
		errors.ErrUnsupported)
}

// compact compacts the history to the target, or, if that is too small, to the budget. Only if that
// is too small as well, it cuts the last exchange. On an error the session is as it was, unless
// only the summaries failed: then it goes without them, and the next rendering makes them.
func (s *Session) compact(ctx context.Context) error {
	var err error
	sizes := slices.Compact([]int{s.target(), s.config.Limits.Budget})
	for _, whole := range []bool{true, false} {
		for _, tokens := range sizes {
			if err = s.compactTo(ctx, tokens, whole); !tooSmall(err) {
				return err
			}
		}
	}
	return err
}

// tooSmall reports whether an error says that the budget is too small.
func tooSmall(err error) bool {
	var e *BudgetError
	return errors.As(err, &e)
}

// compactTo compacts the history to a number of tokens. If whole, the last exchange stays as it is.
func (s *Session) compactTo(ctx context.Context, tokens int, whole bool) error {
	b, err := s.base(ctx, tokens)
	if err != nil {
		return err
	}
	b.whole, s.aim = whole, tokens
	reserve := b.older() - b.older()/hotShare
	if s.method.mask {
		reserve = max(0, tokens-b.fixed) / maskedShare
		b.mask(s.method.keep, reserve*min(1, b.compacted))
	} else {
		b.clear()
	}
	cut, left, err := b.cutFor(s.method.keep, reserve)
	if err != nil {
		return err
	}
	cut = b.fill(cut, s.archive.pool.found, max(0, tokens-b.fixed)/toolShare)
	left = b.left(cut)
	// what is cut off is known before anything is summarized: even without a text it has to fit
	none := func(now, _ int) ([]Cluster, error) { return []Cluster{{Sources: b.cold(now)}}, nil }
	if _, cut, err = b.finishFrom(ctx, cut, min(left, b.frame(s.n)), none); err != nil {
		return err
	}
	cold := b.cold(cut)
	messages, err := load(ctx, s.config.Store, cold)
	if err != nil {
		return err
	}
	proven, before := b.last, len(s.archive.sources)
	defer func() {
		if s.untold = len(s.archive.sources) > before; s.untold {
			s.applyUntold(b, proven, cold)
		}
	}()
	s.archive.add(cold, b.off.recorded(told.All(messages, s.config.Limits.Options)), b.messages[cut:])
	if _, _, err = b.fit(ctx, cut, b.left(cut), s.summaries); err != nil {
		return err
	}
	s.room = b.left(cut) - b.frame(s.n)
	s.apply(b.last, cold)
	before = len(s.archive.sources)
	return nil
}

// summaries returns the summaries of what was compacted.
func (s *Session) summaries(_, tokens int) ([]Cluster, error) {
	return s.archive.summaries(tokens), nil
}

// applyUntold applies a compaction whose summaries could not be made.
func (s *Session) applyUntold(b *base, made seamed, cold []int) {
	made.clusters = byLast(s.archive.clusters())
	if len(made.lead) > 0 {
		made.lead = []preflight.Message{b.lead(made.clusters)}
	}
	s.apply(made, cold)
}

// tell makes the summaries that the last compaction could not make.
func (s *Session) tell(ctx context.Context) error {
	b, err := s.base(ctx, s.aim)
	if err != nil {
		return err
	}
	if _, _, err = b.fit(ctx, 0, b.left(0), s.summaries); err != nil {
		return err
	}
	s.room = b.left(0) - b.frame(s.n)
	s.apply(b.last, nil)
	s.untold = false
	return nil
}

const (
	// hotShare: of the target, without the last exchange, messages before it may take a twentieth
	// word for word. Room that the summary does not need is filled with more of them.
	hotShare = 20
	// toolShare is the part of the target that old tool output gets in a summary before more
	// messages stay word for word: a tenth. An agent comes back to what was said last more often.
	toolShare = 10
	// maskedShare is the part that Masking leaves for the summary: what it keeps is short.
	maskedShare = 4
)

// target returns the size that the history is compacted to. If none is configured, it is what
// people and models said, but no less than 55 % of the budget, and the results that the model has
// not seen yet; no more than 90 % of the budget. Keeping more output of tools is worth less than a
// prompt cache that lasts longer.
func (s *Session) target() int {
	budget, limits := s.config.Limits.Budget, s.config.Limits
	if s.config.Target > 0 {
		return s.config.Target
	}
	said := limits.total(s.head)
	for _, p := range s.archive.pool.found {
		if p.weight == 1 {
			said = plus(said, p.cost)
		}
	}
	unseen := 0 // results after the last message of the model's
	for _, m := range slices.Concat(s.kept, s.tail) {
		talked := limits.count(talk(m))
		if said = plus(said, talked); isAssistant(m.Role) {
			unseen = 0
		} else {
			unseen = plus(unseen, limits.count(m)-talked)
		}
	}
	least := max(said, int(float64(budget-min(unseen, budget))*0.55))
	return max(1, min(plus(least, unseen), int(float64(budget)*0.9)))
}

// talk returns a message without the calls and results of tools.
func talk(m preflight.Message) preflight.Message {
	var kept []preflight.Part
	for _, p := range m.Parts {
		switch p.(type) {
		case *preflight.ToolCall, *preflight.ToolResult:
		default:
			kept = append(kept, p)
		}
	}
	if len(kept) < len(m.Parts) {
		m.Parts, m.Native = kept, preflight.Native{}
	}
	return m
}

// base returns what the session has not compacted yet, repaired. Rules about the first turn are not
// applied: the summary comes before it.
func (s *Session) base(ctx context.Context, tokens int) (*base, error) {
	limits := s.config.Limits
	limits.Budget = tokens
	b := &base{
		limits:    limits,
		head:      s.head,
		fixed:     limits.total(s.head),
		compacted: len(s.archive.sources),
		off:       limits.offloads(ctx),
	}
	profile := *limits.profile()
	profile.Turns.Required, profile.Turns.CallsAfterUser = false, false
	profile.Turns.UserFirst, profile.Turns.UserSpeaks = false, false
	if err := b.repair(ctx, slices.Concat(s.kept, s.tail), &profile); err != nil {
		return nil, err
	}
	from := slices.Concat(s.keptFrom, s.tailFrom())
	b.sources, b.warnings = through(b.sources, from), moved(b.warnings, from)
	b.pin(func(src int) bool { return s.pinned[src] })
	return b, nil
}

// apply replaces what the session renders by what was made of it at a compaction. cold are the
// indices that were compacted: a warning about one of them is no longer of interest.
func (s *Session) apply(made seamed, cold []int) {
	kept := slices.DeleteFunc(slices.Clone(s.warnings), func(w preflight.Warning) bool {
		_, gone := slices.BinarySearch(cold, w.At.Message())
		return gone
	})
	s.warnings = append(kept, made.warnings...)
	s.lead, s.kept, s.before, s.keptFrom = made.lead, made.kept, made.before, made.sources
	s.clusters, s.tail = made.clusters, nil
	s.compactions++
	s.asked = false
}
