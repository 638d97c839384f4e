package spec

import (
	"encoding/json"
	"testing"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/provider"
)

// This file tests the removal and repair of reasoning.

// TestDropEmptyReasoning: reasoning stays for anything that it holds, if only metadata that says
// something.
func TestDropEmptyReasoning(t *testing.T) {
	thought := func(text, meta string) *preflight.Reasoning {
		r := &preflight.Reasoning{Text: text}
		if meta != "" {
			r.Meta = preflight.Metadata{"empty": json.RawMessage(`{}`), "k": json.RawMessage(meta)}
		}
		return r
	}
	var cases []fixerCase
	for name, r := range map[string]*preflight.Reasoning{
		"text": thought("hm", ""), "a signature": {Signature: "c2ln"},
		"a payload": {Opaque: "blob"}, "a member": thought("", `{"a":null}`),
		"two":    thought("", `{"a":1,"b":2}`),
		"a list": thought("", `[]`), "a number": thought("", `0`), "a text": thought("", `""`),
		"something that is not JSON": thought("", `{`), "false": thought("", `false`),
	} {
		cases = append(cases, fixerCase{name: name, in: history(botMsg(r))})
	}
	for name, r := range map[string]*preflight.Reasoning{
		"nothing":         {},
		"white space":     thought(" \n", ""),
		"null":            thought("", "null"),
		"an empty object": thought("", " { } "),
	} {
		cases = append(cases, fixerCase{
			name: name,
			in:   history(userMsg(says("q")), botMsg(r, says("a")), botMsg(r)),
			want: history(userMsg(says("q")), botMsg(says("a"))),
			whole: []string{
				"empty-part-removed preflight/reasoning-empty messages[1].parts[0] -1 reasoning" +
					counted(" -", preflight.Tally{Bytes: len(r.Text)}),
				"empty-part-removed preflight/reasoning-empty messages[2].parts[0] -1 reasoning" +
					counted(" -", preflight.Tally{Bytes: len(r.Text)}),
			},
			origins: [][]int{{0}, {1}},
		})
	}
	empty := &preflight.Reasoning{}
	empty.Meta = preflight.Metadata{"k": nil}
	cases = append(cases, fixerCase{
		name:  "an entry of no bytes",
		in:    history(botMsg(empty, says("a"))),
		want:  history(botMsg(says("a"))),
		codes: warned(codes.EmptyRemoved),
	})
	runFixer(t, preflight.Fixers.DropEmptyReasoning, cases)
}

func TestRepairReasoning(t *testing.T) {
	signs := preflight.Profile{
		Reasoning: provider.ReasoningRules{Signed: true, SignatureAlphabet: provider.Base64},
	}
	runFixer(t, preflight.Fixers.RepairReasoning, []fixerCase{
		{
			name: "unsigned", profile: signs,
			in:    history(botMsg(thinks("hm", ""), says("a"))),
			want:  history(botMsg(says("a"))),
			codes: warned(codes.ReasoningRemoved),
		},
		{
			name: "empty", profile: signs,
			in:    history(botMsg(thinks("", ""), says("a"))),
			want:  history(botMsg(says("a"))),
			codes: warned(codes.EmptyRemoved),
		},
		{
			name: "signed in a foreign alphabet", profile: signs,
			in:    history(botMsg(thinks("hm", "rs_1:x"), says("a"))),
			want:  history(botMsg(says("a"))),
			codes: warned(codes.ReasoningRemoved),
		},
		{
			name: "signed and redacted reasoning stay", profile: signs,
			in: history(botMsg(thinks("hm", "EqQ+/="), redacted(), says("a"))),
		},
		{
			name:    "refused, signed or not",
			profile: preflight.Profile{Reasoning: provider.ReasoningRules{Refused: true}},
			in:      history(botMsg(thinks("hm", "EqQ="), says("a"))),
			want:    history(botMsg(says("a"))),
			codes:   warned(codes.ReasoningRemoved),
		},
		{name: "the profile allows it", in: history(botMsg(thinks("hm", ""), says("a")))},
	})
}

