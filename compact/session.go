package compact

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact/internal/contain"
	"github.com/go-preflight/preflight/compact/internal/digest"
	"github.com/go-preflight/preflight/compact/internal/parts"
)

// This file is the session: messages are appended as they come, and the history to send is rendered
// before each request.

// SessionConfig configures a Session. Set Limits.Budget; the zero value of every other field is its
// default.
type SessionConfig struct {
	// Limits apply to every rendered history. With a Budget of 0 nothing is ever compacted.
	Limits Limits
	// Target is the size, in tokens, that a history is compacted to when it no longer fits the
	// budget. The smaller it is, the longer the beginning of the requests stays the same between
	// two compactions, and the less is remembered; docs/compaction.md measures both. 0 is what
	// people and models said, at least 55 % of the budget, plus the newest results, at most 90 %.
	Target int
	// Strategy compacts old messages: Flat or Masking; nil is Flat{}. Those of other packages compact
	// whole histories, and are no part of a session.
	Strategy Strategy
	// Store keeps the messages; nil keeps them in memory. It has to be empty: a session counts its
	// messages from 0, and Append returns ErrStore for a store that has others. RestoreSession
	// continues an earlier session.
	Store Store
}

// Session keeps the history of a growing session within a budget. Append each message to it, send
// what Render returns, and call Resolve in the background if a model writes the summaries:
//
//	session.Append(ctx, message)
//	result, err := session.Render(ctx)   // before each request
//	go session.Resolve(ctx)              // after it; returns at once when there is nothing to do
//
// As long as the whole history fits the budget, Render returns all of it. When it no longer fits,
// old messages are compacted until it costs no more than the target. Until the next compaction
// messages are only added at the end, so that the beginning of the requests stays the same, byte
// for byte, and prompt caches keep hitting.
//
// Summaries are made from the original messages, never from summaries. Messages are compacted by
// whole exchanges: calls keep their results, and calls that wait stay open. At a compaction,
// reasoning that is bound to earlier messages is removed from those that stay; what the model
// thinks later is kept. Nothing is ever appended to the history.
//
// All methods are safe for concurrent use. The session does not write to messages, and the caller
// must not either. Over a session, the work is linear in the size of its messages and of the
// requests; only the lists of indices in Clusters are made anew at each compaction.
type Session struct {
	config SessionConfig
	method method

	mu          sync.Mutex
	n           int                 // messages appended
	digest      digest.Digest       // of them
	head        []preflight.Message // leading system messages
	lead        []preflight.Message // the message with the summaries, if there is one
	kept        []preflight.Message // what stayed at the last compaction, repaired
	before      int                 // how many of them come before lead
	pinned      map[int]bool        // indices in the session
	keptFrom    [][]int             // of kept, the indices in the session
	tail        []preflight.Message // appended since
	clusters    []Cluster
	warnings    []preflight.Warning // of compactions, about messages that are still sent
	archive     *archive
	compactions int
	untold      bool // the summaries of the last compaction could not be made
	asked       bool // the summarizer was asked since the last compaction
	asking      bool // it has not answered yet
	room        int  // tokens for written summaries
	aim         int  // the target of the last compaction

	refused   error // why the session could not be compacted when it had refusedAt messages
	refusedAt int
}

// NewSession returns an empty session. It returns an error if the target is greater than the
// budget, for negative limits, and for a Strategy that is neither Flat nor Masking; the last wraps
// errors.ErrUnsupported.
func NewSession(config SessionConfig) (s *Session, err error) {
	defer contain.Into(&err)
	budget := config.Limits.Budget
	if budget < 0 || config.Target < 0 || config.Target > budget {
		return nil, fmt.Errorf("compact: a target of %d tokens for a budget of %d", config.Target,
			budget)
	}
	method, err := methodOf(config.Strategy)
	if err != nil {
		return nil, err
	}
	if config.Store == nil {
		config.Store = &memory{}
	}
	made := &Session{config: config, method: method, pinned: make(map[int]bool)}
	made.archive = newArchive(config.Limits, made.method, cmp.Or(config.Target, budget))
	return made, nil
}

// made reports whether NewSession made the session.
func (s *Session) made() bool { return s != nil && s.config.Store != nil }

