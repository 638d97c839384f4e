package spec

import (
	"testing"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/provider"
)

// This file tests the place of system messages.

// mcpExchange is a call of an MCP tool that the provider runs, and its result.
func mcpExchange() []preflight.Part {
	c, r := searches("x"), finds("x", `{"a":1}`)
	c.Variant, r.Variant = "mcp", "mcp"
	return []preflight.Part{c, r}
}

// TestPlaceSystem: where a system message may be, by the profile's placement; elsewhere it moves by
// one turn, or becomes a user turn in place.
func TestPlaceSystem(t *testing.T) {
	q, a, s := userMsg(says("q")), botMsg(says("a")), sysMsg(says("s"))
	demoted, call, result := userMsg(says("s")), botMsg(calls("a")), toolMsg(answers("a", "1"))
	leading := preflight.Profile{System: provider.SystemRules{Placement: provider.SystemLeading}}
	midway := preflight.Profile{System: provider.SystemRules{Placement: provider.SystemMidway}}
	afterUser := preflight.Profile{System: provider.SystemRules{Placement: provider.SystemAfterUser}}
	sparse := preflight.Profile{
		System:  provider.SystemRules{Placement: provider.SystemMidway},
		Content: provider.ContentRules{RefuseEmptyText: true, RefuseEmptyMessage: true},
	}
	sparseLeading := sparse
	sparseLeading.System.Placement = provider.SystemLeading
	searched, asked := botMsg(searches("x"), finds("x", `{"a":1}`)), botMsg(mcpExchange()...)
	const after = "system-demoted 2 preflight/system-after"
	const moved = "system-moved 2 preflight/system-after"
	const before = "system-moved 1 preflight/system-before"
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
	runFixer(t, preflight.Fixers.PlaceRoles, []fixerCase{
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
		{name: "midway, after results", profile: midway, in: history(q, call, result, s, a)},
		{
			name: "midway, after the result of a provider's own tool", profile: midway,
			in: history(q, searched, s, a),
		},
		{
			name: "of which MCP is none", profile: midway,
			in:     history(q, asked, s, a),
			want:   history(q, asked, demoted, a),
			report: []string{after},
		},
		{
			name: "midway, after an answer", profile: midway,
			in:     history(q, a, s, a),
			want:   history(q, a, demoted, a),
			report: []string{after},
		},
		{
			name: "midway, before another user turn", profile: midway,
			in:     history(q, s, q),
			want:   history(q, q, s),
			report: []string{before},
		},
		{name: "midway, several", profile: midway, in: history(q, s, s, a)},
		{
			name: "midway, several before a user turn", profile: midway,
			in:     history(q, s, s, q),
			want:   history(q, q, s, s),
			report: []string{before, "system-moved 2 preflight/system-before"},
		},
		{
			name: "midway, between a call and its result", profile: midway,
			in:     history(q, call, s, result, a),
			want:   history(q, call, result, s, a),
			report: []string{moved},
		},
		{
			name: "midway, in order with the next ones", profile: midway,
			in:     history(q, a, s, q, sysMsg(says("t")), q, sysMsg(says("u")), a),
			want:   history(q, a, q, q, s, sysMsg(says("t")), sysMsg(says("u")), a),
			report: []string{moved, "system-moved 4 preflight/system-before"},
		},
		{
			name: "midway, beside media that leaves it", profile: users, alone: true,
			in:     history(q, a, sysMsg(says("s"), image()), q),
			want:   history(q, a, userMsg(says("s"), image()), q),
			report: []string{after},
		},
		{
			name: "after a user turn, whatever follows", profile: afterUser,
			in: history(s, q, s, q, s, a),
		},
		{
			name: "but not after results", profile: afterUser,
			in:     history(q, call, result, s, a),
			want:   history(q, call, result, demoted, a),
			report: []string{"system-demoted 3 preflight/system-after"},
		},
		{
			name: "after the next user turn", profile: afterUser,
			in:     history(q, a, s, q, q, a),
			want:   history(q, a, q, s, q, a),
			report: []string{moved},
		},
		{
			name: "before a call rather than after results", profile: afterUser,
			in:     history(q, call, s, result, a),
			want:   history(q, s, call, result, a),
			report: []string{moved},
		},
		{
			name: "but not before what the assistant was told first", profile: afterUser,
			in:     history(q, a, call, s, result, a),
			want:   history(q, a, call, demoted, result, a),
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
			name: "an empty one is ignored", profile: leading, alone: true,
			in: history(q, sysMsg(), a),
		},
		{
			name: "settings are allowed anywhere", profile: settings,
			in: history(q, a, sysMsg(effort("1")), q),
		},
		{
			name: "settings stay after a text that is removed", profile: settings,
			in:     history(q, a, sysMsg(effort("1"), says("s"), effort("2")), a),
			want:   history(q, a, demoted, sysMsg(effort("1"), effort("2")), a),
			report: []string{after},
		},
		{
			name: "settings beside a text do not save it", profile: settings,
			in:     history(q, a, sysMsg(effort("1")), s, q),
			want:   history(q, a, sysMsg(effort("1")), q, s),
			report: []string{"system-moved 3 preflight/system-after"},
		},
		{
			name: "kinds that are no settings", profile: settings,
			in:     history(q, a, sysMsg(&preflight.Other{Kind: "new"}), q),
			want:   history(q, a, q, sysMsg(&preflight.Other{Kind: "new"})),
			report: []string{moved},
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
			name: "nor media that is removed", profile: users, alone: true,
			in: history(q, sysMsg(says("s"), &preflight.Media{Kind: "image"}), a),
		},
		{
			name: "nor where it may stay", profile: midway,
			in: history(q, sysMsg(says("s"), image()), a),
		},
	})
}
