package preflight

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/go-preflight/preflight/internal/idtable"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/internal/problemset"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file drives the check of a history. Each rule's check is a method of checker in the file of
// the fixer that cures it.

// Check returns the violations of the profile's rules in history, ordered by position, or nil if
// there are none. A nil profile means Portable, nil options the zero value. Check does not write to
// history. The cost is linear in the history, apart from sorting the violations.
//
// Of the options, KeepWaiting, OpenCall, Trailing and Request count, and DanglingText, by which
// results are known as placeholders. With KeepWaiting, a call that waits may be open. With
// TrailingKeep, a final assistant turn that the model refuses may stay.
// What Sanitize returns passes Check with the same profile and options. If OpenCall panics, that
// counts as nil.
func Check(history []Message, profile *Profile, options *Options) []Violation {
	r := run{profile: profile, options: options}
	r.applyDefaults()
	return check(history, r.profile, r.options)
}

// check is Check where nothing is nil.
func check(history []Message, profile *Profile, policy *Options) []Violation {
	found, _ := checkInDetail(history, profile, policy)
	return found
}

// checkInDetail is check, and the problems that are left because of a member of a part.
func checkInDetail(
	history []Message, profile *Profile, policy *Options,
) (found, left []Violation) {
	c := newChecker(history, profile, policy)
	c.detailed = true
	c.run()
	found, left = c.found, c.left
	c.release()
	slices.SortStableFunc(found, func(a, b Violation) int {
		return cmp.Or(
			cmp.Compare(a.At.Message(), b.At.Message()),
			cmp.Compare(a.At.Part(), b.At.Part()),
			cmp.Compare(a.At.Inner(), b.At.Inner()),
		)
	})
	return found, left
}

// passes are the checks of a history that can be read, in the order in which they report.
var passes = []func(*checker){
	(*checker).callsLast,
	(*checker).servedFirst,
	(*checker).messages,
	(*checker).systems,
	(*checker).lastTurn,
	(*checker).clientPairs,
	(*checker).serverPairs,
	(*checker).ids,
	(*checker).reasoning,
	(*checker).signatures,
	(*checker).documents,
	(*checker).items,
	(*checker).rarities,
	(*checker).cache,
}

// run makes the passes.
func (c *checker) run() {
	if c.wellFormed(); !c.problems.Empty() {
		return // nothing else can be read safely
	}
	for _, pass := range passes {
		pass(c)
	}
}

type checker struct {
	history  []Message
	profile  *Profile
	policy   *Options
	problems problemset.Set // that were found; see clientPairs
	reports  int            // about how many: the draft makes room for as many warnings
	found    []Violation    // the same in detail
	leaves   bool           // problems are left because of a member; see reportUnless
	left     []Violation    // the same in detail
	detailed bool           // the details are wanted

	census
	roles []Role        // the neutral role of each message
	pairs toolPairing   // of calls and results; see clientPairs
	used  idtable.Table // ids so far
	blank spareBlank
	gaps  gaps
	doc   jsonscan.Doc // the memory for looking at arguments

	renamed renamedCalls // see resultName
}

// census is what the history holds at all, so that passes without anything to look for are skipped.
type census struct {
	served bool // provider-executed calls or results
	cached bool // cache breakpoints
	media  bool

	turns, calls, results int // how many to make room for; see makeRoom
}

// checkers keeps the memory of checkers, so that the check of a valid history allocates nothing.
var checkers = sync.Pool{New: func() any { return new(checker) }}

func newChecker(history []Message, profile *Profile, policy *Options) *checker {
	c := checkers.Get().(*checker)
	c.restart(history, profile, policy)
	return c
}

// restart makes history the one to check.
func (c *checker) restart(history []Message, profile *Profile, policy *Options) {
	c.history, c.profile, c.policy, c.found, c.census = history, profile, policy, nil, census{}
	c.problems, c.reports, c.blank, c.gaps = problemset.Set{}, 0, spareBlank{}, gaps{}
	c.renamed, c.leaves, c.left = nil, false, nil
	clear(c.roles)
	c.roles = c.roles[:0]
	c.pairs.release()
	c.used.Reset()
}

// release gives the checker back, without the history. It must not be deferred; see draft.release.
func (c *checker) release() {
	c.restart(nil, nil, nil)
	c.detailed = false
	checkers.Put(c)
}

// report notes a problem of part j of message i, none for the message.
func (c *checker) report(problem problems.Problem, i, j int, id, detail string) {
	c.reportAt(problem, PartAt(i, j), id, detail)
}

