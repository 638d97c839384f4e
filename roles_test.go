package preflight_test

import (
	"testing"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/provider"
)

// mcpExchange is a call of an MCP tool that the provider runs, and its result.
func mcpExchange() []preflight.Part {
	c, r := searches("x"), finds("x", `{"a":1}`)
	c.Variant, r.Variant = "mcp", "mcp"
	return []preflight.Part{c, r}
}

// TestPlaceSystem: where a system message may stand, by the profile's placement; elsewhere it
// becomes a user turn in place.
func TestPlaceSystem(t *testing.T) {
	q, a, s := userMsg(says("q")), botMsg(says("a")), sysMsg(says("s"))
	demoted, call, result := userMsg(says("s")), botMsg(calls("a")), toolMsg(answers("a", "1"))
	leading := preflight.Profile{System: provider.SystemRules{Placement: provider.SystemLeading}}
	midway := preflight.Profile{System: provider.SystemRules{Placement: provider.SystemMidway}}
	behind := preflight.Profile{System: provider.SystemRules{Placement: provider.SystemAfterUser}}
	sparse := preflight.Profile{
		System:  provider.SystemRules{Placement: provider.SystemMidway},
		Content: provider.ContentRules{RefuseEmptyText: true, RefuseEmptyMessage: true},
	}
	sparseLeading := sparse
	sparseLeading.System.Placement = provider.SystemLeading
	searched, asked := botMsg(searches("x"), finds("x", `{"a":1}`)), botMsg(mcpExchange()...)
	const after = "system-demoted 2 preflight/system-after"
	const before = "system-demoted 1 preflight/system-before"
	effort := func(is string) preflight.Part {
		return &preflight.Other{
			Kind:    "effort",
			Carried: preflight.Carried{Native: preflight.Native{Format: "x", JSON: []byte(is)}},
		}
	}
	settings := preflight.Profile{
		System: provider.SystemRules{
			Placement:  provider.SystemMidway,
			Directives: []string{"effort"},
		},
	}
	users := preflight.Profile{
		System: provider.SystemRules{Placement: provider.SystemMidway},
		Media:  provider.MediaRules{Roles: []preflight.Role{preflight.RoleUser}},
	}
	runFixer(t, preflight.PlaceRoles, []fixerCase{
		{name: "anywhere", in: history(q, s, q, a, s, s)},
		{name: "leading ones", profile: leading, in: history(s, s, q, a)},
		{
			name: "a late one", profile: leading,
			in:     history(s, q, s, a),
			want:   history(s, q, demoted, a),
			report: []string{"system-demoted 2 preflight/system-late"},
		},
		{
			name: "one at the end", profile: leading,
			in:     history(q, a, s),
			want:   history(q, a, demoted),
			report: []string{"system-demoted 2 preflight/system-late"},
		},
		{
			name: "refused, each by itself",
			profile: preflight.Profile{
				System: provider.SystemRules{Placement: provider.SystemRefused},
			},
			in:   history(s, s, q, s, a),
			want: history(demoted, demoted, q, demoted, a),
			report: []string{
				"system-demoted 0 preflight/system-refused",
				"system-demoted 1 preflight/system-refused",
				"system-demoted 3 preflight/system-refused",
			},
		},
		{name: "midway, before the assistant's turn", profile: midway, in: history(s, q, s, a)},
		{name: "midway, at the end", profile: midway, in: history(q, s)},
		{name: "midway, behind results", profile: midway, in: history(q, call, result, s, a)},
		{
			name: "midway, behind the result of a provider's own tool", profile: midway,
			in: history(q, searched, s, a),
		},
		{
			name: "of which MCP is none", profile: midway,
			in:     history(q, asked, s, a),
			want:   history(q, asked, demoted, a),
			report: []string{after},
		},
		{
			name: "midway, behind an answer", profile: midway,
			in:     history(q, a, s, a),
			want:   history(q, a, demoted, a),
			report: []string{after},
		},
		{
			name: "midway, before another user turn", profile: midway,
			in:     history(q, s, q),
			want:   history(q, demoted, q),
			report: []string{before},
		},
		{name: "midway, several", profile: midway, in: history(q, s, s, a)},
		{
			name: "midway, several before a user turn", profile: midway,
			in:     history(q, s, s, q),
			want:   history(q, demoted, demoted, q),
			report: []string{before, "system-demoted 2 preflight/system-before"},
		},
		{
			name: "behind a user turn, whatever follows", profile: behind,
			in: history(s, q, s, q, s, a),
		},
		{
			name: "but not behind results", profile: behind,
			in:     history(q, call, result, s, a),
			want:   history(q, call, result, demoted, a),
			report: []string{"system-demoted 3 preflight/system-after"},
		},
		{
			name: "a message that is going to be removed does not end a run", profile: sparse,
			alone: true,
			in:    history(q, s, botMsg(), userMsg(says("")), s, a),
		},
		{
			name: "nor makes a leading one late", profile: sparseLeading, alone: true,
			in: history(userMsg(says("")), botMsg(), s, q),
		},
		{
			name: "one that stays does", profile: leading, alone: true,
			in:     history(userMsg(says("")), s, q),
			want:   history(userMsg(says("")), demoted, q),
			report: []string{"system-demoted 1 preflight/system-late"},
		},
		{
			name: "so does one that holds more", profile: sparseLeading, alone: true,
			in:     history(userMsg(says(""), image()), s, q),
			want:   history(userMsg(says(""), image()), demoted, q),
			report: []string{"system-demoted 1 preflight/system-late"},
		},
		{
			name: "an empty one is nobody's concern", profile: leading, alone: true,
			in: history(q, sysMsg(), a),
		},
		{
			name: "settings stand anywhere", profile: settings,
			in: history(q, a, sysMsg(effort("1")), q),
		},
		{
			name: "settings stay behind a text that goes", profile: settings,
			in:     history(q, a, sysMsg(effort("1"), says("s"), effort("2")), q),
			want:   history(q, a, demoted, sysMsg(effort("1"), effort("2")), q),
			report: []string{after},
		},
		{
			name: "settings beside a text do not save it", profile: settings,
			in:     history(q, a, sysMsg(effort("1")), s, q),
			want:   history(q, a, sysMsg(effort("1")), demoted, q),
			report: []string{"system-demoted 3 preflight/system-after"},
		},
		{
			name: "kinds that are no settings", profile: settings,
			in:     history(q, a, sysMsg(&preflight.Other{Kind: "new"}), q),
			want:   history(q, a, userMsg(&preflight.Other{Kind: "new"}), q),
			report: []string{after},
		},
		{
			name: "media that is going to be a user turn makes it one, too", profile: users,
			alone:  true,
			in:     history(q, sysMsg(says("s"), image()), a),
			want:   history(q, userMsg(says("s"), image()), a),
			report: []string{"system-demoted 1 preflight/media-role"},
		},
		{
			name: "in any of a run", profile: users, alone: true,
			in:   history(q, s, sysMsg(image()), a),
			want: history(q, demoted, userMsg(image()), a),
			report: []string{
				"system-demoted 1 preflight/media-role",
				"system-demoted 2 preflight/media-role",
			},
		},
		{
			name: "but not in a leading one", profile: users, alone: true,
			in: history(sysMsg(says("s"), image()), q, a),
		},
		{
			name: "nor media that goes", profile: users, alone: true,
			in: history(q, sysMsg(says("s"), &preflight.Media{Kind: "image"}), a),
		},
		{
			name: "nor where it may stay", profile: midway,
			in: history(q, sysMsg(says("s"), image()), a),
		},
	})
}

