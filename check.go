package preflight

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/go-preflight/preflight/internal/idtable"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/internal/problemset"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file drives the check of a history. What is checked is in the files of the fixers.

// Check returns the violations of the profile's rules in history, ordered by position, or nil if
// there are none. A nil profile means Portable, nil options the zero value. Check does not write to
// history. The cost is linear in the history, apart from sorting the violations.
//
// Of the options, KeepWaiting, OpenCall, Trailing and Request count, and DanglingText: a result
// with this text is a placeholder. With KeepWaiting, a call that waits may be open. With
// TrailingKeep, a final assistant turn that the model refuses may stay. What Sanitize returns
// passes Check with the same profile and options. If OpenCall panics, that counts as nil.
func Check(history []Message, profile *Profile, options *Options) []Violation {
	r := run{profile: profile, options: options}
	r.applyDefaults()
	return check(history, r.profile, r.options)
}

// check is Check for a profile and options that are not nil.
func check(history []Message, profile *Profile, options *Options) []Violation {
	found, _ := checkInDetail(history, profile, options)
	return found
}

// checkInDetail is check, and the problems that are left because of a member of a part.
func checkInDetail(
	history []Message, profile *Profile, options *Options,
) (found, left []Violation) {
	c := newChecker(history, profile, options)
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

// checks are a part of Check: functions in a fixer's file that report the problems which it cures.
// The history is walked once, and each is called for what its name says; whole comes after the
// walk, for what takes a walk of its own. Any of them may be nil.
type checks struct {
	on func(*Profile) bool // whether the profile has the rules that they check; nil for yes

	message messageCheck // each message
	bare    messageCheck // each message without parts
	part    partCheck    // each part; the following, each of a kind
	text    partCheck
	media   partCheck
	other   partCheck
	call    partCheck
	result  partCheck
	thought partCheck      // reasoning
	inside  insideCheck    // each part in a result of the caller's side
	whole   func(*checker) // once
}

type (
	messageCheck func(c *checker, i int, m *Message)
	partCheck    func(c *checker, i, j int, p Part)
	insideCheck  func(c *checker, i, j, k int, r *ToolResult, p Part)
)

// allChecks are the checks of the default pipeline's fixers, in its order. They are set when the
// package is initialized, since fixers check, too.
var allChecks []checks

// conditions are those of allChecks, in order.
var conditions []func(*Profile) bool

// The kinds of parts, as indices.
const (
	kindText = iota
	kindMedia
	kindOther
	kindCall
	kindResult
	kindReasoning
	kinds
)

func kindOf(p Part) int {
	switch p.(type) {
	case *Text:
		return kindText
	case *ToolCall:
		return kindCall
	case *ToolResult:
		return kindResult
	case *Reasoning:
		return kindReasoning
	case *Media:
		return kindMedia
	}
	return kindOther
}

// walk is what is called while a history is walked: the checks that are on.
type walk struct {
	on            []bool // the conditions that are met
	message, bare []messageCheck
	parts         [kinds][]partCheck
	inside        []insideCheck
	whole         []func(*checker)
}

// plan chooses the checks that a profile has rules for. Most histories are checked with the plan of
// the last one.
func (w *walk) plan(p *Profile) {
	same := w.whole != nil
	if !same {
		w.on = make([]bool, len(conditions))
	}
	for k, condition := range conditions {
		on := condition(p)
		same = same && w.on[k] == on
		w.on[k] = on
	}
	if same {
		return
	}
	*w = walk{on: w.on}
	n := 0
	for k := range allChecks {
		on := true
		if allChecks[k].on != nil {
			on = w.on[n]
			n++
		}
		if on {
			w.add(&allChecks[k])
		}
	}
}

func (w *walk) add(k *checks) {
	if k.message != nil {
		w.message = append(w.message, k.message)
	}
	if k.bare != nil {
		w.bare = append(w.bare, k.bare)
	}
	for kind, check := range [kinds]partCheck{
		kindText: k.text, kindMedia: k.media, kindOther: k.other, kindCall: k.call,
		kindResult: k.result, kindReasoning: k.thought,
	} {
		if k.part != nil {
			w.parts[kind] = append(w.parts[kind], k.part)
		}
		if check != nil {
			w.parts[kind] = append(w.parts[kind], check)
		}
	}
	if k.inside != nil {
		w.inside = append(w.inside, k.inside)
	}
	if k.whole != nil {
		w.whole = append(w.whole, k.whole)
	}
}

// run checks the history.
func (c *checker) run() {
	if c.readParts(); !c.problems.Empty() {
		return // nothing else can be read safely
	}
	c.walk.plan(c.profile)
	c.messages()
	for _, check := range c.walk.whole {
		check(c)
	}
}

type checker struct {
	history  []Message
	profile  *Profile
	options  *Options
	problems problemset.Set // that were found; see clientPairs
	reports  int            // about how many: the draft makes room for as many warnings
	found    []Violation    // the same in detail
	anyLeft  bool           // problems are left because of a member; see reportUnless
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
	layout  layout       // of the message that is walked; see place
	called  bool         // a message called a tool before; see replay
	walk    walk
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

func newChecker(history []Message, profile *Profile, options *Options) *checker {
	c := checkers.Get().(*checker)
	c.restart(history, profile, options)
	return c
}

// restart makes history the one to check.
func (c *checker) restart(history []Message, profile *Profile, options *Options) {
	c.history, c.profile, c.options, c.found, c.census = history, profile, options, nil, census{}
	c.problems, c.reports, c.blank, c.gaps = problemset.Set{}, 0, spareBlank{}, gaps{}
	c.renamed, c.anyLeft, c.left = nil, false, nil
	c.layout, c.called = layout{}, false
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
	c.reportAt(problem, At(i, j), id, detail)
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

// messages walks over all messages and parts, once.
func (c *checker) messages() {
	w := &c.walk
	for i := range c.history {
		m := &c.history[i]
		for _, check := range w.message {
			check(c, i, m)
		}
		if len(m.Parts) == 0 {
			for _, check := range w.bare {
				check(c, i, m)
			}
		}
		for j, part := range m.Parts {
			kind := kindOf(part)
			for _, check := range w.parts[kind] {
				check(c, i, j, part)
			}
			if kind == kindResult && len(w.inside) > 0 {
				c.insides(i, j, part.(*ToolResult))
			}
		}
	}
}

// insides checks what is in a tool result.
func (c *checker) insides(i, j int, r *ToolResult) {
	if r.ProviderExecuted {
		return
	}
	for k, part := range r.Content {
		for _, check := range c.walk.inside {
			check(c, i, j, k, r, part)
		}
	}
}