func TestNormalizeReasoning(t *testing.T) {
	off, budget := thinkingMode(provider.ThinkingOff), thinkingMode(provider.ThinkingBudget)
	q, think, result := userMsg(says("q")), thinks("hm", "sig"), toolMsg(answers("a", "1"))
	joined := preflight.Profile{Turns: provider.TurnRules{Neighbours: provider.NeighboursJoined}}
	runFixer(t, preflight.Fixers.NormalizeReasoning, verified([]fixerCase{
		{
			name: "off: none in the open turn", options: off,
			in:    history(q, botMsg(think, calls("a")), result),
			want:  history(q, botMsg(calls("a")), result),
			codes: warned(codes.ReasoningRemoved),
		},
		{
			name: "off: turns that are over keep theirs", options: off,
			in: history(q, botMsg(think, says("a")), q),
		},
		{
			name: "a budget: reasoning leads its message", options: budget,
			in:    history(q, botMsg(says("a"), think, redacted(), says("b")), q),
			want:  history(q, botMsg(think, redacted(), says("a"), says("b")), q),
			codes: warned(codes.ReasoningMoved, codes.ReasoningMoved),
		},
		{
			name: "a budget: a part of an unknown kind may be reasoning", options: budget,
			in: history(q, botMsg(&preflight.Other{Kind: "new"}, think, says("b")), q),
		},
		{
			name: "a budget: a part of no kind is none", options: budget,
			in:    history(q, botMsg(&preflight.Other{}, think, says("b")), q),
			want:  history(q, botMsg(think, &preflight.Other{}, says("b")), q),
			codes: warned(codes.ReasoningMoved),
		},
		{
			name: "a budget: reasoning leads messages that are joined", options: budget,
			profile: joined,
			in:      history(q, botMsg(says("a")), botMsg(says("b"), think, calls("a")), result),
			want:    history(q, botMsg(think, says("a")), botMsg(says("b"), calls("a")), result),
			codes:   warned(codes.ReasoningMoved),
		},
		{
			name: "a budget: a message of nothing but the reasoning that is moved", options: budget,
			profile: joined,
			in:      history(q, botMsg(says("a")), botMsg(think), q),
			want:    history(q, botMsg(think, says("a")), q),
			codes:   warned(codes.ReasoningMoved),
		},
		{
			name: "a budget: a later message of a turn that begins with reasoning", options: budget,
			profile: joined,
			in:      history(q, botMsg(think, says("a")), botMsg(says("b"), think, says("c")), q),
		},
		{
			name: "a budget: a message after one of the user's", options: budget, profile: joined,
			in: history(q, botMsg(says("a")), q, botMsg(think, says("b")), q),
		},
		{
			name: "a message without any is none of its business", options: budget,
			in: history(q, botMsg(says("a")), q),
		},
		{
			name: "the thinking mode is unknown",
			in:   history(q, botMsg(says("a"), think, calls("a")), result),
		},
	}))
}

// TestReasoningProblems: what of reasoning the provider cannot verify, and says so by a rule of its
// own.
func TestReasoningProblems(t *testing.T) {
	signs := preflight.Profile{
		Reasoning: provider.ReasoningRules{Signed: true, SignatureAlphabet: provider.Base64},
	}
	q := userMsg(says("q"))
	with := func(p preflight.Part) []preflight.Message { return history(q, botMsg(p, says("a"))) }
	bare := history(q, botMsg(says("a")))
	gone := func(rule string) []string {
		return []string{"reasoning-removed 1.0 preflight/" + rule}
	}
	runFixer(t, preflight.Fixers.RepairReasoning, []fixerCase{
		{
			name: "nothing in it", profile: signs,
			in:     with(&preflight.Reasoning{}),
			want:   bare,
			report: []string{"empty-part-removed 1.0 preflight/reasoning-empty"},
		},
		{
			name: "unsigned", profile: signs,
			in:     with(thinks("hm", "")),
			want:   bare,
			report: gone("reasoning-unsigned"),
		},
		{
			name: "signed by another provider", profile: signs,
			in:     with(thinks("hm", "rs_1:x")),
			want:   bare,
			report: gone("reasoning-foreign"),
		},
		{name: "a signature without text", profile: signs, in: with(thinks("", "QUJD"))},
		{
			name: "any at all",
			profile: preflight.Profile{
				Reasoning: provider.ReasoningRules{Refused: true, Signed: true},
			},
			in:     with(thinks("hm", "QUJD")),
			want:   bare,
			report: gone("reasoning-refused"),
		},
		{
			name: "the user's is not concerned", profile: signs, alone: true,
			in: history(userMsg(thinks("hm", ""), says("q"))),
		},
	})
}
