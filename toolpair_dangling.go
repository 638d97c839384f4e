package preflight

import (
	"slices"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/pairing"
	"github.com/go-preflight/preflight/rule"
)

// This file answers or removes the tool calls that have no result, for toolpair.go.

// resolveDangling removes or answers the calls without a result, by policy. A turn with signed
// reasoning is never cut: its calls are answered. A call that waits on purpose is answered with a
// placeholder or left open.
func (p *toolPairs) resolveDangling() {
	for c := range p.Calls {
		ref, call := &p.Calls[c], p.call(c)
		if ref.Answer != none || p.policy.staysOpen(call) {
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
				code: codes.DanglingReplaced, problem: rule.Dangling, id: ref.ID,
				detail: "replaced a tool call that has no result by what the caller gave for it",
			})
			continue
		}
		if result == nil && (wordless || !p.policy.answersDangling(call) && !signed) {
			p.d.drop(ref.Message, ref.Part, note{
				code: codes.DanglingRemoved, problem: rule.Dangling, id: ref.ID,
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
	n := note{code: codes.DanglingAnswered, problem: rule.Dangling, id: ref.ID, detail: detail}
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
