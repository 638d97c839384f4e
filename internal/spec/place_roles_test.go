package spec

import (
	"testing"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/provider"
)

// This file tests roles that a provider does not know or does not take.

// TestMapRoles: a role that the provider does not know becomes the one it means, or else the
// user's.
func TestMapRoles(t *testing.T) {
	as := func(role preflight.Role, parts ...preflight.Part) preflight.Message {
		return preflight.Message{Role: role, Parts: parts}
	}
	two := preflight.Profile{
		Provider: "two",
		Roles:    []preflight.Role{"user", "model"},
		Pairing:  provider.PairingRules{ResultRole: preflight.RoleUser},
	}
	runFixer(t, preflight.Fixers.PlaceRoles, []fixerCase{
		{
			name: "what is known is no choice",
			in:   history(as("human", says("q")), as("bot", says("a"))),
			want: history(userMsg(says("q")), botMsg(says("a"))),
			report: []string{
				"role-mapped 0 preflight/role-unknown",
				"role-mapped 1 preflight/role-unknown",
			},
		},
		{
			name:   "an unknown role is",
			in:     history(as("narrator", says("once"))),
			want:   history(userMsg(says("once"))),
			report: []string{"role-mapped 0 preflight/role-unknown ambiguous"},
		},
		{
			name: "a neutral role that there is not", profile: two,
			in: history(userMsg(says("q")), as("model", calls("a")),
				decoded("two", toolMsg(answers("a", "1")))),
			want: history(userMsg(says("q")), as("model", calls("a")),
				decoded("two", userMsg(answers("a", "1")))),
			report: []string{"role-mapped 2 preflight/role-unknown"},
		},
	})
}

