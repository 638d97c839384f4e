package preflight_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/provider"
)

// The fixers that settle whose turn it is.

func TestEnforceAlternation(t *testing.T) {
	first := preflight.Profile{Turns: provider.TurnRules{UserFirst: true}}
	resumed := userMsg(says("(conversation resumed)"))
	runFixer(t, preflight.EnforceAlternation, []fixerCase{
		{
			name: "a window that starts with an answer", profile: first,
			in:    history(botMsg(says("a"))),
			want:  history(resumed, botMsg(says("a"))),
			codes: warned(codes.TurnInserted),
		},
		{
			name: "behind the system messages", profile: first,
			in:    history(sysMsg(says("s")), botMsg(says("a"))),
			want:  history(sysMsg(says("s")), resumed, botMsg(says("a"))),
			codes: warned(codes.TurnInserted),
		},
		{
			name: "where nothing but system messages is left", profile: first,
			in:    history(sysMsg(says("s"))),
			want:  history(sysMsg(says("s")), resumed),
			codes: warned(codes.TurnInserted),
		},
		{
			name: "in the caller's words", profile: first,
			options: preflight.Options{Placeholder: "go on"},
			in:      history(botMsg(says("a"))),
			want:    history(userMsg(says("go on")), botMsg(says("a"))),
			codes:   warned(codes.TurnInserted),
		},
		{
			name: "the user speaks first", profile: first,
			in: history(sysMsg(says("s")), userMsg(says("q"))),
		},
		{name: "anybody may", in: history(botMsg(says("a")))},
	})
}

