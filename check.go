package preflight

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/go-preflight/preflight/internal/idtable"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule"
)

// This file reads: it finds what a profile's provider would refuse, and changes nothing. It judges
// single parts by the same predicates as the fixers, and structure (pairs, turns, order) by a
// reading of its own, so that the two can be held against each other.

// Check reports every breach of the profile's rules in history, in order of position; nil when the
// provider would take it as it is. A nil profile stands for Portable. It only reads. The cost is
// linear in the history.
//
// A call that waits on purpose is an open call to the provider, and reported as one.
func Check(history []Message, profile *Profile) []Violation {
	return CheckWith(history, profile, nil)
}

// CheckWith is Check for a history that is sent as options say: under KeepWaiting calls that wait
// on purpose are no breach, nor under TrailingKeep is a final assistant turn that the model
// refuses. What Sanitize returns for options passes it. A Pending that panics lets no call wait.
func CheckWith(history []Message, profile *Profile, options *Options) []Violation {
	r := run{profile: profile, options: options}
	r.applyDefaults()
	return check(history, r.profile, r.options)
}

// check is CheckWith where nothing is nil.
func check(history []Message, profile *Profile, policy *Options) []Violation {
	c := newChecker(history, profile, policy)
	c.detailed = true
	c.run()
	found := c.found
	c.release()
	slices.SortStableFunc(found, func(a, b Violation) int {
		return cmp.Or(cmp.Compare(a.At.Message, b.At.Message), cmp.Compare(a.At.Part, b.At.Part), cmp.Compare(a.At.Inner, b.At.Inner))
	})
	return found
}

// problemsOf returns the problems that check finds. It allocates nothing.
func problemsOf(history []Message, profile *Profile, policy *Options) problemSet {
	c := newChecker(history, profile, policy)
	c.run()
	problems := c.problems
	c.release()
	return problems
}

// valid reports whether check finds nothing. It stops at the first pass that finds something, and
// allocates nothing.
func valid(history []Message, profile *Profile, policy *Options) bool {
	c := newChecker(history, profile, policy)
	c.hasty = true
	c.run()
	ok := c.problems.empty()
	c.release()
	return ok
}

// checks are the passes over a history that can be read, in the order in which they report.
var checks = []func(*checker){
	(*checker).turns, (*checker).parts, (*checker).clientPairs, (*checker).serverPairs, (*checker).ids, (*checker).reasoning,
	(*checker).signatures, (*checker).documents, (*checker).items, (*checker).chat, (*checker).cache,
}

// run makes the passes; in haste it stops at the first that finds something.
func (c *checker) run() {
	if c.shape(); !c.problems.empty() {
		return // nothing else can be read safely
	}
	for _, pass := range checks {
		if pass(c); c.decided() {
			return
		}
	}
}

type checker struct {
	history  []Message
	profile  *Profile
	policy   *Options
	problems problemSet  // that were found
	found    []Violation // the same in detail
	detailed bool        // the details are wanted
	hasty    bool        // one problem is enough

	census
	roles []Role        // the neutral role of each message
	pairs pairing       // of calls and results; see clientPairs
	used  idtable.Table // ids so far
	blank spareBlank
	doc   jsonscan.Doc // the memory for looking at arguments
}

// census is what the history holds at all: the passes about anything else have nothing to look for.
// It takes most histories through five passes, not eleven.
type census struct {
	served bool // provider-executed calls or results
	cached bool // cache breakpoints
	media  bool
}

// checkers keeps the memory of checkers from one history to the next, so that looking at a valid
// one allocates nothing.
var checkers = sync.Pool{New: func() any { return new(checker) }}

func newChecker(history []Message, profile *Profile, policy *Options) *checker {
	c := checkers.Get().(*checker)
	c.history, c.profile, c.policy = history, profile, policy
	return c
}

// release gives the checker back, without anything of the caller's. It must not be deferred, as for
// a draft.
func (c *checker) release() {
	c.history, c.profile, c.policy, c.found, c.census = nil, nil, nil, nil, census{}
	c.problems, c.detailed, c.hasty = problemSet{}, false, false
	c.blank = spareBlank{}
	clear(c.roles)
	c.roles = c.roles[:0]
	c.pairs.release()
	c.used.Reset()
	checkers.Put(c)
}

// report notes a problem of part j of message i, none for the message.
func (c *checker) report(problem Problem, i, j int, id, detail string) {
	c.reportAt(problem, Position{i, j, none}, id, detail)
}

