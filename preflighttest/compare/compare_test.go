package compare

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/wire"
)

func rowsOf(t *testing.T, provider string, s Sanitizer) map[string]Row {
	t.Helper()
	table, err := Run(t.Context(), provider, s)
	require.NoError(t, err)
	rows := map[string]Row{}
	for _, r := range table.Rows {
		rows[r.Measure] = r
	}
	t.Log("\n" + table.String())
	return rows
}

func TestPreflightItself(t *testing.T) {
	for provider := range models {
		if testing.Short() && provider != "anthropic" {
			continue
		}
		t.Run(provider, func(t *testing.T) {
			rows := rowsOf(t, provider, func(_ context.Context, body []byte) ([]byte, error) {
				return body, nil
			})
			require.Greater(t, rows[Refused].Of, 3)
			require.Equal(t, rows[Refused].Of, rows[Refused].Yours, "nothing was repaired")
			require.NotEmpty(t, rows[Refused].Why)
			require.Zero(t, rows[Changed].Yours)
			require.Zero(t, rows[Lost].Yours)
			require.Zero(t, rows[Invented].Yours)
			require.Zero(t, rows[Prefix].Yours)
			for _, measure := range []string{Left, Changed, Broken, Lost} {
				require.Zero(t, rows[measure].Preflight, measure)
			}
			require.LessOrEqual(t, rows[Invented].Preflight, 2)
			// what only a server knows, or a caller can say
			require.LessOrEqual(t, rows[Refused].Preflight, 2)
			require.LessOrEqual(t, 2*rows[Errors].Preflight, rows[Errors].Of)
		})
	}
}

// TestFaults: each measure shows the sanitizer that has its fault.
func TestFaults(t *testing.T) {
	rows := rowsOf(t, "anthropic", func(_ context.Context, body []byte) ([]byte, error) {
		var request map[string]any
		if err := json.Unmarshal(body, &request); err != nil {
			return nil, err
		}
		messages, _ := request["messages"].([]any)
		if len(messages) < 2 {
			return nil, errors.New("nothing to do")
		}
		request["messages"] = append(messages[len(messages)-1:],
			map[string]any{"role": "user", "content": "Go on."})
		return json.Marshal(request)
	})
	for _, measure := range []string{Refused, Errors, Left, Changed, Broken, Lost, Invented, Prefix} {
		require.NotZero(t, rows[measure].Yours, measure)
		require.True(t, json.Valid(rows[measure].Example), measure)
	}
	for _, measure := range []string{Refused, Left, Broken} {
		sum := 0
		for _, n := range rows[measure].Rules {
			sum += n
		}
		require.Equal(t, rows[measure].Yours-sum, 0, measure)
	}
	rows = rowsOf(t, "openai-chat", func(context.Context, []byte) ([]byte, error) { panic("no") })
	require.Equal(t, rows[Errors].Of, rows[Errors].Yours)
}

func TestRunErrors(t *testing.T) {
	same := func(_ context.Context, body []byte) ([]byte, error) { return body, nil }
	for _, provider := range []string{"nobody", "", "azure", "deepseek"} {
		_, err := Run(t.Context(), provider, same)
		require.ErrorIs(t, err, wire.ErrUnknownProvider)
		require.ErrorContains(t, err, "anthropic, bedrock")
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	_, err := Run(stopped, "anthropic", same)
	require.ErrorIs(t, err, context.Canceled)
}

// TestReadme: the table that the README shows is the one of the example.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	example, err := os.ReadFile("example_test.go")
	require.NoError(t, err)
	_, output, found := strings.Cut(string(example), "\t// Output:\n")
	require.True(t, found)
	for line := range strings.Lines(strings.TrimSuffix(output, "}\n")) {
		require.Contains(t, string(readme), "\n"+strings.TrimPrefix(line, "\t// "))
	}
}