func (c *checker) reportAt(problem problems.Problem, at Position, id, detail string) {
	c.problems = c.problems.With(problem)
	c.reports++
	if c.detailed {
		c.found = append(c.found, Violation{
			Problem: problem, Rule: c.profile.RuleID(problem), At: at, ToolCallID: id, Detail: detail,
		})
	}
}

// words joins the words of a detail, if details are wanted.
func (c *checker) words(words ...string) string {
	if !c.detailed {
		return ""
	}
	return strings.Join(words, "")
}

func (c *checker) len() int          { return len(c.history) }
func (c *checker) at(i int) *Message { return &c.history[i] }
func (c *checker) role(i int) Role   { return c.roles[i] }

// count takes one part into the census, and reports whether there is one: a nil part is none.
func (c *census) count(p Part) bool {
	switch p := p.(type) {
	case *Text:
		if p == nil {
			return false
		}
		c.cached = c.cached || p.Cache != nil
	case *ToolCall:
		if p == nil {
			return false
		}
		c.calls++
		c.served = c.served || p.ProviderExecuted
		c.cached = c.cached || p.Cache != nil
	case *ToolResult:
		if p == nil {
			return false
		}
		c.results++
		c.served = c.served || p.ProviderExecuted
		c.cached = c.cached || p.Cache != nil
	default:
		if isNil(p) {
			return false
		}
		_, media := p.(*Media)
		c.media = c.media || media
		c.cached = c.cached || p.carried().Cache != nil
	}
	return true
}

// messages walks over all messages and parts, once, for the checks that need nothing else.
func (c *checker) messages() {
	p := c.profile
	c.firstTurn()
	joins := joinsNeighbours(p)
	for i := range c.history {
		if joins && i > 0 {
			c.neighbours(i)
		}
		m, role := &c.history[i], c.role(i)
		if len(m.Parts) == 0 {
			c.emptyMessage(i, m)
		}
		if !takesRole(p, m) {
			c.unknownRole(i)
		}
		if m.Name != "" {
			c.participant(i, m)
		}
		if p.Turns.NoTextAfterResults && role != RoleAssistant {
			c.textAfterResults(i, m)
		}
		if p.Pairing.OneResultPerMessage {
			c.ownMessages(i, m)
		}
		holds := layout{of: m}
		for j, part := range m.Parts {
			c.place(i, j, part, &holds, role)
			c.part(i, j, part, role)
		}
	}
}

// part checks the content of a part.
func (c *checker) part(i, j int, part Part, role Role) {
	c.characters(i, j, part)
	switch part := part.(type) {
	case *Text:
		c.text(i, j, part)
	case *Media:
		c.mediaPart(i, j, part)
		c.mediaRole(i, j, part, role)
	case *Other:
		c.kind(i, j, part, role)
		c.mediaRole(i, j, part, role)
	case *ToolCall:
		if part.ProviderExecuted {
			c.kind(i, j, part, role)
		}
		c.toolName(i, j, part)
		c.callSignature(i, j, part)
	case *ToolResult:
		if part.ProviderExecuted {
			c.kind(i, j, part, role)
			c.opaquePayload(i, j, part)
		} else {
			c.result(i, j, part)
		}
	case *Reasoning:
		c.reasoningPart(i, j, part)
	}
}

// result checks the content of a tool result of the caller's side.
func (c *checker) result(i, j int, r *ToolResult) {
	c.resultName(i, j, r)
	c.errorFlag(i, j, r)
	c.resultContent(i, j, r)
	for k, part := range r.Content {
		at := InnerAt(i, j, k)
		switch part := part.(type) {
		case *Text:
			c.textInResult(at, r, part)
		case *Media:
			c.mediaInResult(at, r, part)
		}
	}
}

// rarities walks over the messages once more for rules that few providers have.
func (c *checker) rarities() {
	p := c.profile
	words := p.Content.RefuseControls || p.Content.RefuseChannelTags
	noTools := p.Tools.NoTools
	if len(p.Content.NeedsText) == 0 && bridged(p) == "" && !p.Pairing.OneCallPerMessage &&
		p.Reasoning.Replay == provider.ReplayFree && !noTools && !words {
		return
	}
	called := false
	for i := range c.history {
		m := &c.history[i]
		c.textless(i, m)
		c.bridge(i)
		c.parallelCalls(i, m)
		c.replay(i, m, &called)
		if !noTools && !words {
			continue
		}
		role := roleOf(m)
		for j, part := range m.Parts {
			c.toolsRefused(i, j, part)
			c.controls(i, j, part)
			c.channels(i, j, part, role)
		}
	}
}
