package preflight

import (
	"slices"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/pairing"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file answers or removes the tool calls that have no result, for toolpair.go.

// resolveDangling removes or answers the calls without a result, by policy. A turn with signed
// reasoning is never cut: its calls are answered. A call that waits on purpose is answered with a
// placeholder or left open.
func (p *toolPairs) resolveDangling() {
	for c := range p.Calls {
		ref, call := &p.Calls[c], p.call(c)
		if ref.Answer != none || p.policy.staysOpen(call) || p.staysUnanswered(ref.Turn) ||
			p.mayBeAnswered(c) {
			continue
		}
		wordless := slices.Contains(p.profile.Pairing.Unanswerable, call.Variant)
		if p.policy.waits(call) && !wordless {
			p.answerWith(c, p.policy.waitingResult(call),
				"answered a tool call that waits with a placeholder")
			continue
		}
		signed := p.isSigned(ref.Turn)
		part, result := p.policy.interrupted(call)
		if part != nil && !signed {
			p.d.replace(ref.Message, ref.Part, part, note{
				code: codes.DanglingReplaced, problem: problems.Dangling, id: ref.ID,
				detail: "replaced a tool call that has no result by what the caller gave for it",
			})
			continue
		}
		if result == nil && (wordless || !p.policy.answersDangling(call) && !signed) {
			p.d.drop(ref.Message, ref.Part, note{
				code: codes.DanglingRemoved, problem: problems.Dangling, id: ref.ID,
				detail: "removed a tool call that has no result",
			})
			continue
		}
		detail := "answered a tool call that has no result"
		if result == nil {
			result = p.policy.errorResult(call)
			detail += " with an error result"
			if !p.policy.answersDangling(call) {
				detail += ", since its turn holds signed reasoning and may not be cut"
			}
		}
		p.answerWith(c, result, detail)
	}
}

// answerWith answers call c with a new result.
func (p *toolPairs) answerWith(c int, result *ToolResult, detail string) {
	ref, call := &p.Calls[c], p.call(c)
	if p.profile.Pairing.Typed && result.Variant != call.Variant {
		result = edited(result, func(r *ToolResult) { r.Variant = call.Variant })
	}
	n := note{code: codes.DanglingAnswered, problem: problems.Dangling, id: ref.ID, detail: detail}
	p.d.warn(p.d.position(ref.Message, ref.Part), n, Tally{}, tallyPart(result))
	ref.Answer = len(p.Results)
	p.resultParts = append(p.resultParts, result)
	p.Results = append(p.Results, pairing.Result{
		Message: none, Part: none, Zone: none, LastTurn: none, Call: c,
	})
}

// isSigned reports whether a turn holds reasoning with a signature or an opaque payload, or a call
// with a signature. It remembers the last turn.
func (p *toolPairs) isSigned(t int) bool {
	if p.signed.known && p.signed.turn == t {
		return p.signed.signed
	}
	p.signed = signedTurn{known: true, turn: t}
	for i := p.Turns[t].First; i <= p.Turns[t].Last && !p.signed.signed; i++ {
		m := &p.d.nodes[i].Message
		p.signed.signed = holdsReasoning(p.profile, m) ||
			slices.ContainsFunc(m.Parts, func(part Part) bool {
				return signed(part) || isCallSigned(p.profile, part)
			})
	}
	return p.signed.signed
}

// unansweredTurn is a turn, and whether its calls may stay without results.
type unansweredTurn struct {
	known, accepted bool
	turn            int
}

// staysUnanswered reports whether the provider accepts that no call of turn t has a result: none of
// them has one, and the user speaks right after the message of the last one. A call that waits is
// answered there, too. It remembers the last turn.
func (p *toolPairing) staysUnanswered(t int) bool {
	if !p.profile.Pairing.UnansweredTurns || p.side == serverSide {
		return false
	}
	if p.unanswered.known && p.unanswered.turn == t {
		return p.unanswered.accepted
	}
	turn := &p.Turns[t]
	accepted := p.Calls[turn.Calls.End-1].Message == turn.Last &&
		turn.Last+1 < p.len() && p.userSpeaks(p.message(turn.Last+1))
	for c := turn.Calls.First; accepted && c < turn.Calls.End; c++ {
		call := p.call(c)
		accepted = p.Calls[c].Answer == none && !p.policy.waits(call)
	}
	p.unanswered = unansweredTurn{known: true, accepted: accepted, turn: t}
	return accepted
}

// userSpeaks reports whether m is a message of the user with more than tool results.
func (p *toolPairing) userSpeaks(m *Message) bool {
	if role, _ := roleOf(m.Role); role != RoleUser {
		return false
	}
	return slices.ContainsFunc(m.Parts, func(part Part) bool {
		return !isNil(part) && p.asResult(part) == nil && !passesOver(p.profile, part)
	})
}
