package preflight

import (
	"cmp"
	"slices"
	"sync"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file reads: it finds what a profile's provider would refuse, and changes nothing. It judges single parts by the
// same predicates as the fixers, and structure (pairs, turns, order) by a reading of its own, so that the two can be held
// against each other.

// Check reports every breach of the profile's rules in history, in order of position; nil when the provider would take it
// as it is. A nil profile stands for Portable. It only reads. The cost is linear in the history.
//
// A call that waits on purpose is an open call to the provider, and reported as one.
func Check(history []Message, profile *Profile) []Violation {
	return CheckWith(history, profile, nil)
}

// CheckWith is Check for a history that is sent as options say: under WaitingKeep calls that wait on purpose are no breach,
// nor under TrailingKeep is a final assistant turn that the model refuses. What Sanitize returns for options passes it. A
// Pending that panics lets no call wait.
func CheckWith(history []Message, profile *Profile, options *Options) []Violation {
	r := run{profile: profile, options: options}
	r.settleDefaults()
	return check(history, r.profile, r.options)
}

// check is CheckWith where nothing is nil.
func check(history []Message, profile *Profile, policy *Options) []Violation {
	c := newChecker(history, profile, policy)
	c.run()
	found := c.found
	c.release()
	slices.SortStableFunc(found, func(a, b Violation) int {
		return cmp.Or(cmp.Compare(a.At.Message, b.At.Message), cmp.Compare(a.At.Part, b.At.Part), cmp.Compare(a.At.Inner, b.At.Inner))
	})
	return found
}

// valid reports whether check finds nothing. It stops at the first pass that finds something, and allocates nothing but what
// those passes report.
func valid(history []Message, profile *Profile, policy *Options) bool {
	c := newChecker(history, profile, policy)
	c.hasty, c.found = true, c.first[:0]
	c.run()
	c.first = [1]Violation{}
	ok := len(c.found) == 0
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
	if c.shape(); len(c.found) > 0 {
		return // nothing else can be read safely
	}
	for _, pass := range checks {
		if pass(c); c.decided() {
			return
		}
	}
}

type checker struct {
	history []Message
	profile *Profile
	policy  *Options
	found   []Violation
	hasty   bool         // one finding is enough
	first   [1]Violation // room for that

	census
	roles []Role  // the neutral role of each message
	pairs pairing // of calls and results; see clientPairs
	used  idTable // ids so far
	blank spareBlank
	doc   jsonscan.Doc // the memory for looking at arguments
}

// census is what the history holds at all: the passes about anything else have nothing to look for. It takes most histories
// through five passes, not eleven.
type census struct {
	served bool // provider-executed calls or results
	cached bool // cache breakpoints
	media  bool
}

// checkers keeps the memory of checkers from one history to the next, so that looking at a valid one allocates nothing.
var checkers = sync.Pool{New: func() any { return new(checker) }}

func newChecker(history []Message, profile *Profile, policy *Options) *checker {
	c := checkers.Get().(*checker)
	c.history, c.profile, c.policy = history, profile, policy
	return c
}

// release gives the checker back, without anything of the caller's. It must not be deferred, as for a draft.
func (c *checker) release() {
	c.history, c.profile, c.policy, c.found, c.hasty, c.census = nil, nil, nil, nil, false, census{}
	c.blank = spareBlank{}
	clear(c.roles)
	c.roles = c.roles[:0]
	c.pairs.release()
	c.used.reset()
	checkers.Put(c)
}

func (c *checker) report(problem Problem, i, j int, id, detail string) {
	if c.hasty {
		c.found = append(c.found, Violation{})
		return
	}
	c.found = append(c.found, Violation{Problem: problem, Rule: c.profile.rule(problem), At: Position{i, j, none}, ToolCallID: id, Detail: detail})
}

// decided reports whether nothing more has to be found.
func (c *checker) decided() bool { return c.hasty && len(c.found) > 0 }

func (c *checker) at(i int) *Message { return &c.history[i] }

func (c *checker) role(i int) Role { return c.roles[i] }

// shape checks that the history can be read at all, and takes the census.
func (c *checker) shape() {
	for i := range c.history {
		role, _ := roleOf(c.history[i].Role)
		c.roles = append(c.roles, role)
		for j, p := range c.history[i].Parts {
			if !c.count(p) {
				c.report(ProblemNilPart, i, j, "", "the part is nil")
				continue
			}
			r, ok := p.(*ToolResult)
			if !ok {
				continue
			}
			for _, inner := range r.Content {
				if !c.count(inner) || !nestable(inner) {
					c.report(ProblemNested, i, j, r.CallID, "the tool result holds a part that may not stand inside one")
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
	case n == 0 && !p.HeldPast || first == n && (p.FirstUser || p.NeedTurn):
		c.report(ProblemNoMessages, 0, none, "", "there is no message to send")
	case first < n && p.needsUserFirst(&c.history[first]):
		c.report(ProblemFirstRole, first, none, "", "the first turn is not the user's")
	}
	joins := p.Merge || p.CallsAfterUser || p.wantsResultsTogether()
	for i := range c.history {
		if c.decided() {
			return
		}
		m := &c.history[i]
		if !p.takesRole(m.Role) {
			c.report(ProblemRoleUnknown, i, none, "", "the provider does not know the role "+quoteShort(string(m.Role)))
		}
		if m.Name != "" && !p.NamePattern.Matches(m.Name) {
			c.report(ProblemNamePattern, i, none, "", "the participant's name has characters or a length that the provider refuses")
		}
		if len(m.Parts) == 0 && p.refusesEmpty(m) {
			problem := ProblemEmptyMessage
			if c.role(i) == RoleSystem {
				problem = ProblemSystemContent
			}
			c.report(problem, i, none, "", "the message has no content")
		}
		if joins && i > 0 && (c.role(i) == RoleAssistant) == (c.role(i-1) == RoleAssistant) {
			if problem := p.apart(&c.history[i-1], m); problem != "" {
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

func apartDetail(problem Problem) string {
	switch problem {
	case ProblemCallTurn:
		return "of this assistant message and the one before it, only one holds tool calls"
	case ProblemResultsApart:
		return "the message before it holds results of the same turn"
	}
	return "the message has the same role as the one before it"
}

// callsLast checks that no text stands behind a tool call, in neighbours too where the provider joins them.
func (c *checker) callsLast() {
	if !c.profile.TextBeforeCalls {
		return
	}
	open := false
	for i := range c.history {
		parts := c.history[i].Parts
		if len(parts) == 0 {
			continue
		}
		if c.role(i) != RoleAssistant {
			open = false
			continue
		}
		var j int
		if j, open = textBehindCall(parts, open && c.profile.JoinTurns); j != none {
			c.report(ProblemCallNotLast, i, j, "", "text stands behind a tool call")
		}
	}
}

func trailingDetail(problem Problem) string {
	switch problem {
	case ProblemTrailingSpace:
		return "the final assistant text ends in white space"
	case ProblemReasoningLast:
		return "the conversation ends on reasoning"
	}
	return "the conversation ends on an assistant turn, which the model refuses"
}

func (c *checker) systems() {
	if c.profile.System == SystemAnywhere {
		return
	}
	n := len(c.history)
	for i := 0; i < n; i++ {
		if c.role(i) != RoleSystem {
			continue
		}
		end := c.profile.systemRun(n, i, c.at)
		if problem := systemProblem(c.profile, n, i, end, c.at); problem != "" {
			for k := i; k < end; k++ {
				if c.role(k) == RoleSystem && !c.profile.exempts(c.at(k)) {
					c.report(problem, k, none, "", systemDetail(problem))
				}
			}
		}
		i = end - 1
	}
}

func systemDetail(problem Problem) string {
	switch problem {
	case ProblemSystemAfter:
		return "a system message midway has to follow a user turn"
	case ProblemSystemBefore:
		return "a system message midway has to stand before an assistant turn or at the end"
	}
	return "the model takes no system message here"
}

// parts checks each part by itself, and whether its message may hold it.
func (c *checker) parts() {
	for i := range c.history {
		if c.decided() {
			return
		}
		role := c.role(i)
		results, after := 0, none
		if c.profile.NoTextAfterResults && role != RoleAssistant {
			after = textAfterResults(c.history[i].Parts)
		}
		for j, part := range c.history[i].Parts {
			if problem := roleProblem(c.profile, part, role); problem != "" {
				c.report(c.inSystem(problem, role), i, j, partID(part), "a "+PartKind(part)+" part may not stand in a "+string(role)+" message")
			}
			if clientResult(part) != nil {
				if results++; results > 1 && c.profile.OneResultPerMessage {
					c.report(ProblemResultMisplaced, i, j, partID(part), "each tool result has to be a message of its own")
				}
			}
			if j == after {
				c.report(ProblemTextAfterResult, i, j, "", "text comes after a tool result in its message")
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

// inSystem is what the provider calls a part in the wrong message: where system messages stand midway, they have a rule of
// their own about what they hold.
func (c *checker) inSystem(problem Problem, role Role) Problem {
	if role == RoleSystem && c.profile.System == SystemMidway {
		return ProblemSystemContent
	}
	return problem
}

// spelling says what is wrong with the text of a part, as unicodeProblem does, and whether the part is a call with an object as
// arguments, where the profile wants that: one scan tells both.
func (c *checker) spelling(part Part) (problem Problem, object bool) {
	call, ok := part.(*ToolCall)
	if !ok || !c.profile.ObjectArguments || !takesObject(call) {
		return unicodeProblem(part), false
	}
	kind, flags, err := glanceWith(&c.doc, call.Input)
	if err != nil {
		return rawProblem(call.Input), false
	}
	return flaggedProblem(flags), kind == jsonscan.Object
}

// part checks what is asked of parts of one type; object says that a call has an object as arguments.
func (c *checker) part(i, j int, part Part, role Role, object bool) {
	p := c.profile
	switch part := part.(type) {
	case *Text:
		problem, refused := p.refusesText(part.Text)
		if refused && !(problem == ProblemBlankText && c.blank.of(p, i, c.at(i))) {
			c.report(problem, i, j, "", "the text is empty or blank")
			if part.Cache != nil {
				c.report(ProblemCacheEmptyText, i, j, "", "empty text carries a cache breakpoint")
			}
		}
	case *Media:
		problem := mediaProblem(p, part)
		if p.refusesFile(part) {
			problem = ProblemMediaRefused
		}
		if problem != "" {
			c.report(problem, i, j, "", mediaDetail(problem))
		}
		if !p.takesMedia(role) {
			c.report(c.inSystem(ProblemMediaRole, role), i, j, "", "media may not stand in a "+string(role)+" message")
		}
	case *Other:
		if isMedia(part) && !p.takesMedia(role) {
			c.report(c.inSystem(ProblemMediaRole, role), i, j, "", "media may not stand in a "+string(role)+" message")
		}
	case *ToolCall:
		if p.ObjectArguments && takesObject(part) && !object {
			c.report(ProblemArguments, i, j, part.ID, "the arguments are not a JSON object")
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

func mediaDetail(problem Problem) string {
	switch problem {
	case ProblemMediaEmpty:
		return "the media has neither data nor an address"
	case ProblemMediaUnreadable:
		return "the data is no picture or file that the provider can read"
	case ProblemMediaType:
		return "the declared media type is not what the bytes are"
	case ProblemMediaRefused:
		return "the model takes no media of this kind, or none by its address"
	case ProblemFileName:
		return "the file has no name"
	}
	return "the title has characters that the provider refuses"
}

func (c *checker) result(i, j int, r *ToolResult) {
	p := c.profile
	if p.EncryptedPayloads && r.ProviderExecuted && emptiedPayload(r) {
		c.report(ProblemOpaqueEmpty, i, j, r.CallID, "an encrypted payload was emptied")
	}
	if r.ProviderExecuted {
		return
	}
	if r.Name != "" && r.Name != p.RepairToolName(r.Name) {
		c.report(ProblemToolName, i, j, r.CallID, "the tool's name has characters or a length that the provider refuses")
	}
	if r.IsError && p.NoErrorFlag {
		c.report(ProblemErrorFlag, i, j, r.CallID, "the tool result is marked as an error, which the model does not know")
	}
	if problem, _ := p.lacksContent(r); problem != "" {
		c.report(problem, i, j, r.CallID, "the tool result has no content")
	}
	for k, part := range r.Content {
		at := Position{i, j, k}
		switch part := part.(type) {
		case *Text:
			if problem, refused := p.refusesText(part.Text); refused {
				c.found = append(c.found, Violation{Problem: problem, Rule: p.rule(problem), At: at, ToolCallID: r.CallID, Detail: "the text is empty or blank"})
			}
		case *Media:
			problem := mediaProblem(p, part)
			detail := mediaDetail(problem)
			if p.movesFromResult(part) && problem != ProblemMediaRefused && problem != ProblemMediaUnreadable {
				problem, detail = ProblemMediaInResult, "a tool result may not hold media"
			}
			if problem != "" {
				c.found = append(c.found, Violation{Problem: problem, Rule: p.rule(problem), At: at, ToolCallID: r.CallID, Detail: detail})
			}
		}
	}
}

// items checks the ids of items, and that reasoning and the items it led to stand together.
func (c *checker) items() {
	p := c.profile
	if p.LoneParts {
		c.loneParts()
	}
	if p.ItemIDs == nil {
		return
	}
	c.used.reset()
	var waiting []int // reasoning that only reasoning has followed so far
	for i := range c.history {
		m := &c.history[i]
		if m.ID != "" {
			_, known := c.used.of(m.ID)
			if problem := p.itemIDProblem(m); problem != "" {
				c.report(problem, i, none, "", "the provider refuses this id of an item")
			} else if known {
				c.report(ProblemItemDuplicate, i, none, "", "the id of an item was used before")
			}
		}
		if len(m.Parts) == 0 {
			continue
		}
		kind, role := itemKind(m), c.role(i)
		switch {
		case role == RoleAssistant && kind == reasoningItem:
			if problem := p.reasoningItemProblem(m); problem != "" {
				c.report(problem, i, none, "", "the reasoning has no payload, and the provider does not hold it")
			} else {
				waiting = append(waiting, i)
			}
		case role == RoleAssistant:
			c.settleWaiting(waiting, m, false)
			waiting = waiting[:0]
		default:
			c.settleWaiting(waiting, nil, false)
			waiting = waiting[:0]
		}
	}
	c.settleWaiting(waiting, nil, true)
}

// loneParts checks that parts which are items by themselves share a message with no other part.
func (c *checker) loneParts() {
	for i := range c.history {
		if parts := c.history[i].Parts; len(parts) > 1 && slices.ContainsFunc(parts, c.profile.lone) {
			c.report(ProblemItemMixed, i, none, "",
				"reasoning, tool calls and tool results have to be messages of their own")
		}
	}
}

// settleWaiting judges reasoning by the item that follows it in its turn, nil for none; last says that nothing at all follows.
func (c *checker) settleWaiting(waiting []int, next *Message, last bool) {
	for _, i := range waiting {
		switch c.profile.followerProblem(&c.history[i], next, last) {
		case ProblemReasoningAlone:
			c.report(ProblemReasoningAlone, i, none, "", "the reasoning is not followed by the item it led to")
		case ProblemReasoningSplit:
			c.report(ProblemReasoningSplit, i, none, "",
				"the reasoning has its id, but the item it led to has none")
		}
	}
}

// ids checks how call ids are spelled and that they are unique where they have to be.
func (c *checker) ids() {
	after := false
	for i := range c.history {
		if len(c.history[i].Parts) == 0 {
			continue
		}
		assistant := c.role(i) == RoleAssistant
		if assistant && c.profile.UniqueIDs == ScopeTurn && !(after && c.profile.JoinTurns) {
			c.used.reset()
		}
		after = assistant
		for j, part := range c.history[i].Parts {
			switch part := part.(type) {
			case *ToolCall:
				if problem := idProblem(c.profile.idPattern(part.ProviderExecuted, part.Variant), part.ID); problem != "" {
					if part.ProviderExecuted {
						problem = ProblemServerID
					}
					c.report(problem, i, j, part.ID, "the provider refuses this tool call id")
				}
				if c.profile.UniqueIDs == ScopeNone {
					continue
				}
				if _, known := c.used.of(part.ID); known {
					c.report(ProblemIDDuplicate, i, j, part.ID, "the tool call id was used before")
				}
			case *ToolResult:
				if part.ProviderExecuted {
					continue // it has its call's id, and only the call says which form that takes
				}
				if problem := idProblem(c.profile.CallID, part.CallID); problem != "" {
					c.report(problem, i, j, part.CallID, "the provider refuses this tool call id")
				}
			}
		}
	}
}

// reasoning checks what depends on the thinking mode of the request.
func (c *checker) reasoning() {
	n := len(c.history)
	switch c.profile.Thinking {
	case ThinkingOff:
		first, last := openTurn(c.profile, n, c.at)
		for i := first; i < last; i++ {
			for j, part := range c.history[i].Parts {
				if _, ok := part.(*Reasoning); ok {
					c.report(ProblemReasoningOff, i, j, "", "the open turn holds reasoning while the request has thinking off")
				}
			}
		}
	case ThinkingBudget:
		for i := range c.history {
			if c.role(i) == RoleAssistant && reasoningBehind(c.history[i].Parts) {
				c.report(ProblemReasoningOrder, i, 0, "", "the message holds reasoning but does not start with it")
			}
		}
		if i, lacks := loopLacksReasoning(c.profile, n, c.at); lacks {
			c.report(ProblemReasoningMissing, i, 0, "", "the open tool turn does not start with reasoning, which a thinking budget demands; send this request with thinking off")
		}
	}
}

// documents checks how many media stand in a message, that no two documents have one title, and that text stands beside them.
func (c *checker) documents() {
	p := c.profile
	if !c.media || len(p.MediaLimits) == 0 && !p.UniqueMediaNames && !p.DocumentNeedsText {
		return
	}
	titles := make(map[string]bool)
	title := func(at Position, part Part, id string) {
		m, ok := part.(*Media)
		if !ok || m.Kind != "document" || m.Name == "" || !p.UniqueMediaNames {
			return
		}
		if titles[m.Name] {
			c.found = append(c.found, Violation{Problem: ProblemMediaNameTwice, Rule: p.rule(ProblemMediaNameTwice), At: at, ToolCallID: id, Detail: "an earlier document has this title"})
		}
		titles[m.Name] = true
	}
	for i := range c.history {
		count := make(map[string]int)
		text := false
		for j, part := range c.history[i].Parts {
			title(Position{i, j, none}, part, "")
			switch part := part.(type) {
			case *Text:
				_, refused := p.refusesText(part.Text)
				text = text || !refused
			case *Media:
				count[part.Kind]++
			case *ToolResult:
				for k, inner := range part.Content {
					title(Position{i, j, k}, inner, part.CallID)
				}
			}
		}
		if p.DocumentNeedsText && count["document"] > 0 && !text {
			c.report(ProblemDocumentAlone, i, none, "", "the message holds a document and no text")
		}
		for _, limit := range p.MediaLimits {
			if count[limit.Kind] > limit.Most {
				c.report(ProblemMediaLimit, i, none, "", "the message holds more media of one kind than it may")
			}
		}
	}
}

// cache checks the prompt-cache breakpoints.
func (c *checker) cache() {
	if !c.cached {
		return
	}
	count, short := 0, false
	for i := range c.history {
		for at, marker := range breakpoints(c.history[i].Parts) {
			j, part := at.part, c.history[i].Parts[at.part]
			count++
			if problem := cacheProblem(c.profile, part); problem != "" && at.inner == none {
				c.report(problem, i, j, "", "a "+PartKind(part)+" part of this kind carries a cache breakpoint")
			}
			if c.profile.CacheLimit != 0 && count > max(c.profile.CacheLimit, 0) {
				c.report(ProblemCacheLimit, i, j, "", "there are more cache breakpoints than the provider takes")
			}
			if c.profile.CacheLongFirst {
				if !longLived(marker) {
					short = true
				} else if short {
					c.report(ProblemCacheOrder, i, j, "", "a long-lived cache breakpoint stands behind a short-lived one")
				}
			}
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
