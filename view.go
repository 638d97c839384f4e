package preflight

import (
	"slices"
	"sync"

	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file holds what Check, the matcher and the fixers ask of messages: their roles, what they
// hold, the turns that they make, and which content is removed before the request is sent. An
// answer here is the same for all who ask. Which message the encoder puts a part into is in
// layout.go.

// view is a history as Check, the matcher and the fixers read it: the caller's messages, or those
// of a draft. It is implemented by *checker, *toolPairing and *draft.
type view interface {
	len() int
	at(i int) *Message // not to be written to
}

// roleOf returns the neutral role of a message.
func roleOf(m *Message) Role {
	r, _ := m.Role.Neutral()
	return r
}

// functionRole is an alternative spelling of RoleTool that some providers take for messages of tool
// results, in addition to RoleUser.
const functionRole Role = "function"

// acceptsRole reports whether the provider takes the role in this spelling.
func acceptsRole(p *Profile, r Role) bool {
	if len(p.Roles) == 0 {
		return r == RoleSystem || r == RoleUser || r == RoleAssistant || r == RoleTool
	}
	for _, s := range p.Roles {
		if s == r {
			return true
		}
	}
	return false
}

// takesRole reports whether the provider takes the role of a message as it is spelled.
func takesRole(p *Profile, m *Message) bool {
	return acceptsRole(p, m.Role) || m.Role == RoleTool && freeLayout(p, m) ||
		p.AnyRole && isOtherRole(m)
}

// isOtherRole reports whether a message has a role of an unknown meaning, and nothing but content
// that any role may have.
func isOtherRole(m *Message) bool {
	if _, known := m.Role.Neutral(); known || blank(string(m.Role)) {
		return false
	}
	return len(m.Parts) > 0 && !slices.ContainsFunc(m.Parts, func(p Part) bool {
		_, text := p.(*Text)
		return !text
	})
}

// resultRoleOf returns the role of a new message for tool results.
func resultRoleOf(p *Profile) Role {
	if p.Pairing.ResultRole == "" {
		return RoleTool
	}
	return p.Pairing.ResultRole
}

// onlyResults reports whether a user or tool message holds nothing but tool results. One without
// parts does, unlike for holdsOnlyResults.
func onlyResults(m *Message) bool {
	if r := roleOf(m); r != RoleUser && r != RoleTool {
		return false
	}
	for _, part := range m.Parts {
		if clientResult(part) == nil {
			return false
		}
	}
	return true
}

// holdsOnlyResults reports whether a message holds tool results and nothing else.
func holdsOnlyResults(m *Message) bool { return len(m.Parts) > 0 && onlyResults(m) }

// holdsCall reports whether a message holds a tool call that the client executes.
func holdsCall(m *Message) bool {
	return slices.ContainsFunc(m.Parts, func(part Part) bool { return clientCall(part) != nil })
}

// holdsResult reports whether a message holds the result of a tool that the client executed.
func holdsResult(m *Message) bool { return slices.ContainsFunc(m.Parts, isClientResult) }

// endsInResult reports whether the last part of a message is the result of a tool that the client
// executed.
func endsInResult(m *Message) bool {
	return len(m.Parts) > 0 && clientResult(m.Parts[len(m.Parts)-1]) != nil
}

// holdsUnknown reports whether a message holds a part of an unknown kind, which may be a call.
func holdsUnknown(m *Message) bool {
	return slices.ContainsFunc(m.Parts, isUnknown)
}

// knownKinds are the kinds of Other parts that are known. None of them is a call or result of the
// client, or reasoning.
var knownKinds = sync.OnceValue(func() map[string]bool {
	kinds := map[string]bool{
		// members of Gemini's parts, and of Anthropic's system messages
		"thoughtSignature": true, "videoMetadata": true, "output_config": true,
	}
	for _, block := range rule.BlockTypes() {
		kinds[block.Kind] = true
	}
	return kinds
})

// isUnknown reports whether a part is of a kind that no format is known to have. A part without a
// kind does not count: every format names the kinds of its parts.
func isUnknown(part Part) bool {
	x, ok := part.(*Other)
	return ok && x != nil && x.Kind != "" && !knownKinds()[x.Kind]
}

// isDirective reports whether a system message holds only settings and no text. Providers take such
// a message anywhere.
func isDirective(p *Profile, m *Message) bool {
	for _, part := range m.Parts {
		if !isSetting(p, part) {
			return false
		}
	}
	return len(m.Parts) > 0
}

func isSetting(p *Profile, part Part) bool {
	o, ok := part.(*Other)
	return ok && slices.Contains(p.System.Directives, o.Kind)
}

// openLoop returns the messages of the assistant's turn that is not over, [first, last): the last
// assistant messages, with nothing but tool results between and after them; neighbours are one turn
// where the provider joins them. The range is empty when a user's message follows.
//
//	user "q", assistant call a, tool result a      [1, 2)
//	user "q", assistant call a, user "n"           [3, 3)
func openLoop(p *Profile, v view) (first, last int) {
	last = v.len()
	for last > 0 && onlyResults(v.at(last-1)) {
		last--
	}
	first = last
	for k := last - 1; k >= 0; k-- {
		assistant := roleOf(v.at(k)) == RoleAssistant
		if !assistant && (k == last-1 || !onlyResults(v.at(k))) ||
			assistant && k+1 == first && first < last && !p.Turns.Joined() {
			break
		}
		if assistant {
			first = k
		}
	}
	return first, last
}

// turnEnd returns the index after the turn that begins with message first. Where the provider joins
// neighbours, assistant messages in a row are one turn, with the messages without parts between
// them, which a later fixer removes. Every other message is a turn by itself.
func turnEnd(p *Profile, v view, first int) int {
	last := first + 1
	if !p.Turns.Joined() || roleOf(v.at(first)) != RoleAssistant {
		return last
	}
	for last < v.len() && (roleOf(v.at(last)) == RoleAssistant || len(v.at(last).Parts) == 0) {
		last++
	}
	return last
}

// thinkingOf returns the thinking mode of a request, or unknown where reasoning need not fit it.
// Only providers that verify reasoning refuse any because of the mode
// (anthropic/thinking-disabled-final, anthropic/thinking-must-lead).
func thinkingOf(p *Profile, o *Options) provider.Thinking {
	if !p.Reasoning.Signed {
		return provider.ThinkingUnknown
	}
	return o.Request.Thinking
}

// heldBoundary returns the index of the message after which a result may answer a call that is not
// in the history, because the provider holds the call. That is the first message given by
// reference, or none, which allows it everywhere, when the request states that the provider holds
// the earlier history; see also frontHeld. It returns the length of the history where nothing is
// held.
func heldBoundary(p *Profile, request Request, v view) int {
	if request.ServerHoldsHistory {
		return none
	}
	n := v.len()
	if p.Items.ReferenceKind == "" || !p.Items.Held {
		return n
	}
	for i := range n {
		if itemKind(v.at(i)) == p.Items.ReferenceKind {
			return i
		}
	}
	return n
}

// textRefusal reports whether the profile refuses the text of a text part, and which problem that
// is.
func textRefusal(p *Profile, t *Text) (problems.Problem, bool) {
	switch {
	case t.isEmpty():
		return problems.EmptyText, p.Content.RefuseEmptyText
	case p.Content.RefuseBlankText && t.isBlank():
		return problems.BlankText, true
	}
	return "", false
}

func acceptsBlankBeside(p *Profile, r Role) bool {
	neutral, _ := r.Neutral()
	return slices.Contains(p.Content.BlankBeside, neutral)
}

// allowsBlank reports whether a part has content that allows blank text in the same message.
func allowsBlank(p *Profile, part Part) bool {
	if isNil(part) {
		return false
	}
	switch part := part.(type) {
	case *Text:
		_, refused := textRefusal(p, part)
		return !refused
	case *ToolCall:
		return !part.ProviderExecuted || !p.Content.NoBlankBesideServed
	case *ToolResult:
		return !part.ProviderExecuted || !p.Content.NoBlankBesideServed
	}
	return true
}

// passesOver reports whether a part may be ignored between a call and its result: a later fixer
// removes it. Blank text stays where a user message may hold it beside other content.
func passesOver(p *Profile, part Part) bool {
	if isNil(part) {
		return true
	}
	t, ok := part.(*Text)
	if !ok {
		return false
	}
	problem, refused := textRefusal(p, t)
	return refused && (problem != problems.BlankText || !acceptsBlankBeside(p, RoleUser))
}

// vanishes reports whether a message holds nothing that the provider takes, so that it will
// be removed.
func vanishes(p *Profile, m *Message) bool {
	for _, part := range m.Parts {
		t, ok := part.(*Text)
		if !ok || t == nil {
			return false
		}
		if _, refused := textRefusal(p, t); !refused {
			return false
		}
	}
	return p.Content.RefuseEmptyMessage
}

// fragmentKind is the kind of Other that package wire gives to a later fragment of a call.
const fragmentKind = "call-fragment"

// goesOn reports whether fragments of the call at parts[j] follow it.
func goesOn(parts []Part, j int) bool {
	if j+1 >= len(parts) {
		return false
	}
	o, ok := parts[j+1].(*Other)
	return ok && o.Kind == fragmentKind
}
