package compact_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/compact"
	"github.com/go-preflight/preflight/compact/unionfind"
	"github.com/go-preflight/preflight/provider"
)

// everyStrategy are the strategies, and a session and a window as one.
func everyStrategy() map[string]compact.Strategy {
	return map[string]compact.Strategy{
		"flat":       compact.Flat{},
		"masking":    compact.Masking{},
		"union-find": unionfind.Strategy{},
		"window":     windowed{},
		"session":    sessioned{},
	}
}

// sessioned is a new session as a strategy.
type sessioned struct{}

func (sessioned) Compact(
	ctx context.Context, history []preflight.Message, limits compact.Limits,
) (compact.Result, error) {
	s, err := compact.NewSession(compact.SessionConfig{Limits: limits})
	if err == nil {
		err = s.Append(ctx, history...)
	}
	if err != nil {
		return compact.Result{}, err
	}
	return s.Render(ctx)
}

// inJSON is everything that messages say.
func inJSON(t *testing.T, messages []preflight.Message) string {
	t.Helper()
	data, err := json.Marshal(messages)
	require.NoError(t, err)
	return string(data)
}

// TestOversizedResult: a tool result that alone costs more than the budget is cut in the middle,
// with a mark and a warning; nothing fails.
func TestOversizedResult(t *testing.T) {
	profile := provider.Anthropic("")
	output := "BEGIN " + strings.Repeat("some output of a build\n", 12_000) + " exit status 17"
	exchange := []preflight.Message{
		say(preflight.RoleUser, "Why does the build fail?"),
		message(preflight.RoleAssistant, call("toolu_1", "build"), call("toolu_2", "look")),
		message(preflight.RoleUser, answer("toolu_1", output), answer("toolu_2", "nothing new")),
	}
	for name, s := range everyStrategy() {
		for _, before := range [][]preflight.Message{nil, chatter(80)} {
			h := append(before[:len(before):len(before)], exchange...)
			limits := compact.Limits{Budget: 4000, Profile: profile}
			res, err := s.Compact(context.Background(), h, limits)
			require.NoError(t, err, name)
			require.LessOrEqual(t, res.Tokens, limits.Budget)
			text := inJSON(t, res.Messages)
			require.Contains(t, text, "BEGIN some output")
			require.Contains(t, text, "bytes omitted")
			require.Contains(t, text, "exit status 17")
			require.Contains(t, text, "nothing new", "%s: the short result stays", name)
			require.Contains(t, text, "Why does the build fail?")
			require.Empty(t, preflight.Check(res.Messages, profile, nil))
			found := false
			for _, w := range res.Warnings {
				if w.Code == codes.CutToSize {
					found = true
					require.Equal(t, len(h)-1, w.At.Message(), name)
					require.Greater(t, w.Removed.Bytes, 200_000)
				}
			}
			require.True(t, found, "%s: a warning", name)
		}
	}
}

// TestOversizedCall: where the arguments are what is too long, the exchange is compacted.
func TestOversizedCall(t *testing.T) {
	input, err := json.Marshal(map[string]string{"text": strings.Repeat("a long letter ", 20_000)})
	require.NoError(t, err)
	h := []preflight.Message{
		say(preflight.RoleSystem, "You write letters."),
		say(preflight.RoleUser, "Save a letter of 20,000 lines."),
		message(preflight.RoleAssistant,
			&preflight.ToolCall{ID: "toolu_1", Name: "save", Input: input}),
		message(preflight.RoleUser, answer("toolu_1", "saved as letter-7.txt")),
	}
	profile := provider.Anthropic("")
	for name, s := range everyStrategy() {
		res, err := s.Compact(context.Background(), h,
			compact.Limits{Budget: 3000, Profile: profile})
		require.NoError(t, err, name)
		require.LessOrEqual(t, res.Tokens, 3000)
		require.Contains(t, inJSON(t, res.Messages), "letter-7.txt", name)
		require.Contains(t, inJSON(t, res.Messages), "Save a letter of 20,000 lines.", name)
	}
}

// TestBudgetError: only what may not be cut is an error, and its advice is enough: with the budget
// that it names the history fits.
func TestBudgetError(t *testing.T) {
	ctx := context.Background()
	long := strings.Repeat("word ", 2000)
	waiting := call("toolu_w", "deploy")
	waiting.Awaiting = preflight.AwaitingApproval
	for shape, h := range map[string][]preflight.Message{
		"system":       {say("system", long), say("user", "q")},
		"only systems": {say("system", long), say("system", "s")},
		"user":         {say("user", "q"), say("assistant", "a"), say("user", long)},
		"both": {
			say("system", long), say("user", "q"), say("assistant", "a"), say("user", long),
		},
		"after a long history": append(chatter(100), say("user", long)),
		"a call that waits": append(append([]preflight.Message{say("user", "q"),
			message("assistant", waiting)}, chatter(100)...), say("user", long)),
	} {
		for name, s := range everyStrategy() {
			limits := compact.Limits{Budget: 500, Profile: provider.Anthropic("")}
			res, err := s.Compact(ctx, h, limits)
			var tooSmall *compact.BudgetError
			require.ErrorAs(t, err, &tooSmall, "%s, %s", name, shape)
			require.True(t, isBudget(err))
			require.Greater(t, tooSmall.Need, 2000)
			if name != "session" { // that returns what would be sent without a budget
				require.Equal(t, h, res.Messages, "the history comes back")
			}

			limits.Budget = tooSmall.Need
			res, err = s.Compact(ctx, h, limits)
			require.NoError(t, err, "%s, %s: the advice", name, shape)
			require.LessOrEqual(t, res.Tokens, limits.Budget)
		}
	}
}
