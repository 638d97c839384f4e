package preflight

import (
	"strings"
	"unicode"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/problemset"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file checks and repairs the end of the conversation.
//
//	user: "q"; assistant: "The answer is"     after it: user: "Continue."
//	user: "q"; assistant: "The answer is "    where a prefill is accepted: without the space

func trailingDetail(problem problems.Problem) string {
	switch problem {
	case problems.TrailingSpace:
		return "the final assistant text ends in white space"
	case problems.ReasoningLast:
		return "the conversation ends on reasoning"
	}
	return "the conversation ends on an assistant turn, which the model refuses"
}

// endConversationFixer applies Options.Trailing to a final assistant turn that the model refuses,
// and trims trailing white space from one that it takes. A turn is left alone if the options keep
// it, if the provider paused it, or if its calls wait on purpose.
var endConversationFixer = Fixer{
	Name:   "end-conversation",
	group:  "end",
	repair: endConversation,
	cures:  problemset.Of(problems.TrailingTurn, problems.TrailingSpace, problems.ReasoningLast),
	checks: []checks{{whole: (*checker).lastTurn}},
}

func endConversation(d *draft) {
	last := len(d.nodes) - 1
	problem := d.trailingProblem(last)
	if d.options.Trailing == TrailingStrip {
		for ; problem != "" && problem != problems.TrailingSpace; problem = d.trailingProblem(last) {
			d.dropMessage(last, note{
				code: codes.TrailingStripped, problem: problem,
				detail: "removed a final assistant turn that the model refuses",
			})
			last--
		}
		d.commit()
	}
	switch {
	case problem == "":
	case problem == problems.TrailingSpace:
		d.trimTrailing(last)
	case d.dropUnboundEnd(last):
	default:
		d.insertText(len(d.nodes), RoleUser, d.options.continueText(), note{
			code: codes.Continued, problem: problem,
			detail: "appended a user turn, since the model refuses to end on the assistant's",
		})
		d.commit()
	}
}

// dropUnboundEnd removes the final turn of the assistant if it holds nothing but reasoning that
// settleBound would remove. Without it, the conversation ends on the user's turn.
func (d *draft) dropUnboundEnd(last int) bool {
	if !d.profile.Reasoning.Bound || d.profile.Reasoning.Dropped {
		return false
	}
	first, n := last+1, 0
	for ; first > 0 && d.role(first-1) == RoleAssistant; first-- {
		m := d.at(first - 1)
		if n += len(m.Parts); tallyReasoning(m) < len(m.Parts) {
			return false
		}
	}
	lost, _ := d.unbound(d.given)
	if first == 0 || len(lost) < n || lost[len(lost)-n].node < first {
		return false
	}
	d.unbinds += n
	d.dropUnbound(lost[len(lost)-n:])
	return true
}

// trailingProblem returns what is wrong with node i as the last one, "" when nothing is or when
// there is none.
func (d *draft) trailingProblem(i int) problems.Problem {
	if i < 0 {
		return ""
	}
	m := &d.nodes[i].Message
	problem := d.pairs.trailingProblem(d.profile, d.options, m)
	if problem != "" && holdsLeftAlone(d.profile, m) {
		return ""
	}
	return problem
}

// marksPrefill reports whether a message is marked as a prefill in the way the provider accepts.
func marksPrefill(p *Profile, m *Message) bool {
	if !p.Prefill.MarkAccepted || string(m.Meta[provider.MetaPrefix]) != "true" {
		return false
	}
	some := false
	for _, part := range m.Parts {
		switch part := part.(type) {
		case *Text:
			some = some || part != nil && !part.isEmpty()
		case *Reasoning:
		default:
			return false
		}
	}
	return some
}

// trailingProblem returns what is wrong with m as the last message of a history, "" when nothing
// is.
func (pairs *toolPairing) trailingProblem(
	p *Profile, options *Options, m *Message,
) problems.Problem {
	if roleOf(m) != RoleAssistant || len(m.Parts) == 0 {
		return ""
	}
	if options.Trailing == TrailingKeep || options.Request.endsAnywhere() || pairs.endsOpen(p, options, m) ||
		isUnknown(m.Parts[len(m.Parts)-1]) { // a new kind may say that the turn goes on
		return ""
	}
	if _, ok := m.Parts[len(m.Parts)-1].(*Reasoning); ok && p.Reasoning.Signed {
		return problems.ReasoningLast
	}
	if j := finalText(m); j != none && !p.Prefill.Refused && p.Prefill.Trim {
		if t := m.Parts[j].(*Text); t != nil && t.endsInSpace() {
			return problems.TrailingSpace
		}
	}
	if p.Prefill.Refused && !marksPrefill(p, m) {
		return problems.TrailingTurn
	}
	return ""
}

// finalText returns the index of the text that a message ends on, none if it ends on anything else.
// Reasoning after the text does not count: many formats have it in a field beside the content.
func finalText(m *Message) int {
	for j := len(m.Parts) - 1; j >= 0; j-- {
		switch m.Parts[j].(type) {
		case *Text:
			return j
		case *Reasoning:
		default:
			return none
		}
	}
	return none
}

// endsOpen reports whether a final assistant message holds a call that may be open: the provider
// paused while its own tool was running, or the caller's options declare that the call waits.
func (pairs *toolPairing) endsOpen(profile *Profile, options *Options, m *Message) bool {
	served := false
	for _, part := range m.Parts {
		if c, ok := part.(*ToolCall); ok && c != nil {
			if options.staysOpen(c) {
				return true
			}
			served = served || c.ProviderExecuted
		}
	}
	if !served {
		return false
	}
	pairs.setHistory([]Message{*m}, profile, options)
	defer pairs.release()
	pairs.survey(serverSide)
	pairs.Assign()
	for c := range pairs.Calls {
		if a := pairs.Calls[c].Answer; a == none || !pairs.InPlace(a) {
			return true
		}
	}
	return false
}

func (d *draft) trimTrailing(i int) {
	j := finalText(&d.nodes[i].Message)
	t := d.nodes[i].Parts[j].(*Text)
	if t.isBlank() && d.profile.Content.RefuseEmptyText {
		d.drop(i, j, note{
			code: codes.EmptyRemoved, problem: problems.TrailingSpace,
			detail: "removed white space from the end of the final assistant turn",
		})
		d.commit()
		return
	}
	d.replace(i, j, edited(t, func(t *Text) { t.Text = trimRight(t.whole()) }),
		note{
			code: codes.TrailingTrimmed, problem: problems.TrailingSpace,
			detail: "trimmed white space from the end of the final assistant text",
		})
}

func trimRight(s string) string { return strings.TrimRightFunc(s, unicode.IsSpace) }

// lastTurn checks the end of the conversation.
func (c *checker) lastTurn() {
	last := len(c.history) - 1
	if last < 0 {
		return
	}
	if problem := c.pairs.trailingProblem(c.profile, c.options, c.at(last)); problem != "" {
		c.reportUnless(messageLeftFor(c.profile, c.at(last)), problem, last, none, "",
			trailingDetail(problem))
	}
}
