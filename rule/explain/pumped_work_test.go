//go:build workcount

package explain_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/internal/work/pump"
	"github.com/go-preflight/preflight/rule"
	"github.com/go-preflight/preflight/rule/explain"
)

// TestPumpedWork: whatever is repeated in the text of an error (a word, a character, the whole
// text, or a part of the JSON that it comes in), Explain does about twice as much for twice the
// length.
func TestPumpedWork(t *testing.T) {
	for _, r := range rule.All() {
		if r.Error == "" {
			continue
		}
		inJSON, err := json.Marshal(map[string]any{
			"type": "error", "error": map[string]any{"message": r.Error, "details": []string{"d"}},
		})
		require.NoError(t, err)
		tried := map[string][]pump.Stretch{string(inJSON): pump.Stretches(string(inJSON))}
		tried[r.Error] = []pump.Stretch{pump.Part(r.Error, 0, len(r.Error))}
		from := 0
		for _, word := range strings.SplitAfter(r.Error, " ") {
			if word != "" {
				tried[r.Error] = append(tried[r.Error], pump.Part(r.Error, from, from+len(word)),
					pump.Part(r.Error, from, from+1))
			}
			from += len(word)
		}
		for text, all := range tried {
			for _, at := range all {
				if pump.Skipped(r.ID, at) {
					continue
				}
				pump.Linear(t, r.ID+", repeated: "+at.Text, func(n int) func() {
					pumped := string(at.Times(text, n))
					return func() { _, _ = explain.Text(pumped) }
				})
			}
		}
	}
}
