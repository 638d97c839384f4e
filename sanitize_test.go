package preflight_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/provider"
)

// This file is the contract of Sanitize in short. The tests of all it promises are in
// internal/spec; its README.md says where.

// aborted is a session in which the user stopped a tool: the call has no result.
func aborted() []preflight.Message {
	return []preflight.Message{
		{Role: "user", Parts: []preflight.Part{&preflight.Text{Text: "What is the weather?"}}},
		{Role: "assistant", Parts: []preflight.Part{
			&preflight.Text{Text: "I look it up."},
			&preflight.ToolCall{ID: "toolu_1", Name: "weather", Input: json.RawMessage(`{}`)},
		}},
		{Role: "user", Parts: []preflight.Part{&preflight.Text{Text: "Never mind."}}},
	}
}

func TestSanitizeRepairs(t *testing.T) {
	in := aborted()
	res, err := preflight.Sanitize(context.Background(), in, provider.Anthropic("claude-sonnet-4-5"),
		nil)
	require.NoError(t, err)
	want := aborted()
	want[1].Parts = want[1].Parts[:1]
	require.Empty(t, cmp.Diff(want, res.Messages))
	require.Empty(t, cmp.Diff(aborted(), in), "the input is never written to")
	require.True(t, res.Changed)
	require.Len(t, res.Warnings, 1)
	require.Equal(t, codes.DanglingRemoved, res.Warnings[0].Code)
	require.Equal(t, codes.Lossy, res.Warnings[0].Class())
	require.Equal(t, preflight.PartAt(1, 1), res.Warnings[0].At)
}

func TestSanitizeAnswersOnRequest(t *testing.T) {
	res, err := preflight.Sanitize(context.Background(), aborted(), provider.Anthropic(""),
		&preflight.Options{Dangling: preflight.DanglingAnswer})
	require.NoError(t, err)
	answer := res.Messages[2].Parts[0].(*preflight.ToolResult)
	require.Equal(t, "toolu_1", answer.CallID)
	require.True(t, answer.IsError)
}

func TestSanitizeLeavesValidHistoriesAlone(t *testing.T) {
	in := aborted()[:1]
	res, err := preflight.Sanitize(context.Background(), in, provider.Anthropic(""), nil)
	require.NoError(t, err)
	require.False(t, res.Changed)
	require.Empty(t, res.Warnings)
	require.Same(t, &in[0], &res.Messages[0], "the very slice that was given")
}

func TestSanitizeRefuses(t *testing.T) {
	_, err := preflight.Sanitize(context.Background(), nil, provider.Anthropic(""), nil)
	require.ErrorIs(t, err, preflight.ErrEmptyHistory)

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	in := aborted()
	res, err := preflight.Sanitize(ctx, in, provider.Anthropic(""), nil)
	require.ErrorIs(t, err, context.Canceled)
	require.Same(t, &in[0], &res.Messages[0], "on error the input comes back")
}
