package spec

import (
	"testing"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/provider"
)

// This file tests the last turn.

func TestTrailingTurn(t *testing.T) {
	refuses := preflight.Profile{Prefill: provider.PrefillRules{Refused: true}}
	strip := preflight.Options{Trailing: preflight.TrailingStrip}
	q, a := userMsg(says("q")), botMsg(says("a"))
	prefix := a
	prefix.Meta = preflight.Metadata{provider.MetaPrefix: []byte("true")}
	runFixer(t, preflight.Fixers.EndConversation, []fixerCase{
		{
			name: "a user turn follows an answer", profile: refuses,
			in:    history(q, a),
			want:  history(q, a, userMsg(says("Continue."))),
			codes: warned(codes.Continued),
		},
		{
			name: "in the caller's words", profile: refuses,
			options: preflight.Options{ContinueText: "Go on."},
			in:      history(q, a),
			want:    history(q, a, userMsg(says("Go on."))),
			codes:   warned(codes.Continued),
		},
		{
			name: "strip takes the whole run", profile: refuses, options: strip,
			in:    history(q, a, a),
			want:  history(q),
			codes: warned(codes.TrailingStripped, codes.TrailingStripped),
		},
		{
			name: "keep keeps it", profile: refuses,
			options: preflight.Options{Trailing: preflight.TrailingKeep},
			in:      history(q, a),
		},
		{
			name: "a call that waits is left alone", profile: refuses,
			in: history(q, botMsg(waits("a"))),
		},
		{
			name: "so is a turn the provider paused", profile: refuses,
			in: history(q, botMsg(searches("s"))),
		},
		{
			name: "and a message that is marked as a prefix, where there is such a mark",
			profile: preflight.Profile{
				Prefill: provider.PrefillRules{Refused: true, MarkAccepted: true},
			},
			in: history(q, prefix),
		},
		{
			name:    "a prefill loses its trailing white space",
			profile: preflight.Profile{Prefill: provider.PrefillRules{Trim: true}},
			in:      history(q, botMsg(says("a \n"))),
			want:    history(q, a),
			codes:   warned(codes.TrailingTrimmed),
		},
		{name: "the model takes it", in: history(q, a)},
	})
}

