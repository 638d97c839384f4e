package spec

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/provider"
)

// This file tests roles that a profile moves or that Strict refuses.

func TestPlaceRoles(t *testing.T) {
	leading := preflight.Profile{System: provider.SystemRules{Placement: provider.SystemLeading}}
	as := func(role preflight.Role, parts ...preflight.Part) preflight.Message {
		return preflight.Message{Role: role, Parts: parts}
	}
	fallback := &preflight.Other{Kind: "fallback"}
	signs := preflight.Profile{
		Content:   provider.ContentRules{RefusedKinds: []provider.RefKind{{Kind: "fallback"}}},
		Reasoning: provider.ReasoningRules{Signed: true},
	}
	runFixer(t, preflight.Fixers.PlaceRoles, []fixerCase{
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
			name:  "a user cannot call tools",
			in:    history(userMsg(says("q"), waits("a"), says("r"))),
			want:  history(userMsg(says("q"), says("r"))),
			codes: warned(codes.PartRemoved),
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
		{
			name:    "with the signed reasoning that they parted",
			profile: signs,
			in: history(userMsg(says("q")), botMsg(thinks("hm", "sig"), fallback, fallback,
				thinks("so", "sig"), says("a"))),
			want: history(userMsg(says("q")), botMsg(says("a"))),
			codes: warned(codes.ReasoningRemoved, codes.ReasoningRemoved, codes.PartRemoved,
				codes.PartRemoved),
		},
		{
			name:    "not with reasoning that they are after",
			profile: signs,
			in:      history(userMsg(says("q")), botMsg(thinks("hm", "sig"), fallback, says("a"))),
			want:    history(userMsg(says("q")), botMsg(thinks("hm", "sig"), says("a"))),
			codes:   warned(codes.PartRemoved),
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

// TestStrictTakesForeignPlaces: a role that is known, but not to this provider, is no ambiguity
// either: what it means is plain.
func TestStrictTakesForeignPlaces(t *testing.T) {
	profile := provider.Anthropic("")
	in := history(userMsg(says("q")), botMsg(calls("a")),
		decoded("anthropic", toolMsg(answers("a", "1"))))
	res, err := preflight.Sanitize(context.Background(), in, profile,
		&preflight.Options{Strict: true})
	require.NoError(t, err)
	require.Equal(t, preflight.RoleUser, res.Messages[2].Role)

	in = history(userMsg(says("q")),
		preflight.Message{Role: "narrator", Parts: []preflight.Part{says("once")}})
	_, err = preflight.Sanitize(context.Background(), in, profile, &preflight.Options{Strict: true})
	require.ErrorIs(t, err, preflight.ErrAmbiguous)
}
