package spec

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/fixer"
	"github.com/go-preflight/preflight/provider"
)

// This file tests the options themselves.

func TestOptionsTravelAsJSON(t *testing.T) {
	for _, o := range []preflight.Options{
		{},
		{Dangling: preflight.DanglingAnswer},
		{Trailing: preflight.TrailingStrip, FallbackToLastUser: true},
		{Untrusted: true, Bridge: "b"},
	} {
		body, err := json.Marshal(o)
		require.NoError(t, err)
		var back preflight.Options
		require.NoError(t, json.Unmarshal(body, &back))
		require.Empty(t, cmp.Diff(o, back))
	}
	body, err := json.Marshal(preflight.Options{})
	require.NoError(t, err)
	require.Equal(t, `{}`, string(body))
}

// TestOptionsThatChangeValid: what a caller asks for is done to a valid history, too, however
// little it is.
func TestOptionsThatChangeValid(t *testing.T) {
	run := searches("s")
	run.Name = "code_execution"
	in := history(sysMsg(says("s")), userMsg(says(strings.Repeat("x", 12000))),
		botMsg(run, finds("s", `{"a":"`+strings.Repeat("y", 300)+`"}`), says("a")),
		userMsg(says("r")))
	in[1].Meta = preflight.Metadata{"run_id": json.RawMessage(`"1"`)}
	in[2].Parts[2].(*preflight.Text).Meta = preflight.Metadata{
		"openai": json.RawMessage(`{"itemId":"msg_1"}`),
	}
	for name, c := range map[string]struct {
		fixer preflight.Fixer
		code  codes.Code
	}{
		"nothing":         {preflight.Fixers.DropEmptyReasoning, ""},
		"ids of items":    {preflight.Fixers.StripEphemeral, codes.MetadataStripped},
		"system messages": {preflight.Fixers.StripSystem, codes.SystemRemoved},
		"bindings":        {fixer.ClearMeta("run_id"), codes.BindingCleared},
		"long strings":    {fixer.Truncate{MaxString: 50}.Fixer(), codes.Truncated},
	} {
		options := &preflight.Options{Fixers: []preflight.Fixer{c.fixer}}
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.code == "", isValid(in, &preflight.Profile{}, options))
			res, err := preflight.Sanitize(context.Background(), in, &preflight.Profile{},
				options)
			require.NoError(t, err)
			require.Equal(t, c.code != "", res.Changed)
			for _, w := range res.Warnings {
				require.Equal(t, c.code, w.Code)
			}
			again, err := preflight.Sanitize(context.Background(), res.Messages,
				&preflight.Profile{}, options)
			require.NoError(t, err)
			require.False(t, again.Changed, list(again.Warnings))
		})
	}
	require.False(t, isValid(nil, &preflight.Profile{}, nil))
	require.True(t, isValid(in, nil, nil))
}

// TestUnwantedGoesFirst: what the caller does not want is removed before the pipeline's fixers make
// something else of it, wherever it is in the list.
func TestUnwantedGoesFirst(t *testing.T) {
	in := history(userMsg(says("q")), botMsg(says("a")), sysMsg(says("s\x00")), userMsg(says("r")))
	mine := preflight.Fixer{Name: "mine", Fix: func(
		h []preflight.Message, _ *preflight.Profile, _ preflight.Request,
	) ([]preflight.Message, []preflight.Warning) {
		for _, m := range h {
			require.NotEqual(t, preflight.RoleSystem, m.Role)
		}
		return h, nil
	}}
	res, err := preflight.Sanitize(context.Background(), in, provider.Anthropic(""),
		&preflight.Options{Fixers: []preflight.Fixer{mine, preflight.Fixers.StripSystem}})
	require.NoError(t, err)
	require.Equal(t, []string{
		"text-repaired 2.0 chat-template/nul-truncation", "system-removed 2",
	}, reported(res.Warnings))
	require.Equal(t, []string{"q", "a", "r"}, texts(res.Messages))
}

// TestDefaultsByName: the defaults may be written out in Go as in JSON.
func TestDefaultsByName(t *testing.T) {
	in := history(userMsg(says("q")), botMsg(calls("a"), calls("b")),
		userMsg(answers("a", "1"), answers("a", "2"), answers("c", "3")), botMsg(says("x")))
	profile := provider.Anthropic("claude-opus-5-5")
	want, err := preflight.Sanitize(context.Background(), in, profile, nil)
	require.NoError(t, err)
	require.Len(t, want.Warnings, 4, "each policy has something to do")
	got, err := preflight.Sanitize(context.Background(), in, profile, &preflight.Options{
		Dangling: "remove", Orphans: "remove", Duplicates: "merge", Trailing: "continue",
	})
	require.NoError(t, err)
	require.Empty(t, cmp.Diff(want, got))
}