// TestTrailingTurns: which final turns the model refuses, and what is done about them.
func TestTrailingTurns(t *testing.T) {
	refuses := preflight.Profile{Prefill: provider.PrefillRules{Refused: true}}
	marks := preflight.Profile{Prefill: provider.PrefillRules{Refused: true, MarkAccepted: true}}
	signs := preflight.Profile{Reasoning: provider.ReasoningRules{Signed: true}}
	trims := preflight.Profile{Prefill: provider.PrefillRules{Trim: true}}
	strip := preflight.Options{Trailing: preflight.TrailingStrip}
	keep := preflight.Options{Trailing: preflight.TrailingKeep}
	pending := preflight.Options{
		OpenCall: waitsIf(func(c *preflight.ToolCall) bool { return c.ID == "p" }),
	}
	q, a, more := userMsg(says("q")), botMsg(says("a")), userMsg(says("Continue."))
	as := func(mark string, parts ...preflight.Part) preflight.Message {
		m := botMsg(parts...)
		m.Meta = preflight.Metadata{provider.MetaPrefix: []byte(mark)}
		return m
	}
	continued := []string{"trailing-continued 1 preflight/trailing-turn"}
	row := func(
		name string, profile preflight.Profile, last preflight.Message, report []string,
	) fixerCase {
		c := fixerCase{name: name, profile: profile, in: history(q, last), report: report}
		if report != nil {
			c.want = history(q, last, more)
		}
		return c
	}
	cases := []fixerCase{
		row("an answer", refuses, a, continued),
		row("a message of nothing", refuses, botMsg(), nil),
		row("a call that is answered", refuses, botMsg(searches("s"), finds("s", `{}`)), continued),
		row("one of two calls with one id", refuses,
			botMsg(searches("s"), searches("s"), finds("s", `{}`)), nil),
		row("a prefix", marks, as("true", says("a")), nil),
		row("a prefix with reasoning", marks, as("true", redacted(), says("a")), nil),
		row("one that is none any more", marks, as("false", says("a")), continued),
		row("one without a word", marks, as("true", says("")), continued),
		row("one of reasoning alone", marks, as("true", redacted()), continued),
		row("one of anything else", marks, as("true", says("a"), image()), continued),
		row("one where there is no such mark", refuses, as("true", says("a")), continued),
		row("reasoning", signs, botMsg(says("a"), thinks("hm", "sig")),
			[]string{"trailing-continued 1 preflight/reasoning-last"}),
		row("reasoning before an answer", signs, botMsg(thinks("hm", "sig"), says("a")), nil),
		row("reasoning without signatures", trims, botMsg(says("a"), thinks("hm", "")), nil),
		{
			name: "reasoning that is kept", profile: signs, options: keep,
			in: history(q, botMsg(redacted())),
		},
		{
			name: "white space before reasoning, which may be a field", profile: trims,
			in:     history(q, botMsg(says("a\u2028"), thinks("hm", ""))),
			want:   history(q, botMsg(says("a"), thinks("hm", ""))),
			report: []string{"trailing-trimmed 1.0 preflight/trailing-space"},
		},
		{
			name: "white space that is kept", profile: trims, options: keep,
			in: history(q, botMsg(says("a \n"))),
		},
		{
			name: "a call that waits by the caller's word", profile: refuses, options: pending,
			in: history(q, botMsg(callsWith("p", `{}`))),
		},
		{
			name: "strip stops at a turn that is open", profile: refuses, options: strip,
			in:     history(q, botMsg(searches("s")), a),
			want:   history(q, botMsg(searches("s"))),
			alone:  true,
			report: []string{"trailing-stripped 2 preflight/trailing-turn"},
		},
		{
			name: "strip takes all there is", profile: refuses, options: strip,
			in:    history(a, a),
			want:  []preflight.Message{},
			alone: true,
			report: []string{
				"trailing-stripped 1 preflight/trailing-turn",
				"trailing-stripped 0 preflight/trailing-turn",
			},
		},
		{
			name: "strip leaves what needs trimming alone", profile: trims, options: strip,
			in:     history(q, botMsg(redacted(), says("a\u00a0\n"))),
			want:   history(q, botMsg(redacted(), says("a"))),
			report: []string{"trailing-trimmed 1.1 preflight/trailing-space"},
		},
		{
			name: "and what it has to trim after it stripped something",
			profile: preflight.Profile{
				Prefill:   provider.PrefillRules{Trim: true},
				Reasoning: provider.ReasoningRules{Signed: true},
			},
			options: strip,
			in:      history(q, botMsg(says("a ")), botMsg(redacted())),
			want:    history(q, a),
			report: []string{
				"trailing-stripped 2 preflight/reasoning-last",
				"trailing-trimmed 1.0 preflight/trailing-space",
			},
		},
		{
			name: "reasoning may be a field beside the text", profile: trims,
			in:     history(q, botMsg(says("a "), thinks("hm", ""), redacted())),
			want:   history(q, botMsg(says("a"), thinks("hm", ""), redacted())),
			report: []string{"trailing-trimmed 1.0 preflight/trailing-space"},
		},
		{
			name: "white space before what is no reasoning", profile: trims,
			in: history(q, botMsg(says("a "), image(), thinks("hm", ""))),
		},
		{
			name: "white space within", profile: trims,
			in: history(q, botMsg(says("a "), says(" b"))),
		},
		{name: "white space of the user's", profile: trims, in: history(userMsg(says("q ")))},
		{name: "white space that the profile allows it", in: history(q, botMsg(says("a ")))},
	}
	runFixer(t, preflight.Fixers.EndConversation, cases)
}