func TestSettleTrailingTurn(t *testing.T) {
	refuses := preflight.Profile{Prefill: provider.PrefillRules{Refused: true}}
	strip := preflight.Options{Trailing: preflight.TrailingStrip}
	q, a := userMsg(says("q")), botMsg(says("a"))
	prefix := a
	prefix.Meta = preflight.Metadata{provider.MetaPrefix: []byte("true")}
	runFixer(t, preflight.EndConversation, []fixerCase{
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

func TestBridgeResults(t *testing.T) {
	bridges := preflight.Profile{Turns: provider.TurnRules{BridgeResults: true}}
	q, call, result := userMsg(says("q")), botMsg(calls("a")), toolMsg(answers("a", "1"))
	runFixer(t, preflight.BridgeResults, []fixerCase{
		{
			name: "the assistant speaks between results and the user", profile: bridges,
			in:    history(q, call, result, q),
			want:  history(q, call, result, botMsg(says("I have read the tool results.")), q),
			codes: warned(codes.TurnInserted),
		},
		{
			name: "in the caller's words", profile: bridges,
			options: preflight.Options{Bridge: "Seen."},
			in:      history(q, call, result, q),
			want:    history(q, call, result, botMsg(says("Seen.")), q),
			codes:   warned(codes.TurnInserted),
		},
		{name: "the history ends on results", profile: bridges, in: history(q, call, result)},
		{name: "nobody asked for it", in: history(q, call, result, q)},
	})
}

func TestPlaceRoles(t *testing.T) {
	leading := preflight.Profile{System: provider.SystemRules{Placement: provider.SystemLeading}}
	as := func(role preflight.Role, parts ...preflight.Part) preflight.Message {
		return preflight.Message{Role: role, Parts: parts}
	}
	runFixer(t, preflight.PlaceRoles, []fixerCase{
		{
			name: "aliases become the neutral roles",
			in: history(as("human", says("q")), as("model", says("a")),
				as("Developer ", says("s"))),
			want:  history(userMsg(says("q")), botMsg(says("a")), sysMsg(says("s"))),
			codes: warned(codes.RoleMapped, codes.RoleMapped, codes.RoleMapped),
		},
		{
			name:  "an unknown role keeps its content as a user turn",
			in:    history(as("narrator", says("once"))),
			want:  history(userMsg(says("once"))),
			codes: warned(codes.RoleMapped),
		},
		{
			name:    "a spelling the provider takes stays",
			profile: preflight.Profile{Roles: []preflight.Role{"developer", "user", "assistant"}},
			in:      history(as("developer", says("s")), userMsg(says("q"))),
		},
		{
			name: "a late system message becomes a user turn in place", profile: leading,
			in:    history(userMsg(says("q")), sysMsg(says("s")), botMsg(says("a"))),
			want:  history(userMsg(says("q")), userMsg(says("s")), botMsg(says("a"))),
			codes: warned(codes.SystemDemoted),
		},
		{
			name: "a leading one stays", profile: leading,
			in: history(sysMsg(says("s")), sysMsg(says("t")), userMsg(says("q"))),
		},
		{
			name: "where there are none, it becomes one too",
			profile: preflight.Profile{
				System: provider.SystemRules{Placement: provider.SystemRefused},
			},
			in:    history(sysMsg(says("s")), userMsg(says("q"))),
			want:  history(userMsg(says("s")), userMsg(says("q"))),
			codes: warned(codes.SystemDemoted),
		},
		{
			name: "midway, between a user turn and the assistant's",
			profile: preflight.Profile{
				System: provider.SystemRules{Placement: provider.SystemMidway},
			},
			in: history(userMsg(says("q")), sysMsg(says("s")), botMsg(says("a"))),
		},
		{
			name:  "a call in a user message is the assistant's",
			in:    history(userMsg(says("q"), waits("a"), says("r"))),
			want:  history(userMsg(says("q")), botMsg(waits("a")), userMsg(says("r"))),
			codes: warned(codes.PartMoved, codes.PartMoved),
		},
		{
			name:  "only the assistant can have thought",
			in:    history(userMsg(thinks("hm", "sig"), says("q"))),
			want:  history(userMsg(says("q"))),
			codes: warned(codes.ReasoningRemoved),
		},
		{
			name: "kinds that are output only go",
			profile: preflight.Profile{
				Content: provider.ContentRules{
					RefusedKinds: []provider.RefKind{{Kind: "fallback"}},
				},
			},
			in:    history(userMsg(&preflight.Other{Kind: "fallback"}, says("q"))),
			want:  history(userMsg(says("q"))),
			codes: warned(codes.PartRemoved),
		},
	})
}

// TestStrictKnowsRoles: the spellings of a role that are known are no ambiguity, whatever their
// case and the space around them.
func TestStrictKnowsRoles(t *testing.T) {
	for spelling, want := range map[preflight.Role]preflight.Role{
		"developer": preflight.RoleSystem, "System": preflight.RoleSystem,
		" DEVELOPER ": preflight.RoleSystem,
		"human":       preflight.RoleUser, "User": preflight.RoleUser, "HUMAN": preflight.RoleUser,
		"ai": preflight.RoleAssistant, "model": preflight.RoleAssistant,
		"bot":       preflight.RoleAssistant,
		"Assistant": preflight.RoleAssistant, "AI": preflight.RoleAssistant,
		"Model": preflight.RoleAssistant, "bot\n": preflight.RoleAssistant,
		"function": preflight.RoleTool, "Tool": preflight.RoleTool, "Function": preflight.RoleTool,
	} {
		t.Run(string(spelling), func(t *testing.T) {
			part := says("x")
			in := history(userMsg(says("q")),
				preflight.Message{Role: spelling, Parts: []preflight.Part{part}})
			if want == preflight.RoleTool {
				in = history(userMsg(says("q")), botMsg(calls("a")),
					preflight.Message{Role: spelling, Parts: []preflight.Part{answers("a", "x")}})
			}
			profile := preflight.Profile{}
			res, err := preflight.Sanitize(context.Background(), in, &profile,
				&preflight.Options{Strict: true})
			require.NoError(t, err)
			require.Equal(t, want, res.Messages[len(res.Messages)-1].Role)
			require.Len(t, res.Warnings, 1)
			require.Equal(t, codes.RoleMapped, res.Warnings[0].Code)
		})
	}
}

func TestOrderCalls(t *testing.T) {
	ordered := preflight.Profile{Turns: provider.TurnRules{TextBeforeCalls: true}}
	q, results := userMsg(says("q")), toolMsg(answers("a", "1"), answers("b", "2"))
	runFixer(t, preflight.OrderCalls, []fixerCase{
		{
			name: "text goes before the calls, both in order", profile: ordered,
			in: history(q, botMsg(says("x"), calls("a"), says("y"), calls("b"), says("z")),
				results),
			want: history(q, botMsg(says("x"), says("y"), says("z"), calls("a"), calls("b")),
				results),
			codes: warned(codes.Reordered, codes.Reordered),
		},
		{
			name: "reasoning and calls keep their order", profile: ordered,
			in:    history(q, botMsg(calls("a"), redacted(), says("y"), calls("b")), results),
			want:  history(q, botMsg(says("y"), calls("a"), redacted(), calls("b")), results),
			codes: warned(codes.Reordered),
		},
		{
			name: "nobody asked for it",
			in:   history(q, botMsg(calls("a"), says("y"), calls("b")), results),
		},
	})
}

func TestSplitCalls(t *testing.T) {
	single := preflight.Profile{
		Pairing: provider.PairingRules{OneCallPerMessage: true, OneResultPerMessage: true},
	}
	q, one, two := userMsg(says("q")), toolMsg(answers("a", "1")), toolMsg(answers("b", "2"))
	runFixer(t, preflight.SplitCalls, []fixerCase{
		{
			name: "each call has its result behind it", profile: single,
			in:    history(q, botMsg(says("x"), calls("a"), calls("b")), two, one),
			want:  history(q, botMsg(says("x"), calls("a")), one, botMsg(calls("b")), two),
			codes: warned(codes.CallsSplit),
		},
		{
			name: "and each message is known by what it was made of", profile: single,
			in: history(q, botMsg(says("x"), calls("a"), calls("b"), says("y")), two, one, q),
			want: history(q, botMsg(says("x"), calls("a")), one, botMsg(calls("b"), says("y")),
				two, q),
			whole:   []string{"calls-split preflight/parallel-calls messages[1].parts[2] b"},
			origins: [][]int{{0}, {1}, {3}, {1}, {2}, {4}},
		},
		{
			name: "what stands before a call stays before it", profile: single,
			in:    history(q, botMsg(calls("a"), says("y"), calls("b")), one, two),
			want:  history(q, botMsg(calls("a")), one, botMsg(says("y"), calls("b")), two),
			codes: warned(codes.CallsSplit),
		},
		{
			name: "up to the first call that waits", profile: single,
			in:    history(q, botMsg(calls("a"), waits("w"), calls("b")), one, two),
			want:  history(q, botMsg(calls("a")), one, botMsg(waits("w"), calls("b")), two),
			codes: warned(codes.CallsSplit),
		},
		{
			name: "and nothing behind it", profile: single,
			in: history(q, botMsg(waits("w"), calls("a"), calls("b")), one, two),
		},
		{
			name: "a third call, and results of nobody's behind them all", alone: true,
			profile: single,
			in: history(q,
				botMsg(says("x"), calls("a"), says("y"), calls("b"), calls("c"), says("z")),
				toolMsg(answers("x", "5")), toolMsg(answers("c", "3")), two,
				toolMsg(answers("x", "6")), one, q),
			want: history(q, botMsg(says("x"), calls("a")), one, botMsg(says("y"), calls("b")),
				two, botMsg(calls("c"), says("z")), toolMsg(answers("c", "3")),
				toolMsg(answers("x", "5")), toolMsg(answers("x", "6")), q),
			whole: []string{
				"calls-split preflight/parallel-calls messages[1].parts[3] b",
				"calls-split preflight/parallel-calls messages[1].parts[4] c",
			},
		},
		{
			name: "the same id twice: results are in the order of the calls", alone: true,
			profile: single,
			in:      history(q, botMsg(calls("a"), calls("a")), one, toolMsg(answers("a", "2"))),
			want: history(q, botMsg(calls("a")), one, botMsg(calls("a")),
				toolMsg(answers("a", "2"))),
			codes: warned(codes.CallsSplit),
		},
		{
			name: "calls in somebody else's message are another fixer's business", alone: true,
			profile: single,
			in:      history(userMsg(calls("a"), calls("b")), one, two),
		},
		{
			name: "one call is no parallel call, whatever stands behind it", alone: true,
			profile: single,
			in:      history(q, botMsg(calls("a")), two, one),
		},
		{
			name: "one call is no parallel call", profile: single,
			in: history(q, botMsg(calls("a")), one),
		},
		{name: "nobody asked for it", in: history(q, botMsg(calls("a"), calls("b")), one, two)},
	})
}

func TestStripSystem(t *testing.T) {
	runFixer(t, preflight.StripSystem, []fixerCase{
		{
			name:    "every one goes, wherever it stands",
			options: preflight.Options{StripSystem: true},
			in: history(sysMsg(says("s")), userMsg(says("q")), sysMsg(says("t")),
				botMsg(says("a"))),
			want:  history(userMsg(says("q")), botMsg(says("a"))),
			codes: warned(codes.SystemRemoved, codes.SystemRemoved),
		},
		{name: "nobody asked for it", in: history(sysMsg(says("s")), userMsg(says("q")))},
	})
}

// TestStrictTakesForeignPlaces: a role that is known, but not to this provider, is no ambiguity
// either: what it means is plain.
func TestStrictTakesForeignPlaces(t *testing.T) {
	profile := provider.Anthropic("")
	in := history(userMsg(says("q")), botMsg(calls("a")), toolMsg(answers("a", "1")))
	res, err := preflight.Sanitize(context.Background(), in, profile,
		&preflight.Options{Strict: true})
	require.NoError(t, err)
	require.Equal(t, preflight.RoleUser, res.Messages[2].Role)

	in = history(userMsg(says("q")),
		preflight.Message{Role: "narrator", Parts: []preflight.Part{says("once")}})
	_, err = preflight.Sanitize(context.Background(), in, profile, &preflight.Options{Strict: true})
	require.ErrorIs(t, err, preflight.ErrAmbiguous)
}

// TestFirstTurnSays: what is missing, and where.
func TestFirstTurnSays(t *testing.T) {
	first := preflight.Profile{
		Roles: []preflight.Role{"system", "human", "user", "assistant", "tool"},
		Turns: provider.TurnRules{UserFirst: true},
	}
	resumed := userMsg(says("(conversation resumed)"))
	runFixer(t, preflight.EnforceAlternation, []fixerCase{
		{
			name: "the first turn is the assistant's", profile: first,
			in:     history(sysMsg(says("s")), botMsg(says("a"))),
			want:   history(sysMsg(says("s")), resumed, botMsg(says("a"))),
			report: []string{"turn-inserted 1 preflight/first-role"},
		},
		{
			name: "there is no turn", profile: first,
			in:     history(sysMsg(says("s"))),
			want:   history(sysMsg(says("s")), resumed),
			report: []string{"turn-inserted 0 preflight/no-messages"},
		},
		{name: "nobody needs one", in: history(sysMsg(says("s")))},
		{
			name: "whatever the user is called", profile: first,
			in: history(preflight.Message{Role: "human", Parts: []preflight.Part{says("q")}},
				botMsg(says("a"))),
		},
	})
	res, err := preflight.Sanitize(t.Context(), history(botMsg()),
		&preflight.Profile{Content: provider.ContentRules{RefuseEmptyMessage: true}}, nil)
	require.NoError(t, err)
	require.Equal(t, []string{`user: "(conversation resumed)"`}, lines(res.Messages))
	require.Equal(t,
		[]string{
			"message-removed 0 preflight/empty-message",
			"turn-inserted 0 preflight/no-messages",
		}, reported(res.Warnings))
}

// TestTrailingTurns: which final turns the model refuses, and what is done about them.
func TestTrailingTurns(t *testing.T) {
	refuses := preflight.Profile{Prefill: provider.PrefillRules{Refused: true}}
	marks := preflight.Profile{Prefill: provider.PrefillRules{Refused: true, MarkAccepted: true}}
	signs := preflight.Profile{Reasoning: provider.ReasoningRules{Signed: true}}
	trims := preflight.Profile{Prefill: provider.PrefillRules{Trim: true}}
	strip := preflight.Options{Trailing: preflight.TrailingStrip}
	keep := preflight.Options{Trailing: preflight.TrailingKeep}
	pending := preflight.Options{Pending: func(c *preflight.ToolCall) bool { return c.ID == "p" }}
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
		row("reasoning that nobody signs", trims, botMsg(says("a"), thinks("hm", "")), nil),
		{
			name: "reasoning, which nobody can keep", profile: signs, options: keep,
			in:     history(q, botMsg(redacted())),
			want:   history(q, botMsg(redacted()), more),
			report: []string{"trailing-continued 1 preflight/reasoning-last"},
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
			name: "white space within", profile: trims,
			in: history(q, botMsg(says("a "), says(" b"))),
		},
		{name: "white space of the user's", profile: trims, in: history(userMsg(says("q ")))},
		{name: "white space that nobody minds", in: history(q, botMsg(says("a ")))},
	}
	runFixer(t, preflight.EndConversation, cases)
}

func TestBridgesEveryTurn(t *testing.T) {
	q, bridge := userMsg(says("q")), botMsg(says("I have read the tool results."))
	runFixer(t, preflight.BridgeResults, []fixerCase{
		{
			name:    "between every two",
			profile: preflight.Profile{Turns: provider.TurnRules{BridgeResults: true}},
			in: history(q, botMsg(calls("a")), toolMsg(answers("a", "1")), q,
				botMsg(calls("b")), toolMsg(answers("b", "1")), q, q),
			want: history(q, botMsg(calls("a")), toolMsg(answers("a", "1")), bridge, q,
				botMsg(calls("b")), toolMsg(answers("b", "1")), bridge, q, q),
			report: []string{
				"turn-inserted 3 preflight/user-behind-result",
				"turn-inserted 6 preflight/user-behind-result",
			},
		},
		{
			name:    "the assistant speaks itself",
			profile: preflight.Profile{Turns: provider.TurnRules{BridgeResults: true}},
			in: history(q, botMsg(calls("a")), toolMsg(answers("a", "1")), botMsg(says("a")),
				q),
		},
	})
}
