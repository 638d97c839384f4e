package preflighttest_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/preflighttest"
)

// TestRecordedAnthropic: the fake accepts what Anthropic itself was recorded to
// accept, and what an agent makes of its answers.
func TestRecordedAnthropic(t *testing.T) {
	for _, file := range []string{"accepted", "followups"} {
		f, err := os.Open("../../shared/recorded/" + file + ".jsonl")
		if errors.Is(err, fs.ErrNotExist) {
			t.Skip("the recorded requests are kept beside the project, and are not here")
		}
		require.NoError(t, err)
		defer f.Close()
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 64<<20)
		n := 0
		for lines.Scan() {
			var row struct {
				Provider, Model, Source string
				Body                    json.RawMessage
			}
			require.NoError(t, json.Unmarshal(lines.Bytes(), &row))
			if row.Provider != "anthropic" {
				continue
			}
			n++
			violations, err := (&preflighttest.Options{Model: row.Model}).Violations("anthropic",
				row.Body)
			require.NoError(t, err)
			for _, v := range violations {
				switch {
				case v.Rule == "anthropic/tool-use-id-duplicate": // recorded for ids of one turn
				case v.Path == "model" || v.Path == "max_tokens": // in the URL, or not needed
				default:
					t.Errorf("%s: %s: %v", row.Source, v.Path, v)
				}
			}
		}
		require.NoError(t, lines.Err())
		require.Positive(t, n)
	}
}