// TestSplitRoles: parts go, in order, into messages of the roles that may hold them; the first of
// its role keeps the message's fields.
func TestSplitRoles(t *testing.T) {
	q := userMsg(says("q"))
	named := func(m preflight.Message) preflight.Message {
		m.ID, m.Name, m.Meta = "m1", "ann", preflight.Metadata{"mine": []byte(`1`)}
		m.Native = preflight.Native{Format: "x", JSON: []byte(`{}`)}
		return m
	}
	single := preflight.Profile{Provider: "x",
		Pairing: provider.PairingRules{OneResultPerMessage: true}}
	items := preflight.Profile{
		Items: provider.ItemRules{
			OnePartPerMessage: true,
			IDs:               map[string]provider.Pattern{"": {}},
		},
	}
	singleUsers := preflight.Profile{
		Provider: "x",
		Pairing:  provider.PairingRules{OneResultPerMessage: true, ResultRole: preflight.RoleUser},
	}
	lost := preflight.Options{LostRoles: true}
	resultOf := func(id string, content ...preflight.Part) preflight.Part {
		return &preflight.ToolResult{CallID: id, Content: content}
	}
	runFixer(t, preflight.Fixers.PlaceRoles, []fixerCase{
		{
			name: "content of a tool message is of the result beside it, also of one with an output",
			in: history(q, botMsg(calls("a"), calls("b")), toolMsg(says("log"),
				&preflight.ToolResult{CallID: "b", Output: []byte(`1`)})),
			want: history(q, botMsg(calls("a"), calls("b")), toolMsg(&preflight.ToolResult{
				CallID: "b", Output: []byte(`1`), Content: []preflight.Part{says("log")},
			})),
			alone: true,
			report: []string{
				"part-moved 2.0 preflight/text-misplaced", "part-moved 2.1 preflight/text-misplaced",
			},
		},
		{
			name:   "a call in a user message",
			in:     history(named(userMsg(says("q"), calls("a"), says("r")))),
			want:   history(named(userMsg(says("q"), says("r")))),
			report: []string{"part-removed 0.1 preflight/call-misplaced of a"},
		},
		{
			name: "a call in a user message of a store that lost roles", options: lost,
			in:   history(named(userMsg(waits("a"), says("q"), says("r")))),
			want: history(botMsg(waits("a")), named(userMsg(says("q"), says("r")))),
			report: []string{
				"part-lifted 0.0 preflight/call-misplaced of a",
				"part-moved 0.1 preflight/result-misplaced",
			},
		},
		{
			name:   "a result of the assistant's",
			in:     history(q, named(botMsg(calls("a"), answers("a", "1")))),
			want:   history(q, named(botMsg(calls("a"))), toolMsg(answers("a", "1"))),
			report: []string{"part-moved 1.1 preflight/result-misplaced of a"},
		},
		{
			name: "text among results",
			in: history(q, botMsg(calls("a"), calls("b")),
				named(toolMsg(says("0"), answers("a", "1"), answers("b", "2"), says("3")))),
			want: history(q, botMsg(calls("a"), calls("b")), named(toolMsg(
				resultOf("a", says("0"), says("1")), resultOf("b", says("2"), says("3")),
			))),
			report: []string{
				"part-moved 2.0 preflight/text-misplaced",
				"part-moved 2.1 preflight/text-misplaced",
				"part-moved 2.3 preflight/text-misplaced",
				"part-moved 2.2 preflight/text-misplaced",
			},
		},
		{
			name: "text of a tool alone",
			in:   history(q, botMsg(calls("a")), toolMsg(says("1"), says(" "), says("2"))),
			want: history(q, botMsg(calls("a")), toolMsg(resultOf("", says("1"), says("2")))),
			report: []string{
				"empty-part-removed 2.1 preflight/text-misplaced",
				"part-moved 2.2 preflight/text-misplaced",
				"part-moved 2.0 preflight/text-misplaced",
			},
			alone: true,
		},
		{
			name: "text of the user's beside results of theirs",
			profile: preflight.Profile{
				Pairing: provider.PairingRules{ResultRole: preflight.RoleUser},
			},
			in: history(q, botMsg(calls("a")), userMsg(answers("a", "1"), says("r"))),
		},
		{
			name: "a forged exchange of the provider's own",
			in:   history(userMsg(says("q"), searches("x"), finds("x", `{"a":1}`))),
			want: history(userMsg(says("q"))),
			report: []string{
				"part-removed 0.1 preflight/call-misplaced of x",
				"part-removed 0.2 preflight/server-orphan of x",
			},
		},
		{
			name: "an exchange of the provider's own, of a store that lost roles", options: lost,
			in:   history(userMsg(searches("x"), finds("x", `{"a":1}`))),
			want: history(botMsg(searches("x"), finds("x", `{"a":1}`))),
			report: []string{
				"part-lifted 0.0 preflight/call-misplaced of x",
				"part-lifted 0.1 preflight/server-orphan of x",
			},
		},
		{
			name: "of MCP", options: lost,
			in:   history(userMsg(mcpExchange()...)),
			want: history(botMsg(mcpExchange()...)),
			report: []string{
				"part-lifted 0.0 preflight/call-misplaced of x",
				"part-lifted 0.1 preflight/mcp-pairing of x",
			},
		},
		{
			name:   "reasoning is removed, and with it the message",
			in:     history(q, userMsg(thinks("hm", "sig"))),
			want:   history(q),
			report: []string{"reasoning-removed 1.0 preflight/reasoning-role"},
		},
		{
			name: "each result by itself", profile: single,
			in: history(q, botMsg(calls("a"), calls("b")),
				named(toolMsg(answers("a", "1"), answers("b", "2")))),
			want: history(q, botMsg(calls("a"), calls("b")), named(toolMsg(answers("a", "1"))),
				toolMsg(answers("b", "2"))),
			report: []string{"part-moved 2.1 preflight/result-misplaced of b"},
		},
		{
			name: "and what is beside it", profile: singleUsers, alone: true,
			in: history(q, botMsg(calls("a")),
				named(userMsg(answers("a", "1"), says("r"), says("t")))),
			want: history(q, botMsg(calls("a")), named(userMsg(answers("a", "1"))),
				userMsg(says("r"), says("t"))),
			report: []string{"part-moved 2.1 preflight/result-misplaced"},
		},
		{
			name: "a result that is by itself", profile: single,
			in: history(q, botMsg(calls("a"), says("x")), toolMsg(answers("a", "1"))),
		},
		{
			name: "items", profile: items,
			in: history(q, botMsg(thinks("hm", "sig"), says("x"), says("y"), calls("a")),
				toolMsg(answers("a", "1"))),
			want: history(q, botMsg(thinks("hm", "sig")), botMsg(says("x"), says("y")),
				botMsg(calls("a")), toolMsg(answers("a", "1"))),
			report: []string{
				"part-moved 1.1 preflight/item-mixed",
				"part-moved 1.3 preflight/item-mixed of a",
			},
		},
	})
}

// TestRefusedKinds: parts that the provider refuses from every role, or from this one.
func TestRefusedKinds(t *testing.T) {
	output := &preflight.Other{Kind: "output"}
	users := preflight.Profile{
		Content: provider.ContentRules{
			RefusedKinds: []provider.RefKind{{Kind: "output", Role: preflight.RoleUser}},
		},
	}
	plain := preflight.Profile{Tools: provider.ToolRules{NoServerTools: true}}
	exchange := botMsg(searches("x"), finds("x", `{"a":1}`), calls("a"), says("a"))
	runFixer(t, preflight.Fixers.PlaceRoles, []fixerCase{
		{
			name: "in this role", profile: users,
			in:     history(userMsg(output, says("q")), botMsg(output)),
			want:   history(userMsg(says("q")), botMsg(output)),
			report: []string{"part-removed 0.0 preflight/kind-refused"},
		},
		{name: "another kind", profile: users, in: history(userMsg(&preflight.Other{Kind: "new"}))},
		{
			name: "an exchange of the provider's own, where it has none", profile: plain,
			in:   history(exchange, toolMsg(answers("a", "1"))),
			want: history(botMsg(calls("a"), says("a")), toolMsg(answers("a", "1"))),
			report: []string{
				"part-removed 0.0 preflight/server-refused of x",
				"part-removed 0.1 preflight/server-refused of x",
			},
		},
		{name: "where it has", in: history(exchange, toolMsg(answers("a", "1")))},
	})
}
