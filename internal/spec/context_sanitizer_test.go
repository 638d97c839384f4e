package spec

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/provider"
)

// This file tests what the ContextSanitizer article does (docs/migration-contextsanitizer.md).

// TestArticleStrictModeAndFallback: two different answers to one call are ambiguous.
func TestArticleStrictModeAndFallback(t *testing.T) {
	answer := func(text string) preflight.Part {
		return &preflight.ToolResult{CallID: "c1", Content: []preflight.Part{says(text)}}
	}
	in := []preflight.Message{
		userMsg(says("first")),
		botMsg(calls("c1")),
		userMsg(answer("yes"), answer("no"), says("last")),
	}
	options := preflight.Options{
		Trailing: preflight.TrailingStrip, FallbackToLastUser: true, Strict: true,
	}
	out := runSystem(t, in, sanitizing(*provider.Portable(), options))
	require.Equal(t, codes.Fallback, out.Warnings[0].Code)
	require.Equal(t, []string{"last"}, texts(out.Messages))

	options.FallbackToLastUser = false
	profile := provider.Portable()
	out, err := preflight.Sanitize(context.Background(), in, profile, &options)
	require.ErrorIs(t, err, preflight.ErrAmbiguous)
	var ambiguous *preflight.Error
	require.True(t, errors.As(err, &ambiguous))
	require.Len(t, ambiguous.Choices, 1)
	require.Empty(t, cmp.Diff(in, out.Messages), "on error the input comes back")
}
