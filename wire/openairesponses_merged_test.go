package wire_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/wire"
)

// TestResponsesMergedResults: where different results of one call are merged, a shell's say all
// that both put out. A screenshot takes nothing beside it, so that the first stays and the second
// is removed with a warning.
func TestResponsesMergedResults(t *testing.T) {
	for _, c := range []struct{ kind, action, first, second, want, code string }{
		{"shell_call", `{"commands":["ls"]}`, `[{"stdout":"1"}]`, `[{"stdout":"2"}]`,
			`[{"stdout":"1"},{"stdout":"2"}]`, "duplicates-merged"},
		{"shell_call", `{"commands":["ls"]}`, `["1"]`, `[{"stdout":"2"}]`,
			`[{"stdout":"2"},{"stdout":"","stderr":"[\"1\"]","outcome":{"type":"exit",` +
				`"exit_code":1}}]`,
			"duplicates-merged"},
		{"computer_call", `{"type":"click"}`, `{"type":"computer_screenshot","image_url":"1"}`,
			`{"type":"computer_screenshot","image_url":"2"}`,
			`{"type":"computer_screenshot","image_url":"1"}`, "result-removed"},
	} {
		before := `{"input":[{"role":"user","content":"q"},{"type":"` + c.kind +
			`","call_id":"c","action":` + c.action + `}`
		output := func(held string) string {
			return `,{"type":"` + c.kind + `_output","call_id":"c","output":` + held + `}`
		}
		options := &wire.Options{Provider: "openai-responses"}
		options.Options.Duplicates = preflight.DuplicateMerge
		result, err := wire.Sanitize(context.Background(),
			[]byte(before+output(c.first)+output(c.second)+`]}`), options)
		require.NoError(t, err)
		require.Equal(t, before+output(c.want)+`]}`, string(result.Body))
		require.Len(t, result.Warnings, 1)
		require.Equal(t, codes.Code(c.code), result.Warnings[0].Code)
		require.Equal(t, "input[3]", result.Warnings[0].Path)
	}
}
