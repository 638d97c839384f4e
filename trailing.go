package preflight

import (
	"slices"
	"strings"
	"unicode"
)

// This file settles how the conversation ends: whether the model takes a final assistant turn, and in which form.

// SettleTrailingTurn deals with a final assistant turn that the model refuses, by the Trailing policy, and trims white
// space from the end of one that it takes. A turn the provider paused, or whose calls wait on purpose, is left alone.
var SettleTrailingTurn = Fixer{
	Name:   "settle-trailing-turn",
	Doc:    "follows a final assistant turn the model refuses by a short user turn, or trims its trailing white space",
	repair: settleTrailingTurn,
}

func settleTrailingTurn(d *draft) {
	last := len(d.nodes) - 1
	if last < 0 {
		return
	}
	problem := d.pairs.trailingProblem(d.profile, d.policy, &d.nodes[last].Message)
	switch {
	case problem == "", problem == ProblemTrailingTurn && d.policy.Trailing == TrailingKeep:
		return
	case problem == ProblemTrailingSpace:
		d.trimTrailing(last)
	case d.policy.Trailing == TrailingStrip:
		for ; last >= 0 && problem != ""; last-- {
			d.dropMessage(last, note{code: CodeTrailingStripped, problem: problem, detail: "removed a final assistant turn that the model refuses"})
			if last > 0 {
				problem = d.pairs.trailingProblem(d.profile, d.policy, &d.nodes[last-1].Message)
			}
		}
		d.commit()
	default:
		text := &Text{Text: d.policy.continueText()}
		d.warn(d.position(len(d.nodes), none), note{code: CodeContinued, problem: problem, detail: "appended a user turn, since the model refuses to end on the assistant's"}, Tally{}, tallyPart(text))
		d.insertBefore(len(d.nodes), made(RoleUser, []Part{text}, []origin{{none, none}}))
		d.commit()
	}
}

// MetaPrefix is the metadata of a final assistant message that says of itself that it is to be continued; its value is true.
// Providers that have such a mark (Profile.PrefillMark) take the message if it is text, with or without reasoning.
const MetaPrefix = "prefix"

// marked reports whether a message is a prefix by the provider's own mark.
func (p *Profile) marked(m *Message) bool {
	if !p.PrefillMark || string(m.Meta[MetaPrefix]) != "true" {
		return false
	}
	some := false
	for _, part := range m.Parts {
		switch part := part.(type) {
		case *Text:
			some = some || part != nil && part.Text != ""
		case *Reasoning:
		default:
			return false
		}
	}
	return some
}

// trailingProblem says what is wrong with the last message of a history, "" when nothing is.
func (pairs *pairing) trailingProblem(p *Profile, policy *Options, m *Message) Problem {
	if r, _ := roleOf(m.Role); r != RoleAssistant || len(m.Parts) == 0 {
		return ""
	}
	if pairs.endsOpen(p, policy, m) {
		return ""
	}
	switch last := m.Parts[len(m.Parts)-1].(type) {
	case *Reasoning:
		if p.SignedReasoning {
			return ProblemReasoningLast
		}
	case *Text:
		if !p.RefusePrefill && p.TrimPrefill && last != nil && trimRight(last.Text) != last.Text {
			return ProblemTrailingSpace
		}
	}
	if p.RefusePrefill && !p.marked(m) {
		return ProblemTrailingTurn
	}
	return ""
}

// endsOpen reports whether a final assistant message holds a call that is open for a reason: the provider paused while its
// own tool was running, or the caller said the call waits.
func (pairs *pairing) endsOpen(profile *Profile, policy *Options, m *Message) bool {
	served := false
	for _, part := range m.Parts {
		if c, ok := part.(*ToolCall); ok && c != nil {
			if policy.staysOpen(c) {
				return true
			}
			served = served || c.ProviderExecuted
		}
	}
	if !served {
		return false
	}
	pairs.of([]Message{*m}, profile, policy)
	defer pairs.release()
	pairs.survey(serverSide)
	pairs.assign()
	return slices.ContainsFunc(pairs.calls, func(c callRef) bool { return c.answer == none || !pairs.inPlace(c.answer) })
}

func (d *draft) trimTrailing(i int) {
	j := len(d.nodes[i].Parts) - 1
	t := d.nodes[i].Parts[j].(*Text)
	if blank(t.Text) && d.profile.RefuseEmptyText {
		d.drop(i, j, note{code: CodeEmptyRemoved, problem: ProblemTrailingSpace, detail: "removed white space from the end of the final assistant turn"})
		d.commit()
		return
	}
	d.replace(i, j, edited(t, func(t *Text) { t.Text = trimRight(t.Text) }),
		note{code: CodeTrailingTrimmed, problem: ProblemTrailingSpace, detail: "trimmed white space from the end of the final assistant text"})
}

func trimRight(s string) string { return strings.TrimRightFunc(s, unicode.IsSpace) }
