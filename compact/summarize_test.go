package compact_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact"
)

// TestPromptCapped: a prompt is no longer than the limits say, whatever is in it; the newest
// material is whole, the prompt says that the oldest is not, and nobody's words become another's.
func TestPromptCapped(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.SampledFrom([]int{0, 3000, 20_000}).Draw(t, "prompt bytes")
		filler := rapid.SampledFrom([]string{"words and more ", "<>", "é", "line\n"}).Draw(t, "filler")
		var inputs []compact.Input
		total := 0
		for k := range rapid.IntRange(1, 400).Draw(t, "inputs") {
			n := rapid.IntRange(1, 3000).Draw(t, "repeated")
			role := []preflight.Role{preflight.RoleUser, preflight.RoleTool}[k%2]
			inputs = append(inputs, compact.Input{Role: role, Text: fmt.Sprintf("input %d ", k) +
				strings.Repeat(filler, n)})
			total += len(inputs[k].Text)
		}
		last := &inputs[len(inputs)-1]
		total -= len(last.Text)
		last.Text = "the newest words"
		prompt := ""
		summarizer := compact.Generate(func(_ context.Context, asked string) (string, error) {
			prompt = asked
			return "a summary", nil
		})
		_, err := compact.Limits{PromptBytes: most}.Summarize(context.Background(), summarizer,
			compact.Material{Inputs: inputs, Budget: 100})
		require.NoError(t, err)
		if most == 0 {
			most = 64 << 10
		}
		require.LessOrEqual(t, len(prompt), most)
		require.Contains(t, prompt, "the newest words\n</messages>")
		if total > most {
			require.Contains(t, prompt, "There was not room for all")
			require.Greater(t, len(prompt), most/3)
		}
		for k := range inputs[:len(inputs)-1] {
			for _, line := range strings.Split(prompt, "\n") {
				if _, after, ok := strings.Cut(line, "] "); ok && strings.Contains(line,
					fmt.Sprintf("input %d ", k)) {
					require.True(t, strings.HasPrefix(after, []string{"user: ", "tool: "}[k%2]))
				}
			}
		}
	})
}

// TestSlowSummarizer: a summarizer that ignores its context is left behind, and the extracted text
// stays.
func TestSlowSummarizer(t *testing.T) {
	ctx := context.Background()
	forever := make(chan struct{})
	defer close(forever)
	slow := compact.Flat{Summarizer: func(context.Context, compact.Material) (string, error) {
		<-forever
		return "too late", nil
	}}
	limits := compact.Limits{Budget: 1500, SummaryTimeout: 10 * time.Millisecond}
	res, err := slow.Compact(ctx, chatter(100), limits)
	require.NoError(t, err)
	require.True(t, res.Clusters[0].Provisional)
	require.Contains(t, written(res), "message 4")

	s := newSession(t, compact.SessionConfig{Limits: limits, Strategy: slow})
	require.NoError(t, s.Append(ctx, chatter(100)...))
	res, err = s.Render(ctx)
	require.NoError(t, err)
	require.ErrorIs(t, s.Resolve(ctx), context.DeadlineExceeded)
	again, err := s.Render(ctx)
	require.NoError(t, err)
	require.Equal(t, res, again)

	ctx, cancel := context.WithCancelCause(ctx)
	why := errors.New("the user left")
	cancel(why)
	_, err = limits.Summarize(ctx, slow.Summarizer, compact.Material{})
	require.ErrorIs(t, err, why)
}

// TestPromptKeepsWhatCounts: of a session that is longer than a prompt, a summarizer gets what
// matters most, however long ago it was said.
func TestPromptKeepsWhatCounts(t *testing.T) {
	ctx := context.Background()
	asked := 0
	summarizer := compact.Generate(func(_ context.Context, prompt string) (string, error) {
		asked++
		require.Contains(t, prompt, "The vault is at k-7731.")
		require.LessOrEqual(t, len(prompt), 6000)
		return "a summary", nil
	})
	s := newSession(t, compact.SessionConfig{
		Limits:   compact.Limits{Budget: 4000, PromptBytes: 6000},
		Strategy: compact.Flat{Summarizer: summarizer},
	})
	h := append([]preflight.Message{say(preflight.RoleUser, "The vault is at k-7731.")},
		chatter(400)...)
	for k, m := range h {
		require.NoError(t, s.Append(ctx, m))
		if k%20 == 0 {
			_, err := s.Render(ctx)
			require.NoError(t, err)
			require.NoError(t, s.Resolve(ctx))
		}
	}
	require.Greater(t, asked, 2)
}
