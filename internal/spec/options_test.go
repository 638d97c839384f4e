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
	"github.com/go-preflight/preflight/stored"
)

// This file tests the options themselves.

func TestOptionsTravelAsJSON(t *testing.T) {
	for _, o := range []preflight.Options{
		{},
		stored.PersistOptions().Policies,
		stored.ResumeOptions(),
		{Dangling: preflight.DanglingAnswer},
		{Trailing: preflight.TrailingStrip, FallbackToLastUser: true},
		{
			TruncateInputs: true, ClearMeta: []string{"openai.itemId"},
		},
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
		options preflight.Options
		code    codes.Code
	}{
		"nothing":         {},
		"ids of items":    {preflight.Options{StripEphemeral: true}, codes.MetadataStripped},
		"system messages": {preflight.Options{StripSystem: true}, codes.SystemRemoved},
		"bindings":        {preflight.Options{ClearMeta: []string{"run_id"}}, codes.BindingCleared},
		"long strings":    {preflight.Options{MaxString: 50}, codes.Truncated},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.code == "", isValid(in, &preflight.Profile{}, &c.options))
			res, err := preflight.Sanitize(context.Background(), in, &preflight.Profile{},
				&c.options)
			require.NoError(t, err)
			require.Equal(t, c.code != "", res.Changed)
			for _, w := range res.Warnings {
				require.Equal(t, c.code, w.Code)
			}
			again, err := preflight.Sanitize(context.Background(), res.Messages,
				&preflight.Profile{}, &c.options)
			require.NoError(t, err)
			require.False(t, again.Changed, list(again.Warnings))
			require.Zero(t, again.Rounds)
		})
	}
	require.False(t, isValid(nil, &preflight.Profile{}, nil))
	require.True(t, isValid(in, nil, nil))
}
