package spec

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/fixer"
	"github.com/go-preflight/preflight/preflighttest/histgen"
	"github.com/go-preflight/preflight/stored"
)

// TestAwkwardOptions: texts that no provider accepts, and cuts at odd places, do not keep the
// fixers from an end, and what they return is stable.
func TestAwkwardOptions(t *testing.T) {
	texts := []string{"\x00", "\xff", " ", "\u200b", "\x01", "\xed\xa0\xbd", "a\x00b", "fine"}
	cuts := []func(string, int) int{
		nil,
		func(string, int) int { return 0 },
		func(string, int) int { return -1 },
		func(_ string, n int) int { return n + 5 },
	}
	rapid.Check(t, func(t *rapid.T) {
		profile := underTest()[rapid.SampledFrom(profileNames()).Draw(t, "profile")].profile
		text := rapid.SampledFrom(texts)
		limit := rapid.SampledFrom([]int{0, 1, 60})
		options := &preflight.Options{
			Dangling:     rapid.SampledFrom([]preflight.Dangling{"", "answer"}).Draw(t, "dangling"),
			Orphans:      rapid.SampledFrom([]preflight.Orphans{"", "text"}).Draw(t, "orphans"),
			Placeholder:  text.Draw(t, "placeholder"),
			ContinueText: text.Draw(t, "continue"),
			Bridge:       text.Draw(t, "bridge"),
			DanglingText: text.Draw(t, "dangling text"),
		}
		cut := rapid.SampledFrom(cuts).Draw(t, "cut")
		truncate := fixer.Truncate{MaxString: limit.Draw(t, "string"), Boundary: cut}
		older := stored.Older{
			Keep: rapid.IntRange(0, 2).Draw(t, "keep"), MaxText: limit.Draw(t, "text"),
			MaxOutput: limit.Draw(t, "output"), Boundary: cut,
		}
		options.Fixers = []preflight.Fixer{truncate.Fixer(), older.Fixer()}
		history := histgen.Any(&profile, options).Draw(t, "history")
		res, err := preflight.Sanitize(context.Background(), history, &profile, options)
		if errors.Is(err, preflight.ErrEmptyHistory) {
			return
		}
		require.NoError(t, err)
		again, err := preflight.Sanitize(context.Background(), res.Messages, &profile, options)
		require.NoError(t, err)
		require.Empty(t, again.Warnings)
	})
}

// TestTextsOfOptionsAreClean: a text is inserted without NUL, and one of nothing else is replaced
// by the default.
func TestTextsOfOptionsAreClean(t *testing.T) {
	for text, want := range map[string]string{
		"\x00": defaultPlaceholder, "a\x00b": "ab", "a\xff": "a\ufffd", "go on": "go on",
	} {
		history := []preflight.Message{
			{Role: preflight.RoleAssistant, Parts: []preflight.Part{says("a")}},
			userMsg(says("q")),
		}
		res, err := preflight.Sanitize(context.Background(), history, nil,
			&preflight.Options{Placeholder: text})
		require.NoError(t, err, "%q", text)
		require.Equal(t, want, res.Messages[0].Parts[0].(*preflight.Text).Text)
	}
}

// The texts of options that are not set.
const (
	defaultApprovalText = "The tool call is waiting for approval: it has not run yet."
	defaultPlaceholder  = "(conversation resumed)"
	defaultWaitingText  = "The tool call has not finished yet: there is no result so far."
)
