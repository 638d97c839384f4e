package compact_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact"
	"github.com/go-preflight/preflight/compact/unionfind"
	"github.com/go-preflight/preflight/provider"
)

// TestClearedResults: of old tool results in messages that stay, errors stay whole, and the last
// ones; of the others the lines that later messages used, with how many are missing.
func TestClearedResults(t *testing.T) {
	h := chatter(60)
	for k := range 8 {
		id := fmt.Sprint("toolu_", k)
		output := make([]string, 40)
		for i := range output {
			output[i] = fmt.Sprintf("file_%d_%d.go: of no use", k, i)
		}
		r := answer(id, strings.Join(output, "\n"))
		r.IsError = k == 2
		h = append(h, say(preflight.RoleUser, fmt.Sprintf("Search again, %d.", k)),
			message(preflight.RoleAssistant, call(id, "search")), message(preflight.RoleUser, r),
			say(preflight.RoleAssistant, fmt.Sprintf("I will open file_%d_25.go next.", k)))
	}
	h = append(h, say(preflight.RoleUser, "Go on."))
	profile := provider.Anthropic("")
	for name, s := range map[string]compact.Strategy{
		"flat": compact.Flat{}, "union-find": unionfind.Strategy{}, "session": sessioned{},
	} {
		budget := 2500
		if name == "session" { // it uses less than all
			budget = 3000
		}
		res, err := s.Compact(context.Background(), h,
			compact.Limits{Budget: budget, Profile: profile})
		require.NoError(t, err)
		whole, cleared := 0, 0
		for _, m := range res.Messages {
			for _, p := range m.Parts {
				r, ok := p.(*preflight.ToolResult)
				if !ok {
					continue
				}
				text := r.Content[0].(*preflight.Text).Text
				k := strings.TrimPrefix(r.CallID, "toolu_")
				require.Contains(t, text, "file_"+k+"_25.go", "%s: it was used", name)
				if strings.Contains(text, "file_"+k+"_0.go") {
					whole++
					continue
				}
				cleared++
				require.NotEqual(t, "2", k, "errors stay")
				require.Equal(t, "[…25] file_"+k+"_25.go: of no use\n[…14]", text)
			}
		}
		require.Positive(t, whole, name)
		require.Positive(t, cleared, name)
	}
}