func (c *checker) reportAt(problem Problem, at Position, id, detail string) {
	c.problems = c.problems.with(problem)
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

// decided reports whether nothing more has to be found.
func (c *checker) decided() bool { return c.hasty && !c.problems.empty() }

func (c *checker) at(i int) *Message { return &c.history[i] }

func (c *checker) role(i int) Role { return c.roles[i] }

// shape checks that the history can be read at all, and takes the census.
func (c *checker) shape() {
	for i := range c.history {
		role, _ := roleOf(c.history[i].Role)
		c.roles = append(c.roles, role)
		for j, p := range c.history[i].Parts {
			if !c.count(p) {
				c.report(rule.NilPart, i, j, "", "the part is nil")
				continue
			}
			r, ok := p.(*ToolResult)
			if !ok {
				continue
			}
			for _, inner := range r.Content {
				if !c.count(inner) || !nestable(inner) {
					c.report(rule.Nested, i, j, r.CallID, "the tool result holds a part that may not stand inside one")
					break
				}
			}
		}
	}
}

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
		c.served = c.served || p.ProviderExecuted
		c.cached = c.cached || p.Cache != nil
	case *ToolResult:
		if p == nil {
			return false
		}
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

// turns checks roles and their order.
func (c *checker) turns() {
	p, n := c.profile, len(c.history)
	first := 0
	for first < n && c.role(first) == RoleSystem {
		first++
	}
	switch {
	case n == 0 && !c.policy.Request.ServerHoldsHistory || first == n && (p.Turns.UserFirst || p.Turns.Required):
		c.report(rule.NoMessages, 0, none, "", "there is no message to send")
	case first < n && needsUserFirst(p, &c.history[first]):
		c.report(rule.FirstRole, first, none, "", "the first turn is not the user's")
	}
	joins := p.Turns.Neighbours == provider.NeighboursMerged || p.Turns.CallsAfterUser || wantsResultsTogether(p)
	for i := range c.history {
		if c.decided() {
			return
		}
		m := &c.history[i]
		if !acceptsRole(p, m.Role) {
			detail := ""
			if c.detailed {
				detail = "the provider does not know the role " + quoteShort(string(m.Role))
			}
			c.report(rule.RoleUnknown, i, none, "", detail)
		}
		if m.Name != "" && !p.IDs.Participant.Matches(m.Name) {
			c.report(rule.NamePattern, i, none, "", "the participant's name has characters or a length that the provider refuses")
		}
		if len(m.Parts) == 0 && refusesEmpty(p, m) {
			problem := rule.EmptyMessage
			if c.role(i) == RoleSystem {
				problem = rule.SystemContent
			}
			c.report(problem, i, none, "", "the message has no content")
		}
		if joins && i > 0 && (c.role(i) == RoleAssistant) == (c.role(i-1) == RoleAssistant) {
			if problem := neighbourProblem(p, &c.history[i-1], m); problem != "" {
				c.report(problem, i, none, "", apartDetail(problem))
			}
		}
	}
	c.callsLast()
	c.systems()
	if n > 0 {
		if problem := c.pairs.trailingProblem(p, c.policy, &c.history[n-1]); problem != "" {
			c.report(problem, n-1, none, "", trailingDetail(problem))
		}
	}
}

// parts checks each part by itself, and whether its message may hold it.
func (c *checker) parts() {
	for i := range c.history {
		if c.decided() {
			return
		}
		role := c.role(i)
		results, after := 0, none
		if c.profile.Turns.NoTextAfterResults && role != RoleAssistant {
			after = textAfterResults(c.history[i].Parts)
		}
		for j, part := range c.history[i].Parts {
			if problem := roleProblem(c.profile, part, role); problem != "" {
				c.report(c.inSystem(problem, role), i, j, partID(part), c.words("a ", PartKind(part), " part may not stand in a ", string(role), " message"))
			}
			if clientResult(part) != nil {
				if results++; results > 1 && c.profile.Pairing.OneResultPerMessage {
					c.report(rule.ResultMisplaced, i, j, partID(part), "each tool result has to be a message of its own")
				}
			}
			if j == after {
				c.report(rule.TextAfterResult, i, j, "", "text comes after a tool result in its message")
			}
			problem, object := c.spelling(part)
			if problem != "" {
				c.report(problem, i, j, partID(part), "the text holds NUL, a lone surrogate or invalid UTF-8")
			}
			if problem := kindProblem(c.profile, part, role); problem != "" {
				c.report(problem, i, j, partID(part), "the provider refuses parts of this kind on input")
			}
			c.part(i, j, part, role, object)
		}
	}
}

// part checks what is asked of parts of one type; object says that a call has an object as
// arguments.
func (c *checker) part(i, j int, part Part, role Role, object bool) {
	p := c.profile
	switch part := part.(type) {
	case *Text:
		problem, refused := textRefusal(p, part.Text)
		if refused && !(problem == rule.BlankText && c.blank.of(p, i, c.at(i))) {
			c.report(problem, i, j, "", "the text is empty or blank")
			if part.Cache != nil {
				c.report(rule.CacheEmptyText, i, j, "", "empty text carries a cache breakpoint")
			}
		}
	case *Media:
		problem := mediaProblem(p, part)
		if refusesFile(p, part) {
			problem = rule.MediaRefused
		}
		if problem != "" {
			c.report(problem, i, j, "", mediaDetail(problem))
		}
		if !acceptsMediaIn(p, role) {
			c.report(c.inSystem(rule.MediaRole, role), i, j, "", c.words("media may not stand in a ", string(role), " message"))
		}
	case *Other:
		if isMedia(part) && !acceptsMediaIn(p, role) {
			c.report(c.inSystem(rule.MediaRole, role), i, j, "", c.words("media may not stand in a ", string(role), " message"))
		}
	case *ToolCall:
		if p.Tools.ObjectArguments && takesObject(part) && !object {
			c.report(rule.Arguments, i, j, part.ID, "the arguments are not a JSON object")
		}
		if problem := toolNameProblem(p, part); problem != "" {
			c.report(problem, i, j, part.ID, "the tool's name has characters or a length that the provider refuses")
		}
	case *ToolResult:
		c.result(i, j, part)
	case *Reasoning:
		if problem := reasoningProblem(p, part); problem != "" {
			c.report(problem, i, j, "", "the provider cannot verify this reasoning")
		}
	}
}

func (c *checker) result(i, j int, r *ToolResult) {
	p := c.profile
	if p.Tools.EncryptedResults && r.ProviderExecuted && emptiedPayload(r) {
		c.report(rule.OpaqueEmpty, i, j, r.CallID, "an encrypted payload was emptied")
	}
	if r.ProviderExecuted {
		return
	}
	if r.Name != "" && r.Name != p.RepairToolName(r.Name) {
		c.report(rule.ToolName, i, j, r.CallID, "the tool's name has characters or a length that the provider refuses")
	}
	if r.IsError && p.Tools.NoErrorFlag {
		c.report(rule.ErrorFlag, i, j, r.CallID, "the tool result is marked as an error, which the model does not know")
	}
	if problem, _ := resultContentProblem(p, r); problem != "" {
		c.report(problem, i, j, r.CallID, "the tool result has no content")
	}
	for k, part := range r.Content {
		at := Position{i, j, k}
		switch part := part.(type) {
		case *Text:
			if problem, refused := textRefusal(p, part.Text); refused {
				c.reportAt(problem, at, r.CallID, "the text is empty or blank")
			}
		case *Media:
			problem := mediaProblem(p, part)
			detail := mediaDetail(problem)
			if movesFromResult(p, part) && problem != rule.MediaRefused && problem != rule.MediaUnreadable {
				problem, detail = rule.MediaInResult, "a tool result may not hold media"
			}
			if problem != "" {
				c.reportAt(problem, at, r.CallID, detail)
			}
		}
	}
}

// ignoreWaiting judges reasoning by the item that follows it in its turn, nil for none; last says
// that nothing at all follows.
func (c *checker) ignoreWaiting(waiting []int, next *Message, last bool) {
	for _, i := range waiting {
		switch followerProblem(c.profile, &c.history[i], next, last) {
		case rule.ReasoningAlone:
			c.report(rule.ReasoningAlone, i, none, "", "the reasoning is not followed by the item it led to")
		case rule.ReasoningSplit:
			c.report(rule.ReasoningSplit, i, none, "",
				"the reasoning has its id, but the item it led to has none")
		}
	}
}

// quoteShort quotes a role or kind for a message, cut to a sane length.
func quoteShort(s string) string {
	const most = 40
	if len(s) > most {
		s = s[:most] + "…"
	}
	return `"` + cleanText(s) + `"`
}