// Append adds messages at the end of the session. The error is that of the store, or wraps
// ErrStore; no message was added then.
func (s *Session) Append(ctx context.Context, messages ...preflight.Message) (err error) {
	defer contain.Into(&err)
	if !s.made() {
		return errNotMade
	}
	ctx = orBackground(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	pinned := make([]bool, len(messages))
	for k, m := range messages {
		pinned[k] = s.config.Limits.pins(m)
	}
	if err := stored(ctx, s.config.Store, s.n, messages); err != nil {
		return fmt.Errorf("compact: storing %d messages: %w", len(messages), err)
	}
	for k, m := range messages {
		if pinned[k] {
			s.pinned[s.n] = true
		}
		if s.n == len(s.head) && parts.IsSystem(m.Role) {
			s.head = append(s.head, m)
		} else {
			s.tail = append(s.tail, m)
		}
		s.digest.Add(m)
		s.n++
	}
	return nil
}

// Len returns the number of messages that were appended.
func (s *Session) Len() int {
	if !s.made() {
		return 0
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.n
}

// Compactions returns how often the history was compacted. Between two compactions every rendered
// history begins with the one before.
func (s *Session) Compactions() int {
	if !s.made() {
		return 0
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.compactions
}

// Expand returns the messages with these indices as they were appended, such as the sources of a
// cluster. The error is that of the store, or names an index that does not exist.
func (s *Session) Expand(
	ctx context.Context, sources []int,
) (messages []preflight.Message, err error) {
	defer contain.Into(&err)
	if !s.made() {
		return nil, errNotMade
	}
	ctx = orBackground(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, i := range sources {
		if i < 0 || i >= s.n {
			return nil, fmt.Errorf("compact: there is no message %d in a session of %d", i, s.n)
		}
	}
	return load(ctx, s.config.Store, sources)
}

// Render returns the history to send. It calls no summarizer. Indices in the result are those of
// the messages in the order they were appended; a warning about a message that was inserted has the
// index -1. Lists and messages are shared with later results, and must not be written to.
//
// The error is a *BudgetError, one of preflight.Sanitize, that of the store, or the context's.
// Messages then holds what would be sent without a budget. If the last exchange alone costs more
// than the target, the history is compacted to what fits the budget; if it costs more than that,
// its tool results are cut in the middle. After a *BudgetError, compacting is not tried again until
// a message is appended or a summary is written.
func (s *Session) Render(ctx context.Context) (res Result, err error) {
	defer contain.Into(&err)
	if !s.made() {
		return Result{}, errNotMade
	}
	ctx = orBackground(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	res = s.whole() // in case of a panic
	if err := ctx.Err(); err != nil {
		return res, err
	}
	if s.untold {
		if err := s.tell(ctx); err != nil {
			return res, err
		}
	}
	res, err = s.render(ctx)
	if err != nil || s.fits(res) {
		return res, err
	}
	if s.refused != nil && s.refusedAt == s.n {
		return res, s.refused
	}
	s.refused = nil
	if err := s.compact(ctx); err != nil {
		if tooSmall(err) && !s.untold {
			s.refused, s.refusedAt = err, s.n
		}
		return res, err
	}
	return s.render(ctx)
}

func (s *Session) fits(res Result) bool {
	return s.config.Limits.Budget <= 0 || res.Tokens <= s.config.Limits.Budget
}

// whole returns all that would be sent, without a repair.
func (s *Session) whole() Result {
	return Result{
		Messages: slices.Concat(s.head, s.kept[:s.before], s.lead, s.kept[s.before:], s.tail),
		Sources: slices.Concat(numbers(len(s.head)), s.keptFrom[:s.before],
			make([][]int, len(s.lead)), s.keptFrom[s.before:], s.tailFrom()),
		Clusters: slices.Clone(s.clusters),
	}
}

// render returns what would be sent, repaired, even if it does not fit the budget.
func (s *Session) render(ctx context.Context) (Result, error) {
	res, limits := s.whole(), s.config.Limits
	sources := res.Sources
	fixed, err := preflight.Sanitize(ctx, res.Messages, limits.profile(), limits.options(true))
	if err != nil {
		return res, err
	}
	res.Messages, res.Sources = fixed.Messages, through(fixed.Origins, sources)
	res.Tokens = limits.total(fixed.Messages)
	res.Changed = s.compactions > 0 || fixed.Changed
	res.Warnings = append(slices.Clone(s.warnings), moved(fixed.Warnings, sources)...)
	return res, nil
}

// tailFrom returns the indices of the tail.
func (s *Session) tailFrom() [][]int {
	from := numbers(len(s.tail))
	for k := range from {
		from[k][0] += s.n - len(s.tail)
	}
	return from
}

// moved returns warnings with the positions of the messages that sources leads to.
func moved(warnings []preflight.Warning, sources [][]int) []preflight.Warning {
	out := slices.Clone(warnings)
	for k := range out {
		at := &out[k].At
		switch i := at.Message(); {
		case i < 0 || i >= len(sources) || len(sources[i]) == 0:
			*at = preflight.At(-1, at.Part(), at.Inner())
		default:
			*at = preflight.At(sources[i][0], at.Part(), at.Inner())
		}
	}
	return out
}