// TestMapRoles: a role that the provider does not know becomes the one it stands for, or else the
// user's.
func TestMapRoles(t *testing.T) {
	as := func(role preflight.Role, parts ...preflight.Part) preflight.Message {
		return preflight.Message{Role: role, Parts: parts}
	}
	two := preflight.Profile{
		Roles:   []preflight.Role{"user", "model"},
		Pairing: provider.PairingRules{ResultRole: preflight.RoleUser},
	}
	runFixer(t, preflight.PlaceRoles, []fixerCase{
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
			name:   "what is not known is",
			in:     history(as("narrator", says("once"))),
			want:   history(userMsg(says("once"))),
			report: []string{"role-mapped 0 preflight/role-unknown ambiguous"},
		},
		{
			name: "a neutral role that there is not", profile: two,
			in: history(userMsg(says("q")), as("model", calls("a")),
				toolMsg(answers("a", "1"))),
			want: history(userMsg(says("q")), as("model", calls("a")),
				userMsg(answers("a", "1"))),
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
	single := preflight.Profile{Pairing: provider.PairingRules{OneResultPerMessage: true}}
	items := preflight.Profile{
		Items: provider.ItemRules{
			OnePartPerMessage: true,
			IDs:               map[string]provider.Pattern{"": {}},
		},
	}
	singleUsers := preflight.Profile{
		Pairing: provider.PairingRules{OneResultPerMessage: true, ResultRole: preflight.RoleUser},
	}
	runFixer(t, preflight.PlaceRoles, []fixerCase{
		{
			name: "a call of the user's",
			in:   history(named(userMsg(waits("a"), says("q"), says("r")))),
			want: history(botMsg(waits("a")), named(userMsg(says("q"), says("r")))),
			report: []string{
				"part-moved 0.0 preflight/call-misplaced of a",
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
				named(toolMsg(answers("a", "1"), answers("b", "2"), says("r")))),
			want: history(q, botMsg(calls("a"), calls("b")),
				named(toolMsg(answers("a", "1"), answers("b", "2"))), userMsg(says("r"))),
			report: []string{"part-moved 2.2 preflight/text-misplaced"},
		},
		{
			name: "text of the user's beside results of theirs",
			profile: preflight.Profile{
				Pairing: provider.PairingRules{ResultRole: preflight.RoleUser},
			},
			in: history(q, botMsg(calls("a")), userMsg(answers("a", "1"), says("r"))),
		},
		{
			name: "an exchange of the provider's own",
			in:   history(userMsg(searches("x"), finds("x", `{"a":1}`))),
			want: history(botMsg(searches("x"), finds("x", `{"a":1}`))),
			report: []string{
				"part-moved 0.0 preflight/call-misplaced of x",
				"part-moved 0.1 preflight/server-orphan of x",
			},
		},
		{
			name: "of MCP",
			in:   history(userMsg(mcpExchange()...)),
			want: history(botMsg(mcpExchange()...)),
			report: []string{
				"part-moved 0.0 preflight/call-misplaced of x",
				"part-moved 0.1 preflight/mcp-pairing of x",
			},
		},
		{
			name:   "reasoning goes, and with it the message",
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
			name: "and what stands beside it", profile: singleUsers, alone: true,
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

// TestRefusedKinds: parts that the provider takes from nobody, or not from this role.
func TestRefusedKinds(t *testing.T) {
	output := &preflight.Other{Kind: "output"}
	users := preflight.Profile{
		Content: provider.ContentRules{
			RefusedKinds: []provider.RefKind{{Kind: "output", Role: preflight.RoleUser}},
		},
	}
	plain := preflight.Profile{Tools: provider.ToolRules{NoServerTools: true}}
	exchange := botMsg(searches("x"), finds("x", `{"a":1}`), calls("a"), says("a"))
	runFixer(t, preflight.PlaceRoles, []fixerCase{
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
