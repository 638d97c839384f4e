package spec

import (
	"testing"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/provider"
)

// TestCheckTurns gives Check one fault at a time, under a profile that forbids nothing else:
// roles, turns and the order of parts.
func TestCheckTurns(t *testing.T) {
	q, a := userMsg(says("q")), botMsg(says("a"))
	empty := func(role preflight.Role) preflight.Message { return preflight.Message{Role: role} }
	for _, c := range []struct {
		name    string
		profile preflight.Profile
		in      []preflight.Message
		want    []string // problem and place
	}{
		// What hosts of the Chat format ask for, each by itself.
		{"nothing but empty text",
			preflight.Profile{
				Content: provider.ContentRules{NeedsText: []preflight.Role{preflight.RoleUser}},
			}, history(userMsg(says("")), a), []string{"empty-message messages[0]"}},
		{"as the system's message",
			preflight.Profile{
				Content: provider.ContentRules{NeedsText: []preflight.Role{preflight.RoleSystem}},
			}, history(sysMsg(says("")), q), []string{"system-content messages[0]"}},
		{"a user turn after results",
			preflight.Profile{Turns: provider.TurnRules{BridgeResults: true}},
			history(q, botMsg(calls("a")), toolMsg(answers("a", "1")), q),
			[]string{"user-after-result messages[3]"}},
		{"calls side by side",
			preflight.Profile{Pairing: provider.PairingRules{OneCallPerMessage: true}},
			history(q, botMsg(calls("a"), calls("b")),
				toolMsg(answers("a", "1"), answers("b", "2"))),
			[]string{"parallel-calls messages[1]"}},
		{"reasoning that is wanted back",
			preflight.Profile{Reasoning: provider.ReasoningRules{Replay: provider.ReplayOnCalls}},
			history(q, botMsg(calls("a")), toolMsg(answers("a", "1"))),
			[]string{"reasoning-absent messages[1]"}},
		{"and on answers after calls",
			preflight.Profile{Reasoning: provider.ReasoningRules{Replay: provider.ReplayFromCalls}},
			history(q, a, botMsg(calls("a")), toolMsg(answers("a", "1")), a),
			[]string{"reasoning-absent messages[2]", "reasoning-absent messages[4]"}},
		{"a tool exchange without tools",
			preflight.Profile{Tools: provider.ToolRules{NoTools: true}},
			history(q, botMsg(calls("a")), toolMsg(answers("a", "1"))),
			[]string{"tools-refused messages[1].parts[0]", "tools-refused messages[2].parts[0]"}},
		{"a control character",
			preflight.Profile{Content: provider.ContentRules{RefuseControls: true}},
			history(userMsg(says("a\x1b"))), []string{"control-character messages[0].parts[0]"}},

		{"NUL, which has a rule of its own",
			preflight.Profile{Content: provider.ContentRules{RefuseControls: true}},
			history(userMsg(says("a\x00"))), []string{"nul-character messages[0].parts[0]"}},

		// System messages midway: rule system-role-after of Anthropic.
		{"after a user turn",
			preflight.Profile{System: provider.SystemRules{Placement: provider.SystemMidway}},
			history(q, sysMsg(says("s"))), nil},
		{"after the assistant's",
			preflight.Profile{System: provider.SystemRules{Placement: provider.SystemMidway}},
			history(q, a, sysMsg(says("s"))), []string{"system-after messages[2]"}},
		{"after one without content",
			preflight.Profile{System: provider.SystemRules{Placement: provider.SystemMidway}},
			history(q, empty("assistant"), sysMsg(says("s"))),
			[]string{"system-after messages[2]"}},
		{"after one that ends in a provider-executed result",
			preflight.Profile{System: provider.SystemRules{Placement: provider.SystemMidway}},
			history(q, botMsg(searches("s"), finds("s", `[]`)), sysMsg(says("s"))), nil},
		{"before a user turn",
			preflight.Profile{System: provider.SystemRules{Placement: provider.SystemMidway}},
			history(q, sysMsg(says("s")), q), []string{"system-before messages[1]"}},

		// The last turn.
		{"a single message, which the model may not go on from",
			preflight.Profile{Prefill: provider.PrefillRules{Refused: true}}, history(a),
			[]string{"trailing-turn messages[0]"}},

		// Roles and turns.
		{"no message", preflight.Profile{}, nil, []string{"no-messages messages[0]"}},
		{"none but the system's", preflight.Profile{Turns: provider.TurnRules{UserFirst: true}},
			history(sysMsg(says("s"))), []string{"no-messages messages[0]"}},
		{"which is enough where no user turn has to be first", preflight.Profile{},
			history(sysMsg(says("s"))), nil},
		{"the assistant first", preflight.Profile{Turns: provider.TurnRules{UserFirst: true}},
			history(a, q), []string{"first-role messages[0]"}},
		{"the assistant first after the system",
			preflight.Profile{Turns: provider.TurnRules{UserFirst: true}},
			history(sysMsg(says("s")), a, q), []string{"first-role messages[1]"}},
		{"the user first after the system",
			preflight.Profile{Turns: provider.TurnRules{UserFirst: true}},
			history(sysMsg(says("s")), q), nil},
		{"roles in another spelling", preflight.Profile{},
			history(preflight.Message{Role: "human", Parts: q.Parts}, a),
			[]string{"role-unknown messages[0]"}},
		{"names",
			preflight.Profile{
				IDs: provider.IDRules{
					Participant: provider.Pattern{Alphabet: provider.WordChars, Min: 1, Max: 2},
				},
			},
			history(q, preflight.Message{Role: "user", Name: "a b", Parts: q.Parts},
				preflight.Message{Role: "user", Name: "ab", Parts: q.Parts}),
			[]string{"name-pattern messages[1]"}},
		{"messages without content",
			preflight.Profile{Content: provider.ContentRules{RefuseEmptyMessage: true}},
			history(empty("system"), q, empty("assistant")),
			[]string{"system-content messages[0]", "empty-message messages[2]"}},
		{"neighbours of one role",
			preflight.Profile{Turns: provider.TurnRules{Neighbours: provider.NeighboursMerged}},
			history(q, q, a), []string{"alternation messages[1]"}},

		// Text before calls.
		{"text after a call", preflight.Profile{Turns: provider.TurnRules{TextBeforeCalls: true}},
			history(q, botMsg(says("x"), waits("a"), says("y"))),
			[]string{"call-not-last messages[1].parts[2]"}},
		{"in the next message", preflight.Profile{Turns: provider.TurnRules{TextBeforeCalls: true}},
			history(q, botMsg(waits("a")), a), nil},
		{"which the provider joins",
			preflight.Profile{
				Turns: provider.TurnRules{
					TextBeforeCalls: true,
					Neighbours:      provider.NeighboursJoined,
				},
			}, history(a, q, botMsg(waits("a")), empty("user"), a),
			[]string{"call-not-last messages[4].parts[0]"}},
		{"unless another role comes between them",
			preflight.Profile{
				Turns: provider.TurnRules{
					TextBeforeCalls: true,
					Neighbours:      provider.NeighboursJoined,
				},
			}, history(botMsg(waits("a")), q, a), nil},

		// System messages.
		{"refused everywhere",
			preflight.Profile{System: provider.SystemRules{Placement: provider.SystemRefused}},
			history(sysMsg(says("s")), q), []string{"system-refused messages[0]"}},
		{"leading ones only",
			preflight.Profile{System: provider.SystemRules{Placement: provider.SystemLeading}},
			history(sysMsg(says("s")), q, sysMsg(says("s")), sysMsg(says("t")), a,
				sysMsg(says("u"))),
			[]string{
				"system-late messages[2]", "system-late messages[3]", "system-late messages[5]",
			}},
		{"a run of them is judged as one, with messages between them that are removed",
			preflight.Profile{
				System:  provider.SystemRules{Placement: provider.SystemLeading},
				Content: provider.ContentRules{RefuseEmptyMessage: true},
			}, history(q, sysMsg(says("s")), empty("user"), sysMsg(says("t"))),
			[]string{
				"system-late messages[1]", "empty-message messages[2]", "system-late messages[3]",
			}},
		{"an empty one is no concern of the order",
			preflight.Profile{System: provider.SystemRules{Placement: provider.SystemLeading}},
			history(q, empty("system"), sysMsg(says("s")), q), []string{"system-late messages[2]"}},

		// Parts in messages that may not hold them.
		{"text among results", preflight.Profile{},
			history(q, botMsg(calls("a")), toolMsg(answers("a", "1"), says("x"))),
			[]string{"text-misplaced messages[2].parts[1]"}},
		{"reasoning of the system", preflight.Profile{}, history(sysMsg(thinks("hm", "")), q),
			[]string{"reasoning-role messages[0].parts[0]"}},
		{"of one that is midway",
			preflight.Profile{System: provider.SystemRules{Placement: provider.SystemMidway}},
			history(q, sysMsg(thinks("hm", "")), a, userMsg(thinks("hm", ""))),
			[]string{"system-content messages[1].parts[0]", "reasoning-role messages[3].parts[0]"}},
		{"media of anybody but the user",
			preflight.Profile{Media: provider.MediaRules{Roles: []preflight.Role{"user"}}},
			history(sysMsg(image(), &preflight.Other{Kind: "document"}),
				userMsg(image(), &preflight.Other{Kind: "image"}),
				botMsg(says("x"), image(), &preflight.Other{Kind: "x"})),
			[]string{
				"media-role messages[0].parts[0]",
				"media-role messages[0].parts[1]",
				"media-role messages[2].parts[1]",
			}},
		{"where system messages are midway",
			preflight.Profile{
				System: provider.SystemRules{Placement: provider.SystemMidway},
				Media:  provider.MediaRules{Roles: []preflight.Role{"user"}},
			}, history(q, sysMsg(image(), &preflight.Other{Kind: "image"}), botMsg(image())),
			[]string{
				"system-content messages[1].parts[0]",
				"system-content messages[1].parts[1]",
				"media-role messages[2].parts[0]",
			}},
		{"kinds that are output only",
			preflight.Profile{
				Content: provider.ContentRules{
					RefusedKinds: []provider.RefKind{{Kind: "x"}, {Kind: "y", Role: "assistant"}},
				},
			},
			history(userMsg(&preflight.Other{Kind: "x"}, &preflight.Other{Kind: "y"}),
				botMsg(&preflight.Other{Kind: "y"}, &preflight.Other{Kind: "z"})),
			[]string{"kind-refused messages[0].parts[0]", "kind-refused messages[1].parts[0]"}},
		{"results of the provider's own tools are none that need a message each",
			preflight.Profile{Pairing: provider.PairingRules{OneResultPerMessage: true}},
			history(q, botMsg(searches("s"), finds("s", `[]`), searches("t"), finds("t", `[]`))),
			nil},

		// More of the Chat format's hosts.
		{"a user turn after the very first message",
			preflight.Profile{Turns: provider.TurnRules{BridgeResults: true}},
			history(toolMsg(answers("a", "1")), q),
			[]string{"orphan messages[0].parts[0]", "user-after-result messages[1]"}},
		{"the assistant after results, and the user after the assistant",
			preflight.Profile{Turns: provider.TurnRules{BridgeResults: true}},
			history(q, botMsg(calls("a")), toolMsg(answers("a", "1")), a, q), nil},
		{"a call and one that waits",
			preflight.Profile{Pairing: provider.PairingRules{OneCallPerMessage: true}},
			history(q, botMsg(calls("a")), toolMsg(answers("a", "1")), botMsg(waits("b"))), nil},
		{"text where there are no tools",
			preflight.Profile{Tools: provider.ToolRules{NoTools: true}},
			history(q, botMsg(searches("s"), finds("s", `[]`), says("x"))), nil},
		{"control characters where the profile allows it",
			preflight.Profile{Tools: provider.ToolRules{NoTools: true}},
			history(userMsg(says("a\x1b"))), nil},
		{"tools where control characters are refused",
			preflight.Profile{Content: provider.ContentRules{RefuseControls: true}},
			history(botMsg(calls("a")), toolMsg(answers("a", "\x1b"))),
			[]string{"control-character messages[1].parts[0]"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			requireViolations(t, c.want, c.in, &c.profile, &kept)
		})
	}
}
