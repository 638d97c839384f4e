package preflight_test

import (
	"testing"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/provider"
)

// This file tests the signatures of calls that a provider asks for.

func TestSignCallsForProfiles(t *testing.T) {
	signs := preflight.Profile{Tools: provider.ToolRules{CallSignature: "skip"}}
	signed := func(id, signature string) *preflight.ToolCall {
		c := calls(id)
		c.Signature = signature
		return c
	}
	q, result := userMsg(says("q")), toolMsg(answers("a", "1"), answers("b", "2"))
	runFixer(t, preflight.SignCalls, []fixerCase{
		{
			name: "the first call of a step", profile: signs,
			in:    history(q, botMsg(calls("a"), calls("b")), result),
			want:  history(q, botMsg(signed("a", "skip"), calls("b")), result),
			codes: warned(codes.CallSigned),
		},
		{
			name: "of every step of the open turn",
			profile: preflight.Profile{
				Turns: provider.TurnRules{Neighbours: provider.NeighboursJoined},
				Tools: provider.ToolRules{CallSignature: "skip"},
			},
			in: history(q, botMsg(calls("a"), calls("b")), result, botMsg(calls("c")),
				toolMsg(answers("c", "3"))),
			want: history(q, botMsg(signed("a", "skip"), calls("b")), result,
				botMsg(signed("c", "skip")), toolMsg(answers("c", "3"))),
			codes: warned(codes.CallSigned, codes.CallSigned),
		},
		{
			name: "messages that the provider joins are one step",
			profile: preflight.Profile{
				Turns: provider.TurnRules{Neighbours: provider.NeighboursJoined},
				Tools: provider.ToolRules{CallSignature: "skip"},
			},
			in:   history(q, botMsg(calls("a")), botMsg(calls("b")), result),
			want: history(q, botMsg(signed("a", "skip")), botMsg(calls("b")), result),
			whole: []string{
				"call-signed preflight/call-unsigned messages[1].parts[0] a -1 call -2 byte +1 " +
					"call +2 byte",
			},
		},
		{
			name: "others are two", alone: true, profile: signs,
			in:    history(q, botMsg(calls("a")), botMsg(calls("b")), result),
			want:  history(q, botMsg(signed("a", "skip")), botMsg(signed("b", "skip")), result),
			codes: warned(codes.CallSigned, codes.CallSigned),
		},
		{
			name: "an empty message ends nothing",
			profile: preflight.Profile{
				Turns: provider.TurnRules{Neighbours: provider.NeighboursJoined},
				Tools: provider.ToolRules{CallSignature: "skip"},
			},
			in: history(q, userMsg(), botMsg(), botMsg(calls("a")), userMsg(),
				botMsg(calls("b")), result),
			want: history(q, userMsg(), botMsg(), botMsg(signed("a", "skip")), userMsg(),
				botMsg(calls("b")), result),
			codes: warned(codes.CallSigned),
		},
		{
			name: "text before the call does not bear it", alone: true, profile: signs,
			in:   history(q, botMsg(says("x"), calls("a"))),
			want: history(q, botMsg(says("x"), signed("a", "skip"))),
			whole: []string{
				"call-signed preflight/call-unsigned messages[1].parts[1] a -1 call -2 byte +1 " +
					"call +2 byte",
			},
		},
		{
			name: "nor does a call of the provider's", alone: true, profile: signs,
			in:    history(q, botMsg(searches("s"), finds("s", "[]"), calls("a"))),
			want:  history(q, botMsg(searches("s"), finds("s", "[]"), signed("a", "skip"))),
			codes: warned(codes.CallSigned),
		},
		{
			name: "a history without a word of the user's is an open turn", profile: signs,
			in:    history(botMsg(calls("a"), calls("b")), result),
			want:  history(botMsg(signed("a", "skip"), calls("b")), result),
			codes: warned(codes.CallSigned),
		},
		{
			name: "media beside results belongs to them", alone: true, profile: signs,
			in:    history(q, botMsg(calls("a")), userMsg(answers("a", "1"), image())),
			want:  history(q, botMsg(signed("a", "skip")), userMsg(answers("a", "1"), image())),
			codes: warned(codes.CallSigned),
		},
		{
			name: "and so does text that is going to be removed", alone: true,
			profile: preflight.Profile{
				Tools:   provider.ToolRules{CallSignature: "skip"},
				Content: provider.ContentRules{RefuseEmptyText: true},
			},
			in:    history(q, botMsg(calls("a")), userMsg(says(""), answers("a", "1"))),
			want:  history(q, botMsg(signed("a", "skip")), userMsg(says(""), answers("a", "1"))),
			codes: warned(codes.CallSigned),
		},
		{
			name: "media alone is said", profile: signs,
			in: history(q, botMsg(calls("a"), calls("b")), result, userMsg(image())),
		},
		{
			name: "so is text beside results", alone: true, profile: signs,
			in: history(q, botMsg(calls("a")), userMsg(answers("a", "1"), says("x"))),
		},
		{
			name: "one that has its own keeps it", profile: signs,
			in: history(q, botMsg(signed("a", "EqQ="), calls("b")), result),
		},
		{
			name: "a turn that is over is not looked at", profile: signs,
			in: history(q, botMsg(calls("a"), calls("b")), result, q),
		},
		{name: "not asked for", in: history(q, botMsg(calls("a"), calls("b")), result)},
	})
}
